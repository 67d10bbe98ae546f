// What a pair looks like at given positions: r = Σ w_i x_i is the separation of its closest points.   spec/solver.md, "Contact"
//
//   vertex–triangle  w = (1, −b0, −b1, −b2)       edge–edge  w = (1−s, s, t−1, −t)       sphere–sphere  w = (1, −1, 0, 0)
//
// The normal n = r/‖r‖ points from the second side to the first; ∂distance/∂x_i = w_i n.
#pragma once

#include "engine/contact/candidate_kind.h"
#include "engine/core/types.h"
#include "engine/geometry/closest.h"

namespace plica {

struct ContactGeometry {
    double weight[4];
    Vec3 normal;      // unit; 0 where the distance is 0
    double distance;  // m, between the mid-surfaces or centres
};

PLICA_HD inline Vec3 contact_normal(const Vec3& separation, double distance) {
    return distance > 0 ? (1 / distance) * separation : Vec3{};
}

PLICA_HD inline ContactGeometry vertex_triangle_contact(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
    const PointTriangle c = closest_point_triangle(p, t0, t1, t2);
    return {{1, -c.weight[0], -c.weight[1], -c.weight[2]}, contact_normal(c.separation, c.distance), c.distance};
}

PLICA_HD inline ContactGeometry edge_edge_contact(const Vec3& ea0, const Vec3& ea1, const Vec3& eb0, const Vec3& eb1) {
    const EdgeEdge c = closest_edge_edge(ea0, ea1, eb0, eb1);
    return {{1 - c.s, c.s, c.t - 1, -c.t}, contact_normal(c.separation, c.distance), c.distance};
}

PLICA_HD inline ContactGeometry sphere_sphere_contact(const Vec3& centre_i, const Vec3& centre_j) {
    const Vec3 r = centre_i - centre_j;
    const double d = norm(r);
    return {{1, -1, 0, 0}, contact_normal(r, d), d};
}

// How far a motion dx brings the two sides together along the normal, at most [m]: over any point of either side, as the
// closest points may wander during the motion. Positive: approaching. The last two motions are not read for spheres.
PLICA_HD inline double approach(CandidateKind kind, const Vec3& normal, const Vec3& dx0, const Vec3& dx1, const Vec3& dx2,
                                const Vec3& dx3) {
    const double u0 = dot(normal, dx0), u1 = dot(normal, dx1);
    if (kind == CandidateKind::SphereSphere) return u1 - u0;
    const double u2 = dot(normal, dx2), u3 = dot(normal, dx3);
    if (kind == CandidateKind::VertexTriangle) return fmax(u1, fmax(u2, u3)) - u0;
    return fmax(u2, u3) - fmin(u0, u1);
}

// Largest fraction of the motion that is taken when the smallest gap/approach over approaching pairs is `ratio` (infinity if
// none).
PLICA_HD inline double capped_fraction(double ratio) { return ratio <= 1 ? 0.9 * ratio : 1; }

}  // namespace plica
