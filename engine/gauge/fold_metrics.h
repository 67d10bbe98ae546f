// How well a sheet is folded: angle between its two panels, bulge of the upper one.       spec/readings.md, C1 and C2
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
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

// Height [m] of the triangle a b c over (x, y) of p; NaN where it does not lie there.
inline double height_over(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    const double wb = ((p.x - a.x) * (c.y - a.y) - (c.x - a.x) * (p.y - a.y)) / area;
    const double wc = ((b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y)) / area;
    if (!(area != 0 && wb >= 0 && wc >= 0 && wb + wc <= 1)) return std::numeric_limits<double>::quiet_NaN();
    return a.z + wb * (b.z - a.z) + wc * (c.z - a.z);
}

// Smallest vertical gap [m] between turned-over triangles of the flap and the base: their centroids projected down on the base
// (spec/paper.md, "Results"). Negative: the layers have changed places; infinity where no turned-over triangle lies over the
// base.
inline double layer_gap(std::span<const Vec3> x, std::span<const Int3> triangles, std::span<const int> base,
                        std::span<const int> flap) {
    double gap = std::numeric_limits<double>::infinity();
    const auto corner = [&](const Int3& t, int k) -> const Vec3& { return x[std::size_t(t[k])]; };
    for (const int f : flap) {
        const Int3& t = triangles[std::size_t(f)];
        if (cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0)).z >= 0) continue;
        const Vec3 middle = (1.0 / 3) * (corner(t, 0) + corner(t, 1) + corner(t, 2));
        for (const int b : base) {
            const Int3& u = triangles[std::size_t(b)];
            const double z = height_over(middle, corner(u, 0), corner(u, 1), corner(u, 2));
            if (middle.z - z < gap) gap = middle.z - z;
        }
    }
    return gap;
}

}  // namespace plica
