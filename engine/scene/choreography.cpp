#include "engine/scene/choreography.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/scene/build_model.h"

namespace plica {
namespace {

constexpr double time_slack = 1e-9;  // s, so that 216 * (1/240) counts as 0.9

bool acts_at(double from, double until, double time) { return time > from + time_slack && time <= until + time_slack; }

double smooth(double s) {
    s = std::clamp(s, 0.0, 1.0);
    return s * s * (3.0 - 2.0 * s);
}

Vec3f at(const State& state, int particle) { return state.x[std::size_t(particle)]; }

nlohmann::json to_json(const std::vector<Vec3f>& points) {
    nlohmann::json list = nlohmann::json::array();
    for (const Vec3f& p : points) list.push_back({p.x, p.y, p.z});
    return list;
}

std::vector<Vec3f> points_from(const nlohmann::json& list, std::size_t count) {
    if (list.size() != count) throw InputError("controller state does not fit the scene: other number of points");
    std::vector<Vec3f> points;
    for (const auto& p : list) points.push_back({p.at(0).get<float>(), p.at(1).get<float>(), p.at(2).get<float>()});
    return points;
}

}  // namespace

Choreography::Choreography(const Scene& scene, const Model& model)
    : supports_(scene.supports), ties_(scene.ties), spheres_(scene.spheres), gravity_(scene.solver.gravity) {
    const ParticleLayout layout = particle_layout(scene);
    sphere_first_ = layout.sphere_first;
    particle_count_ = model.particle_count();
    assert(particle_count_ == layout.particle_count);
    const State start = initial_state(scene);
    const auto first_of = [&](const std::string& film) {
        const int index = film_index(scene, film);
        assert(index >= 0);
        return layout.film_first[std::size_t(index)];
    };
    for (const SupportTrack& support : supports_) {
        SupportState state;
        const int first = first_of(support.film);
        for (const int v : support.vertices) state.particles.push_back(first + v);
        for (const int v : support.axis_group) state.axis_particles.push_back(first + v);
        for (const int p : state.particles) state.reference.push_back(at(start, p));
        for (const int p : state.axis_particles) state.axis_reference.push_back(at(start, p));
        support_states_.push_back(std::move(state));
    }
    for (const TieSet& tie : ties_) {
        TieState state;
        const int first = first_of(tie.film);
        for (const Int2& pair : tie.pairs) state.particles.push_back({first + pair.a, first + pair.b});
        state.length.resize(tie.pairs.size());
        tie_states_.push_back(std::move(state));
    }
    for (std::size_t i = 0; i < spheres_.size(); ++i) sphere_mass_.push_back(model.mass[std::size_t(sphere_first_) + i]);
    begin_step(0, start);
}

void Choreography::begin_step(double time_at_start, const State& state) {
    for (std::size_t i = 0; i < supports_.size(); ++i) {
        if (time_at_start > supports_[i].from + time_slack) continue;
        SupportState& own = support_states_[i];
        own.used = false;
        if (!supports_[i].reference_start)
            for (std::size_t k = 0; k < own.particles.size(); ++k) own.reference[k] = at(state, own.particles[k]);
        for (std::size_t k = 0; k < own.axis_particles.size(); ++k) own.axis_reference[k] = at(state, own.axis_particles[k]);
    }
    for (std::size_t i = 0; i < ties_.size(); ++i) {
        if (time_at_start > ties_[i].from + time_slack) continue;
        TieState& own = tie_states_[i];
        own.used = false;
        for (std::size_t k = 0; k < own.particles.size(); ++k)
            own.length[k] = float(norm(to_double(at(state, own.particles[k].a)) - to_double(at(state, own.particles[k].b))));
    }
}

void Choreography::add_support(StepInputs& inputs, int index, double time, const State& current) const {
    const SupportTrack& track = supports_[std::size_t(index)];
    const SupportState& own = support_states_[std::size_t(index)];
    const double stiffness = track.stiffness.at(time);
    if (!(stiffness > 0)) return;

    const auto pull = [&](int particle, const Vec3& target) {
        if (track.limit > 0)
            inputs.grips.push_back({particle, {stiffness, target, track.limit}, index, true});
        else
            inputs.supports.push_back({particle, {stiffness, target}, index});
    };
    if (track.kind == SupportTrack::Kind::Offset) {
        const Vec3 offset = track.offset.at(time);
        for (std::size_t k = 0; k < own.particles.size(); ++k) pull(own.particles[k], to_double(own.reference[k]) + offset);
        return;
    }
    if (track.kind == SupportTrack::Kind::Turn) {
        const double angle = track.angle.at(time), c = std::cos(angle), s = std::sin(angle);
        const Vec3& n = track.direction;
        for (std::size_t k = 0; k < own.particles.size(); ++k) {
            const Vec3 arm = to_double(own.reference[k]) - *track.axis;
            pull(own.particles[k], *track.axis + c * arm + s * cross(n, arm) + ((1 - c) * dot(n, arm)) * n);
        }
        return;
    }

    Vec3 axis;
    if (track.axis) {
        axis = *track.axis;
    } else {
        for (const Vec3f& p : own.axis_reference) axis += to_double(p);
        axis *= 1.0 / double(own.axis_reference.size());
    }
    if (track.kind == SupportTrack::Kind::Drawstring) {
        const double radius = track.radius.at(time);
        for (const int particle : own.particles) {
            const Vec3 p = to_double(at(current, particle));
            const double r = std::hypot(p.x - axis.x, p.y - axis.y);
            if (r <= radius) continue;
            const double s = radius / r;
            pull(particle, {axis.x + s * (p.x - axis.x), axis.y + s * (p.y - axis.y), p.z});
        }
        return;
    }
    for (std::size_t k = 0; k < own.particles.size(); ++k) {
        const double delayed = time - track.stagger * double(k);
        const Vec3 reference = to_double(own.reference[k]);
        const double angle = std::atan2(reference.y - axis.y, reference.x - axis.x);
        const double radius = track.radius.at(delayed) + (track.radius_offset.empty() ? 0.0 : track.radius_offset[k]);
        const Vec3 led{axis.x + radius * std::cos(angle), axis.y + radius * std::sin(angle), axis.z + track.height.at(delayed)};
        const double s = track.blend > 0 ? smooth((delayed - track.from) / track.blend) : 1.0;
        pull(own.particles[k], reference + s * (led - reference));
    }
}

StepInputs Choreography::inputs(double time, double, const State& current) {
    assert(int(current.x.size()) == particle_count_);
    StepInputs inputs;
    inputs.support_group_count = int(supports_.size());
    for (std::size_t i = 0; i < supports_.size(); ++i) {
        if (!acts_at(supports_[i].from, supports_[i].until, time)) continue;
        support_states_[i].used = true;
        add_support(inputs, int(i), time, current);
    }
    for (std::size_t i = 0; i < ties_.size(); ++i) {
        const TieSet& tie = ties_[i];
        if (!acts_at(tie.from, tie.until, time)) continue;
        tie_states_[i].used = true;
        const double s = tie.shortening.at(time);
        for (std::size_t k = 0; k < tie.pairs.size(); ++k) {
            const double from = tie_states_[i].length[k];
            inputs.ties.push_back({tie_states_[i].particles[k].a,
                                   tie_states_[i].particles[k].b,
                                   {tie.stiffness, from + s * (tie.length[k] - from)}});
        }
    }
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
        if (time > spheres_[i].drop_time + time_slack) continue;
        if (inputs.force.empty()) inputs.force.resize(std::size_t(particle_count_));
        inputs.force[std::size_t(sphere_first_) + i] = -sphere_mass_[i] * gravity_;
    }
    return inputs;
}

std::string Choreography::state_json() const {
    nlohmann::json supports = nlohmann::json::object(), ties = nlohmann::json::object();
    for (std::size_t i = 0; i < support_states_.size(); ++i) {
        const SupportState& own = support_states_[i];
        if (!own.used) continue;
        supports[std::to_string(i)] = {{"reference", to_json(own.reference)}, {"axis", to_json(own.axis_reference)}};
    }
    for (std::size_t i = 0; i < tie_states_.size(); ++i)
        if (tie_states_[i].used) ties[std::to_string(i)] = tie_states_[i].length;
    return nlohmann::json{{"supports", std::move(supports)}, {"ties", std::move(ties)}}.dump();
}

void Choreography::restore(const std::string& text) {
    try {
        const nlohmann::json json =
            text.empty() ? nlohmann::json{{"supports", nlohmann::json::object()}, {"ties", nlohmann::json::object()}}
                         : nlohmann::json::parse(text);
        std::vector<SupportState> supports = support_states_;
        std::vector<TieState> ties = tie_states_;
        for (SupportState& own : supports) own.used = false;
        for (TieState& own : ties) own.used = false;
        for (const auto& [key, value] : json.at("supports").items()) {
            SupportState& own = supports.at(std::size_t(std::stoul(key)));
            own.reference = points_from(value.at("reference"), own.particles.size());
            own.axis_reference = points_from(value.at("axis"), own.axis_particles.size());
            own.used = true;
        }
        for (const auto& [key, value] : json.at("ties").items()) {
            TieState& own = ties.at(std::size_t(std::stoul(key)));
            if (value.size() != own.particles.size())
                throw InputError("controller state does not fit the scene: other number of ties");
            own.length = value.get<std::vector<float>>();
            own.used = true;
        }
        support_states_ = std::move(supports);
        tie_states_ = std::move(ties);
    } catch (const InputError&) {
        throw;
    } catch (const std::exception& e) {
        throw InputError(std::string("controller state cannot be read: ") + e.what());
    }
}

std::vector<SettingChange> due_changes(const Scene& scene, double after, double until) {
    std::vector<SettingChange> due;
    for (const SettingChange& change : scene.changes)
        if (change.time > after + time_slack && change.time <= until + time_slack) due.push_back(change);
    return due;
}

}  // namespace plica
