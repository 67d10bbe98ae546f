// What is drawn off screen has the right pixels. Runs wherever EGL offers OpenGL 3.3, in software too.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "render/export.h"
#include "render/gl_context.h"
#include "render/render_error.h"
#include "render/scene_view.h"

namespace plica {
namespace {

namespace fs = std::filesystem;

// A square of 0.2 m facing +y's opposite side, seen from the front and filling the middle of the picture.
struct Square {
    std::vector<float> positions{-0.1f, 0, -0.1f, 0.1f, 0, -0.1f, 0.1f, 0, 0.1f, -0.1f, 0, 0.1f};
    std::vector<int> triangles{0, 1, 2, 0, 2, 3};
    std::vector<float> scalars;
    std::vector<std::uint8_t> marks;
    ViewFrame frame;
    OutputFrame output;

    Square() {
        frame.surfaces.push_back({SurfaceKind::Film, positions, triangles});
        output.frame = &frame;
        output.camera.target = {0, 0, 0};
        output.camera.look_from(StandardView::Front);
        output.camera.distance = 0.6;
        output.style.edges = EdgeStyle::None;
    }
    Image draw(int width = 320, int height = 240) { return render_picture(width, height, output); }
};

int difference(const std::uint8_t* a, const std::uint8_t* b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

TEST(Picture, a_film_covers_the_middle_and_the_background_the_rest) {
    Square square;
    square.output.style.film_opacity = 1;
    const Image image = square.draw();
    ASSERT_EQ(image.width, 320);
    ASSERT_EQ(image.pixels.size(), 4u * 320 * 240);
    const Theme& dark = theme(ThemeKind::Dark);
    const std::uint8_t* corner = image.at(2, 237);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(corner[k], 255 * dark.background_bottom[k], 4);
    EXPECT_EQ(corner[3], 255);
    const std::uint8_t* middle = image.at(160, 120);
    EXPECT_GT(middle[2], middle[0] + 20);  // the front is blue
    EXPECT_GT(middle[2], 120);
}

TEST(Picture, the_two_sides_of_a_film_differ) {
    Square square;
    square.output.style.film_opacity = 1;
    const Image front = square.draw();
    square.output.camera.look_from(StandardView::Back);
    const Image back = square.draw();
    EXPECT_GT(front.at(160, 120)[2], front.at(160, 120)[0]);  // blue
    EXPECT_GT(back.at(160, 120)[0], back.at(160, 120)[2]);    // sand
}

TEST(Picture, the_picture_is_not_upside_down_or_mirrored) {
    Square square;
    square.output.style.film_opacity = 1;
    // Only the upper left triangle (x < 0, z > 0 side) is left.
    square.triangles = {0, 2, 3};
    square.frame.surfaces[0].triangles = square.triangles;
    const Image image = square.draw();
    EXPECT_GT(difference(image.at(135, 95), image.at(185, 145)), 60);
    EXPECT_GT(image.at(135, 95)[2], 120);
}

TEST(Picture, a_clear_background_has_no_alpha_and_films_keep_their_own_colour) {
    Square square;
    square.output.style.clear_background = true;
    square.output.style.film_opacity = 0.5f;
    const Image half = square.draw();
    EXPECT_EQ(half.at(2, 2)[3], 0);
    EXPECT_NEAR(half.at(160, 120)[3], 128, 6);
    square.output.style.film_opacity = 1;
    const Image full = square.draw();
    EXPECT_EQ(full.at(160, 120)[3], 255);
    EXPECT_LE(difference(full.at(160, 120), half.at(160, 120)), 9);  // straight alpha: the same colour, rounded
}

TEST(Picture, what_is_behind_a_film_shines_through_and_an_opaque_film_hides_it) {
    Square square;
    const std::vector<float> centre{0, 0.2f, 0}, radius{0.05f};
    const std::vector<glm::vec4> red{{1, 0.1f, 0.1f, 1}};
    const Image without = square.draw();
    square.frame.spheres = {centre, radius, red};
    const Image through = square.draw();
    EXPECT_GT(difference(through.at(160, 120), without.at(160, 120)), 25);
    square.output.style.film_opacity = 1;
    const Image hidden = square.draw();
    EXPECT_LT(hidden.at(160, 120)[0], 200);
    square.frame.spheres = {};
    EXPECT_LE(difference(square.draw().at(160, 120), hidden.at(160, 120)), 2);
}

TEST(Picture, the_nearer_of_two_close_layers_is_seen_first_whatever_the_order_of_triangles) {
    // A large film triangle pair 1 mm before many small ones: ordering whole triangles alone gets this wrong.
    std::vector<float> p{-0.1f, -0.001f, -0.1f, 0.1f, -0.001f, -0.1f, 0.1f, -0.001f, 0.1f, -0.1f, -0.001f, 0.1f};
    std::vector<int> t{0, 1, 2, 0, 2, 3};
    std::vector<float> q;
    std::vector<int> u;
    for (int j = 0; j <= 10; ++j)
        for (int i = 0; i <= 10; ++i)
            q.insert(q.end(), {-0.1f + 0.02f * float(i), 0.03f * float(i) / 10 - 0.0005f, -0.1f + 0.02f * float(j)});
    for (int j = 0; j < 10; ++j)
        for (int i = 0; i < 10; ++i) {
            const int a = 11 * j + i;
            u.insert(u.end(), {a, a + 1, a + 12, a, a + 12, a + 11});
        }
    ViewFrame frame;
    frame.surfaces.push_back({SurfaceKind::Film, p, t});
    frame.surfaces.push_back({SurfaceKind::Film, q, u});
    frame.surfaces[0].front = glm::vec3(0.1f, 0.9f, 0.1f);
    frame.surfaces[1].front = glm::vec3(0.9f, 0.1f, 0.1f);
    OutputFrame output;
    output.frame = &frame;
    output.camera.target = {0, 0, 0};
    output.camera.look_from(StandardView::Front);
    output.style.edges = EdgeStyle::None;
    output.style.film_opacity = 0.7f;
    const Image image = render_picture(320, 240, output);
    for (int y = 90; y <= 150; y += 4)
        for (int x = 130; x <= 190; x += 4) ASSERT_GT(image.at(x, y)[1], image.at(x, y)[0] + 20) << x << ", " << y;
}

TEST(Picture, values_are_drawn_in_the_colours_of_the_map_and_undefined_ones_in_grey) {
    Square square;
    square.output.style.film_opacity = 1;
    square.scalars.assign(4, 2.0f);
    square.frame.surfaces[0].scalars = square.scalars;
    square.output.style.scale.low = 0;
    square.output.style.scale.high = 2;
    square.output.style.scale.map = ColorMap::Ember;
    const glm::vec3 want = color_at(ColorMap::Ember, 1);
    const Image high = square.draw();
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(high.at(160, 120)[k] / 255.0, want[k], 0.16);  // shaded a little
    square.scalars.assign(4, std::nanf(""));
    square.frame.surfaces[0].scalars = square.scalars;
    const Image undefined = square.draw();
    const std::uint8_t* grey = undefined.at(160, 120);
    EXPECT_LT(std::abs(grey[0] - grey[2]), 30);
    square.output.style.scale.high = 0;  // an empty range draws something, not NaN
    square.scalars.assign(4, 0.0f);
    square.frame.surfaces[0].scalars = square.scalars;
    EXPECT_EQ(square.draw().at(160, 120)[3], 255);
}

TEST(Picture, intersecting_triangles_glow_red) {
    Square square;
    square.marks = {MarkIntersecting, 0};
    square.frame.surfaces[0].marks = square.marks;
    const Image image = square.draw();
    const std::uint8_t* marked = image.at(185, 140);
    const std::uint8_t* plain = image.at(135, 100);
    EXPECT_GT(marked[0], marked[2] + 60);
    EXPECT_GT(plain[2] + 10, plain[0]);
}

TEST(Picture, edges_are_drawn_when_asked_for) {
    Square square;
    square.output.style.film_opacity = 1;
    const Image none = square.draw();
    square.output.style.edges = EdgeStyle::Mesh;
    const Image mesh = square.draw();
    EXPECT_GT(difference(none.at(160, 119), mesh.at(160, 119)), 25);  // the diagonal
    EXPECT_LE(difference(none.at(150, 100), mesh.at(150, 100)), 4);
}

TEST(Picture, a_gap_of_30_micrometres_is_seen_from_1_millimetre) {
    // Two films edge on, 30 µm apart.
    const std::vector<float> p{0.07f, -0.001f, 0.1f, 0.07f, 0.001f, 0.1f, 0.07f, 0.001f, 0.102f, 0.07f, -0.001f, 0.102f};
    std::vector<float> q = p;
    for (std::size_t i = 0; i < q.size(); i += 3) q[i] += 30e-6f;
    const std::vector<int> t{0, 1, 2, 0, 2, 3};
    ViewFrame frame;
    frame.surfaces.push_back({SurfaceKind::Film, p, t});
    frame.surfaces.push_back({SurfaceKind::Film, q, t});
    OutputFrame output;
    output.frame = &frame;
    output.camera.target = {0.070015, -0.001, 0.101};
    output.camera.look_from(StandardView::Front);
    output.camera.distance = 1e-3;
    output.style.film_opacity = 1;
    const Image image = render_picture(640, 480, output);
    // Edge on a film is a line of rim colour; between the two the background is seen.
    const double px_per_m = 480 / (2 * 1e-3 * std::tan(output.camera.fov_y / 2));
    const int half_gap = int(15e-6 * px_per_m);
    ASSERT_GT(half_gap, 8);
    const std::uint8_t* between = image.at(320, 240);
    int left = 0, right = 0;
    for (int d = -3; d <= 3; ++d) {
        left = std::max(left, difference(image.at(320 - half_gap + d, 240), between));
        right = std::max(right, difference(image.at(320 + half_gap + d, 240), between));
    }
    EXPECT_GT(left, 30);
    EXPECT_GT(right, 30);
}

TEST(Picture, marks_are_drawn_where_they_belong) {
    Square square;
    square.frame.points.push_back({{0, -0.01f, 0}, {1, 1, 0, 1}, 12, PointShape::Disc, true});
    square.frame.strokes.push_back({{-0.05f, -0.01f, 0.05f}, {0.05f, -0.01f, 0.05f}, {0, 1, 0, 1}, 6, false, true});
    const Image image = square.draw();
    EXPECT_GT(image.at(160, 120)[0], 220);
    EXPECT_LT(image.at(160, 120)[2], 60);
    const glm::dvec3 line = square.output.camera.project({0, -0.01, 0.05}, {320, 240});
    const std::uint8_t* green = image.at(160, int(line.y));
    EXPECT_GT(green[1], 220);
    EXPECT_LT(green[0], 60);
}

TEST(Picture, an_empty_frame_and_a_frame_of_nothing_but_undefined_positions_are_drawn) {
    ViewFrame frame;
    OutputFrame output;
    output.frame = &frame;
    EXPECT_EQ(render_picture(64, 48, output).width, 64);
    const std::vector<float> p(9, std::nanf(""));
    const std::vector<int> t{0, 1, 2};
    frame.surfaces.push_back({SurfaceKind::Film, p, t});
    frame.surfaces.push_back({SurfaceKind::Floor, p, t});
    EXPECT_EQ(render_picture(64, 48, output).height, 48);
}

TEST(Picture, a_content_number_saves_the_upload_and_a_new_one_shows_the_new_positions) {
    Square square;
    square.output.style.film_opacity = 1;
    square.frame.topology_id = 1;
    square.frame.content_id = 1;
    const HeadlessContext context;
    SceneView view;
    Image first, same, moved;
    const auto draw = [&](Image& image) {
        view.draw(square.frame, square.output.camera, square.output.style, {160, 120});
        view.read(image);
    };
    draw(first);
    draw(same);
    EXPECT_EQ(first.pixels, same.pixels);
    for (std::size_t i = 0; i < square.positions.size(); i += 3) square.positions[i] += 0.3f;
    square.frame.content_id = 2;
    draw(moved);
    EXPECT_GT(difference(first.at(80, 60), moved.at(80, 60)), 40);
    view.draw(square.frame, square.output.camera, square.output.style, {0, 0});  // minimised
}

TEST(Picture, another_thread_draws_with_a_context_of_its_own_at_the_same_time) {
    Square square;
    const HeadlessContext context;
    SceneView view;
    Image here, there;
    std::thread other([&] {
        Square own;
        there = own.draw(160, 120);
    });
    for (int i = 0; i < 5; ++i) view.draw(square.frame, square.output.camera, square.output.style, {160, 120});
    view.read(here);
    other.join();
    EXPECT_EQ(here.pixels, there.pixels);
}

TEST(Picture, sizes_that_cannot_be_are_refused_with_the_limits) {
    Square square;
    EXPECT_THROW(square.draw(0, 100), RenderError);
    EXPECT_THROW(square.draw(100, -1), RenderError);
    EXPECT_THROW(square.draw(100000, 100), RenderError);
    EXPECT_EQ(square.draw(1, 1).pixels.size(), 4u);
    EXPECT_NE(check_picture_size(8, 100).find("16 x 16"), std::string::npos);
    EXPECT_NE(check_picture_size(7682, 100).find("7680 x 4320"), std::string::npos);
    EXPECT_NE(check_picture_size(5000, 5000, 4096).find("4096 x 4096"), std::string::npos);
    EXPECT_EQ(check_picture_size(7680, 4320), "");
    EXPECT_EQ(check_picture_size(16, 16), "");
}

TEST(Picture, a_shader_that_does_not_compile_is_named_with_its_line) {
    const fs::path folder = fs::path(testing::TempDir()) / "plica shaders";
    fs::remove_all(folder);
    const HeadlessContext context;
    {
        // The folder in use is asked for by way of the environment, as a person would.
        setenv("PLICA_SHADERS", folder.c_str(), 1);
        EXPECT_THROW(SceneView(), RenderError);  // not there at all
        fs::create_directories(folder);
        for (const auto& entry : fs::directory_iterator(PLICA_TEST_SHADERS)) fs::copy(entry.path(), folder);
        std::ofstream(folder / "sphere.frag")
            << "#include \"view.glsl\"\nout vec4 color;\nvoid main() {\n    color = nonsense;\n}\n";
        try {
            SceneView view;
            ADD_FAILURE() << "compiled";
        } catch (const RenderError& error) {
            EXPECT_NE(std::string(error.what()).find("sphere.frag:4:"), std::string::npos) << error.what();
        }
        unsetenv("PLICA_SHADERS");
    }
    fs::remove_all(folder);
}

TEST(Picture, pngs_are_whole_or_absent) {
    Square square;
    const Image image = square.draw(33, 17);
    const fs::path folder = fs::path(testing::TempDir()) / "plica Bilder тест";
    fs::remove_all(folder);
    fs::create_directories(folder);
    write_png(image, (folder / "a b.png").string());
    EXPECT_GT(fs::file_size(folder / "a b.png"), 60u);
    try {
        write_png(image, (folder / "missing" / "a.png").string());
        ADD_FAILURE() << "written";
    } catch (const RenderError& error) {
        EXPECT_NE(std::string(error.what()).find("missing/a.png"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
    }
    EXPECT_THROW(write_png(image, "/dev/full/a.png"), RenderError);  // not a folder
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder)) files += entry.is_regular_file();
    EXPECT_EQ(files, 1);
    fs::remove_all(folder);
}

TEST(Picture, captions_and_legends_are_written_into_the_picture) {
    Square square;
    square.scalars.assign(4, 1.0f);
    square.frame.surfaces[0].scalars = square.scalars;
    const Image plain = square.draw(640, 360);
    square.output.caption = {{"gap film–film 0.42 mm", "t = 1.234 s"}, "Bag", true};
    square.output.style.scale.title = "strain";
    square.output.style.scale.unit = "%";
    const Image written = square.draw(640, 360);
    const auto changed = [&](int x0, int y0, int x1, int y1) {
        int count = 0;
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) count += difference(plain.at(x, y), written.at(x, y)) > 60;
        return count;
    };
    EXPECT_GT(changed(0, 0, 100, 50), 50);        // title
    EXPECT_GT(changed(0, 300, 200, 360), 200);    // two lines
    EXPECT_GT(changed(540, 160, 640, 360), 500);  // legend
    EXPECT_EQ(changed(250, 20, 400, 290), 0);
    const TextPainter painter;
    EXPECT_GT(painter.width("ww", 20), painter.width("ii", 20));
    EXPECT_EQ(painter.width("", 20), 0);
    Image small;
    small.width = small.height = 3;
    small.pixels.assign(36, 0);
    painter.draw(small, -5, 40, "\xff\xc3(µ²≤", 30, {1, 1, 1}, {0, 0, 0});  // broken UTF-8, far outside
}

TEST(Picture, sequences_are_written_and_can_be_cancelled) {
    Square square;
    const fs::path folder = fs::path(testing::TempDir()) / "plica frames";
    fs::remove_all(folder);
    std::vector<int> asked;
    const auto source = [&](int k) {
        asked.push_back(k);
        return square.output;
    };
    EXPECT_EQ(export_pictures(folder.string(), 64, 48, 3, source), ExportEnd::Done);
    EXPECT_EQ(asked, (std::vector<int>{0, 1, 2}));
    EXPECT_TRUE(fs::exists(folder / "frame_000002.png"));
    EXPECT_EQ(export_pictures(folder.string(), 64, 48, 3, source, [](const ExportProgress& p) { return p.done < 2; }),
              ExportEnd::Cancelled);
    EXPECT_THROW(export_pictures("/proc/no such folder", 64, 48, 1, source), RenderError);
    EXPECT_THROW(export_pictures(folder.string(), 64, 48, 0, source), RenderError);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace plica
