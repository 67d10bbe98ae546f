// Support: a soft pin pulling one vertex x to a moving target p.                                 spec/solver.md, "Film"
//   E = ½ k ‖x − p‖² [J],   ∂E/∂x = k (x − p) [N],   ∂²E/∂x² = k I [N/m]
#pragma once

#include "engine/core/types.h"

namespace plica {

struct Support {
    double stiffness = 0;  // k [N/m]
    Vec3 target;           // p [m]

    PLICA_HD double energy(const Vec3& x) const { return 0.5 * stiffness * dot(x - target, x - target); }
    PLICA_HD Vec3 gradient(const Vec3& x) const { return stiffness * (x - target); }
    PLICA_HD Mat3 hessian(const Vec3&) const { return diagonal(stiffness); }
};

}  // namespace plica
