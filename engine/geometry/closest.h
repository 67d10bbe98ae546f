// Closest points of point and triangle, and of two segments, for any input: slivers, parallel and zero-length edges included.
//
// Both are convex problems with few sides. The projection of the inside comes first; where it falls outside, the answer lies on
// a side beyond which it fell. If the inside is so flat that rounding may decide about it (sine below `flat`), all sides and
// the inside compete by distance, each being a point that really exists, so that the distance is right even then.
#pragma once

#include "engine/core/types.h"

namespace plica {

struct PointTriangle {
    double weight[3];  // barycentric, >= 0, sum 1; exactly 0 where the closest point is on a side or corner
    Vec3 separation;   // m, from the closest point of the triangle to the point
    double distance;   // m
};

struct EdgeEdge {
    double s, t;      // fractions along p and q, in [0, 1]
    Vec3 separation;  // m, from the closest point of q to that of p
    double distance;  // m
};

// Fraction in [0, 1] along the segment a + f e closest to the point a + v; 0 for a zero-length segment.
PLICA_HD inline double closest_fraction(const Vec3& v, const Vec3& e) {
    const double along = dot(v, e), length_squared = dot(e, e);
    if (!(along > 0)) return 0;
    return along < length_squared ? along / length_squared : 1;
}

namespace closest_detail {
inline constexpr double flat = 1e-4;  // sine
}

PLICA_HD inline PointTriangle closest_point_triangle(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
    const Vec3 e1 = t1 - t0, e2 = t2 - t0, v = p - t0;
    const Vec3 n = cross(e1, e2);
    const double n_squared = dot(n, n);
    const bool sliver = !(n_squared > closest_detail::flat * closest_detail::flat * dot(e1, e1) * dot(e2, e2));

    double b0 = -1, b1 = -1, b2 = -1;
    if (n_squared > 0) {
        b1 = dot(cross(v, e2), n) / n_squared;
        b2 = dot(cross(e1, v), n) / n_squared;
        b0 = 1 - b1 - b2;
    }
    PointTriangle best{{0, 0, 0}, {}, HUGE_VAL};
    if (b0 >= 0 && b1 >= 0 && b2 >= 0) {
        const Vec3 r = v - b1 * e1 - b2 * e2;
        best = {{b0, b1, b2}, r, norm(r)};
        if (!sliver) return best;
    }
    if (sliver || b2 < 0) {
        const double f = closest_fraction(v, e1);
        const Vec3 r = f < 1 ? v - f * e1 : p - t1;
        const double d = norm(r);
        if (d < best.distance) best = {{1 - f, f, 0}, r, d};
    }
    if (sliver || b1 < 0) {
        const double f = closest_fraction(v, e2);
        const Vec3 r = f < 1 ? v - f * e2 : p - t2;
        const double d = norm(r);
        if (d < best.distance) best = {{1 - f, 0, f}, r, d};
    }
    if (sliver || b0 < 0) {
        const Vec3 e = t2 - t1, w = p - t1;
        const double f = closest_fraction(w, e);
        const Vec3 r = f < 1 ? w - f * e : p - t2;
        const double d = norm(r);
        if (d < best.distance) best = {{0, 1 - f, f}, r, d};
    }
    return best;
}

PLICA_HD inline EdgeEdge closest_edge_edge(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
    const Vec3 u = p1 - p0, v = q1 - q0, w = q0 - p0;
    const Vec3 n = cross(u, v);
    const double n_squared = dot(n, n);
    const bool parallel = !(n_squared > closest_detail::flat * closest_detail::flat * dot(u, u) * dot(v, v));

    double s = -1, t = -1;
    EdgeEdge best{0, 0, {}, HUGE_VAL};
    if (n_squared > 0) {
        s = dot(cross(w, v), n) / n_squared;
        t = dot(cross(w, u), n) / n_squared;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
            const Vec3 r = s * u - w - t * v;
            best = {s, t, r, norm(r)};
            if (!parallel) return best;
        }
    }
    if (parallel || s < 0) {
        const double f = closest_fraction(-w, v);
        const Vec3 r = f < 1 ? -w - f * v : p0 - q1;
        const double d = norm(r);
        if (d < best.distance) best = {0, f, r, d};
    }
    if (parallel || s > 1) {
        const Vec3 end = p1 - q0;
        const double f = closest_fraction(end, v);
        const Vec3 r = f < 1 ? end - f * v : p1 - q1;
        const double d = norm(r);
        if (d < best.distance) best = {1, f, r, d};
    }
    if (parallel || t < 0) {
        const double f = closest_fraction(w, u);
        const Vec3 r = f < 1 ? f * u - w : p1 - q0;
        const double d = norm(r);
        if (d < best.distance) best = {f, 0, r, d};
    }
    if (parallel || t > 1) {
        const Vec3 end = q1 - p0;
        const double f = closest_fraction(end, u);
        const Vec3 r = f < 1 ? f * u - end : p1 - q1;
        const double d = norm(r);
        if (d < best.distance) best = {f, 1, r, d};
    }
    return best;
}

}  // namespace plica
