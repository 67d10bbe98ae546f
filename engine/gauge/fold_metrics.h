// How well a sheet is folded: angle between its two panels, bulge of the upper one.       spec/readings.md, C1 and C2
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/core/types.h"

namespace plica {

// Angle [rad] between the area-weighted mean normals of two panels (lists of triangles): 0 flat, π folded over, unsigned.
inline double fold_angle(std::span<const Vec3> x, std::span<const Int3> triangles, std::span<const int> base,
                         std::span<const int> flap) {
    const auto normal = [&](std::span<const int> panel) {
        Vec3 sum;
        for (const int t : panel) {
            const Int3& v = triangles[std::size_t(t)];
            const Vec3& corner = x[std::size_t(v.a)];
            sum += cross(x[std::size_t(v.b)] - corner, x[std::size_t(v.c)] - corner);
        }
        return sum;
    };
    const Vec3 a = normal(base), b = normal(flap);
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

// Largest height [m] of a section of the flap, listed from crease to free edge, above the chord of its ends, perpendicular to
// it towards `up`. 0 for a section that nowhere rises above.
inline double bulge_over_chord(std::span<const Vec3> x, std::span<const int> section, const Vec3& up) {
    if (section.size() < 3) return 0;
    const Vec3 first = x[std::size_t(section.front())], chord = x[std::size_t(section.back())] - first;
    const double length_squared = dot(chord, chord);
    const Vec3 across = length_squared > 0 ? up - (dot(up, chord) / length_squared) * chord : up;
    const double size = norm(across);
    double height = 0;
    for (const int v : section) height = std::max(height, dot(x[std::size_t(v)] - first, across));
    return size > 0 ? height / size : 0;
}

}  // namespace plica
