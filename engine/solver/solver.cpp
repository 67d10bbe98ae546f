#include "engine/solver/solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "engine/contact/intersection.h"
#include "engine/energy/barrier.h"
#include "engine/solver/cpu/potential.h"
#include "engine/solver/cpu/sparse_cholesky.h"

namespace plica {

namespace {

using Clock = std::chrono::steady_clock;

// Adds the time of its life to a stage.
class StageTimer {
public:
    explicit StageTimer(double& stage) : stage_(stage), start_(Clock::now()) {}
    ~StageTimer() { stage_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    double& stage_;
    Clock::time_point start_;
};

std::string format(const char* text, auto... values) {
    char buffer[512];
    std::snprintf(buffer, sizeof buffer, text, values...);
    return buffer;
}

std::vector<Vec3> widen(const std::vector<Vec3f>& a) {
    std::vector<Vec3> b(a.size());
    std::transform(a.begin(), a.end(), b.begin(), to_double);
    return b;
}

ContactPair pair_of(const Candidate& candidate, const Contact& contact, const std::vector<Vec3>& x) {
    ContactPair pair{candidate.kind, candidate.p, contact.gap, candidate.offset, {}, candidate.group};
    // Half-way between the closest points: average of the sides' weighted points.
    Vec3 first, second;
    const double* w = contact.geometry.weight;
    switch (candidate.kind) {
        case CandidateKind::VertexTriangle:
            first = x[candidate.p[0]];
            for (int i = 1; i < 4; ++i) second -= w[i] * x[candidate.p[std::size_t(i)]];
            break;
        case CandidateKind::EdgeEdge:
            first = w[0] * x[candidate.p[0]] + w[1] * x[candidate.p[1]];
            second = -(w[2] * x[candidate.p[2]] + w[3] * x[candidate.p[3]]);
            break;
        case CandidateKind::SphereSphere:
            first = x[candidate.p[0]];
            second = x[candidate.p[1]];
            break;
    }
    pair.position = 0.5 * (first + second);
    return pair;
}

// The worst ten of those with gap <= 0, and how many there are.
int collect_overlaps(const CandidateSet& candidates, const std::vector<Contact>& contacts, const std::vector<Vec3>& x,
                     std::vector<ContactPair>& worst) {
    std::vector<const Contact*> bad;
    for (const Contact& c : contacts)
        if (!(c.gap > 0)) bad.push_back(&c);
    std::stable_sort(bad.begin(), bad.end(), [](const Contact* a, const Contact* b) { return a->gap < b->gap; });
    worst.clear();
    for (std::size_t k = 0; k < std::min<std::size_t>(10, bad.size()); ++k)
        worst.push_back(pair_of(candidates.list()[bad[k]->candidate], *bad[k], x));
    return int(bad.size());
}

int first_not_finite(const std::vector<Vec3>& a) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!is_finite(a[i])) return int(i);
    return -1;
}

std::string particle_name(const Model& model, int particle) {
    const Body& body = model.bodies[model.body[particle]];
    if (body.kind == BodyKind::Sphere) return body.name;
    int first = particle;
    while (first > 0 && model.body[first - 1] == model.body[particle]) --first;
    return format("%s vertex %d", body.name.c_str(), particle - first);
}

constexpr double energy_rounding_absolute = 1e-16;  // J, noise of tr ε − log J and of the sum of terms (readings.md, finding 1)
constexpr double energy_rounding_relative = 1e-13;
constexpr double pattern_reach = 1.25;              // of dhat: contacts that get a place in the matrix before they are active

}  // namespace

struct Solver::Impl {
    Model model;
    Workers workers;
    Surface surface;
    Potential potential;
    SparseCholesky cholesky;

    std::vector<Vec3> gradient, reduced_gradient, reduced_dx;
    std::vector<Mat3> blocks;

    Impl(Model m, int threads) : model(std::move(m)), workers(threads), surface(model), potential(model, surface, workers) {}

    std::optional<StepError> check_start(const std::vector<Vec3>& x, const std::vector<Vec3>& v, const SolverSettings& settings,
                                         const ContactSwitches& switches);
    bool factorize(const std::vector<Vec3>& x, StepReport& report);
    void fill_report(const std::vector<Vec3>& x, const StepInputs& inputs, const SolverSettings& settings, StepReport& report);
};

std::optional<StepError> Solver::Impl::check_start(const std::vector<Vec3>& x, const std::vector<Vec3>& v, const SolverSettings& settings,
                                                   const ContactSwitches& switches) {
    for (const auto* field : {&x, &v}) {
        if (const int i = first_not_finite(*field); i >= 0) {
            StepError error{StepFailure::NotFinite, {}, {}, {}, 1, i};
            error.message = particle_name(model, i) + (field == &x ? " has a position" : " has a velocity") +
                            " that is not a finite number; go back to an earlier frame";
            return error;
        }
    }
    if (!switches.barrier) return std::nullopt;

    std::vector<Contact> contacts;
    potential.contacts(x, settings.dhat, contacts);
    StepError error{StepFailure::InitialOverlap, {}, {}, {}, 0, -1};
    error.pair_count = collect_overlaps(potential.candidates(), contacts, x, error.pairs);
    if (error.pair_count > 0) {
        error.message = format("%d pair%s too close at the start; the worst is %s, and has to be above 0: move the parts apart or lower min_gap (%.3g m)",
                               error.pair_count, error.pair_count == 1 ? " is" : "s are", describe(error.pairs[0], model).c_str(), settings.min_gap);
        return error;
    }
    const auto wanted = [&](int a, int b) { return may_touch(model, switches, a, b); };
    const std::vector<Int2> pierced = intersecting_triangles(model, x, workers, wanted);
    if (!pierced.empty()) {
        error.reason = StepFailure::InitialIntersection;
        error.pair_count = int(pierced.size());
        error.triangle_pairs.assign(pierced.begin(), pierced.begin() + long(std::min<std::size_t>(10, pierced.size())));
        const Int3 &a = model.triangles[pierced[0].a], &b = model.triangles[pierced[0].b];
        error.message = format("%d pair%s of triangles intersect at the start; the first is triangle %d (%s) with triangle %d (%s): separate them, or switch their contact off",
                               error.pair_count, error.pair_count == 1 ? "" : "s", pierced[0].a, particle_name(model, a.a).c_str(), pierced[0].b,
                               particle_name(model, b.a).c_str());
        return error;
    }
    return std::nullopt;
}

// Exact Hessian of the membrane first: closer to the truth, half the iterations where film buckles. When that is not positive
// definite, its projection; when even that is not (rounding), a growing shift of the unit diagonal.
bool Solver::Impl::factorize(const std::vector<Vec3>& x, StepReport& report) {
    {
        StageTimer timer(report.seconds.assembly);
        potential.hessian(x, MembraneTangent::Exact, blocks);
    }
    StageTimer timer(report.seconds.factorization);
    if (cholesky.factorize(potential.pattern(), blocks, 0)) return true;
    ++report.projections;
    {
        StageTimer assembly(report.seconds.assembly);
        potential.hessian(x, MembraneTangent::Projected, blocks);
    }
    for (double shift = 0; shift < 1; shift = shift == 0 ? 1e-10 : 100 * shift)
        if (cholesky.factorize(potential.pattern(), blocks, shift)) return true;
    return false;
}

void Solver::Impl::fill_report(const std::vector<Vec3>& x, const StepInputs& inputs, const SolverSettings& settings, StepReport& report) {
    report.candidates_vt = potential.candidates().count(CandidateKind::VertexTriangle);
    report.candidates_ee = potential.candidates().count(CandidateKind::EdgeEdge);
    report.candidates_ss = potential.candidates().count(CandidateKind::SphereSphere);
    report.friction_contacts = int(potential.friction().size());
    report.min_gap.fill(std::numeric_limits<double>::infinity());
    report.active.fill(0);
    report.closest.reset();

    // Forces at the end of the step: each body's share of contact and friction.
    potential.gradient(x, gradient);
    report.body_reaction.assign(model.bodies.size(), Vec3{});
    const Barrier barrier{settings.dhat, settings.kappa};
    const auto& active = potential.active();
    report.active_contacts = int(active.size());
    const Contact* closest = nullptr;
    for (const Contact& c : active) {
        const Candidate& candidate = potential.candidates().list()[c.candidate];
        const auto group = std::size_t(candidate.group);
        ++report.active[group];
        report.min_gap[group] = std::min(report.min_gap[group], c.gap);
        if (!closest || c.gap < closest->gap) closest = &c;
        const int points = candidate.kind == CandidateKind::SphereSphere ? 2 : 4;
        for (int i = 0; i < points; ++i) {
            const int p = candidate.p[std::size_t(i)];
            report.body_reaction[model.body[p]] -= barrier.first(c.gap) * c.geometry.weight[i] * c.geometry.normal;
        }
    }
    if (closest) report.closest = pair_of(potential.candidates().list()[closest->candidate], *closest, x);
    for (const FrictionContact& f : potential.friction()) {
        const Vec3 rub = potential.friction_force(f, x);
        for (int i = 0; i < f.points; ++i) report.body_reaction[model.body[f.p[std::size_t(i)]]] -= f.law.weight[i] * rub;
    }
    report.support_force.assign(std::size_t(inputs.support_group_count), Vec3{});
    for (const SupportPoint& s : inputs.supports) report.support_force[s.group] -= s.law.gradient(x[s.vertex]);
    report.grip_force.assign(std::size_t(inputs.grip_group_count), Vec3{});
    for (const GripPoint& g : inputs.grips) report.grip_force[g.group] -= g.law.gradient(x[g.vertex]);
}

Solver::Solver(Model model, int threads) : impl_(std::make_unique<Impl>(std::move(model), threads)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
const Model& Solver::model() const { return impl_->model; }
Model& Solver::model() { return impl_->model; }

ContactCensus Solver::census(const State& state, const SolverSettings& settings, double reach) const {
    const Impl& s = *impl_;
    const std::vector<Vec3> x = widen(state.x);
    CandidateSet candidates;
    candidates.build(s.model, s.surface, {}, settings.min_gap, reach, 0, x, x, s.workers);
    ContactCensus census;
    census.min_gap.fill(std::numeric_limits<double>::infinity());
    std::vector<Contact> all;
    contacts_of(candidates, x, reach, s.workers, all);
    for (const Contact& c : all) {
        double& smallest = census.min_gap[std::size_t(candidates.list()[c.candidate].group)];
        smallest = std::min(smallest, c.gap);
    }
    census.overlap_count = collect_overlaps(candidates, all, x, census.overlaps);
    census.intersecting = intersecting_triangles(s.model, x, s.workers);
    return census;
}

StepResult Solver::solve(const State& in, const StepInputs& inputs, const SolverSettings& settings, const ContactSwitches& switches,
                         State& out, const IterationWatch& watch, int halving) {
    Impl& s = *impl_;
    StepResult result;
    StepReport& report = result.report;
    report.dt = settings.dt;
    report.solves = 1;
    StageTimer total(report.seconds.total);
    const auto fail = [&](StepFailure reason, std::string message, int particle = -1) {
        result.error = StepError{reason, std::move(message), {}, {}, 0, particle};
        return result;
    };

    // 1. Start: inertia target, candidates, refusal of a bad state, friction lagged at x0.
    const std::vector<Vec3> x0 = widen(in.x), v0 = widen(in.v);
    {
        StageTimer timer(report.seconds.candidates);
        s.potential.begin(x0, v0, inputs, settings, switches);
        ++report.candidate_builds;
    }
    {
        StageTimer timer(report.seconds.start_check);
        if ((result.error = s.check_start(x0, v0, settings, switches))) return result;
        s.potential.lag_friction();
    }

    std::vector<Vec3> x = x0, trial(x0.size()), dx(x0.size(), Vec3{});
    Energies energies;
    {
        StageTimer timer(report.seconds.line_search);
        energies = s.potential.energy(x);
    }
    double phi = energies.total();
    if (!std::isfinite(phi)) return fail(StepFailure::NotFinite, "the energy at the start is not a finite number: a triangle is collapsed, or a stiffness is out of range");

    // Directions longer than this are cut before candidates are swept over them: keeps the list bounded.
    double reach = 0.02;  // m
    for (std::size_t i = 0; i < x.size(); ++i) reach = std::max(reach, 2 * norm(s.potential.x_tilde()[i] - x0[i]));

    bool converged = false;
    for (int iteration = 1; iteration <= settings.max_iterations && !converged; ++iteration) {
        // 2. Gradient, Hessian, direction.
        ++report.iterations;
        {
            StageTimer timer(report.seconds.assembly);
            s.potential.gradient(x, s.gradient);
            if (s.potential.update_pattern(x, pattern_reach * settings.dhat)) {
                StageTimer analysis(report.seconds.factorization);
                ++report.analyses;
                if (!s.cholesky.analyze(s.potential.pattern()))
                    return fail(StepFailure::FactorizationFailed, "not enough memory for the factorization");
            }
        }
        if (!s.factorize(x, report))
            return fail(StepFailure::FactorizationFailed,
                        format("the Hessian of iteration %d is not positive definite, even projected and shifted: check masses and stiffnesses", iteration));
        double longest = 0, largest = 0;
        int fastest = -1;
        {
            StageTimer timer(report.seconds.factorization);
            const auto& free = s.potential.free_particles();
            s.reduced_gradient.resize(free.size());
            for (std::size_t k = 0; k < free.size(); ++k) s.reduced_gradient[k] = s.gradient[free[k]];
            s.cholesky.solve(s.reduced_gradient, s.reduced_dx);
            for (std::size_t k = 0; k < free.size(); ++k) dx[free[k]] = s.reduced_dx[k];
            for (const int i : free) {
                largest = std::max(largest, max_abs(dx[i]));
                if (const double length = norm(dx[i]); !(length <= longest)) {
                    longest = length;
                    fastest = i;
                }
            }
        }
        if (!std::isfinite(longest))
            return fail(StepFailure::NotFinite, format("the direction of iteration %d is not finite at %s", iteration, particle_name(s.model, fastest).c_str()), fastest);
        report.achieved = largest;
        converged = largest <= settings.tolerance;

        // 3. Motion cap, then Armijo.
        double max_step = longest > reach ? reach / longest : 1;
        {
            StageTimer timer(report.seconds.candidates);
            for (std::size_t i = 0; i < x.size(); ++i) trial[i] = x[i] + max_step * dx[i];
            if (s.potential.cover(x, trial)) ++report.candidate_builds;
        }
        if (switches.motion_cap) {
            StageTimer timer(report.seconds.cap);
            if (max_step < 1)
                for (auto& d : dx) d *= max_step;  // the cut direction
            max_step = s.potential.motion_cap(x, dx);
        } else if (max_step < 1) {
            for (auto& d : dx) d *= max_step;
            max_step = 1;
        }
        double slope = 0;
        for (std::size_t i = 0; i < x.size(); ++i) slope += dot(s.gradient[i], dx[i]);
        const double allowance = energy_rounding_absolute + energy_rounding_relative * std::abs(phi);
        double alpha = max_step;
        bool accepted = false;
        {
            StageTimer timer(report.seconds.line_search);
            for (int test = 0; test < settings.max_line_search && !accepted; ++test) {
                if (test > 0) alpha *= 0.5;
                for (std::size_t i = 0; i < x.size(); ++i) trial[i] = x[i] + alpha * dx[i];
                const Energies e = s.potential.energy(trial);
                if (e.total() <= phi + settings.armijo * alpha * slope + allowance) {
                    accepted = true;
                    x.swap(trial);
                    energies = e;
                    phi = e.total();
                }
            }
        }
        const IterationRecord record{largest, accepted ? alpha : 0.0, max_step, phi};
        report.history.push_back(record);
        if (watch && !watch(record, iteration, halving)) {
            result.cancelled = true;
            return result;
        }
        if (!accepted && !converged)
            return fail(StepFailure::LineSearchExhausted,
                        format("no decrease of the energy along the direction of iteration %d after %d halvings (max|dx| %.3g m, tolerance %.3g m): a smaller dt or a softer drive helps",
                               iteration, settings.max_line_search, largest, settings.tolerance), fastest);
        // A cut last step is no convergence: the next direction starts where this one was stopped.
        if (converged && accepted && alpha < 0.5) converged = false;
    }
    if (!converged)
        return fail(StepFailure::IterationLimit,
                    format("not converged after %d Newton iterations (max|dx| %.3g m, tolerance %.3g m): a smaller dt, a slower drive or a larger tolerance helps",
                           settings.max_iterations, report.achieved, settings.tolerance));

    // 4. Round to storage precision, look at every gap again, then the velocity.
    State accepted{in.x, in.v};
    std::vector<Vec3> rounded = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (s.model.fixed[i]) continue;
        accepted.x[i] = to_float(x[i]);
        rounded[i] = to_double(accepted.x[i]);
        accepted.v[i] = to_float((1 / settings.dt) * (rounded[i] - x0[i]));
        if (!is_finite(to_double(accepted.x[i])) || !is_finite(to_double(accepted.v[i])))
            return fail(StepFailure::NotFinite, particle_name(s.model, int(i)) + " left the range of single precision", int(i));
    }
    if (switches.barrier) {
        StageTimer timer(report.seconds.start_check);
        s.potential.cover(rounded, rounded);
        std::vector<Contact> contacts;
        s.potential.contacts(rounded, settings.dhat, contacts);
        std::vector<ContactPair> worst;
        if (const int count = collect_overlaps(s.potential.candidates(), contacts, rounded, worst); count > 0) {
            fail(StepFailure::RoundingLostGap, format("rounding to single precision closes %d gap%s; the worst is %s", count, count == 1 ? "" : "s",
                                                      describe(worst[0], s.model).c_str()));
            result.error->pairs = worst;
            result.error->pair_count = count;
            return result;
        }
    }
    report.energy = energies;
    {
        StageTimer timer(report.seconds.start_check);
        s.fill_report(rounded, inputs, settings, report);
        report.intersecting_pairs = int(intersecting_triangles(s.model, rounded, s.workers).size());
    }
    out = std::move(accepted);
    return result;
}

StepResult Solver::step(const State& in, const InputsAt& inputs, double time, const SolverSettings& settings, const ContactSwitches& switches,
                        State& out, const IterationWatch& watch) {
    // Solves one interval; where that fails for a reason that a smaller step may cure, its halves one after the other.
    const std::function<StepResult(const State&, double, double, int, State&)> advance = [&](const State& from, double end, double dt, int level,
                                                                                          State& to) {
        SolverSettings s = settings;
        s.dt = dt;
        StepResult whole = solve(from, inputs(end, dt), s, switches, to, watch, level);
        whole.report.halvings = level;
        const bool curable = whole.error && (whole.error->reason == StepFailure::LineSearchExhausted ||
                                             whole.error->reason == StepFailure::IterationLimit || whole.error->reason == StepFailure::RoundingLostGap);
        if (!curable || level >= settings.max_halvings) return whole;

        State middle;
        StepReport sum = whole.report;
        const auto add = [&sum](const StepReport& part) {
            StepReport last = part;
            last.iterations += sum.iterations;
            last.solves += sum.solves;
            last.halvings = std::max(last.halvings, sum.halvings);
            last.projections += sum.projections;
            last.analyses += sum.analyses;
            last.candidate_builds += sum.candidate_builds;
            last.seconds += sum.seconds;
            sum = std::move(last);
        };
        StepResult first = advance(from, end - 0.5 * dt, 0.5 * dt, level + 1, middle);
        add(first.report);
        first.report = sum;
        if (!first.ok()) return first;
        StepResult second = advance(middle, end, 0.5 * dt, level + 1, to);
        add(second.report);
        second.report = sum;
        return second;
    };
    State result_state;
    StepResult result = advance(in, time, settings.dt, 0, result_state);
    result.report.dt = settings.dt;
    if (result.ok()) out = std::move(result_state);
    return result;
}

Energies Solver::potential(const State& in, const StepInputs& inputs, const SolverSettings& settings, const ContactSwitches& switches,
                           const std::vector<Vec3>& x, std::vector<Vec3>* gradient) {
    Potential& p = impl_->potential;
    p.begin(widen(in.x), widen(in.v), inputs, settings, switches);
    p.lag_friction();
    p.cover(x, x);
    if (gradient) p.gradient(x, *gradient);
    return p.energy(x);
}

std::string describe(const ContactPair& pair, const Model& model) {
    const auto& p = pair.particles;
    const auto name = [&](int particle) { return particle_name(model, particle); };
    const auto number = [&](int particle) {
        const std::string full = name(particle);
        return full.substr(full.find_last_of(' ') + 1);
    };
    std::string text;
    switch (pair.kind) {
        case CandidateKind::VertexTriangle:
            text = name(p[0]) + " – triangle (" + name(p[1]) + ", " + number(p[2]) + ", " + number(p[3]) + ")";
            break;
        case CandidateKind::EdgeEdge:
            text = "edge (" + name(p[0]) + ", " + number(p[1]) + ") – edge (" + name(p[2]) + ", " + number(p[3]) + ")";
            break;
        case CandidateKind::SphereSphere: text = name(p[0]) + " – " + name(p[1]); break;
    }
    return text + format(", gap %.4g m at (%.5g, %.5g, %.5g) m", pair.gap, pair.position.x, pair.position.y, pair.position.z);
}

const char* reason_text(StepFailure reason) {
    switch (reason) {
        case StepFailure::InitialOverlap: return "initial overlap";
        case StepFailure::InitialIntersection: return "initial intersection";
        case StepFailure::FactorizationFailed: return "factorization failed";
        case StepFailure::LineSearchExhausted: return "line search exhausted";
        case StepFailure::IterationLimit: return "iteration limit";
        case StepFailure::RoundingLostGap: return "rounding lost the gap";
        case StepFailure::NotFinite: return "not finite";
    }
    return "unknown";
}

}  // namespace plica
