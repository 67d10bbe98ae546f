#include "render/camera.h"

#include <cmath>

#include <gtest/gtest.h>
#include <glm/geometric.hpp>

namespace plica {
namespace {

const Viewport viewport{1280, 720};

Bounds box(const glm::dvec3& low, const glm::dvec3& high) {
    Bounds b;
    b.add(low);
    b.add(high);
    return b;
}

TEST(Camera, axes_are_orthonormal_and_right_handed_also_when_looking_straight_down) {
    Camera camera;
    for (const double pitch : {-M_PI / 2, -1.0, 0.0, 0.7, M_PI / 2}) {
        camera.pitch = pitch;
        const glm::dvec3 r = camera.right(), u = camera.up(), b = camera.backward();
        EXPECT_NEAR(glm::dot(r, u), 0, 1e-15);
        EXPECT_NEAR(glm::dot(r, b), 0, 1e-15);
        EXPECT_NEAR(glm::length(u), 1, 1e-15);
        EXPECT_NEAR(glm::length(glm::cross(r, u) - b), 0, 1e-15);
        EXPECT_GE(u.z, -1e-15);  // z stays up
    }
}

TEST(Camera, projecting_a_point_of_a_ray_gives_the_pixel_back) {
    for (const bool orthographic : {false, true}) {
        Camera camera;
        camera.orthographic = orthographic;
        for (const glm::dvec2 px : {glm::dvec2(0, 0), glm::dvec2(640, 360), glm::dvec2(1279, 3), glm::dvec2(200, 700)}) {
            const Ray ray = camera.ray(px, viewport);
            EXPECT_NEAR(glm::length(ray.direction), 1, 1e-14);
            const double along = glm::dot(camera.target - ray.origin, ray.direction);
            const glm::dvec3 back = camera.project(ray.origin + 1.3 * along * ray.direction, viewport);
            EXPECT_NEAR(back.x, px.x, 1e-6);  // px
            EXPECT_NEAR(back.y, px.y, 1e-6);
        }
    }
}

TEST(Camera, matrices_agree_with_project) {
    for (const bool orthographic : {false, true}) {
        Camera camera;
        camera.orthographic = orthographic;
        const Bounds scene = box({-0.1, -0.1, 0}, {0.1, 0.1, 0.12});
        const glm::dvec3 p{0.03, -0.02, 0.09};
        const glm::vec4 clip = camera.eye_relative_view_projection(viewport, scene) * glm::vec4(glm::vec3(p - camera.eye()), 1);
        const glm::vec4 same = camera.projection(viewport, scene) * camera.view() * glm::vec4(glm::vec3(p), 1);
        const glm::dvec3 px = camera.project(p, viewport);
        EXPECT_NEAR((0.5 + 0.5 * clip.x / clip.w) * 1280, px.x, 1e-2);  // float matrices
        EXPECT_NEAR((0.5 - 0.5 * clip.y / clip.w) * 720, px.y, 1e-2);
        EXPECT_NEAR(same.x / same.w, clip.x / clip.w, 1e-5);
        EXPECT_LT(std::abs(clip.z / clip.w), 1);
    }
}

TEST(Camera, the_point_under_the_cursor_stays_there_while_zooming) {
    for (const bool orthographic : {false, true}) {
        Camera camera;
        camera.orthographic = orthographic;
        const glm::dvec2 cursor{900, 200};
        const Ray ray = camera.ray(cursor, viewport);
        const glm::dvec3 point = ray.origin + (glm::dot(camera.target - ray.origin, ray.direction) - 0.1) * ray.direction;
        for (int i = 0; i < 30; ++i) {
            camera.zoom(1.2, cursor, viewport, &point);
            const glm::dvec3 px = camera.project(point, viewport);
            ASSERT_NEAR(px.x, cursor.x, 1e-3);
            ASSERT_NEAR(px.y, cursor.y, 1e-3);
            ASSERT_GT(px.z, 0);
        }
    }
}

TEST(Camera, zooming_in_and_out_again_comes_back_and_never_reaches_zero) {
    Camera camera;
    const Camera before = camera;
    const glm::dvec2 cursor{300, 500};
    for (int i = 0; i < 10; ++i) camera.zoom(1.1, cursor, viewport);
    for (int i = 0; i < 10; ++i) camera.zoom(1 / 1.1, cursor, viewport);
    EXPECT_NEAR(glm::length(camera.target - before.target), 0, 1e-12);
    EXPECT_NEAR(camera.distance, before.distance, 1e-12);
    for (int i = 0; i < 2000; ++i) camera.zoom(1.5, cursor, viewport);
    EXPECT_GT(camera.distance, 0);
    camera.zoom(0, cursor, viewport);
    camera.zoom(std::nan(""), cursor, viewport);
    EXPECT_TRUE(std::isfinite(camera.distance));
}

TEST(Camera, panning_moves_the_target_plane_with_the_cursor) {
    Camera camera;
    const glm::dvec3 point = camera.target;
    camera.pan(37, -12, viewport);
    const glm::dvec3 px = camera.project(point, viewport);
    EXPECT_NEAR(px.x, 640 + 37, 1e-9);
    EXPECT_NEAR(px.y, 360 - 12, 1e-9);
}

TEST(Camera, framing_shows_all_corners_and_fills_the_picture) {
    const glm::dvec3 low{-0.08, -0.08, 0}, high{0.3, 0.08, 0.24};
    for (const Viewport& v : {Viewport{1280, 720}, Viewport{400, 900}}) {
        for (const bool orthographic : {false, true}) {
            Camera camera;
            camera.orthographic = orthographic;
            camera.frame(box(low, high), v);
            double widest = 0;
            for (int c = 0; c < 8; ++c) {
                const glm::dvec3 px =
                    camera.project({c & 1 ? high.x : low.x, c & 2 ? high.y : low.y, c & 4 ? high.z : low.z}, v);
                widest = std::max({widest, std::abs(px.x / v.width_px - 0.5) * 2, std::abs(px.y / v.height_px - 0.5) * 2});
            }
            EXPECT_LE(widest, 1);
            EXPECT_GE(widest, 0.75);
        }
    }
    Camera camera;
    const Camera before = camera;
    camera.frame(Bounds{}, viewport);
    EXPECT_EQ(camera, before);
}

TEST(Camera, a_gap_of_30_micrometres_is_resolved_from_1_millimetre_and_the_whole_bag_from_afar) {
    const Bounds bag = box({-0.09, -0.09, 0}, {0.09, 0.09, 0.24});
    Camera close;
    close.distance = 1e-3;
    close.target = {0.07, 0.01, 0.117};
    const Camera::Range range = close.range(bag);
    EXPECT_LT(range.near, 1e-4);
    EXPECT_GT(range.far, 0.2);
    const auto depth = [&](const glm::dvec3& p) {
        const glm::vec4 clip = close.eye_relative_view_projection(viewport, bag) * glm::vec4(glm::vec3(p - close.eye()), 1);
        return 0.5 + 0.5 * double(clip.z) / double(clip.w);
    };
    // Two films 30 µm apart, the nearer one at the target: thousands of steps of a 24-bit depth buffer lie between them.
    const double steps = (depth(close.target - 30e-6 * close.backward()) - depth(close.target)) * double(1 << 24);
    EXPECT_GT(steps, 1000);
    const glm::dvec3 a = close.project(close.target, viewport),
                     b = close.project(close.target + 30e-6 * close.right(), viewport);
    EXPECT_GT(b.x - a.x, 20);  // px

    Camera far;
    far.frame(bag, viewport);
    const Camera::Range wide = far.range(bag);
    for (int c = 0; c < 8; ++c) {
        const glm::dvec3 p{c & 1 ? 0.09 : -0.09, c & 2 ? 0.09 : -0.09, c & 4 ? 0.24 : 0.0};
        EXPECT_GT(far.project(p, viewport).z, wide.near);
        EXPECT_LT(far.project(p, viewport).z, wide.far);
    }
}

TEST(Camera, standard_views_look_along_their_axes) {
    Camera camera;
    camera.look_from(StandardView::Front);
    EXPECT_NEAR(glm::length(camera.backward() - glm::dvec3(0, -1, 0)), 0, 1e-15);
    EXPECT_NEAR(glm::length(camera.right() - glm::dvec3(1, 0, 0)), 0, 1e-15);
    camera.look_from(StandardView::Right);
    EXPECT_NEAR(glm::length(camera.backward() - glm::dvec3(1, 0, 0)), 0, 1e-15);
    camera.look_from(StandardView::Top);
    EXPECT_NEAR(glm::length(camera.backward() - glm::dvec3(0, 0, 1)), 0, 1e-15);
    EXPECT_NEAR(glm::length(camera.up() - glm::dvec3(0, 1, 0)), 0, 1e-15);
}

TEST(Camera, orbiting_stops_at_the_poles) {
    Camera camera;
    camera.orbit(0, 1e6);
    EXPECT_DOUBLE_EQ(camera.pitch, M_PI / 2);
    camera.orbit(0, -1e7);
    EXPECT_DOUBLE_EQ(camera.pitch, -M_PI / 2);
}

TEST(Camera, blending_begins_and_ends_exactly_and_turns_the_short_way) {
    Camera a, b;
    a.yaw = 3.0;
    b.yaw = -3.0;
    b.distance = 0.1;
    EXPECT_EQ(blend(a, b, 1), b);
    EXPECT_NEAR(blend(a, b, 0).yaw, a.yaw, 1e-15);
    EXPECT_GT(std::abs(blend(a, b, 0.5).yaw), 3.0);
}

}  // namespace
}  // namespace plica
