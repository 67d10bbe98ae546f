// Grip: a support whose force is limited, per axis (decision 6). With d = x − p on one axis, r = f/k:
//   |d| <= r:  E = ½ k d²                 ∂E = k d            ∂²E = k
//   |d| >  r:  E = f (|d| − r/2)          ∂E = ±f             ∂²E = 0                (Huber)
#pragma once

#include "engine/core/types.h"

namespace plica {

struct Grip {
    double stiffness = 0;           // k [N/m]
    Vec3 target;                    // p [m]
    double force_limit = HUGE_VAL;  // f [N] per axis

    PLICA_HD double energy(const Vec3& x) const {
        double sum = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double d = fabs(x[axis] - target[axis]);
            sum += elastic(d) ? 0.5 * stiffness * d * d : force_limit * (d - 0.5 * force_limit / stiffness);
        }
        return sum;
    }
    PLICA_HD Vec3 gradient(const Vec3& x) const {
        Vec3 g;
        for (int axis = 0; axis < 3; ++axis) {
            const double d = x[axis] - target[axis];
            g[axis] = elastic(fabs(d)) ? stiffness * d : copysign(force_limit, d);
        }
        return g;
    }
    PLICA_HD Mat3 hessian(const Vec3& x) const {
        Mat3 h;
        for (int axis = 0; axis < 3; ++axis) h(axis, axis) = elastic(fabs(x[axis] - target[axis])) ? stiffness : 0;
        return h;
    }

private:
    PLICA_HD bool elastic(double d) const { return stiffness * d <= force_limit; }
};

}  // namespace plica
