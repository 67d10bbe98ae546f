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
    bool barrier = true;             // else penalty
    double mass = 1;                 // kg
    double h = 0.01;                 // s
    double wall = 0.503;             // m, front
    double thickness = 0.02;         // m
    double dhat = 1e-3;              // m
    double kappa = 1e4;              // as printed, see above
    double penalty_stiffness = 1e4;  // k [N/m]
    int steps = 80;
    double newton_tolerance = 1e-10;  // m
    int newton_limit = 59;
    static constexpr double ccd_safety = 0.9;

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

    // One evaluation of Newton's method, and where it leads.
    struct Iterate {
        double x = 0;         // m, where E and its derivatives were taken
        double energy = 0;    // J
        double dx = 0;        // m, the full step −E′/E″
        double max_step = 1;  // fraction of dx that CCD lets pass: ccd_safety of the way to the wall where dx would reach it
        double alpha = 0;     // fraction taken: max_step, halved until E does not grow
        int halvings = 0;
        bool converged = false;  // |dx| is below the tolerance and not taken any more
        double next() const { return x + alpha * dx; }
    };
    Iterate iterate(double x, double x_tilde) const {
        Iterate n;
        n.x = x;
        n.energy = energy(x, x_tilde);
        n.dx = -gradient(x, x_tilde) / hessian(x);
        n.converged = std::fabs(n.dx) < newton_tolerance;
        if (n.converged) return n;
        if (barrier && x + n.dx >= wall) n.max_step = ccd_safety * (wall - x) / n.dx;
        n.alpha = n.max_step;
        for (; energy(n.next(), x_tilde) > n.energy && n.alpha > 1e-12; ++n.halvings) n.alpha *= 0.5;
        return n;
    }

    // Local minima of E over x [m], from front to back. With the barrier E is convex in front of the wall and has one: the
    // largest x whose E′ is not above 0. With the penalty E is a parabola before the wall, in each half of it, and behind it.
    std::vector<double> minima(double x_tilde) const {
        if (!barrier) {
            const double spring = h * h * penalty_stiffness, back = wall + thickness, middle = wall + 0.5 * thickness;
            const auto inside_towards = [&](double face) { return (mass * x_tilde + spring * face) / (mass + spring); };
            std::vector<double> found;
            if (x_tilde <= wall) found.push_back(x_tilde);
            if (x_tilde > wall && inside_towards(wall) <= middle) found.push_back(inside_towards(wall));
            if (x_tilde < back && inside_towards(back) > middle) found.push_back(inside_towards(back));
            if (x_tilde >= back) found.push_back(x_tilde);
            return found;
        }
        if (x_tilde <= wall - dhat) return {x_tilde};
        double low = wall - dhat, high = wall;
        for (double x = 0.5 * (low + high); low < x && x < high; x = 0.5 * (low + high))
            (gradient(x, x_tilde) <= 0 ? low : high) = x;
        return {low};
    }
    // The lowest of them.
    double minimum(double x_tilde) const {
        const std::vector<double> all = minima(x_tilde);
        return *std::min_element(all.begin(), all.end(),
                                 [&](double a, double b) { return energy(a, x_tilde) < energy(b, x_tilde); });
    }

    struct Run {
        std::vector<double> x;       // m, after each step
        bool through = false;        // behind the wall after the last of these steps
        double largest_x = 0;        // m, of the start and the steps before it went through
        int largest_iterations = 0;  // of a step, before it went through
    };
    // From x = 0 at speed v [m/s] until all steps are done or the ball is behind the wall.
    Run run(double v) const;

private:
    bool inside(double x) const { return x > wall && x < wall + thickness; }
    bool front_is_nearer(double x) const { return x - wall <= wall + thickness - x; }
    double depth(double x) const { return inside(x) ? std::min(x - wall, wall + thickness - x) : 0; }
};

// A throw from x = 0, done one Newton iterate at a time.
class WallThrow {
public:
    WallThrow(const WallLab& lab, double v) : lab_(lab), v_(v) {}

    // The next Newton iterate. Where the present time step has its result, the next one begins: x̃ = x + h v. Not for a done
    // throw.
    void advance() {
        if (step_done_) {
            x_start_ = x_;
            x_tilde_ = next_x_tilde();
            iterates_.clear();
            step_done_ = false;
        }
        iterates_.push_back(lab_.iterate(x_, x_tilde_));
        x_ = iterates_.back().next();
        if (!iterates_.back().converged && int(iterates_.size()) < lab_.newton_limit) return;
        step_done_ = true;
        v_ = (x_ - x_start_) / lab_.h;
        run_.x.push_back(x_);
        run_.through = x_ > lab_.wall + lab_.thickness;
        if (run_.through) return;
        run_.largest_x = std::max(run_.largest_x, x_);
        run_.largest_iterations = std::max(run_.largest_iterations, int(iterates_.size()));
    }
    void finish_step() {
        do advance();
        while (!step_done_);
    }

    bool step_done() const { return step_done_; }  // between two time steps
    bool done() const { return step_done_ && (run_.through || int(run_.x.size()) >= lab_.steps); }
    double x() const { return x_; }                           // m, of the newest iterate
    double v() const { return v_; }                           // m/s, after the last whole time step
    double x_start() const { return x_start_; }               // m, of the present time step
    double x_tilde() const { return x_tilde_; }               // m, likewise
    double next_x_tilde() const { return x_ + lab_.h * v_; }  // m, of the time step that comes next; between two steps
    const std::vector<WallLab::Iterate>& iterates() const { return iterates_; }  // of the present time step
    const WallLab::Run& run() const { return run_; }                             // the whole time steps so far
    const WallLab& lab() const { return lab_; }

private:
    WallLab lab_;
    double x_ = 0, v_ = 0, x_start_ = 0, x_tilde_ = 0;
    bool step_done_ = true;
    std::vector<WallLab::Iterate> iterates_;
    WallLab::Run run_;
};

inline WallLab::Run WallLab::run(double v) const {
    WallThrow ball(*this, v);
    while (!ball.done()) ball.finish_step();
    return ball.run();
}

}  // namespace plica
