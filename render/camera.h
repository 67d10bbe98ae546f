// Turntable camera around a target, z upwards. No OpenGL: plain mathematics in double precision.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/view_frame.h"

namespace plica {

struct Ray {
    glm::dvec3 origin{0};     // m
    glm::dvec3 direction{0};  // unit length
};

enum class StandardView { Front, Back, Left, Right, Top, Bottom, Oblique };  // Front looks along +y

struct Viewport {
    int width_px = 0, height_px = 0;
    double aspect() const { return height_px > 0 ? double(width_px) / height_px : 1; }
};

struct Camera {
    glm::dvec3 target{0, 0, 0.06};  // m, turned around
    double distance = 0.6;          // m, from the eye to the target
    double yaw = -0.9;              // rad, direction of the eye seen from the target: 0 = +x, π/2 = +y
    double pitch = 0.42;            // rad, height of the eye above the horizon, -π/2..π/2
    double fov_y = 0.56;            // rad
    bool orthographic = false;

    // Axes of the picture in the world, unit length.
    glm::dvec3 backward() const;  // from the target to the eye
    glm::dvec3 right() const;
    glm::dvec3 up() const;
    glm::dvec3 eye() const { return target + distance * backward(); }

    // Cursor movements in pixels, y downwards.
    void orbit(double dx_px, double dy_px);
    void pan(double dx_px, double dy_px, const Viewport& viewport);  // the target plane follows the cursor
    // factor > 1 comes nearer; the point under the cursor stays there. `under` is what was picked there; without it the point
    // of the target plane is used.
    void zoom(double factor, glm::dvec2 cursor_px, const Viewport& viewport, const glm::dvec3* under = nullptr);
    void frame(const Bounds& bounds, const Viewport& viewport);  // all of it visible, same direction
    void look_from(StandardView view);

    struct Range {
        double near = 0, far = 0;  // m along the viewing direction
    };
    // Wide enough for the scene, near enough for what lies within a few per cent of the distance to the target.
    Range range(const Bounds& scene) const;

    // World relative to the eye -> clip space of OpenGL. The shift by the eye is left to the caller, who can do it without
    // losing the last digits: 30 µm are looked at from 1 mm.
    glm::mat4 eye_relative_view_projection(const Viewport& viewport, const Bounds& scene) const;
    glm::mat4 view_rotation() const;  // world axes -> eye axes
    glm::mat4 view() const;           // for gizmos
    glm::mat4 projection(const Viewport& viewport, const Bounds& scene) const;

    Ray ray(glm::dvec2 cursor_px, const Viewport& viewport) const;
    // Pixel (y downwards) and depth along the viewing direction [m]; depth <= 0 is behind a perspective eye.
    glm::dvec3 project(const glm::dvec3& point, const Viewport& viewport) const;
    double metres_per_pixel(double depth, const Viewport& viewport) const;  // depth along the viewing direction [m]

    friend bool operator==(const Camera&, const Camera&) = default;
};

// s in 0..1: from a to b on the short way round, distance in equal ratios. For gentle changes of view.
Camera blend(const Camera& a, const Camera& b, double s);

}  // namespace plica
