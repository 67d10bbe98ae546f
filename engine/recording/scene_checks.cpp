#include "engine/recording/scene_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/energy/tie.h"
#include "engine/scene/build_model.h"

namespace plica {
namespace {

constexpr double time_slack = 1e-9;  // s
constexpr double infinity = std::numeric_limits<double>::infinity();

// Measures besides the gauges: `forces` are those of a step and count for steps that begin at `from` or later.
struct MeasureSpec {
    const char* name;
    const char* label;
    const char* unit;
    bool forces, positions, spheres;
};
constexpr MeasureSpec measures[] = {
    {"sphere_height_range", "sphere height range", "m", false, true, true},
    {"sphere_speed", "largest sphere speed", "m/s", false, true, true},
    {"sphere_displacement", "sphere displacement", "m", false, true, true},
    {"support_force", "outer support force", "N", true, false, false},
    {"momentum", "momentum residual", "N", true, true, false},
    {"internal_force", "sum of inner forces", "N", true, true, false},
};

const MeasureSpec* find_measure(const std::string& name) {
    for (const MeasureSpec& spec : measures)
        if (name == spec.name) return &spec;
    return nullptr;
}

std::string limit_text(const SceneCheck& spec) {
    const bool low = spec.at_least > -infinity, high = spec.at_most < infinity;
    const auto text = [](double value) { return digits_text(value, 6); };
    if (low && high)
        return spec.at_least == spec.at_most ? "= " + text(spec.at_least) : text(spec.at_least) + " to " + text(spec.at_most);
    if (low) return ">= " + text(spec.at_least);
    if (high) return (spec.at_most == 0 ? "= " : "<= ") + text(spec.at_most);
    return "reported";
}

}  // namespace

void validate_checks(const Scene& scene) {
    const std::vector<GaugeSpec> gauges = gauge_specs(scene);
    const std::string file = scene.path.empty() ? scene.name : scene.path;
    for (const SceneCheck& check : scene.checks) {
        if (const MeasureSpec* measure = find_measure(check.measure)) {
            if (measure->spheres && scene.spheres.empty())
                throw InputError(file, check.line, "check.measure is \"" + check.measure + "\", but the scene has no sphere");
            continue;
        }
        if (std::any_of(gauges.begin(), gauges.end(), [&](const GaugeSpec& g) { return g.name == check.measure; })) continue;
        std::string known;
        for (const GaugeSpec& gauge : gauges) known += (known.empty() ? "" : ", ") + gauge.name;
        throw InputError(file, check.line, "check.gauge is \"" + check.measure + "\"; gauges of this scene: " + known);
    }
}

SceneChecks::SceneChecks(const Scene& scene, const Model& model, const std::vector<GaugeSpec>& gauges)
    : model_(model), scene_(scene) {
    positions_from_ = infinity;
    for (const SceneCheck& check : scene.checks) {
        Measured m;
        m.spec = check;
        m.margin = infinity;
        if (check.last >= 0) m.spec.from = scene.duration - check.last;
        if (const MeasureSpec* spec = find_measure(check.measure)) {
            m.label = spec->label;
            m.unit = spec->unit;
            if (spec->positions) positions_from_ = std::min(positions_from_, m.spec.from - time_slack);
        } else {
            for (std::size_t g = 0; g < gauges.size(); ++g)
                if (gauges[g].name == check.measure) m.gauge = int(g), m.label = gauges[g].label, m.unit = gauges[g].unit;
            if (m.unit == "1") m.unit.clear();
            if (m.gauge < 0) m.label = check.measure, m.broken = true;
        }
        if (!check.name.empty()) m.label = check.name;
        measured_.push_back(std::move(m));
    }
}

// Keeps the value that is nearest to a limit or furthest beyond one; without limits the largest.
void SceneChecks::take(Measured& m, double value, double time) {
    if (std::isnan(value)) {
        m.broken = true;
        m.value = value, m.time = time;
        return;
    }
    if (m.broken) return;
    if (m.spec.total) {
        m.value += value, m.margin = std::min(m.value - m.spec.at_least, m.spec.at_most - m.value), m.any = true;
        return;
    }
    const bool limited = m.spec.at_least > -infinity || m.spec.at_most < infinity;
    const double margin = limited ? std::min(value - m.spec.at_least, m.spec.at_most - value) : -value;
    if (m.any && margin >= m.margin) return;
    m.any = true;
    m.value = value, m.margin = margin, m.time = time;
}

void SceneChecks::add(const Frame& frame) {
    last_time_ = frame.time;
    for (Measured& m : measured_) {
        const MeasureSpec* spec = find_measure(m.spec.measure);
        const bool due = spec && spec->forces ? frame.time > m.spec.from + time_slack : frame.time >= m.spec.from - time_slack;
        if (!due || frame.time > scene_.duration + 0.5 * scene_.solver.dt) continue;
        if (spec && spec->positions && frame.state.x.empty()) continue;
        measure(m, frame);
    }
    previous_ = frame.time >= positions_from_ ? frame.state : State{};
}

void SceneChecks::measure(Measured& m, const Frame& frame) {
    if (m.gauge >= 0) return take(m, frame.gauges.at(std::size_t(m.gauge)), frame.time);
    const std::string& what = m.spec.measure;
    if (what == "support_force") {
        for (const Vec3& force : frame.report.support_force) take(m, norm(force), frame.time);
        for (const Vec3& force : frame.report.grip_force) take(m, norm(force), frame.time);
        return;
    }
    if (what == "momentum") {
        // The report of a halved step is that of its last part.
        if (!previous_.x.empty() && frame.report.halvings == 0) take(m, norm(momentum_residual(frame)), frame.time);
        return;
    }
    if (what == "internal_force") return take(m, norm(internal_force(frame)), frame.time);

    const ParticleLayout layout = particle_layout(scene_);
    const bool begins = m.low.empty();
    for (std::size_t i = 0; i < scene_.spheres.size(); ++i) {
        const std::size_t particle = std::size_t(layout.sphere_first) + i;
        const Vec3 x = to_double(frame.state.x[particle]);
        if (begins) m.low.push_back(x), m.high.push_back(x);
        if (what == "sphere_speed") {
            take(m, norm(to_double(frame.state.v[particle])), frame.time);
        } else if (what == "sphere_displacement") {
            take(m, norm(x - m.low[i]), frame.time);
        } else {
            m.low[i].z = std::min(m.low[i].z, x.z);
            m.high[i].z = std::max(m.high[i].z, x.z);
            take(m, m.high[i].z - m.low[i].z, frame.time);
        }
    }
}

// d(Σ m v)/dt − (gravity + damping + reactions of the fixed bodies + supports and grips).            spec/solver.md, decision
// 10
Vec3 SceneChecks::momentum_residual(const Frame& frame) const {
    const ParticleLayout layout = particle_layout(scene_);
    Vec3 residual;
    for (std::size_t p = 0; p < model_.mass.size(); ++p) {
        if (model_.fixed[p]) continue;
        const double mass = model_.mass[p];
        const Vec3 before = to_double(previous_.v[p]);
        residual += (mass / frame.report.dt) * (to_double(frame.state.v[p]) - before);
        const bool sphere = model_.kind(int(p)) == BodyKind::Sphere;
        const bool waits = sphere && frame.time <= scene_.spheres[p - std::size_t(layout.sphere_first)].drop_time + time_slack;
        if (!waits) residual -= mass * scene_.solver.gravity;
        if (!sphere) residual += (mass * scene_.solver.film_damping) * before;
    }
    for (std::size_t b = 0; b < frame.report.body_reaction.size(); ++b)
        if (model_.bodies[b].kind == BodyKind::Obstacle) residual += frame.report.body_reaction[b];
    for (const Vec3& force : frame.report.support_force) residual -= force;
    for (const Vec3& force : frame.report.grip_force) residual -= force;
    return residual;
}

// Forces of the ties on the film and of all contacts on all bodies, summed: inner forces, so the sum is 0 to rounding.
Vec3 SceneChecks::internal_force(const Frame& frame) const {
    const ParticleLayout layout = particle_layout(scene_);
    Vec3 sum;
    for (const TieSet& ties : scene_.ties) {
        if (frame.time <= ties.from + time_slack || frame.time > ties.until + time_slack || ties.shortening.at(frame.time) < 1)
            continue;
        const int first = layout.film_first[std::size_t(film_index(scene_, ties.film))];
        std::vector<Vec3> force(model_.mass.size());
        for (std::size_t k = 0; k < ties.pairs.size(); ++k) {
            const std::size_t a = std::size_t(first + ties.pairs[k].a), b = std::size_t(first + ties.pairs[k].b);
            const Vec3 g =
                Tie{ties.stiffness, ties.length[k]}.gradient(to_double(frame.state.x[a]), to_double(frame.state.x[b]));
            force[a] -= g, force[b] += g;
        }
        for (const Vec3& f : force) sum += f;
    }
    for (const Vec3& force : frame.report.body_reaction) sum += force;
    return sum;
}

std::vector<Check> SceneChecks::checks() const {
    std::vector<Check> rows;
    if (last_time_ + 0.5 * scene_.solver.dt < scene_.duration) return rows;
    for (const Measured& m : measured_) {
        if (m.spec.from > scene_.duration + time_slack) continue;  // of a longer run
        Check row;
        row.check = m.label;
        row.unit = m.unit;
        row.limit = limit_text(m.spec);
        const bool limited = row.limit != "reported";
        row.value = m.broken || !m.any ? std::nan("") : m.value;
        row.pass = !limited || (m.any && !m.broken && m.margin >= 0);
        if (m.broken || !m.any)
            row.detail = "nothing was measured";
        else if (m.spec.total)
            row.detail = "sum of all steps from " + fixed_text(m.spec.from, 2) + " s on";
        else if (m.spec.from < scene_.duration - time_slack)
            row.detail = "worst at t = " + fixed_text(m.time, 3) + " s, from " + fixed_text(m.spec.from, 2) + " s on";
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace plica
