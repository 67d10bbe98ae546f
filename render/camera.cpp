#include "render/camera.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

namespace plica {
namespace {

constexpr double half_pi = 1.5707963267948966;
constexpr double two_pi = 4 * half_pi;
constexpr double min_distance = 2e-5;      // m: 20 µm, well inside the gap of two films
constexpr double max_distance = 1e4;       // m
constexpr double turn_per_pixel = 0.0065;  // rad: 480 px are half a turn

}  // namespace

glm::dvec3 Camera::backward() const {
    return {std::cos(pitch) * std::cos(yaw), std::cos(pitch) * std::sin(yaw), std::sin(pitch)};
}
// From the yaw alone, so that it is defined when looking straight down.
glm::dvec3 Camera::right() const { return {-std::sin(yaw), std::cos(yaw), 0}; }
glm::dvec3 Camera::up() const { return glm::cross(backward(), right()); }

void Camera::orbit(double dx_px, double dy_px) {
    yaw = std::remainder(yaw - turn_per_pixel * dx_px, two_pi);
    pitch = std::clamp(pitch + turn_per_pixel * dy_px, -half_pi, half_pi);
}

double Camera::metres_per_pixel(double depth, const Viewport& viewport) const {
    const double d = orthographic ? distance : depth;
    return 2 * d * std::tan(fov_y / 2) / std::max(1, viewport.height_px);
}

void Camera::pan(double dx_px, double dy_px, const Viewport& viewport) {
    const double m = metres_per_pixel(distance, viewport);
    target += m * (-dx_px * right() + dy_px * up());
}

void Camera::zoom(double factor, glm::dvec2 cursor_px, const Viewport& viewport, const glm::dvec3* under) {
    if (!(factor > 0) || viewport.width_px <= 0 || viewport.height_px <= 0) return;
    // The point that stays: the picked one, or that of the target plane under the cursor.
    const double m = metres_per_pixel(distance, viewport);
    const glm::dvec2 offset = cursor_px - 0.5 * glm::dvec2(viewport.width_px, viewport.height_px);
    glm::dvec3 fixed = target + m * (offset.x * right() - offset.y * up());
    if (under) {
        // The target moves into the depth of what is looked at, so that coming nearer never passes through it.
        fixed = *under;
        const double depth = glm::dot(eye() - fixed, backward());
        if (depth > min_distance && !orthographic) {
            target += (distance - depth) * backward();
            distance = depth;
        }
    }
    const double next = std::clamp(distance / factor, min_distance, max_distance);
    const double ratio = next / distance;
    target = fixed + ratio * (target - fixed);
    distance = next;
}

void Camera::frame(const Bounds& bounds, const Viewport& viewport) {
    if (bounds.empty) return;
    target = bounds.centre();
    // Tight around the eight corners as seen from here, both ways; for a perspective eye the nearer corners count more.
    const double tan_y = std::tan(fov_y / 2), tan_x = tan_y * viewport.aspect();
    double need = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::dvec3 p{corner & 1 ? bounds.high.x : bounds.low.x, corner & 2 ? bounds.high.y : bounds.low.y,
                           corner & 4 ? bounds.high.z : bounds.low.z};
        const glm::dvec3 d = p - target;
        const double towards = orthographic ? 0 : glm::dot(d, backward());
        need =
            std::max({need, towards + std::abs(glm::dot(d, right())) / tan_x, towards + std::abs(glm::dot(d, up())) / tan_y});
    }
    distance = std::clamp(1.08 * need, min_distance, max_distance);
}

void Camera::look_from(StandardView view) {
    switch (view) {
        case StandardView::Front: yaw = -half_pi, pitch = 0; break;
        case StandardView::Back: yaw = half_pi, pitch = 0; break;
        case StandardView::Right: yaw = 0, pitch = 0; break;
        case StandardView::Left: yaw = 2 * half_pi, pitch = 0; break;
        case StandardView::Top: yaw = -half_pi, pitch = half_pi; break;
        case StandardView::Bottom: yaw = -half_pi, pitch = -half_pi; break;
        case StandardView::Oblique: yaw = -0.9, pitch = 0.42; break;
    }
}

Camera::Range Camera::range(const Bounds& scene) const {
    const double radius = scene.empty ? distance : scene.radius();
    const double centre_depth = scene.empty ? distance : glm::dot(eye() - scene.centre(), backward());
    Range range;
    if (orthographic) {
        // Nothing is ever cut off in front.
        range.near = std::min(centre_depth - 3 * radius, -distance);
        range.far = std::max(centre_depth + 3 * radius, 2 * distance);
        return range;
    }
    // 24 bits of depth resolve depth² / (near 2^24): with near at 1/50 of the distance 3e-6 of it, 3 nm at 1 mm.
    range.near = distance / 50;
    range.far = std::max({centre_depth + 4 * radius, 4 * distance, 2 * range.near});
    return range;
}

glm::mat4 Camera::view_rotation() const {
    const glm::dvec3 r = right(), u = up(), b = backward();
    glm::dmat4 m(1);
    for (int axis = 0; axis < 3; ++axis) {
        m[axis][0] = r[axis];
        m[axis][1] = u[axis];
        m[axis][2] = b[axis];
    }
    return glm::mat4(m);
}

glm::mat4 Camera::view() const {
    glm::dmat4 m(view_rotation());
    const glm::dvec3 e = eye();
    m[3] = {-glm::dot(right(), e), -glm::dot(up(), e), -glm::dot(backward(), e), 1};
    return glm::mat4(m);
}

glm::mat4 Camera::projection(const Viewport& viewport, const Bounds& scene) const {
    const Range r = range(scene);
    const double tan_y = std::tan(fov_y / 2), aspect = viewport.aspect();
    glm::dmat4 m(0);
    if (orthographic) {
        m[0][0] = 1 / (distance * tan_y * aspect);
        m[1][1] = 1 / (distance * tan_y);
        m[2][2] = -2 / (r.far - r.near);
        m[3][2] = -(r.far + r.near) / (r.far - r.near);
        m[3][3] = 1;
    } else {
        m[0][0] = 1 / (tan_y * aspect);
        m[1][1] = 1 / tan_y;
        m[2][2] = -(r.far + r.near) / (r.far - r.near);
        m[2][3] = -1;
        m[3][2] = -2 * r.far * r.near / (r.far - r.near);
    }
    return glm::mat4(m);
}

glm::mat4 Camera::eye_relative_view_projection(const Viewport& viewport, const Bounds& scene) const {
    return projection(viewport, scene) * view_rotation();
}

Ray Camera::ray(glm::dvec2 cursor_px, const Viewport& viewport) const {
    const glm::dvec2 offset = cursor_px - 0.5 * glm::dvec2(viewport.width_px, viewport.height_px);
    const double m = metres_per_pixel(distance, viewport);
    const glm::dvec3 on_plane = target + m * (offset.x * right() - offset.y * up());
    if (orthographic) {
        // From far in front: nothing is cut off there.
        return {on_plane + max_distance * backward(), -backward()};
    }
    return {eye(), glm::normalize(on_plane - eye())};
}

glm::dvec3 Camera::project(const glm::dvec3& point, const Viewport& viewport) const {
    const glm::dvec3 d = point - eye();
    const double depth = -glm::dot(d, backward());
    const double m = metres_per_pixel(depth, viewport);
    const double scale = m != 0 ? 1 / m : 0;
    return {0.5 * viewport.width_px + scale * glm::dot(d, right()), 0.5 * viewport.height_px - scale * glm::dot(d, up()),
            depth};
}

Camera blend(const Camera& a, const Camera& b, double s) {
    s = std::clamp(s, 0.0, 1.0);
    if (s >= 1) return b;
    const double ease = s * s * (3 - 2 * s);
    Camera c = b;
    c.target = glm::mix(a.target, b.target, ease);
    c.distance = a.distance * std::pow(b.distance / a.distance, ease);
    c.yaw = a.yaw + ease * std::remainder(b.yaw - a.yaw, two_pi);
    c.pitch = glm::mix(a.pitch, b.pitch, ease);
    return c;
}

}  // namespace plica
