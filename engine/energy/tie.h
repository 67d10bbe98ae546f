// Tie: a spring between two vertices, at rest at a length that may be 0.                         spec/solver.md, "Film"
//   E = ½ k (l − L)² [J],  l = ‖xi − xj‖,  n = (xi − xj)/l
//   ∂E/∂xi = k (l − L) n = −∂E/∂xj,   ∂²E/∂xi² = k [n nᵀ + max(0, 1 − L/l) (I − n nᵀ)] = −∂²E/∂xi∂xj
// The clamp keeps a compressed tie positive semi-definite. At l = 0 the direction is undefined: no force, and the stiffness k
// in all directions.
#pragma once

#include "engine/core/types.h"

namespace plica {

struct Tie {
    double stiffness = 0;  // k [N/m]
    double length = 0;     // L [m]

    PLICA_HD double energy(const Vec3& xi, const Vec3& xj) const {
        const double stretch = norm(xi - xj) - length;
        return 0.5 * stiffness * stretch * stretch;
    }

    // ∂E/∂xi [N]
    PLICA_HD Vec3 gradient(const Vec3& xi, const Vec3& xj) const {
        const Vec3 d = xi - xj;
        const double l = norm(d);
        return l > 0 ? (stiffness * ((l - length) / l)) * d : Vec3{};
    }

    // ∂²E/∂xi² [N/m], positive semi-definite
    PLICA_HD Mat3 hessian(const Vec3& xi, const Vec3& xj) const {
        const Vec3 d = xi - xj;
        const double l = norm(d);
        if (!(l > 0)) return diagonal(stiffness);
        const Vec3 n = (1 / l) * d;
        const double across = stiffness * fmax(0.0, 1 - length / l);
        return diagonal(across) + outer((stiffness - across) * n, n);
    }
};

}  // namespace plica
