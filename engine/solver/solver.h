// One implicit step: the minimizer of the incremental potential (spec/solver.md, "Step").
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/solver/model.h"
#include "engine/solver/settings.h"
#include "engine/solver/state.h"
#include "engine/solver/step_inputs.h"
#include "engine/solver/step_report.h"

namespace plica {

struct StepResult {
    StepReport report;               // filled on failure too, as far as the step came
    std::optional<StepError> error;  // none: accepted
    bool cancelled = false;          // `watch` asked to stop; nothing was written
    bool ok() const { return !error && !cancelled; }
};

// Called after every Newton iteration (iteration from 1, halving level); false stops the step.
using IterationWatch = std::function<bool(const IterationRecord&, int iteration, int halving)>;

// True where a state must not be accepted from penalty contact.
using RiskCheck = std::function<bool(const State&)>;

// All that a state alone tells about contact: gaps by group, intersecting triangle pairs.
struct ContactCensus {
    std::array<double, contact_group_count> min_gap{};  // m, infinity where nothing is within reach (see `reach`)
    std::vector<ContactPair> overlaps;                  // gap <= 0, worst first, at most ten
    int overlap_count = 0;
    std::vector<Int2> intersecting;  // all vertex-disjoint pairs of triangles of the model that pierce each other,
                                     // (smaller, larger); fixed-fixed pairs are left out
};

class Solver {
public:
    explicit Solver(Model model, int threads = 1);
    ~Solver();
    Solver(Solver&&) noexcept;

    const Model& model() const;
    Model& model();  // rest angles may change between steps (crease memory); topology and masses may not

    // Gaps and intersections of a state; pairs further apart than `reach` [m] are not looked at.
    ContactCensus census(const State& state, const SolverSettings& settings, double reach) const;

    // One solve without retry. `out` is written only on success and is another object than `in`.
    StepResult solve(const State& in, const StepInputs& inputs, const SolverSettings& settings, const ContactSwitches& switches,
                     State& out, const IterationWatch& watch = {}, int halving = 0);

    // A step that ends at `time`: solve by the contact mode, and on line search, iteration limit or rounding failure the same
    // again as two halves with inputs of their own, down to settings.max_halvings levels. The report sums up all solves. `out`
    // is written only on success. `risk` (may be empty): what of a state that penalty contact led to makes mode guarded take it
    // back, besides an intersection and a gap <= 0.
    StepResult step(const State& in, const InputsAt& inputs, double time, const SolverSettings& settings,
                    const ContactSwitches& switches, State& out, const IterationWatch& watch = {}, const RiskCheck& risk = {});

    // The incremental potential at x (N) for tests: energies by term and gradient (fixed rows 0).
    Energies potential(const State& in, const StepInputs& inputs, const SolverSettings& settings,
                       const ContactSwitches& switches, const std::vector<Vec3>& x, std::vector<Vec3>* gradient);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// "VT film vertex 12 – triangle (40, 41, 52), gap 1.2e-06 m" and the like, for messages.
std::string describe(const ContactPair& pair, const Model& model);
const char* reason_text(StepFailure reason);

}  // namespace plica
