#include "engine/solver/cpu/newton.h"

#include <algorithm>
#include <cmath>

#include "engine/core/format.h"
#include "engine/core/stage_timer.h"

namespace plica {

namespace {

constexpr double energy_rounding_absolute = 1e-16;  // J, noise of tr ε − log J and of the sum of terms (readings.md, finding 1)
constexpr double energy_rounding_relative = 1e-13;
constexpr double pattern_reach = 1.25;  // of dhat: contacts that get a place in the matrix before they are active
constexpr int max_chord_steps = 6;      // corrections with one factorization
constexpr double chord_shrink = 0.8;    // a correction longer than this part of the last one calls for a new Hessian

}  // namespace

// Exact Hessian of the membrane first: closer to the truth, half the iterations where film buckles. When that is not positive
// definite, its projection; when even that is not (rounding), a growing shift of the unit diagonal.
bool Newton::factorize(const std::vector<Vec3>& x, StepReport& report) {
    {
        StageTimer timer(report.seconds.assembly);
        potential_.hessian(x, MembraneTangent::Exact, blocks_);
    }
    {
        StageTimer timer(report.seconds.factorization);
        if (cholesky_.factorize(potential_.pattern(), blocks_, 0)) return true;
    }
    ++report.projections;
    {
        StageTimer timer(report.seconds.assembly);
        potential_.hessian(x, MembraneTangent::Projected, blocks_);
    }
    StageTimer timer(report.seconds.factorization);
    for (double shift = 0; shift < 1; shift = shift == 0 ? 1e-10 : 100 * shift)
        if (cholesky_.factorize(potential_.pattern(), blocks_, shift)) return true;
    return false;
}

// dx_ from gradient_ and the present factorization.
Newton::Direction Newton::direction(StepReport& report) {
    StageTimer timer(report.seconds.factorization);
    const auto& free = potential_.free_particles();
    reduced_gradient_.resize(free.size());
    for (std::size_t k = 0; k < free.size(); ++k) reduced_gradient_[k] = gradient_[free[k]];
    cholesky_.solve(reduced_gradient_, reduced_dx_);
    Direction d;
    for (std::size_t k = 0; k < free.size(); ++k) {
        const Vec3& v = reduced_dx_[k];
        dx_[free[k]] = v;
        d.largest = std::max(d.largest, max_abs(v));
        d.slope += dot(reduced_gradient_[k], v);
        if (const double length = norm(v); !(length <= d.longest)) {
            d.longest = length;
            d.fastest = free[k];
        }
    }
    return d;
}

// Motion cap, then Armijo. Moves x along dx_ when accepted.
Newton::Move Newton::move(std::vector<Vec3>& x, const Direction& d, const SolverSettings& settings,
                          const ContactSwitches& switches, StepReport& report) {
    Move m;
    double slope = d.slope;
    if (d.longest > reach_) {
        const double cut = reach_ / d.longest;
        for (Vec3& v : dx_) v *= cut;
        slope *= cut;
    }
    {
        StageTimer timer(report.seconds.candidates);
        for (std::size_t i = 0; i < x.size(); ++i) trial_[i] = x[i] + dx_[i];
        if (potential_.cover(x, trial_)) ++report.candidate_builds;
    }
    if (switches.motion_cap) {
        StageTimer timer(report.seconds.cap);
        m.max_step = potential_.motion_cap(x, dx_);
    }
    const double allowance = energy_rounding_absolute + energy_rounding_relative * std::abs(phi_);
    m.alpha = m.max_step;
    const auto accept = [&](double alpha) {
        StageTimer timer(report.seconds.line_search);
        const Energies e = potential_.energy(trial_);
        const bool decreases = e.total() <= phi_ + settings.armijo * alpha * slope + allowance;
        if (decreases) {
            x.swap(trial_);
            energies_ = e;
            phi_ = e.total();
        }
        return decreases;
    };
    for (int test = 0; test < settings.max_line_search && !m.accepted; ++test) {
        if (test > 0) m.alpha *= 0.5;
        for (std::size_t i = 0; i < x.size(); ++i) trial_[i] = x[i] + m.alpha * dx_[i];
        m.accepted = accept(m.alpha);
    }
    return m;
}

Newton::Outcome Newton::minimize(std::vector<Vec3>& x, const SolverSettings& settings, const ContactSwitches& switches,
                                 StepReport& report, const IterationWatch& watch, int halving) {
    Outcome outcome;
    const auto fail = [&](StepFailure reason, std::string message, int particle = -1) {
        outcome.failure = reason;
        outcome.message = std::move(message);
        outcome.particle = particle;
        return outcome;
    };
    trial_ = x;
    dx_.assign(x.size(), Vec3{});
    energies_ = potential_.energy(x);
    phi_ = energies_.total();
    if (!std::isfinite(phi_))
        return fail(StepFailure::NotFinite,
                    "the energy at the start is not a finite number: a triangle is collapsed, or a stiffness is out of range");
    // Keeps the candidates of one sweep bounded, and lets whatever flies fly.
    reach_ = 0.02;
    for (std::size_t i = 0; i < x.size(); ++i) reach_ = std::max(reach_, 2 * norm(potential_.x_tilde()[i] - x[i]));

    for (int iteration = 1; iteration <= settings.max_iterations; ++iteration) {
        ++report.iterations;
        {
            StageTimer timer(report.seconds.assembly);
            potential_.gradient(x, gradient_);
            if (potential_.update_pattern(x, pattern_reach * settings.dhat)) {
                StageTimer analysis(report.seconds.factorization);
                ++report.analyses;
                if (!cholesky_.analyze(potential_.pattern()))
                    return fail(StepFailure::FactorizationFailed, "not enough memory for the factorization");
            }
        }
        if (!factorize(x, report))
            return fail(StepFailure::FactorizationFailed, format("the Hessian of iteration %d is not positive definite, even "
                                                                 "projected and shifted: check masses and stiffnesses",
                                                                 iteration));

        double last = 0;
        for (int chord = 0; chord <= max_chord_steps; ++chord) {
            if (chord > 0) {
                StageTimer timer(report.seconds.assembly);
                potential_.gradient(x, gradient_);
            }
            const Direction d = direction(report);
            if (!std::isfinite(d.longest))
                return fail(StepFailure::NotFinite, format("the direction of iteration %d is not finite", iteration),
                            d.fastest);
            // Not shrinking, or so far off that candidates would have to be gathered for it: this Hessian has done its work.
            if (chord > 0) {
                for (std::size_t i = 0; i < x.size(); ++i) trial_[i] = x[i] + dx_[i];
                if (d.largest > chord_shrink * last || !potential_.covers(trial_)) break;
                ++report.chord_steps;
            }
            const Move m = move(x, d, settings, switches, report);
            report.achieved = d.largest;
            // A correction's size says less about the distance to the solution than a Newton step's: the rest of the geometric
            // series of shrinking corrections has to be within the tolerance too.
            const double rest =
                chord == 0 ? d.largest : d.largest * std::max(1.0, d.largest / std::max(1e-300, last - d.largest));
            const bool small = rest <= settings.tolerance && (!m.accepted || m.alpha >= 0.5);
            const IterationRecord record{d.largest, m.accepted ? m.alpha : 0.0, m.max_step, phi_};
            report.history.push_back(record);
            if (watch && !watch(record, report.iterations, halving)) {
                outcome.cancelled = true;
                return outcome;
            }
            if (small) {
                outcome.energy = energies_;
                return outcome;
            }
            if (!m.accepted) {
                if (chord > 0) break;
                return fail(StepFailure::LineSearchExhausted,
                            format("no decrease of the energy along the direction of iteration %d after %d halvings (max|dx| "
                                   "%.3g m, tolerance %.3g m): a smaller dt or a softer drive helps",
                                   iteration, settings.max_line_search, d.largest, settings.tolerance),
                            d.fastest);
            }
            last = m.alpha < 1 ? 1e300 : d.largest;
            if (m.max_step < 1) break;
        }
    }
    return fail(StepFailure::IterationLimit, format("not converged after %d Newton iterations (max|dx| %.3g m, tolerance %.3g "
                                                    "m): a smaller dt, a slower drive or a larger tolerance helps",
                                                    settings.max_iterations, report.achieved, settings.tolerance));
}

}  // namespace plica
