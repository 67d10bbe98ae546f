#include "engine/scenario/fold_press.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/energy/hinge.h"
#include "engine/gauge/fold_metrics.h"
#include "engine/scene/build_model.h"

namespace plica {
namespace {

constexpr double time_slack = 1e-9;    // s
constexpr double table_reach = 0.019;  // m, over the table, of contacts that support the tool
constexpr double upright = 0.5;        // least z of the contact normal: the tool stands on the film, not beside it
constexpr double clearance = 0.01;     // m, above the ridge while the tool travels in the air
constexpr double lift_height = 0.03;   // m, above the table when everything else lets go
constexpr double seated = 0.98;        // part of the load at which the press has done what it can where it is
constexpr double creep = 0.25;         // of the rolling speed, in search of the place of the first crease
constexpr double deepening = 0.1;      // rad/s, slower counts as settled
constexpr double settling = 0.05;      // s
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr const char* stage_names[] = {"wait", "align", "press", "to_start", "along", "lift", "free"};

Vec3 at(const State& state, int particle) { return to_double(state.x[std::size_t(particle)]); }

// Towards `goal`, by at most `step`.
Vec3 towards(const Vec3& from, const Vec3& goal, double step) {
    const Vec3 way = goal - from;
    const double length = norm(way);
    return length <= step ? goal : from + (step / length) * way;
}

double toward(double from, double goal, double step) { return from + std::clamp(goal - from, -step, step); }

}  // namespace

FoldPress::FoldPress(const Scene& scene, const Model& model)
    : spec_(*scene.press), layout_(fold_layout(scene, model)), hinges_(model.hinges), body_(model.body) {
    const ParticleLayout particles = particle_layout(scene);
    const int film = film_index(scene, spec_.film), first = particles.film_first[std::size_t(film)];
    for (const std::vector<int>* panel : {&layout_.base, &layout_.flap})
        for (const int t : *panel) triangles_.push_back(model.triangles[std::size_t(t)]);
    for (std::size_t i = 0; i < scene.spheres.size(); ++i)
        if (scene.spheres[i].name == spec_.tool) {
            tool_ = particles.sphere_first + int(i);
            radius_ = scene.spheres[i].radius;
            command_ = scene.spheres[i].position;
        }
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i)
        if (scene.obstacles[i].name == spec_.table) {
            table_body_ = body_[std::size_t(particles.obstacle_first[i])];
            table_height_ = -std::numeric_limits<double>::infinity();
            for (const Vec3& p : scene.obstacles[i].vertices) table_height_ = std::max(table_height_, p.z);
        }
    const std::vector<Vec3>& start = scene.films[std::size_t(film)].start;
    const Vec3 begin = start[std::size_t(spec_.fold.front())];
    Vec3 along = start[std::size_t(spec_.fold.back())] - begin;
    along *= 1 / norm(along);
    for (const int v : spec_.grips) {
        grip_particles_.push_back(first + v);
        const Vec3 arm = start[std::size_t(v)] - begin;
        const Vec3 mirrored = begin + (2 * dot(arm, along)) * along - arm;
        grip_flat_.push_back({mirrored.x, mirrored.y, table_height_});
    }
    for (std::size_t i = 0; i < scene.supports.size(); ++i) {
        const auto listed = [&](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), scene.supports[i].name) != names.end();
        };
        if (listed(spec_.handed_over)) handed_over_.push_back(int(i));
        if (listed(spec_.released)) released_.push_back(int(i));
    }
    hand_over_.length = layout_.length;
    hand_over_.radius = radius_;
    memory_.resize(hinges_.size());
    u_ = spec_.first * layout_.length;
}

double FoldPress::weight() const { return hand_over_.started ? hand_over_.weight() : 1; }

int FoldPress::creases() const {
    return int(std::count_if(memory_.begin(), memory_.end(), [](const CreaseMemory& m) { return m.marked; }));
}

int FoldPress::on_fold() const {
    return int(
        std::count_if(layout_.hinges.begin(), layout_.hinges.end(), [&](int h) { return memory_[std::size_t(h)].marked; }));
}

int FoldPress::segments() const {
    return int(std::count_if(layout_.hinges.begin(), layout_.hinges.end(), [&](int h) {
        const CreaseMemory& m = memory_[std::size_t(h)];
        return m.marked && std::fabs(m.angle) >= spec_.depth;
    }));
}

void FoldPress::remember(Model& model) const {
    for (std::size_t h = 0; h < memory_.size(); ++h)
        model.hinges[h].law.rest_angle = memory_[h].marked ? memory_[h].angle : hinges_[h].law.rest_angle;
}

void FoldPress::drive(StepInputs& inputs) {
    // A drive without a limit is a grip that is never at its limit.
    drive_group_ = inputs.grip_group_count++;
    inputs.grips.push_back({tool_, {spec_.stiffness, command_, HUGE_VAL}, drive_group_, false});
    const double w = stage_ == Stage::Free ? 0 : weight();
    const auto in = [](const std::vector<int>& list, int i) { return std::find(list.begin(), list.end(), i) != list.end(); };
    const bool all_off = stage_ == Stage::Free;
    std::erase_if(inputs.supports, [&](SupportPoint& s) {
        if (all_off && in(released_, s.group)) return true;
        if (!in(handed_over_, s.group)) return false;
        s.law.stiffness *= w;
        return !(w > 0);
    });
    std::erase_if(inputs.grips, [&](GripPoint& g) {
        if (!g.of_support) return false;
        if (all_off && in(released_, g.group)) return true;
        if (!in(handed_over_, g.group)) return false;
        g.law.stiffness *= w;
        g.law.force_limit *= w;
        return !(w > 0);
    });
    if (stage_ == Stage::Wait || !(w > 0)) return;
    for (std::size_t k = 0; k < grip_particles_.size(); ++k) {
        const Vec3 hold = to_double(grip_hold_[k]);
        inputs.grips.push_back({grip_particles_[k],
                                {w * spec_.grip_stiffness, hold + ramp_ * (grip_flat_[k] - hold), w * spec_.grip_limit},
                                inputs.grip_group_count++,
                                false});
    }
}

Vec3 FoldPress::ridge(double u, const State& state) const {
    double left = u;
    for (std::size_t i = 1; i < layout_.fold.size(); ++i) {
        const double piece = layout_.length / double(layout_.hinges.size());
        if (left <= piece || i + 1 == layout_.fold.size()) {
            const Vec3 a = at(state, layout_.fold[i - 1]), b = at(state, layout_.fold[i]);
            return a + (left / piece) * (b - a);
        }
        left -= piece;
    }
    return {};
}

Vec3 FoldPress::inward(const State& state) const {
    const Vec3 a = at(state, layout_.fold.front()), b = at(state, layout_.fold.back());
    Vec3 across{-(b.y - a.y), b.x - a.x, 0};
    const double length = norm(across);
    if (!(length > 0)) return {};
    Vec3 middle;
    for (const int p : layout_.flap_particles) middle += at(state, p);
    middle *= 1 / double(layout_.flap_particles.size());
    return (dot(middle - a, across) < 0 ? -1 / length : 1 / length) * across;
}

// Layers of the film over (x, y) of p that lie lower than `below`.
int FoldPress::layers_at(const Vec3& p, double below, const State& state) const {
    int layers = 0;
    for (const Int3& t : triangles_) layers += height_over(p, at(state, t.a), at(state, t.b), at(state, t.c)) < below;
    return layers;
}

void FoldPress::read(const State& state, const StepReport& report) {
    reading_ = {};
    reading_.position = nan;
    const Vec3 tool = at(state, tool_);
    Vec3 push, place;
    double sum = 0;
    for (const ContactForce& c : report.contact_forces) {
        if (c.particles[0] != tool_) continue;
        push += c.force * c.normal;
        place += c.force * c.position;
        sum += c.force;
    }
    // The flap's own height where the tool is.
    double upper = -std::numeric_limits<double>::infinity();
    for (const Int3& t : triangles_)
        if (const double z = height_over(tool, at(state, t.a), at(state, t.b), at(state, t.c)); z > upper) upper = z;
    reading_.under = upper > tool.z;
    if (!(sum > 0)) return;
    place *= 1 / sum;
    reading_.tool_force = push.z;
    for (const ContactForce& c : report.contact_forces) {
        if (c.group != ContactGroup::FilmObstacle) continue;
        const int other = c.kind == CandidateKind::VertexTriangle ? c.particles[1] : c.particles[2];
        if (body_[std::size_t(c.particles[0])] != table_body_ && body_[std::size_t(other)] != table_body_) continue;
        if (std::hypot(c.position.x - place.x, c.position.y - place.y) <= table_reach)
            reading_.table_force = std::max(reading_.table_force, c.force);
    }
    reading_.aligned = push.z >= upright * sum && layers_at(place, tool.z, state) >= 2;
    const Vec3 begin = at(state, layout_.fold.front()), way = at(state, layout_.fold.back()) - begin;
    reading_.position = dot(place - begin, way) / norm(way);
    const PressContact contact{reading_.aligned, reading_.tool_force, reading_.table_force, 0};
    reading_.supported = contact.supported();
}

// Edges of the triangles that the tool touches.
double FoldPress::press_edges(const State& state, const StepReport& report) {
    double change = 0;
    const PressContact contact{reading_.aligned, reading_.tool_force, reading_.table_force, 0};
    for (const ContactForce& c : report.contact_forces) {
        if (c.particles[0] != tool_ || !(c.force > 0)) continue;
        const auto in_triangle = [&](int p) { return p == c.particles[1] || p == c.particles[2] || p == c.particles[3]; };
        for (std::size_t h = 0; h < hinges_.size(); ++h) {
            const HingeElement& hinge = hinges_[h];
            if (!in_triangle(hinge.c) || !in_triangle(hinge.d)) continue;
            const double before = memory_[h].angle;
            memory_[h].press(hinge_angle(at(state, hinge.a), at(state, hinge.b), at(state, hinge.c), at(state, hinge.d)),
                             contact);
            change = std::max(change, std::fabs(memory_[h].angle - before));
        }
    }
    return change;
}

void FoldPress::accepted(double time, double dt, const State& state, const StepReport& report) {
    read(state, report);
    const double change = press_edges(state, report);
    if (stage_ == Stage::Free) {
        forgotten_ += change;
        return;
    }
    settled_ = change > deepening * dt ? 0 : settled_ + dt;
    if (reading_.supported) {
        if (contact_time_ < 0) contact_time_ = time;
        const double length = norm(at(state, layout_.fold.back()) - at(state, layout_.fold.front()));
        const auto marked = [&](int hinge) { return memory_[std::size_t(hinge)].marked; };
        if (reading_.position <= radius_ && marked(layout_.hinges.front())) start_end_ = true;
        if (reading_.position >= length - radius_ && marked(layout_.hinges.back())) far_end_ = true;
        if (stage_ == Stage::Along || stage_ == Stage::ToStart)
            hand_over_.contact(true, reading_.position, on_fold() > 0, start_end_);
    }
    if (contact_time_ >= 0) ramp_ = std::min(1.0, (time - contact_time_) / spec_.grip_ramp);
    lead(time, dt, state);
}

// Where it rolls to: the other end first, then to and fro over the segment that is left furthest behind.
double FoldPress::goal() {
    const double margin = 0.5 * radius_, length = layout_.length, piece = length / double(layout_.hinges.size());
    if (!far_end_ || weight() > 0) return length - margin;
    const auto least = std::min_element(layout_.hinges.begin(), layout_.hinges.end(), [&](int a, int b) {
        return std::fabs(memory_[std::size_t(a)].angle) < std::fabs(memory_[std::size_t(b)].angle);
    });
    const double begin = std::max(margin, piece * double(least - layout_.hinges.begin()));
    const double end = std::min(length - margin, begin + piece);
    if (u_ <= begin) direction_ = 1;
    if (u_ >= end) direction_ = -1;
    return direction_ > 0 ? end : begin;
}

// Along the fold, on supported contact; at the middle of a segment it waits until that does not get deeper any more.
void FoldPress::roll(double dt, double goal) {
    if (!reading_.supported) return;
    const double piece = layout_.length / double(layout_.hinges.size());
    const int segment = std::clamp(int(u_ / piece), 0, int(layout_.hinges.size()) - 1);
    const double middle = (segment + 0.5) * piece, next = toward(u_, goal, spec_.roll_speed * dt);
    const bool passes = (u_ <= middle && next > middle) || (u_ >= middle && next < middle);
    if (passes && settled_ < settling) return;
    u_ = next;
    if (passes) settled_ = 0;
}

void FoldPress::lead(double time, double dt, const State& state) {
    const double margin = 0.5 * radius_, length = layout_.length;
    const bool rolling = stage_ == Stage::ToStart || stage_ == Stage::Along;
    // Where the flap is narrow, its middle.
    const double inset = std::min(rolling ? spec_.roll_inset : spec_.inset, 0.5 * std::min(u_, length - u_));
    const Vec3 over = ridge(u_, state) + inset * inward(state);
    const auto servo = [&] {
        command_.z +=
            std::clamp(spec_.gain * (reading_.tool_force - spec_.load), -spec_.descent_speed, spec_.descent_speed) * dt;
    };
    const auto follow = [&](double speed) {
        const Vec3 flat = towards({command_.x, command_.y, 0}, {over.x, over.y, 0}, speed * dt);
        command_.x = flat.x, command_.y = flat.y;
    };
    switch (stage_) {
        case Stage::Wait:
            if (time + time_slack < spec_.from) return;
            grip_hold_.clear();
            for (const int p : grip_particles_) grip_hold_.push_back(state.x[std::size_t(p)]);
            stage_ = Stage::Align;
            return;
        case Stage::Align: {
            double top = table_height_;
            for (const Int3& t : triangles_)
                for (int k = 0; k < 3; ++k) top = std::max(top, at(state, t[k]).z);
            const double high = top + radius_ + clearance;
            if (!above_) {
                command_.z = toward(command_.z, high, spec_.approach_speed * dt);
                if (command_.z >= high - 1e-6) follow(spec_.approach_speed);
                above_ = std::hypot(command_.x - over.x, command_.y - over.y) < 1e-4;
                return;
            }
            follow(spec_.approach_speed);
            command_.z -= spec_.descent_speed * dt;
            if (reading_.tool_force > 0) stage_ = Stage::Press;
            return;
        }
        case Stage::Press:
            servo();
            follow(spec_.roll_speed);
            if (reading_.supported && reading_.tool_force > seated * spec_.load)
                u_ = toward(u_, margin, creep * spec_.roll_speed * dt);
            if (on_fold() > 0) stage_ = Stage::ToStart;
            return;
        case Stage::ToStart:
            servo();
            roll(dt, margin);
            follow(2 * spec_.roll_speed);
            if (start_end_) stage_ = Stage::Along;
            return;
        case Stage::Along: {
            servo();
            roll(dt, goal());
            follow(2 * spec_.roll_speed);
            if (start_end_ && far_end_ && segments() == int(layout_.hinges.size()) && !(weight() > 0)) stage_ = Stage::Lift;
            return;
        }
        case Stage::Lift:
            command_.z += spec_.approach_speed * dt;
            if (command_.z < table_height_ + lift_height) return;
            stage_ = Stage::Free;
            release_time_ = time;
            return;
        case Stage::Free: return;
    }
}

std::vector<RememberedEdge> remembered_edges(const std::string& controller) {
    std::vector<RememberedEdge> edges;
    const nlohmann::json json = nlohmann::json::parse(controller, nullptr, false);
    if (!json.is_object() || !json.contains("press") || !json["press"].contains("creases")) return edges;
    for (const auto& crease : json["press"]["creases"])
        if (crease.is_array() && crease.size() == 2 && crease[0].is_number_integer() && crease[1].is_number())
            edges.push_back({crease[0].get<int>(), crease[1].get<double>()});
    return edges;
}

std::string FoldPress::state_json() const {
    nlohmann::json creases = nlohmann::json::array();
    for (std::size_t h = 0; h < memory_.size(); ++h)
        if (memory_[h].marked) creases.push_back({h, memory_[h].angle});
    nlohmann::json hold = nlohmann::json::array();
    for (const Vec3f& p : grip_hold_) hold.push_back({p.x, p.y, p.z});
    return nlohmann::json{
        {"stage", stage_names[int(stage_)]},
        {"command", {command_.x, command_.y, command_.z}},
        {"u", u_},
        {"direction", direction_},
        {"above", above_},
        {"settled", settled_},
        {"contact_time", contact_time_},
        {"ramp", ramp_},
        {"grip_hold", std::move(hold)},
        {"hand_over", {{"started", hand_over_.started}, {"start", hand_over_.start}, {"farthest", hand_over_.farthest}}},
        {"creases", std::move(creases)},
        {"ends", {start_end_, far_end_}},
        {"forgotten", forgotten_},
        {"release_time", release_time_}}
        .dump();
}

void FoldPress::restore(const std::string& text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        FoldPress next = *this;
        const std::string name = json.at("stage").get<std::string>();
        const auto found = std::find(std::begin(stage_names), std::end(stage_names), name);
        if (found == std::end(stage_names)) throw InputError("controller state has the unknown stage \"" + name + "\"");
        next.stage_ = Stage(found - std::begin(stage_names));
        const auto& c = json.at("command");
        next.command_ = {c.at(0).get<double>(), c.at(1).get<double>(), c.at(2).get<double>()};
        next.u_ = json.at("u").get<double>();
        next.direction_ = json.at("direction").get<int>();
        next.settled_ = json.at("settled").get<double>();
        next.above_ = json.at("above").get<bool>();
        next.contact_time_ = json.at("contact_time").get<double>();
        next.ramp_ = json.at("ramp").get<double>();
        next.grip_hold_.clear();
        for (const auto& p : json.at("grip_hold"))
            next.grip_hold_.push_back({p.at(0).get<float>(), p.at(1).get<float>(), p.at(2).get<float>()});
        if (next.stage_ != Stage::Wait && next.grip_hold_.size() != grip_particles_.size())
            throw InputError("controller state does not fit the scene: other number of grips");
        const auto& h = json.at("hand_over");
        next.hand_over_.started = h.at("started").get<bool>();
        next.hand_over_.start = h.at("start").get<double>();
        next.hand_over_.farthest = h.at("farthest").get<double>();
        next.memory_.assign(memory_.size(), {});
        for (const auto& crease : json.at("creases"))
            next.memory_.at(crease.at(0).get<std::size_t>()) = {crease.at(1).get<double>(), true};
        next.start_end_ = json.at("ends").at(0).get<bool>();
        next.far_end_ = json.at("ends").at(1).get<bool>();
        next.forgotten_ = json.at("forgotten").get<double>();
        next.release_time_ = json.at("release_time").get<double>();
        next.reading_ = {};
        *this = std::move(next);
    } catch (const InputError&) {
        throw;
    } catch (const std::exception& e) {
        throw InputError(std::string("controller state of the press cannot be read: ") + e.what());
    }
}

}  // namespace plica
