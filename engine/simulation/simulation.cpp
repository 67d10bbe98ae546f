#include "engine/simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/gauge/fold_metrics.h"
#include "engine/scenario/fold_gauges.h"
#include "engine/scene/build_model.h"
#include "engine/scene/choreography.h"
#include "engine/scene/setting_table.h"
#include "engine/solver/solver.h"

namespace plica {
namespace {

using HeldPoint = Simulation::HeldPoint;

constexpr double default_pin_stiffness = 1000;  // N/m
constexpr double infinity = std::numeric_limits<double>::infinity();

// Step k ends at base.time + (k - base.step) * dt: no error piles up, and the bits follow from what a frame records.
struct TimeBase {
    int step = 0;
    double time = 0;
};

nlohmann::json held_json(const std::vector<HeldPoint>& points) {
    nlohmann::json list = nlohmann::json::array();
    for (const HeldPoint& p : points)
        list.push_back({{"vertex", p.vertex},
                        {"target", {p.target.x, p.target.y, p.target.z}},
                        {"stiffness", p.stiffness},
                        {"limit", p.limit}});
    return list;
}

std::vector<HeldPoint> held_from(const nlohmann::json& list, int particle_count) {
    std::vector<HeldPoint> points;
    for (const auto& item : list) {
        HeldPoint p;
        p.vertex = item.at("vertex").get<int>();
        if (p.vertex < 0 || p.vertex >= particle_count)
            throw InputError("controller state does not fit the scene: vertex out of range");
        const auto& t = item.at("target");
        p.target = {t.at(0).get<double>(), t.at(1).get<double>(), t.at(2).get<double>()};
        p.stiffness = item.at("stiffness").get<double>();
        p.limit = item.at("limit").get<double>();
        points.push_back(p);
    }
    return points;
}

constexpr std::array<const char*, 3> gravity_keys{"gravity_x", "gravity_y", "gravity_z"};
constexpr double highest_gravity = 1e4;  // m/s²

// set_setting of the table, and the three components of gravity, which a scene file gives as one vector.
std::string set_any(SolverSettings& settings, const std::string& key, double value) {
    for (int axis = 0; axis < 3; ++axis) {
        if (key != gravity_keys[std::size_t(axis)]) continue;
        if (!(std::abs(value) <= highest_gravity)) return key + " is " + number_text(value) + "; allowed: -1e4 to 1e4 m/s²";
        settings.gravity[axis] = value;
        return {};
    }
    return set_setting(settings, key, value);
}

// What of a census counts under given switches: pairs between which contact acts.
struct Tangle {
    int intersecting = 0, overlaps = 0;
    std::vector<ContactPair> worst;
    std::vector<Int2> triangle_pairs;
    bool clean() const { return intersecting == 0 && overlaps == 0; }
};

bool contact_acts(const Model& model, const ContactSwitches& switches, int body_a, int body_b) {
    if (!switches.barrier) return false;
    const auto off = [&](int body) {
        return std::size_t(body) < switches.body_off.size() && switches.body_off[std::size_t(body)];
    };
    if (off(body_a) || off(body_b)) return false;
    const bool films =
        model.bodies[std::size_t(body_a)].kind == BodyKind::Film && model.bodies[std::size_t(body_b)].kind == BodyKind::Film;
    return switches.self_contact || !films;
}

// The particles of the two sides of a pair: vertex 0 against the rest, edge against edge, sphere against sphere.
Int2 bodies_of(const Model& model, const ContactPair& pair) {
    const int other = pair.kind == CandidateKind::EdgeEdge ? pair.particles[2] : pair.particles[1];
    return {model.body[std::size_t(pair.particles[0])], model.body[std::size_t(other)]};
}

Tangle tangle_of(const Model& model, const ContactCensus& census, const ContactSwitches& switches) {
    Tangle tangle;
    for (const Int2& pair : census.intersecting) {
        const int a = model.body[std::size_t(model.triangles[std::size_t(pair.a)].a)];
        const int b = model.body[std::size_t(model.triangles[std::size_t(pair.b)].a)];
        if (!contact_acts(model, switches, a, b)) continue;
        ++tangle.intersecting;
        if (tangle.triangle_pairs.size() < 10) tangle.triangle_pairs.push_back(pair);
    }
    for (const ContactPair& pair : census.overlaps) {
        const Int2 bodies = bodies_of(model, pair);
        if (contact_acts(model, switches, bodies.a, bodies.b)) tangle.worst.push_back(pair);
    }
    // The census lists the ten worst only; where all of them count, so does the rest.
    tangle.overlaps = tangle.worst.size() == census.overlaps.size() ? census.overlap_count : int(tangle.worst.size());
    return tangle;
}

std::string count_text(int count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string tangle_text(const Tangle& tangle) {
    std::string text;
    if (tangle.intersecting > 0)
        text = count_text(tangle.intersecting, "intersecting pair of triangles", "intersecting pairs of triangles");
    if (tangle.overlaps > 0)
        text += (text.empty() ? "" : " and ") + count_text(tangle.overlaps, "gap of 0 or less", "gaps of 0 or less");
    return text;
}

double smallest(const std::array<double, contact_group_count>& gaps) { return *std::min_element(gaps.begin(), gaps.end()); }

}  // namespace

struct Simulation::Impl {
    Scene scene;
    Solver solver;
    Choreography choreography;
    std::vector<GaugeSpec> gauges;

    SolverSettings settings;
    ContactSwitches switches;
    std::vector<HeldPoint> pins, grips;
    std::optional<FoldPress> press;
    TimeBase base;
    int last_clean_step = -1;
    FramePtr frame;
    std::string last_controller;  // of the last frame that carried one
    std::optional<StepError> start_error;

    explicit Impl(Scene s)
        : scene(std::move(s)),
          solver(build_model(scene), scene.solver.threads),
          choreography(scene, solver.model()),
          gauges(gauge_specs(scene)),
          settings(scene.solver),
          switches(scene.switches) {
        if (scene.press) press.emplace(scene, solver.model());
    }

    const Model& model() const { return solver.model(); }

    void start();
    void check_start(const ContactCensus& census);
    std::string controller() const;
    std::string change(const std::string& key, double value);
    std::string throw_switch(const std::string& key, bool on);
    std::string set_mode(double value);
    std::string adopt_switches(const ContactSwitches& changed, bool stricter, const std::string& what);
    std::string hold(const Command& command);
    std::string check_vertices(const std::vector<int>& vertices) const;
    StepInputs inputs(double time, double dt);
    RiskCheck layer_risk() const;
    std::vector<double> gauge_values(double time, const State& state, const StepReport& report) const;
    void adopt_controller(const std::string& text, const Frame& at);
};

// Frame 0: its report holds the gaps and intersections of the start, so that they count like those of any other frame.
void Simulation::Impl::start() {
    for (const SettingChange& due : due_changes(scene, -infinity, 0.0)) set_any(settings, due.key, due.value);
    choreography.set_gravity(settings.gravity);
    auto first = std::make_shared<Frame>();
    first->state = initial_state(scene);
    const ContactCensus census = solver.census(first->state, settings, settings.dhat);
    first->report.dt = settings.dt;
    first->report.min_gap = census.min_gap;
    first->report.intersecting_pairs = int(census.intersecting.size());
    first->report.support_force.assign(scene.supports.size() + 1, {});
    first->report.body_reaction.assign(model().bodies.size(), {});
    check_start(census);
    if (census.overlap_count == 0 && census.intersecting.empty()) last_clean_step = 0;
    first->gauges = gauge_values(0, first->state, first->report);
    first->controller = last_controller = controller();
    frame = std::move(first);
}

void Simulation::Impl::check_start(const ContactCensus& census) {
    if (switches.mode == ContactMode::Basic) return;
    const Tangle tangle = tangle_of(model(), census, switches);
    if (tangle.clean()) return;
    StepError error;
    error.reason = tangle.overlaps > 0 ? StepFailure::InitialOverlap : StepFailure::InitialIntersection;
    error.pairs = tangle.worst;
    error.triangle_pairs = tangle.triangle_pairs;
    error.pair_count = tangle.overlaps > 0 ? tangle.overlaps : tangle.intersecting;
    error.message = "the scene starts with " + tangle_text(tangle);
    if (!tangle.worst.empty()) error.message += "; worst: " + describe(tangle.worst.front(), model());
    error.message += ". Move the parts away from each other, or make solver.min_gap smaller";
    start_error = std::move(error);
}

std::string Simulation::Impl::controller() const {
    nlohmann::json values = nlohmann::json::object();
    for (const SettingSpec& spec : setting_specs())
        if (spec.key != std::string("threads")) values[spec.key] = setting_value(settings, spec);  // no result depends on those
    for (int axis = 0; axis < 3; ++axis) values[gravity_keys[std::size_t(axis)]] = settings.gravity[axis];
    nlohmann::json off = nlohmann::json::array();
    for (std::size_t body = 0; body < switches.body_off.size(); ++body)
        if (switches.body_off[body]) off.push_back(body);
    nlohmann::json json{{"choreography", nlohmann::json::parse(choreography.state_json())},
                        {"pins", held_json(pins)},
                        {"grips", held_json(grips)},
                        {"settings", std::move(values)},
                        {"switches",
                         {{"mode", contact_mode_names[std::size_t(switches.mode)]},
                          {"barrier", switches.barrier},
                          {"self_contact", switches.self_contact},
                          {"friction", switches.friction},
                          {"motion_cap", switches.motion_cap},
                          {"body_off", std::move(off)}}},
                        {"time_base", {{"step", base.step}, {"time", base.time}}}};
    if (press) json["press"] = nlohmann::json::parse(press->state_json());
    return json.dump();
}

std::string Simulation::Impl::change(const std::string& key, double value) {
    SolverSettings changed = settings;
    if (std::string refusal = set_any(changed, key, value); !refusal.empty()) return refusal;
    if (changed.min_gap > settings.min_gap && switches.barrier && switches.mode != ContactMode::Basic) {
        const Tangle tangle = tangle_of(model(), solver.census(frame->state, changed, changed.dhat), switches);
        if (!tangle.clean())
            return "min_gap " + number_text(value) + " m is refused: with it the present state has " + tangle_text(tangle) +
                   "; give less, or change it when the parts are further apart";
    }
    if (changed.dt != settings.dt) base = {frame->step, frame->time};
    settings = changed;
    choreography.set_gravity(settings.gravity);
    return {};
}

std::string Simulation::Impl::throw_switch(const std::string& key, bool on) {
    ContactSwitches changed = switches;
    bool turns_on = false;
    if (key == "barrier")
        turns_on = on && !switches.barrier, changed.barrier = on;
    else if (key == "self_contact")
        turns_on = on && !switches.self_contact, changed.self_contact = on;
    else if (key == "friction")
        changed.friction = on;
    else if (key == "motion_cap")
        changed.motion_cap = on;
    else if (key.rfind("body:", 0) == 0) {
        const std::string name = key.substr(5);
        bool found = false;
        changed.body_off.resize(model().bodies.size(), false);
        for (std::size_t body = 0; body < model().bodies.size(); ++body) {
            if (model().bodies[body].name != name) continue;
            found = true;
            turns_on = turns_on || (on && changed.body_off[body]);
            changed.body_off[body] = !on;
        }
        if (!found) {
            std::string known;
            for (const Body& body : model().bodies) known += (known.empty() ? "" : ", ") + body.name;
            return "there is no body \"" + name + "\"; there are " + known;
        }
    } else {
        return "unknown switch \"" + key + "\"; there are barrier, self_contact, friction, motion_cap, contact and body:<name>";
    }
    return adopt_switches(changed, turns_on, key);
}

std::string Simulation::Impl::set_mode(double value) {
    const int modes = int(contact_mode_names.size());
    if (!(value >= 0 && value < modes && value == std::floor(value)))
        return "contact is " + number_text(value) + "; give 0 (ipc), 1 (guarded) or 2 (basic)";
    ContactSwitches changed = switches;
    changed.mode = ContactMode(int(value));
    return adopt_switches(changed, switches.mode == ContactMode::Basic,
                          std::string("contact ") + contact_mode_names[int(value)]);
}

// `stricter`: pairs count now that did not before.
std::string Simulation::Impl::adopt_switches(const ContactSwitches& changed, bool stricter, const std::string& what) {
    if (stricter && changed.mode != ContactMode::Basic) {
        const Tangle tangle = tangle_of(model(), solver.census(frame->state, settings, settings.dhat), changed);
        if (!tangle.clean()) {
            const std::string back = last_clean_step < 0 ? "no earlier step is free of them"
                                                         : "the last clean step is " + std::to_string(last_clean_step) +
                                                               ": go back there and continue";
            return what + " is refused: there are " + tangle_text(tangle) + "; " + back;
        }
    }
    switches = changed;
    return {};
}

std::string Simulation::Impl::check_vertices(const std::vector<int>& vertices) const {
    if (vertices.empty()) return "no vertex is given";
    for (const int v : vertices) {
        if (v < 0 || v >= model().particle_count())
            return "there is no vertex " + std::to_string(v) + "; they go from 0 to " +
                   std::to_string(model().particle_count() - 1);
        if (model().fixed[std::size_t(v)]) return "vertex " + std::to_string(v) + " is fixed and never moves";
    }
    return {};
}

std::string Simulation::Impl::hold(const Command& command) {
    if (std::string refusal = check_vertices(command.vertices); !refusal.empty()) return refusal;
    const auto drop = [](std::vector<HeldPoint>& points, int vertex) {
        std::erase_if(points, [&](const HeldPoint& p) { return p.vertex == vertex; });
    };
    if (command.kind == Command::Kind::Release) {
        for (const int v : command.vertices) drop(pins, v), drop(grips, v);
        return {};
    }
    const double stiffness = command.kind == Command::Kind::Pin && command.value == 0 ? default_pin_stiffness : command.value;
    if (!(std::isfinite(stiffness) && stiffness > 0 && stiffness <= 1e7))
        return "the stiffness is " + number_text(stiffness) + "; give a number above 0, at most 1e7 N/m";
    if (command.kind == Command::Kind::Pin) {
        for (const int v : command.vertices) {
            drop(pins, v);
            pins.push_back({v, to_double(frame->state.x[std::size_t(v)]), stiffness, 0});
        }
        return {};
    }
    if (!is_finite(command.target)) return "the target of the grip is not a finite point";
    if (!(std::isfinite(command.limit) && command.limit > 0 && command.limit <= 1e6))
        return "the force limit is " + number_text(command.limit) + "; give a number above 0, at most 1e6 N";
    const HeldPoint grip{command.vertices[0], command.target, stiffness, command.limit};
    for (HeldPoint& known : grips) {
        if (known.vertex != grip.vertex) continue;
        known = grip;
        return {};
    }
    grips.push_back(grip);
    return {};
}

StepInputs Simulation::Impl::inputs(double time, double dt) {
    StepInputs inputs = choreography.inputs(time, dt, frame->state);
    // All pins are one group behind those of the scene.
    const int pin_group = inputs.support_group_count++;
    for (const HeldPoint& pin : pins) inputs.supports.push_back({pin.vertex, {pin.stiffness, pin.target}, pin_group});
    for (const HeldPoint& grip : grips)
        inputs.grips.push_back({grip.vertex, {grip.stiffness, grip.target, grip.limit}, inputs.grip_group_count++});
    if (press) press->drive(inputs);
    return inputs;
}

// Layers of a pressed fold closer than a quarter of the collision distance.           spec/paper.md, "Contact modes"
RiskCheck Simulation::Impl::layer_risk() const {
    if (!press) return {};
    return [this](const State& state) {
        std::vector<Vec3> x(state.x.size());
        std::transform(state.x.begin(), state.x.end(), x.begin(), to_double);
        const FoldLayout& fold = press->layout();
        return layer_gap(x, model().triangles, fold.base, fold.flap) < 0.25 * settings.min_gap;
    };
}

std::vector<double> Simulation::Impl::gauge_values(double time, const State& state, const StepReport& report) const {
    std::vector<double> values = measure(scene, model(), state, report);
    if (press) {
        const std::vector<double> fold = measure_fold(*press, time, model(), state, report);
        values.insert(values.end(), fold.begin(), fold.end());
    }
    return values;
}

void Simulation::Impl::adopt_controller(const std::string& text, const Frame& at) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        SolverSettings new_settings = settings;
        for (const auto& [key, value] : json.at("settings").items()) {
            const std::string refusal = set_any(new_settings, key, value.get<double>());
            if (!refusal.empty()) throw InputError("controller state: " + refusal);
        }
        ContactSwitches new_switches;
        const auto& s = json.at("switches");
        const std::string mode = s.value("mode", contact_mode_names[0]);  // recordings from before there were modes have none
        const auto* known = std::find(contact_mode_names.begin(), contact_mode_names.end(), mode);
        if (known == contact_mode_names.end()) throw InputError("controller state: unknown contact mode \"" + mode + "\"");
        new_switches.mode = ContactMode(known - contact_mode_names.begin());
        new_switches.barrier = s.at("barrier").get<bool>();
        new_switches.self_contact = s.at("self_contact").get<bool>();
        new_switches.friction = s.at("friction").get<bool>();
        new_switches.motion_cap = s.at("motion_cap").get<bool>();
        for (const auto& body : s.at("body_off")) {
            new_switches.body_off.resize(model().bodies.size(), false);
            new_switches.body_off.at(body.get<std::size_t>()) = true;
        }
        std::vector<HeldPoint> new_pins = held_from(json.at("pins"), model().particle_count());
        std::vector<HeldPoint> new_grips = held_from(json.at("grips"), model().particle_count());
        const TimeBase new_base{json.at("time_base").at("step").get<int>(), json.at("time_base").at("time").get<double>()};
        if (new_base.step > at.step || !std::isfinite(new_base.time))
            throw InputError("controller state does not fit its frame");
        std::optional<FoldPress> new_press = press;
        if (new_press) new_press->restore(json.at("press").dump());
        choreography.restore(json.at("choreography").dump());  // last: the only one that may throw and keeps its own promise
        press = std::move(new_press);
        if (press) press->remember(solver.model());
        settings = new_settings;
        switches = std::move(new_switches);
        pins = std::move(new_pins);
        grips = std::move(new_grips);
        base = new_base;
        choreography.set_gravity(settings.gravity);
    } catch (const InputError&) {
        throw;
    } catch (const std::exception& e) {
        throw InputError(std::string("controller state cannot be read: ") + e.what());
    }
}

Simulation::Simulation(Scene scene) : impl_(std::make_unique<Impl>(std::move(scene))) { impl_->start(); }
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Scene& Simulation::scene() const { return impl_->scene; }
const Model& Simulation::model() const { return impl_->model(); }
const std::vector<GaugeSpec>& Simulation::gauges() const { return impl_->gauges; }
const SolverSettings& Simulation::settings() const { return impl_->settings; }
const ContactSwitches& Simulation::switches() const { return impl_->switches; }
FramePtr Simulation::frame() const { return impl_->frame; }
const std::optional<StepError>& Simulation::start_error() const { return impl_->start_error; }
std::string Simulation::controller() const { return impl_->controller(); }
int Simulation::last_clean_step() const { return impl_->last_clean_step; }
const std::vector<HeldPoint>& Simulation::pins() const { return impl_->pins; }
const std::vector<HeldPoint>& Simulation::grips() const { return impl_->grips; }

std::string Simulation::apply(const Command& command) {
    switch (command.kind) {
        case Command::Kind::SetSetting: return impl_->change(command.key, command.value);
        case Command::Kind::SetSwitch:
            if (command.key == "contact") return impl_->set_mode(command.value);
            if (command.value != 0 && command.value != 1)
                return command.key + " is " + number_text(command.value) + "; give 0 (off) or 1 (on)";
            return impl_->throw_switch(command.key, command.value != 0);
        case Command::Kind::Pin:
        case Command::Kind::Release:
        case Command::Kind::Grip: return impl_->hold(command);
        case Command::Kind::Note: return {};
    }
    return "unknown command";
}

StepOutcome Simulation::step(const std::function<bool()>& stop, const std::function<void(const StepProgress&)>& progress) {
    Impl& m = *impl_;
    const Frame& now = *m.frame;
    const double end_time = m.base.time + (now.step + 1 - m.base.step) * m.settings.dt;

    m.choreography.begin_step(now.time, now.state);
    const auto inputs_at = [&](double time, double dt) { return m.inputs(time, dt); };
    const auto watch = [&](const IterationRecord& record, int iteration, int halving) {
        if (progress) progress({now.step + 1, iteration, halving, now.time, record.max_dx, record.alpha, record.energy});
        return !(stop && stop());
    };
    auto next = std::make_shared<Frame>();
    StepResult result =
        m.solver.step(now.state, inputs_at, end_time, m.settings, m.switches, next->state, watch, m.layer_risk());

    StepOutcome outcome;
    outcome.cancelled = result.cancelled;
    outcome.error = std::move(result.error);
    if (outcome.error || outcome.cancelled) return outcome;

    next->step = now.step + 1;
    next->time = end_time;
    next->report = std::move(result.report);
    if (next->report.intersecting_pairs == 0 && smallest(next->report.min_gap) > 0) m.last_clean_step = next->step;

    if (m.press) {
        m.press->accepted(end_time, m.settings.dt, next->state, next->report);
        m.press->remember(m.solver.model());
    }
    // Scheduled changes hold from the next step on and are part of this frame's controller state; commands come after them.
    for (const SettingChange& due : due_changes(m.scene, now.time, end_time)) {
        const double dt = m.settings.dt;
        set_any(m.settings, due.key, due.value);
        if (m.settings.dt != dt) m.base = {next->step, next->time};
        m.choreography.set_gravity(m.settings.gravity);
    }
    next->gauges = m.gauge_values(end_time, next->state, next->report);
    const std::string controller = m.controller();
    if (controller != m.last_controller) next->controller = m.last_controller = controller;
    for (const Gate& gate : m.scene.gates) {
        if (!(gate.time > now.time + 1e-9 && gate.time <= end_time + 1e-9)) continue;
        const std::string failure = check_gate(gate, m.scene, next->state);
        if (!failure.empty()) outcome.gate_failure += (outcome.gate_failure.empty() ? "" : "; ") + failure;
    }
    m.frame = std::move(next);
    outcome.frame = m.frame;
    return outcome;
}

void Simulation::restore(const Frame& frame, const std::string& controller, const std::vector<LoggedCommand>& commands) {
    Impl& m = *impl_;
    const std::size_t count = std::size_t(m.model().particle_count());
    if (frame.state.x.size() != count || frame.state.v.size() != count)
        throw InputError("the frame has " + std::to_string(frame.state.x.size()) + " particles, the scene " +
                         std::to_string(count));
    m.adopt_controller(controller, frame);
    auto copy = std::make_shared<Frame>(frame);
    copy->controller = m.last_controller = controller;
    m.frame = std::move(copy);
    m.start_error.reset();
    const bool clean = frame.report.intersecting_pairs == 0 && smallest(frame.report.min_gap) > 0;
    m.last_clean_step = clean ? frame.step : std::min(m.last_clean_step, frame.step);
    for (const LoggedCommand& logged : commands)
        if (logged.step == frame.step) apply(logged.command);
}

}  // namespace plica
