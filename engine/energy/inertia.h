// Inertia: pulls a particle to where it would be without any other force.                        spec/solver.md, "Step"
//   E = m ‖x − x̃‖²/(2 dt²) [J],   x̃ = x0 + dt v0 + dt² (g + f/m)
#pragma once

#include "engine/core/types.h"

namespace plica {

struct Inertia {
    double mass = 0;  // kg
    double dt = 0;    // s
    Vec3 x_tilde;     // m

    PLICA_HD double energy(const Vec3& x) const { return 0.5 * stiffness() * dot(x - x_tilde, x - x_tilde); }
    PLICA_HD Vec3 gradient(const Vec3& x) const { return stiffness() * (x - x_tilde); }
    PLICA_HD Mat3 hessian(const Vec3&) const { return diagonal(stiffness()); }

    PLICA_HD double stiffness() const { return mass / (dt * dt); }  // N/m
};

// x̃ of a particle with mass > 0 under gravity [m/s²] and a force [N].
PLICA_HD inline Vec3 inertia_target(const Vec3& x0, const Vec3& v0, const Vec3& gravity, const Vec3& force, double mass,
                                    double dt) {
    return x0 + dt * v0 + (dt * dt) * (gravity + (1 / mass) * force);
}

}  // namespace plica
