#include "engine/solver/solver.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/intersection.h"
#include "engine/core/format.h"
#include "engine/core/stage_timer.h"
#include "engine/solver/cpu/newton.h"

namespace plica {

namespace {

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

double smallest_gap(const StepReport& report) { return *std::min_element(report.min_gap.begin(), report.min_gap.end()); }

// The report of `last` with the work of what was solved before it in the same step.
StepReport sum(const StepReport& before, StepReport last) {
    last.iterations += before.iterations;
    last.solves += before.solves;
    last.ipc_resolves += before.ipc_resolves;
    last.chord_steps += before.chord_steps;
    last.halvings = std::max(last.halvings, before.halvings);
    last.projections += before.projections;
    last.analyses += before.analyses;
    last.candidate_builds += before.candidate_builds;
    last.seconds += before.seconds;
    return last;
}

std::string particle_name(const Model& model, int particle) {
    const Body& body = model.bodies[model.body[particle]];
    if (body.kind == BodyKind::Sphere) return body.name;
    int first = particle;
    while (first > 0 && model.body[first - 1] == model.body[particle]) --first;
    return format("%s vertex %d", body.name.c_str(), particle - first);
}

}  // namespace

struct Solver::Impl {
    Model model;
    Workers workers;
    Surface surface;
    Potential potential;
    Newton newton;
    std::vector<Vec3> gradient;

    // The last positions whose intersections were asked for: a step usually starts where the one before ended.
    std::vector<Vec3> looked_at;
    std::vector<Int2> seen;

    Impl(Model m, int threads)
        : model(std::move(m)), workers(threads), surface(model), potential(model, surface, workers), newton(potential) {}

    const std::vector<Int2>& intersections(const std::vector<Vec3>& x) {
        if (x != looked_at) {
            seen = intersecting_triangles(model, surface, potential.broad_phase(), x, workers);
            looked_at = x;
        }
        return seen;
    }
    std::optional<StepError> check_start(const std::vector<Vec3>& x, const std::vector<Vec3>& v, const SolverSettings& settings,
                                         const ContactSwitches& switches);
    StepResult solve(const State& in, const StepInputs& inputs, const SolverSettings& settings, const ContactSwitches& switches,
                     State& out, const IterationWatch& watch, int halving);
    void fill_report(const std::vector<Vec3>& x, const StepInputs& inputs, StepReport& report);
};

std::optional<StepError> Solver::Impl::check_start(const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                                                   const SolverSettings& settings, const ContactSwitches& switches) {
    for (const auto* field : {&x, &v}) {
        if (const int i = first_not_finite(*field); i >= 0) {
            StepError error{StepFailure::NotFinite, {}, {}, {}, 1, i};
            error.message = particle_name(model, i) + (field == &x ? " has a position" : " has a velocity") +
                            " that is not a finite number; go back to an earlier frame";
            return error;
        }
    }
    if (!switches.barrier || switches.mode != ContactMode::Ipc) return std::nullopt;

    std::vector<Contact> contacts;
    potential.contacts(x, settings.dhat, contacts);
    StepError error{StepFailure::InitialOverlap, {}, {}, {}, 0, -1};
    error.pair_count = collect_overlaps(potential.candidates(), contacts, x, error.pairs);
    if (error.pair_count > 0) {
        error.message = format(
            "%d pair%s too close at the start; the worst is %s, and has to be above 0: move the parts apart or lower min_gap "
            "(%.3g m)",
            error.pair_count, error.pair_count == 1 ? " is" : "s are", describe(error.pairs[0], model).c_str(),
            settings.min_gap);
        return error;
    }
    std::vector<Int2> pierced = intersections(x);
    std::erase_if(pierced, [&](const Int2& p) {
        return !may_touch(model, switches, model.body[model.triangles[p.a].a], model.body[model.triangles[p.b].a]);
    });
    if (!pierced.empty()) {
        error.reason = StepFailure::InitialIntersection;
        error.pair_count = int(pierced.size());
        error.triangle_pairs.assign(pierced.begin(), pierced.begin() + long(std::min<std::size_t>(10, pierced.size())));
        const Int3 &a = model.triangles[pierced[0].a], &b = model.triangles[pierced[0].b];
        error.message = format(
            "%d pair%s of triangles intersect at the start; the first is triangle %d (%s) with triangle %d (%s): separate "
            "them, or switch their contact off",
            error.pair_count, error.pair_count == 1 ? "" : "s", pierced[0].a, particle_name(model, a.a).c_str(), pierced[0].b,
            particle_name(model, b.a).c_str());
        return error;
    }
    return std::nullopt;
}

void Solver::Impl::fill_report(const std::vector<Vec3>& x, const StepInputs& inputs, StepReport& report) {
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
    const ContactLaw& law = potential.law();
    const auto& active = potential.active();
    report.active_contacts = int(active.size());
    report.contact_forces.clear();
    const Contact* closest = nullptr;
    for (const Contact& c : active) {
        const Candidate& candidate = potential.candidates().list()[c.candidate];
        const auto group = std::size_t(candidate.group);
        ++report.active[group];
        report.min_gap[group] = std::min(report.min_gap[group], c.gap);
        if (!closest || c.gap < closest->gap) closest = &c;
        if (candidate.group == ContactGroup::FilmSphere || candidate.group == ContactGroup::FilmObstacle)
            report.contact_forces.push_back({candidate.kind, candidate.p, candidate.group, -law.first(c.gap), c.geometry.normal,
                                             pair_of(candidate, c, x).position});
        const int points = candidate.kind == CandidateKind::SphereSphere ? 2 : 4;
        for (int i = 0; i < points; ++i) {
            const int p = candidate.p[std::size_t(i)];
            report.body_reaction[model.body[p]] -= law.first(c.gap) * c.geometry.weight[i] * c.geometry.normal;
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
    for (const GripPoint& g : inputs.grips)
        (g.of_support ? report.support_force : report.grip_force)[g.group] -= g.law.gradient(x[g.vertex]);
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

StepResult Solver::solve(const State& in, const StepInputs& inputs, const SolverSettings& settings,
                         const ContactSwitches& switches, State& out, const IterationWatch& watch, int halving) {
    double seconds = 0;
    StepResult result;
    {
        StageTimer timer(seconds);
        result = impl_->solve(in, inputs, settings, switches, out, watch, halving);
    }
    result.report.seconds.total = seconds;
    return result;
}

StepResult Solver::Impl::solve(const State& in, const StepInputs& inputs, const SolverSettings& settings,
                               const ContactSwitches& switches, State& out, const IterationWatch& watch, int halving) {
    StepResult result;
    StepReport& report = result.report;
    report.dt = settings.dt;
    report.solves = 1;
    const auto fail = [&](StepFailure reason, std::string message, int particle = -1) {
        result.error = StepError{reason, std::move(message), {}, {}, 0, particle};
        return result;
    };

    // 1. Inertia target, candidates, refusal of a bad state, friction lagged at x0.
    const std::vector<Vec3> x0 = widen(in.x), v0 = widen(in.v);
    {
        StageTimer timer(report.seconds.candidates);
        potential.begin(x0, v0, inputs, settings, switches);
        ++report.candidate_builds;
    }
    {
        StageTimer timer(report.seconds.start_check);
        if ((result.error = check_start(x0, v0, settings, switches))) return result;
        potential.lag_friction();
    }

    // 2, 3. Minimize.
    std::vector<Vec3> x = x0;
    const Newton::Outcome outcome = newton.minimize(x, settings, switches, report, watch, halving);
    result.cancelled = outcome.cancelled;
    if (outcome.cancelled) return result;
    if (outcome.failure) {
        std::string where = outcome.particle >= 0 ? "; largest motion at " + particle_name(model, outcome.particle) : "";
        return fail(*outcome.failure, outcome.message + where, outcome.particle);
    }
    report.energy = outcome.energy;

    // 4. Round to storage precision, look at every gap again, then the velocity.
    State accepted{in.x, in.v};
    std::vector<Vec3> rounded = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (model.fixed[i]) continue;
        accepted.x[i] = to_float(x[i]);
        rounded[i] = to_double(accepted.x[i]);
        accepted.v[i] = to_float((1 / settings.dt) * (rounded[i] - x0[i]));
        if (!is_finite(to_double(accepted.x[i])) || !is_finite(to_double(accepted.v[i])))
            return fail(StepFailure::NotFinite, particle_name(model, int(i)) + " left the range of single precision", int(i));
    }
    potential.cover(rounded, rounded);
    if (switches.barrier && switches.mode == ContactMode::Ipc) {
        StageTimer timer(report.seconds.start_check);
        std::vector<Contact> contacts;
        potential.contacts(rounded, settings.dhat, contacts);
        std::vector<ContactPair> worst;
        if (const int count = collect_overlaps(potential.candidates(), contacts, rounded, worst); count > 0) {
            fail(StepFailure::RoundingLostGap, format("rounding to single precision closes %d gap%s; the worst is %s", count,
                                                      count == 1 ? "" : "s", describe(worst[0], model).c_str()));
            result.error->pairs = worst;
            result.error->pair_count = count;
            return result;
        }
    }
    {
        StageTimer timer(report.seconds.start_check);
        fill_report(rounded, inputs, report);
        report.intersecting_pairs = int(intersections(rounded).size());
    }
    out = std::move(accepted);
    return result;
}

StepResult Solver::step(const State& in, const InputsAt& inputs, double time, const SolverSettings& settings,
                        const ContactSwitches& switches, State& out, const IterationWatch& watch, const RiskCheck& risk) {
    const auto curable = [](const StepResult& r) {
        return r.error && (r.error->reason == StepFailure::LineSearchExhausted ||
                           r.error->reason == StepFailure::IterationLimit || r.error->reason == StepFailure::RoundingLostGap);
    };
    // One interval by the contact mode; guarded: what penalty contact did is kept only where it left no risk.
    const auto solve_interval = [&](const State& from, const StepInputs& at_end, const SolverSettings& s, State& to,
                                    int level) {
        if (switches.mode != ContactMode::Guarded) return solve(from, at_end, s, switches, to, watch, level);
        ContactSwitches mode = switches;
        mode.mode = ContactMode::Basic;
        State tried;
        StepResult result = solve(from, at_end, s, mode, tried, watch, level);
        const bool risky = result.ok() && (result.report.intersecting_pairs > 0 || !(smallest_gap(result.report) > 0) ||
                                           (risk && risk(tried)));
        if (result.cancelled) return result;
        if (result.ok() && !risky) {
            to = std::move(tried);
            return result;
        }
        mode.mode = ContactMode::Ipc;
        StepResult again = solve(from, at_end, s, mode, to, watch, level);
        again.report = sum(result.report, again.report);
        ++again.report.ipc_resolves;
        return again;
    };
    // Solves one interval; where that fails for a reason that a smaller step may cure, its halves one after the other.
    const std::function<StepResult(const State&, double, double, int, State&)> advance = [&](const State& from, double end,
                                                                                             double dt, int level, State& to) {
        SolverSettings s = settings;
        s.dt = dt;
        StepResult whole = solve_interval(from, inputs(end, dt), s, to, level);
        whole.report.halvings = level;
        if (!curable(whole) || level >= settings.max_halvings) return whole;

        State middle;
        StepResult first = advance(from, end - 0.5 * dt, 0.5 * dt, level + 1, middle);
        first.report = sum(whole.report, first.report);
        if (!first.ok()) return first;
        StepResult second = advance(middle, end, 0.5 * dt, level + 1, to);
        second.report = sum(first.report, second.report);
        return second;
    };
    State result_state;
    StepResult result = advance(in, time, settings.dt, 0, result_state);
    result.report.dt = settings.dt;
    if (result.ok()) out = std::move(result_state);
    return result;
}

Energies Solver::potential(const State& in, const StepInputs& inputs, const SolverSettings& settings,
                           const ContactSwitches& switches, const std::vector<Vec3>& x, std::vector<Vec3>* gradient) {
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
