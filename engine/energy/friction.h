// Friction of one contact, lagged: load, weights and normal are those at the start of the step.   spec/solver.md, "Contact"
//
//   r = Σ w_i (x_i − x_i at the start),  t = (I − n nᵀ) r
//   E = load (√(t·t + eps²) − eps),  load = μ_f (−B′(g0)) [N],  eps = dt eps_v [m]
//
// Derivatives are with respect to r: ∂E/∂x_i = w_i gradient(r), ∂²E/∂x_i∂x_j = w_i w_j hessian(r).
#pragma once

#include "engine/core/types.h"

namespace plica {

struct Friction {
    double load = 0;        // N
    Vec3 normal;            // n, unit
    double weight[4] = {};  // of the contact's points, sum 0
    double eps = 0;         // m, > 0

    PLICA_HD Vec3 tangential(const Vec3& r) const { return r - dot(normal, r) * normal; }

    // [J], written so that no digits are lost where ‖t‖ is far below eps.
    PLICA_HD double energy(const Vec3& r) const {
        const Vec3 t = tangential(r);
        const double squared = dot(t, t);
        return squared > 0 ? load * squared / (sqrt(squared + eps * eps) + eps) : 0;
    }

    // dE/dr [N]
    PLICA_HD Vec3 gradient(const Vec3& r) const {
        const Vec3 t = tangential(r);
        const double size = sqrt(dot(t, t) + eps * eps);
        return size > 0 ? (load / size) * t : Vec3{};
    }

    // d²E/dr² [N/m] = load/size (I − n nᵀ − t tᵀ/size²), positive semi-definite.
    PLICA_HD Mat3 hessian(const Vec3& r) const {
        const Vec3 t = tangential(r);
        const double squared = dot(t, t) + eps * eps;
        if (!(squared > 0)) return {};
        const double scale = load / sqrt(squared);
        Mat3 h = diagonal(scale);
        h += outer(-scale * normal, normal);
        h += outer((-scale / squared) * t, t);
        return h;
    }
};

}  // namespace plica
