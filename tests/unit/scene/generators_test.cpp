// engine/scene/generators.h: counts and geometry of spec/bag.md.
#include "engine/scene/generators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "engine/scene/mesh_topology.h"

namespace plica {
namespace {

const VertexGroup& group(const ShapeMesh& mesh, const std::string& name) {
    const auto found =
        std::find_if(mesh.groups.begin(), mesh.groups.end(), [&](const VertexGroup& g) { return g.name == name; });
    EXPECT_NE(found, mesh.groups.end()) << name;
    return *found;
}

void expect_closed_or_open_manifold(const ShapeMesh& mesh) {
    for (const MeshEdge& edge : mesh_edges(mesh.triangles)) {
        EXPECT_LE(edge.triangle_count, 2);
        EXPECT_TRUE(edge.consistent);
    }
}

TEST(generators, bag_has_the_counts_of_the_document) {
    const ShapeMesh bag = make_bag(default_bag_shape());
    EXPECT_EQ(bag.rest.size(), 481u);
    EXPECT_EQ(bag.start.size(), 481u);
    EXPECT_EQ(bag.triangles.size(), 928u);
    int interior = 0, boundary = 0;
    for (const MeshEdge& edge : mesh_edges(bag.triangles)) {
        interior += edge.triangle_count == 2;
        boundary += edge.triangle_count == 1;
    }
    EXPECT_EQ(interior, 1376);
    EXPECT_EQ(boundary, 32);
    expect_closed_or_open_manifold(bag);
}

TEST(generators, bag_groups_are_the_rings_and_columns_of_the_document) {
    const ShapeMesh bag = make_bag(default_bag_shape());
    EXPECT_EQ(group(bag, "neck").vertices.front(), 321);
    EXPECT_EQ(group(bag, "neck").vertices.back(), 352);
    EXPECT_EQ(group(bag, "end").vertices.front(), 449);
    EXPECT_EQ(group(bag, "end").vertices.back(), 480);
    for (int ring = 1; ring <= 15; ++ring) {
        const std::vector<int>& vertices = group(bag, "ring " + std::to_string(ring)).vertices;
        ASSERT_EQ(vertices.size(), 32u);
        EXPECT_EQ(vertices.front(), 1 + 32 * (ring - 1));
        EXPECT_EQ(vertices.back(), 32 * ring);
    }
    EXPECT_EQ(group(bag, "column 3").vertices[10], 321 + 3);
}

TEST(generators, bag_skirt_is_30_mm_along_each_column_at_rest) {
    const ShapeMesh bag = make_bag(default_bag_shape());
    for (int j = 0; j < 32; ++j) {
        double length = 0;
        for (int ring = 11; ring < 15; ++ring) {
            const auto v = std::size_t(1 + 32 * (ring - 1) + j);
            length += norm(bag.rest[v + 32] - bag.rest[v]);
        }
        EXPECT_NEAR(length, 0.030, 1e-12);
    }
}

// Every step of the profile is led upwards at rest with the same |Δz|, so that no edge changes its length.
TEST(generators, bag_starts_without_strain) {
    const ShapeMesh bag = make_bag(default_bag_shape());
    for (const MeshEdge& edge : mesh_edges(bag.triangles)) {
        const auto c = std::size_t(edge.c), d = std::size_t(edge.d);
        const double rest = norm(bag.rest[d] - bag.rest[c]), start = norm(bag.start[d] - bag.start[c]);
        EXPECT_NEAR(start / rest, 1.0, 1e-12);
    }
}

TEST(generators, bag_profile_is_where_the_document_puts_it) {
    const ShapeMesh bag = make_bag(default_bag_shape());
    const auto z = [&](int ring) { return bag.start[std::size_t(1 + 32 * (ring - 1))].z - 0.118; };
    EXPECT_NEAR(z(9), 0.117, 1e-15);
    EXPECT_NEAR(z(11), 0.0873, 5e-5);
    EXPECT_NEAR(z(15), 0.0573, 5e-5);
    // The sack at rest rises from ring to ring beyond the bottom.
    for (int ring = 4; ring <= 15; ++ring)
        EXPECT_GT(bag.rest[std::size_t(1 + 32 * (ring - 1))].z, bag.rest[std::size_t(1 + 32 * (ring - 2))].z);
}

TEST(generators, bag_area_is_that_of_the_document) {
    const ShapeMesh bag = make_bag(default_bag_shape());
    double area = 0;
    for (const Int3& t : bag.triangles)
        area += 0.5 * norm(triangle_normal(bag.rest[std::size_t(t.a)], bag.rest[std::size_t(t.b)], bag.rest[std::size_t(t.c)]));
    EXPECT_NEAR(area, 0.0871, 2e-4);
}

TEST(generators, bag_normals_point_out_of_the_sack) {
    const ShapeMesh bag = make_bag(default_bag_shape());
    for (const Int3& t : bag.triangles) {
        const Vec3 a = bag.rest[std::size_t(t.a)], b = bag.rest[std::size_t(t.b)], c = bag.rest[std::size_t(t.c)];
        const Vec3 from_inside = (1.0 / 3.0) * (a + b + c) - Vec3{0, 0, 0.05};
        EXPECT_GT(dot(triangle_normal(a, b, c), from_inside), 0);
    }
}

TEST(generators, flared_variant_is_only_other_numbers) {
    BagShape shape = default_bag_shape();
    shape.profile.resize(4);
    for (int i = 1; i <= 7; ++i) shape.profile.push_back({64e-3 + 0.457e-3 * i, 4.5e-3 + 14.21e-3 * i, 0});
    shape.profile.push_back({70e-3, 117e-3, 0});
    for (const double r : {76e-3, 82e-3, 88e-3, 94e-3}) shape.profile.push_back({r, 0, -7.5e-3});
    const ShapeMesh bag = make_bag(shape);
    EXPECT_EQ(bag.triangles.size(), 928u);
    // 7.5 mm of film over 6 mm of radius: 4.5 mm of height.
    for (int ring = 12; ring <= 15; ++ring)
        EXPECT_NEAR(bag.start[std::size_t(1 + 32 * (ring - 2))].z - bag.start[std::size_t(1 + 32 * (ring - 1))].z, 4.5e-3,
                    1e-12);
}

TEST(generators, alternating_diagonals_keep_the_bag_manifold) {
    BagShape shape = default_bag_shape();
    shape.alternate = true;
    expect_closed_or_open_manifold(make_bag(shape));
}

TEST(generators, bin_is_a_closed_surface_of_130_vertices) {
    const ShapeMesh bin = make_bin({});
    EXPECT_EQ(bin.start.size(), 130u);
    EXPECT_EQ(bin.triangles.size(), 256u);
    double volume = 0;
    for (const MeshEdge& edge : mesh_edges(bin.triangles)) {
        EXPECT_EQ(edge.triangle_count, 2);
        EXPECT_TRUE(edge.consistent);
    }
    for (const Int3& t : bin.triangles)
        volume += dot(bin.start[std::size_t(t.a)], cross(bin.start[std::size_t(t.b)], bin.start[std::size_t(t.c)])) / 6;
    // Normals point out of the wall's material: its volume is positive. Outer prism minus inner prism.
    const double polygon = 32 * 0.5 * std::sin(2 * std::numbers::pi / 32);
    EXPECT_NEAR(volume, polygon * (0.0705 * 0.0705 * 0.106 - 0.069 * 0.069 * 0.103), 1e-9);
}

TEST(generators, floor_faces_up) {
    const ShapeMesh floor = make_floor({});
    ASSERT_EQ(floor.start.size(), 4u);
    for (const Int3& t : floor.triangles)
        EXPECT_GT(
            triangle_normal(floor.start[std::size_t(t.a)], floor.start[std::size_t(t.b)], floor.start[std::size_t(t.c)]).z, 0);
}

TEST(generators, ball_is_closed_round_and_faces_outwards) {
    BallShape shape;
    shape.position = {1, 2, 3};
    shape.level = 3;
    const ShapeMesh ball = make_ball(shape);
    EXPECT_EQ(ball.start.size(), 642u);
    for (const MeshEdge& edge : mesh_edges(ball.triangles)) {
        EXPECT_EQ(edge.triangle_count, 2);
        EXPECT_TRUE(edge.consistent);
    }
    for (const Vec3& p : ball.start) EXPECT_NEAR(norm(p - shape.position), shape.radius, 1e-15);
    for (const Int3& t : ball.triangles) {
        const Vec3 a = ball.start[std::size_t(t.a)], b = ball.start[std::size_t(t.b)], c = ball.start[std::size_t(t.c)];
        EXPECT_GT(dot(triangle_normal(a, b, c), a - shape.position), 0);
    }
}

TEST(generators, sheet_has_rows_columns_and_corners) {
    SheetShape shape;
    shape.nx = 3;
    shape.ny = 2;
    const ShapeMesh sheet = make_sheet(shape);
    EXPECT_EQ(sheet.start.size(), 12u);
    EXPECT_EQ(sheet.triangles.size(), 12u);
    expect_closed_or_open_manifold(sheet);
    EXPECT_EQ(group(sheet, "right").vertices, (std::vector<int>{3, 7, 11}));
    EXPECT_EQ(group(sheet, "row 1").vertices, (std::vector<int>{4, 5, 6, 7}));
    EXPECT_EQ(group(sheet, "corners").vertices, (std::vector<int>{0, 3, 8, 11}));
}

}  // namespace
}  // namespace plica
