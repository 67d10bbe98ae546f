// The 1-D lab: a ball flies at a wall, one implicit step at a time, held by a barrier or by a penalty.          spec/wall.md
//
//   barrier   E(x) = ½ m (x − x̃)² + h² b(wall − x),  b the barrier with κ; +infinity from the wall's front on
//   penalty   E(x) = ½ m (x − x̃)² + h² ½ k p²,       p the depth to the nearer face, 0 outside the wall
//
// The barrier's b does not stand beside m/h² here as in the solver, but is multiplied by h² (spec/readings.md, B1).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/energy/barrier.h"

namespace plica {

struct WallLab {
    bool barrier = true;              // else penalty
    double mass = 1;                  // kg
    double h = 0.01;                  // s
    double wall = 0.503;              // m, front
    double thickness = 0.02;          // m
    double dhat = 1e-3;               // m
    double kappa = 1e4;               // as printed, see above
    double penalty_stiffness = 1e4;   // k [N/m]
    int steps = 80;
    double newton_tolerance = 1e-10;  // m
    int newton_limit = 59;

    double energy(double x, double x_tilde) const {
        const double inertia = 0.5 * mass * (x - x_tilde) * (x - x_tilde);
        if (barrier) return inertia + h * h * Barrier{dhat, kappa}.energy(wall - x);
        const double p = depth(x);
        return inertia + h * h * 0.5 * penalty_stiffness * p * p;
    }
    double gradient(double x, double x_tilde) const {
        const double inertia = mass * (x - x_tilde);
        if (barrier) return inertia - h * h * Barrier{dhat, kappa}.first(wall - x);
        return inertia - h * h * penalty_stiffness * depth(x) * (front_is_nearer(x) ? -1 : 1);
    }
    double hessian(double x) const {
        if (barrier) return mass + h * h * Barrier{dhat, kappa}.second(wall - x);
        return mass + (inside(x) ? h * h * penalty_stiffness : 0);
    }

    struct Step {
        double x = 0;        // m
        int iterations = 0;  // Newton evaluations, the last one, that only finds |dx| small, included
    };
    // Minimizes E from x.
    Step step(double x, double x_tilde) const {
        int iterations = 0;
        while (iterations < newton_limit) {
            ++iterations;
            const double dx = -gradient(x, x_tilde) / hessian(x);
            if (std::fabs(dx) < newton_tolerance) break;
            double alpha = 1;
            if (barrier && x + dx >= wall) alpha = 0.9 * (wall - x) / dx;
            const double before = energy(x, x_tilde);
            while (energy(x + alpha * dx, x_tilde) > before && alpha > 1e-12) alpha *= 0.5;
            x += alpha * dx;
        }
        return {x, iterations};
    }

    struct Run {
        std::vector<double> x;      // m, after each step
        bool through = false;       // behind the wall after the last of these steps
        double largest_x = 0;       // m, of the start and the steps before it went through
        int largest_iterations = 0; // of a step, before it went through
    };
    // From x = 0 at speed v [m/s] until all steps are done or the ball is behind the wall.
    Run run(double v) const {
        Run out;
        double x = 0;
        for (int i = 0; i < steps; ++i) {
            const Step next = step(x, x + h * v);
            v = (next.x - x) / h;
            x = next.x;
            out.x.push_back(x);
            out.through = x > wall + thickness;
            if (out.through) break;
            out.largest_x = std::max(out.largest_x, x);
            out.largest_iterations = std::max(out.largest_iterations, next.iterations);
        }
        return out;
    }

private:
    bool inside(double x) const { return x > wall && x < wall + thickness; }
    bool front_is_nearer(double x) const { return x - wall <= wall + thickness - x; }
    double depth(double x) const { return inside(x) ? std::min(x - wall, wall + thickness - x) : 0; }
};

}  // namespace plica
