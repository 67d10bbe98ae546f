// Minimizes the incremental potential by Newton's method (spec/solver.md, "Step" 2 and 3).
//
// One iteration: gradient and Hessian at x, factorization, direction, motion cap, Armijo line search. While its factorization
// is fresh it is used again for corrections (chord steps): thin film bends easily and stretches hardly, so a straight step
// leaves the valley of unstretched shapes, and the same factorization leads back to it at a thirtieth of the cost of a new one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/solver/cpu/potential.h"
#include "engine/solver/cpu/sparse_cholesky.h"
#include "engine/solver/solver.h"

namespace plica {

class Newton {
public:
    explicit Newton(Potential& potential) : potential_(potential) {}

    struct Outcome {
        std::optional<StepFailure> failure;
        std::string message;
        int particle = -1;  // where the motion was largest or not finite
        bool cancelled = false;
        Energies energy;  // at the end
    };
    // x (N) holds the start, admissible, and on success the minimizer to settings.tolerance. Adds to `report`.
    Outcome minimize(std::vector<Vec3>& x, const SolverSettings& settings, const ContactSwitches& switches, StepReport& report,
                     const IterationWatch& watch, int halving);

private:
    struct Direction {
        double largest = 0;  // m, max |dx| over components
        double longest = 0;  // m, over vectors
        int fastest = -1;    // particle that moves most
        double slope = 0;    // J, gradient · dx
    };
    struct Move {
        double max_step = 1, alpha = 0;
        bool accepted = false;
    };
    bool factorize(const std::vector<Vec3>& x, StepReport& report);
    Direction direction(StepReport& report);
    Move move(std::vector<Vec3>& x, const Direction& d, const SolverSettings& settings, const ContactSwitches& switches,
              StepReport& report);

    Potential& potential_;
    SparseCholesky cholesky_;
    double reach_ = 0;  // m, directions longer than this are cut
    double phi_ = 0;    // J, at x
    Energies energies_;
    std::vector<Vec3> gradient_, dx_, trial_, reduced_gradient_, reduced_dx_;
    std::vector<Mat3> blocks_;
};

}  // namespace plica
