#include "render/picking.h"

#include <gtest/gtest.h>
#include <glm/geometric.hpp>

namespace plica {
namespace {

// Two layers of a square in the plane, 30 µm apart, and a ball below.
struct Layers {
    std::vector<float> upper{-0.1f, -0.1f, 0.1f, 0.1f, -0.1f, 0.1f, 0.1f, 0.1f, 0.1f, -0.1f, 0.1f, 0.1f};
    std::vector<float> lower{-0.1f, -0.1f, 0.09997f, 0.1f, -0.1f, 0.09997f, 0.1f, 0.1f, 0.09997f, -0.1f, 0.1f, 0.09997f};
    std::vector<int> triangles{0, 1, 2, 0, 2, 3};
    std::vector<float> centres{0.02f, 0, 0.03f}, radii{0.02f};
    ViewFrame frame;
    Layers() {
        frame.surfaces.push_back({SurfaceKind::Film, lower, triangles});
        frame.surfaces.push_back({SurfaceKind::Film, upper, triangles});
        frame.spheres = {centres, radii};
    }
};

TEST(Picking, the_upper_of_two_layers_30_micrometres_apart_is_hit_from_above_and_the_lower_from_below) {
    const Layers scene;
    const auto above = pick(scene.frame, {{0.05, 0.01, 1}, {0, 0, -1}});
    ASSERT_TRUE(above);
    EXPECT_EQ(above->surface, 1);
    EXPECT_EQ(above->triangle, 0);
    EXPECT_EQ(above->vertex, 2);
    EXPECT_TRUE(above->front);
    EXPECT_NEAR(above->distance, 0.9, 1e-8);
    EXPECT_NEAR(above->barycentric.x + above->barycentric.y + above->barycentric.z, 1, 1e-12);
    const auto below = pick(scene.frame, {{0.05, 0.05, -1}, {0, 0, 1}});
    ASSERT_TRUE(below);
    EXPECT_EQ(below->surface, 0);
    EXPECT_FALSE(below->front);
}

TEST(Picking, the_ball_is_hit_where_nothing_is_before_it) {
    const Layers scene;
    const auto hit = pick(scene.frame, {{0.02, 0, -1}, {0, 0, 1}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->kind, Hit::Kind::Sphere);
    EXPECT_EQ(hit->sphere, 0);
    EXPECT_NEAR(hit->position.z, 0.01, 1e-7);
    const auto film_only = pick(scene.frame, {{0.02, 0, -1}, {0, 0, 1}}, {.films = true, .spheres = false});
    ASSERT_TRUE(film_only);
    EXPECT_EQ(film_only->kind, Hit::Kind::Film);
}

TEST(Picking, nothing_is_hit_behind_the_eye_beside_or_when_hidden) {
    Layers scene;
    EXPECT_FALSE(pick(scene.frame, {{0, 0, 1}, {0, 0, 1}}));
    EXPECT_FALSE(pick(scene.frame, {{0.5, 0, 1}, {0, 0, -1}}));
    scene.frame.surfaces[0].visible = scene.frame.surfaces[1].visible = false;
    EXPECT_FALSE(pick(scene.frame, {{-0.08, 0.08, 1}, {0, 0, -1}}));
    EXPECT_FALSE(pick(ViewFrame{}, {{0, 0, 1}, {0, 0, -1}}));
}

TEST(Picking, triangles_without_area_are_passed_by) {
    const std::vector<float> p{0, 0, 0, 1, 0, 0, 2, 0, 0};
    const std::vector<int> t{0, 1, 2};
    ViewFrame frame;
    frame.surfaces.push_back({SurfaceKind::Film, p, t});
    EXPECT_FALSE(pick(frame, {{0.5, 0, 1}, {0, 0, -1}}));
}

TEST(Picking, the_vertex_nearest_to_the_cursor_is_found_and_of_two_at_one_place_the_nearer) {
    const Layers scene;
    const Viewport viewport{800, 600};
    Camera camera;
    camera.target = {0, 0, 0.1};
    camera.look_from(StandardView::Top);
    camera.distance = 0.6;
    const glm::dvec3 px = camera.project({0.1, 0.1, 0.1}, viewport);
    const auto hit = pick_vertex(scene.frame, camera, viewport, glm::dvec2(px) + glm::dvec2(3, 2), 10);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->surface, 1);
    EXPECT_EQ(hit->vertex, 2);
    EXPECT_NEAR(hit->distance_px, std::sqrt(13.0), 0.1);
    EXPECT_FALSE(pick_vertex(scene.frame, camera, viewport, {400, 300}, 10));
}

TEST(Picking, a_lasso_takes_what_lies_inside) {
    const Layers scene;
    const Viewport viewport{800, 600};
    Camera camera;
    camera.target = {0, 0, 0.1};
    camera.look_from(StandardView::Top);
    camera.distance = 0.6;
    const glm::dvec2 corner(camera.project({0.1, -0.1, 0.1}, viewport));
    const std::vector<glm::dvec2> around{corner + glm::dvec2(-8, -8), corner + glm::dvec2(8, -8), corner + glm::dvec2(0, 9)};
    const auto found = vertices_within(scene.frame, camera, viewport, around);
    EXPECT_EQ(found, (std::vector<VertexId>{{0, 1}, {1, 1}}));
    EXPECT_TRUE(vertices_within(scene.frame, camera, viewport, std::vector<glm::dvec2>{corner}).empty());
    const std::vector<glm::dvec2> all{{0, 0}, {800, 0}, {800, 600}, {0, 600}};
    EXPECT_EQ(vertices_within(scene.frame, camera, viewport, all).size(), 8u);
}

}  // namespace
}  // namespace plica
