#include "render/surface_mesh.h"

#include <cmath>

#include <gtest/gtest.h>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

namespace plica {
namespace {

// Two triangles folded along the y axis by `angle` from flat.
struct Fold {
    std::vector<float> positions;
    std::vector<int> triangles{0, 1, 2, 1, 0, 3};
    ViewFrame frame;
    explicit Fold(double angle, SurfaceKind kind = SurfaceKind::Film)
        : positions{0, -1, 0, 0, 1, 0, -1, 0, 0, float(std::cos(angle)), 0, float(std::sin(angle))} {
        frame.surfaces.push_back({kind, positions, triangles});
    }
};

SurfaceMesh mesh_of(const ViewFrame& frame) {
    SurfaceMesh mesh;
    mesh.set_topology(frame);
    mesh.update(frame);
    return mesh;
}

glm::vec3 normal(const SurfaceMesh& mesh, int corner) {
    const std::uint16_t* n = &mesh.normals()[4 * std::size_t(corner)];
    return glm::vec3(n[0], n[1], n[2]) / 32767.5f - 1.0f;
}

TEST(SurfaceMesh, folds_are_strong_flat_edges_absent_and_rims_always_there) {
    const SurfaceMesh flat = mesh_of(Fold(0).frame), sharp = mesh_of(Fold(2.6).frame), slight = mesh_of(Fold(0.3).frame);
    // The shared edge lies opposite to corner 2 of both triangles.
    EXPECT_EQ(flat.marks()[2], 0);
    EXPECT_EQ(slight.marks()[2], 0);  // 17°: part of a curved film
    EXPECT_EQ(sharp.marks()[2], 255);
    EXPECT_EQ(sharp.marks()[4 + 2], 255);
    EXPECT_GT(flat.marks()[0], 150);
    EXPECT_GT(flat.marks()[1], 150);
}

TEST(SurfaceMesh, a_wrongly_turned_neighbour_is_no_fold) {
    Fold fold(0);
    std::swap(fold.triangles[3], fold.triangles[4]);
    EXPECT_EQ(mesh_of(fold.frame).marks()[2], 0);
}

TEST(SurfaceMesh, normals_are_smooth_over_slight_bends_and_keep_sharp_folds_sharp) {
    const SurfaceMesh slight = mesh_of(Fold(0.4).frame), sharp = mesh_of(Fold(1.6).frame);
    // Corner 0 of triangle 0 and corner 1 of triangle 1 are the same vertex.
    EXPECT_LT(glm::distance(normal(slight, 0), normal(slight, 4)), 1e-3f);
    EXPECT_NEAR(glm::dot(normal(sharp, 0), normal(sharp, 4)), std::cos(1.6f), 2e-2f);
    EXPECT_NEAR(glm::length(normal(sharp, 0)), 1, 1e-3f);
}

TEST(SurfaceMesh, degenerate_triangles_and_undefined_positions_do_no_harm) {
    Fold fold(0);
    for (int i = 0; i < 3; ++i) fold.positions[std::size_t(9 + i)] = std::nanf("");
    SurfaceMesh mesh = mesh_of(fold.frame);
    std::vector<std::uint32_t> corners;
    mesh.order({0, 0, 5}, {0, 0, -1}, false, {true}, corners);
    EXPECT_EQ(corners.size(), 6u);
}

TEST(SurfaceMesh, triangles_are_ordered_from_far_to_near) {
    std::vector<float> positions;
    std::vector<int> triangles;
    for (int k : {3, 0, 4, 1, 2}) {  // heights
        for (const glm::vec2 p : {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(0, 1)}) {
            triangles.push_back(int(positions.size() / 3));
            positions.insert(positions.end(), {p.x, p.y, float(k)});
        }
    }
    ViewFrame frame;
    frame.surfaces.push_back({SurfaceKind::Film, positions, triangles});
    SurfaceMesh mesh = mesh_of(frame);
    std::vector<std::uint32_t> corners;
    mesh.order({0, 0, 9}, {0, 0, -1}, false, {true}, corners);
    std::vector<int> order;
    for (std::size_t i = 0; i < corners.size(); i += 3) order.push_back(int(corners[i] / 3));
    EXPECT_EQ(order, (std::vector<int>{1, 3, 4, 0, 2}));
    mesh.order({0, 0, -9}, {0, 0, 1}, false, {true}, corners);
    EXPECT_EQ(corners[0] / 3, 2u);
    mesh.order({0, 0, 9}, {0, 0, -1}, false, {false}, corners);
    EXPECT_TRUE(corners.empty());
}

TEST(SurfaceMesh, obstacle_faces_are_cut_without_cracks_and_keep_marks_and_area) {
    // A closed box, 1 x 1 x 4, beside a film with edges of 0.2.
    std::vector<float> box;
    for (int i = 0; i < 8; ++i) box.insert(box.end(), {float(i & 1), float((i >> 1) & 1), 4 * float(i >> 2)});
    const std::vector<int> faces{0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    std::vector<std::uint8_t> marks(12, 0);
    marks[0] = MarkSelected;
    const std::vector<float> film{5, 0, 0, 5.2f, 0, 0, 5, 0.2f, 0};
    const std::vector<int> one{0, 1, 2};
    ViewFrame frame;
    frame.surfaces.push_back({SurfaceKind::Obstacle, box, faces, {}, marks});
    frame.surfaces.push_back({SurfaceKind::Film, film, one});
    const SurfaceMesh mesh = mesh_of(frame);
    const int cut = mesh.first_triangle()[1];
    EXPECT_GT(cut, 12);
    double area = 0;
    int selected = 0, rims = 0;
    for (int t = 0; t < cut; ++t) {
        const int* v = mesh.triangles()[std::size_t(t)].vertices;
        const auto p = [&](int k) { return glm::vec3(mesh.vertices()[std::size_t(v[k])]); };
        area += 0.5 * double(glm::length(glm::cross(p(1) - p(0), p(2) - p(0))));
        selected += mesh.marks()[4 * std::size_t(t) + 3] == MarkSelected;
        for (int k = 0; k < 3; ++k) rims += mesh.marks()[4 * std::size_t(t) + std::size_t(k)] == 215;
    }
    EXPECT_NEAR(area, 2 + 4 * 4, 1e-4);
    EXPECT_GE(selected, 1);
    EXPECT_LT(selected, cut / 6);
    EXPECT_EQ(rims, 0);  // a crack would show as a rim

    // Only what is turned to the eye of a closed solid is drawn.
    SurfaceMesh turned = mesh_of(frame);
    std::vector<std::uint32_t> corners;
    turned.order({0.5f, 0.5f, 100}, {0, 0, -1}, false, {true, false}, corners);
    for (const std::uint32_t c : corners)
        EXPECT_NEAR(turned.vertices()[std::size_t(turned.triangles()[c / 3].vertices[c % 3])].z, 4, 1e-6);
    EXPECT_FALSE(corners.empty());
}

TEST(SurfaceMesh, values_travel_with_the_vertices_and_missing_ones_are_undefined) {
    Fold fold(0);
    const std::vector<float> values{1, 2, 3, 4};
    fold.frame.surfaces[0].scalars = values;
    EXPECT_EQ(mesh_of(fold.frame).vertices()[2].w, 3);
    fold.frame.surfaces[0].scalars = {};
    EXPECT_TRUE(std::isnan(mesh_of(fold.frame).vertices()[2].w));
}

}  // namespace
}  // namespace plica
