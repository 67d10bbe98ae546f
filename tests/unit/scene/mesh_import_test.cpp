// engine/scene/mesh_import.h: every ordinary OBJ loads, every odd one is told, every broken one is refused by line.
#include "engine/scene/mesh_import.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "engine/core/error.h"
#include "engine/scene/build_model.h"
#include "engine/scene/scene_file.h"

namespace plica {
namespace {

std::string input(const std::string& name) { return PLICA_TESTS_DIR "/inputs/" + name; }

ImportResult inspect(const std::string& text, const std::string& unit = {}) {
    return inspect_mesh_text(text, "mesh.obj", {unit, 30e-6});
}

// Errors or warnings as lines "12: text".
std::string lines(const std::vector<ImportNote>& notes) {
    std::string out;
    for (const ImportNote& note : notes) out += std::to_string(note.line) + ": " + note.text + "\n";
    return out;
}

void expect_error(const std::string& text, const std::string& part) {
    const ImportResult result = inspect(text);
    EXPECT_NE(lines(result.report.errors).find(part), std::string::npos)
        << "\"" << part << "\" is not in: " << lines(result.report.errors);
}

const std::string square = "v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\n";

TEST(mesh_import, dialects_load_without_warning) {
    struct Case {
        const char* file;
        int vertices, triangles;
    };
    for (const Case& c : {Case{"B01_relative_indices.obj", 32, 36}, Case{"B01_crlf_bom_tabs.obj", 16, 18},
                          Case{"B01_corner_forms.obj", 16, 18}, Case{"B01_single_triangle.obj", 3, 1}}) {
        const ImportResult result = load_mesh(input(c.file));
        EXPECT_EQ(result.report.vertex_count, c.vertices) << c.file;
        EXPECT_EQ(result.report.triangle_count, c.triangles) << c.file;
        EXPECT_EQ(lines(result.report.warnings), "") << c.file;
        const Scene scene = scene_from_mesh(input(c.file), {30e-6, "", {0}, 1});
        EXPECT_EQ(build_model(scene).membranes.size(), std::size_t(c.triangles));
        EXPECT_EQ(scene.supports.size(), 1u);
    }
}

TEST(mesh_import, both_sheets_of_16_vertices_are_the_same) {
    const Mesh a = load_mesh(input("B01_crlf_bom_tabs.obj")).mesh, b = load_mesh(input("B01_corner_forms.obj")).mesh;
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.vertices[15], (Vec3{0.09, 0.09, 0}));
}

TEST(mesh_import, groups_and_objects_become_vertex_groups) {
    const Mesh mesh = inspect("o sheet\n" + square + "g left both\nf 1 2 3\ng right both\nf 1 3 4\ng\n").mesh;
    ASSERT_EQ(mesh.groups.size(), 4u);
    EXPECT_EQ(mesh.groups[0].name, "sheet");
    EXPECT_EQ(mesh.groups[0].vertices, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(mesh.groups[1].name, "left");
    EXPECT_EQ(mesh.groups[1].vertices, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(mesh.groups[2].name, "both");
    EXPECT_EQ(mesh.groups[2].vertices, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(mesh.groups[3].name, "right");
}

TEST(mesh_import, every_line_end_and_continuation_gives_the_same_mesh) {
    const Mesh plain = inspect(square + "f 1 2 3\nf 1 3 4\n").mesh;
    for (const std::string& end : {std::string("\r\n"), std::string("\r")}) {
        std::string text = square + "f 1 2 3\nf 1 3 4";
        for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + end.size()))
            text.replace(at, 1, end);
        EXPECT_EQ(inspect(text).mesh.triangles, plain.triangles);
        EXPECT_EQ(inspect(text).mesh.vertices, plain.vertices);
    }
    const ImportResult continued = inspect(square + "f 1 \\\n 2 \\\n 3\nf 1 3 4 # comment\n");
    EXPECT_EQ(continued.mesh.triangles, plain.triangles);
    EXPECT_EQ(continued.mesh.triangle_line, (std::vector<int>{5, 8}));
}

TEST(mesh_import, polygons_are_cut_into_triangles_of_the_same_area) {
    // A U of eight corners, area 3 x 3 − 1 x 2 = 7 (in units of 0.01 m²).
    const ImportResult u =
        inspect("v 0 0 0\nv .3 0 0\nv .3 .3 0\nv .2 .3 0\nv .2 .1 0\nv .1 .1 0\nv .1 .3 0\nv 0 .3 0\nf 1 2 3 4 5 6 7 8\n");
    EXPECT_TRUE(u.report.ok()) << u.report.text();
    EXPECT_EQ(u.report.polygon_count, 1);
    ASSERT_EQ(u.mesh.triangles.size(), 6u);
    double area = 0;
    for (const Int3& t : u.mesh.triangles) {
        const auto at = [&](int v) { return u.mesh.vertices[std::size_t(v)]; };
        const double part = 0.5 * cross(at(t.b) - at(t.a), at(t.c) - at(t.a)).z;
        EXPECT_GT(part, 0);
        area += part;
    }
    EXPECT_NEAR(area, 0.07, 1e-12);
    EXPECT_EQ(inspect(square + "f 1 2 3 4\n").report.triangle_count, 2);
    // A quad that is concave at its third corner: only one diagonal will do.
    const ImportResult dart = inspect("v 0 0 0\nv .1 0 0\nv .02 .02 0\nv 0 .1 0\nf 1 2 3 4\n");
    EXPECT_TRUE(dart.report.ok());
    for (const Int3& t : dart.mesh.triangles) EXPECT_TRUE(t.a == 0 || t.b == 0 || t.c == 0);
}

TEST(mesh_import, broken_lines_are_all_told_at_once) {
    const std::string text =
        "v 0 0 0\nv 0.1 0\nv 0,1 0 0\nv nan 0 0\nv 1e999 0 0\nv a b c\nf 1 2 9\nf 0 1 2\nf 1 2\nf 1 1 2\nf 1/x 2 3\nf -9 1 "
        "2\nf 1/1/1/1 2 3\n";
    const std::string errors = lines(inspect(text).report.errors);
    for (const char* part :
         {"2: vertex has 2 numbers", "3: vertex has \"0,1\"", "the decimal mark is a point", "4: vertex has \"nan\"",
          "5: vertex has \"1e999\"", "6: vertex has \"a\"", "7: face 1 uses vertex 9, but the file has 6",
          "8: face has the corner \"0\"", "9: face 3 has 2 corners", "10: face 4 uses vertex 1 twice",
          "11: face has the corner \"1/x\"", "12: face has the corner \"-9\"", "13: face has the corner"})
        EXPECT_NE(errors.find(part), std::string::npos) << "\"" << part << "\" is not in:\n" << errors;
}

TEST(mesh_import, refusal_lists_errors_with_file_and_line) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "plica broken ü.obj";
    std::ofstream(file) << square << "f 1 2 9\nf 1 2 x\n";
    try {
        load_mesh(file.string());
        FAIL();
    } catch (const InputError& e) {
        const std::string message = e.what();
        EXPECT_NE(message.find("2 errors"), std::string::npos) << message;
        EXPECT_NE(message.find("plica broken ü.obj:5: "), std::string::npos) << message;
        EXPECT_NE(message.find("plica broken ü.obj:6: "), std::string::npos) << message;
    }
    std::filesystem::remove(file);
}

TEST(mesh_import, files_that_are_no_meshes_are_refused) {
    expect_error("", "has no vertices");
    expect_error("hello\nworld\n", "has no vertices");
    expect_error(square, "has no faces");
    expect_error(std::string("\x89HDF\r\n\x1a\n\0\0\0", 11), "zero bytes");
    expect_error("\xFF\xFEv\1", "UTF-16");
    EXPECT_THROW(inspect_mesh("/nowhere/mesh.obj"), InputError);
    EXPECT_THROW(inspect_mesh("/"), InputError);
    EXPECT_THROW(inspect(square, "furlong"), InputError);
}

TEST(mesh_import, triangles_without_area_are_errors_with_line_and_vertices) {
    expect_error("v 0 0 0\nv 0.1 0 0\nv 0.2 0 0\nv 0 0.1 0\nf 1 2 4\nf 1 2 3\n",
                 "6: 1 triangles without area: line 6, vertices 1 2 3");
    expect_error(square + "v 0.1 0 0\nf 1 2 3\nf 2 5 3\n", "7: 1 triangles without area");
    expect_error("v 0.1 0.2 0\nv 0.2 0.3 0\nv 0.7 0.8 0\nf 1 2 3\n", "without area");
    // Flat only once the coordinates are stored in single precision.
    expect_error("v 9 9 0\nv 9.004 9 0\nv 9.002 9.0000003 0\nf 1 2 3\n", "after rounding to single precision");
    expect_error("v 0 0 0\nv 0.1 0.1 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3 4\n", "cannot be cut into triangles");
}

TEST(mesh_import, oddities_are_warnings_with_line_and_element) {
    const auto warning = [](const std::string& text) {
        const ImportResult result = inspect(text);
        EXPECT_TRUE(result.report.ok()) << lines(result.report.errors);
        return result.report;
    };
    const ImportReport twice = warning(square + "f 1 2 3\nf 1 3 4\nf 2 3 1\n");
    EXPECT_EQ(twice.duplicate_faces, 1);
    EXPECT_NE(lines(twice.warnings).find("line 7 repeats line 5"), std::string::npos);

    const ImportReport fan = warning(square + "v 0.05 0 0.1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n");
    EXPECT_EQ(fan.non_manifold_edges, 1);
    EXPECT_NE(lines(fan.warnings).find("edge 1-2 in 3 triangles"), std::string::npos);

    const ImportReport flipped = warning(square + "f 1 2 3\nf 1 4 3\n");
    EXPECT_EQ(flipped.flipped_edges, 1);
    EXPECT_NE(lines(flipped.warnings).find("lines 5 and 6"), std::string::npos);

    const ImportReport loose = warning(square + "v 5 5 5\nf 1 2 3\nf 1 3 4\n");
    EXPECT_EQ(loose.loose_vertices, 1);
    EXPECT_NE(lines(loose.warnings).find("5 (line 5)"), std::string::npos);

    // A seam: the second triangle has its own copies of the shared edge's ends, one of them 10 µm away.
    const ImportReport seam = warning(square + "v 0 0 0\nv 0.1 0.10001 0\nf 1 2 3\nf 5 6 4\n");
    EXPECT_EQ(seam.duplicate_vertices, 1);
    EXPECT_EQ(seam.close_pairs, 2);
    EXPECT_NE(lines(seam.warnings).find("1 and 5 (lines 1 and 5)"), std::string::npos);

    const ImportReport junction = warning(square + "v 0.05 0.05 0\nv 0 0.2 0\nf 1 2 3\nf 1 5 4\nf 5 3 4\n");
    EXPECT_EQ(junction.t_junctions, 1);
    EXPECT_NE(lines(junction.warnings).find("vertex 5 (line 5) on edge 3-1"), std::string::npos) << lines(junction.warnings);

    const ImportReport sliver = warning("v 0 0 0\nv 0.1 0 0\nv 0.05 0.001 0\nf 1 2 3\n");
    EXPECT_EQ(sliver.slivers, 1);

    EXPECT_EQ(warning(square + "frobnicate 1\nf 1 2 3\nf 1 3 4\n").warnings.size(), 1u);
    EXPECT_EQ(warning(square + "s off\nusemtl x\nmtllib y\nvt 0 0\nvn 0 0 1\nl 1 2\np 1\nf 1 2 3\nf 1 3 4\n").warnings.size(),
              0u);
}

TEST(mesh_import, two_sheets_tell_how_close_they_are) {
    EXPECT_EQ(load_mesh(input("B08_two_sheets_gap_0.obj")).report.duplicate_vertices, 25);
    const ImportReport near = load_mesh(input("B08_two_sheets_gap_10um.obj")).report;
    EXPECT_EQ(near.close_pairs, 25);
    EXPECT_NE(lines(near.warnings).find("10 µm"), std::string::npos);
    EXPECT_TRUE(load_mesh(input("B08_two_sheets_gap_0.2mm.obj")).report.warnings.empty());
}

TEST(mesh_import, unit_is_taken_from_the_header_or_asked_for) {
    const ImportResult said = load_mesh(input("B11_a4_in_millimetres_said.obj"));
    EXPECT_EQ(said.report.stated_unit, "mm");
    EXPECT_NEAR(said.report.size.x, 0.21, 1e-12);
    EXPECT_NEAR(said.report.size.y, 0.297, 1e-12);
    EXPECT_TRUE(said.report.warnings.empty());
    EXPECT_EQ(scene_from_mesh(input("B11_a4_in_millimetres_said.obj")).length_unit, "mm");

    const ImportResult silent = inspect_mesh(input("B11_a4_in_millimetres.obj"));
    EXPECT_TRUE(silent.report.unit_needed);
    EXPECT_EQ(silent.report.likely_unit, "mm");
    EXPECT_NE(lines(silent.report.errors).find("likely millimetres"), std::string::npos);
    EXPECT_NE(lines(silent.report.errors).find("--unit mm"), std::string::npos);
    EXPECT_NEAR(load_mesh(input("B11_a4_in_millimetres.obj"), {"mm", 30e-6}).report.size.y, 0.297, 1e-12);
    EXPECT_EQ(scene_from_mesh(input("B11_a4_in_millimetres.obj"), {30e-6, "mm", {}, 1}).length_unit, "mm");

    const ImportResult tiny = inspect_mesh(input("B11_a4_thousand_times_too_small.obj"));
    EXPECT_TRUE(tiny.report.unit_needed);
    EXPECT_NE(lines(tiny.report.errors).find("0.21 x 0.297 x 0 mm, really?"), std::string::npos);
    EXPECT_FALSE(load_mesh(input("B11_a4_thousand_times_too_small.obj"), {"m", 30e-6}).report.warnings.empty());
}

TEST(mesh_import, units_are_read_in_the_ways_that_programs_write_them) {
    const std::string faces = square + "f 1 2 3\nf 1 3 4\n";
    EXPECT_EQ(inspect("# units: cm\n" + faces).report.scale, 0.01);
    EXPECT_EQ(inspect("# File units = meters\n" + faces).report.scale, 1);
    EXPECT_EQ(inspect("#Unit:mm\n" + faces).report.scale, 0.001);
    EXPECT_EQ(inspect("# 1 unit = 10 mm\n" + faces).report.scale, 0.01);
    EXPECT_EQ(inspect("# units = inches\n" + faces).report.scale, 0.0254);
    EXPECT_EQ(inspect("# no unit is said: 88\n# unit: furlong\n# unit\n# unit=\n" + faces).report.stated_unit, "");
    // Asked for otherwise than said: what is asked for counts, and is told.
    const ImportReport both = inspect("# units: mm\n" + faces, "cm").report;
    EXPECT_EQ(both.scale, 0.01);
    EXPECT_NE(lines(both.warnings).find("says its unit is mm, but cm was asked for"), std::string::npos);
}

TEST(mesh_import, scene_of_a_mesh_can_be_read_again_from_its_text) {
    const Scene scene = scene_from_mesh(input("B01_corner_forms.obj"), {50e-6, "", {15, 3, 3}, 2});
    const Scene again = parse_scene(scene.text, "recording");
    EXPECT_EQ(again.films[0].start, scene.films[0].start);
    EXPECT_EQ(again.films[0].material.thickness, 50e-6);
    EXPECT_EQ(again.solver.min_gap, 50e-6);
    EXPECT_EQ(again.duration, 2);
    ASSERT_EQ(again.supports.size(), 1u);
    EXPECT_EQ(again.supports[0].vertices, (std::vector<int>{3, 15}));
    EXPECT_THROW(scene_from_mesh(input("B01_corner_forms.obj"), {50e-6, "", {16}, 2}), InputError);
    EXPECT_THROW(scene_from_mesh(input("B01_corner_forms.obj"), {0, "", {}, 2}), InputError);
}

// Long input stays quick: 40,000 triangles, a heap of equal points and a polygon of the largest size.
TEST(mesh_import, large_and_hostile_meshes_end) {
    std::string text;
    const int n = 142;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) text += "v " + std::to_string(i * 0.005) + " " + std::to_string(j * 0.005) + " 0\n";
    for (int j = 0; j + 1 < n; ++j)
        for (int i = 1; i < n; ++i)
            text += "f " + std::to_string(j * n + i) + " " + std::to_string(j * n + i + 1) + " " +
                    std::to_string(j * n + i + n + 1) + " " + std::to_string(j * n + i + n) + "\n";
    EXPECT_EQ(inspect(text).report.triangle_count, 2 * (n - 1) * (n - 1));
    std::string heap = square;
    for (int i = 0; i < 3000; ++i) heap += "v 0.05 0.05 0.1\n";
    for (int i = 0; i < 3000; ++i) heap += "f 1 2 " + std::to_string(5 + i) + "\n";
    EXPECT_GT(inspect(heap).report.duplicate_vertices, 3000);
    std::string round = "f";
    std::string points;
    for (int i = 0; i < 512; ++i) {
        points +=
            "v " + std::to_string(std::cos(i * 6.283185 / 512)) + " " + std::to_string(std::sin(i * 6.283185 / 512)) + " 0\n";
        round += " " + std::to_string(i + 1);
    }
    EXPECT_EQ(inspect(points + round + "\n").report.triangle_count, 510);
}

TEST(mesh_import, mutated_files_are_read_or_refused) {
    std::ifstream in(input("B01_corner_forms.obj"), std::ios::binary);
    const std::string original{std::istreambuf_iterator<char>(in), {}};
    std::uint64_t seed = 7;
    const auto random = [&](std::size_t below) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return std::size_t(seed >> 33) % below;
    };
    const std::string signs = "0123456789 -+./\\\n\r\tvfgoeE#,nai";
    int good = 0;
    for (int round = 0; round < 500; ++round) {
        std::string text = original;
        for (std::size_t k = 0, count = 1 + random(4); k < count; ++k) {
            const std::size_t at = random(text.size());
            if (random(2))
                text[at] = signs[random(signs.size())];
            else if (random(2))
                text.erase(at, 1 + random(30));
            else
                text.insert(at, text.substr(random(text.size()), random(30)));
        }
        const ImportResult result = inspect(text);
        good += result.report.ok();
        if (!result.report.ok()) continue;
        for (const Int3& t : result.mesh.triangles)
            for (int corner = 0; corner < 3; ++corner) ASSERT_LT(t[corner], result.report.vertex_count);
    }
    EXPECT_GT(good, 50);
    EXPECT_LT(good, 450);
}

}  // namespace
}  // namespace plica
