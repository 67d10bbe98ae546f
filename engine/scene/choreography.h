// What drives the steps of a scene over time: supports, ties, sphere releases, scheduled settings, gates.
//
// The step from t to t + dt is driven by what holds at its end: a support or tie acts on the steps whose end lies in
// (from, until], with stiffness and target of that end. Its reference positions are those at the start of the first such step.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/scene.h"
#include "engine/solver/model.h"
#include "engine/solver/settings.h"
#include "engine/solver/state.h"
#include "engine/solver/step_inputs.h"

namespace plica {

class Choreography {
public:
    Choreography(const Scene& scene, const Model& model);

    // Once before each step (not for its halves): remembers the references of supports and ties that may begin in it.
    void begin_step(double time_at_start, const State& state);

    // Inputs for the step, or half step, from `current` that ends at `time` and takes `dt`.
    StepInputs inputs(double time, double dt, const State& current);

    // Gravity that is cancelled on waiting spheres; that of the scene unless set.
    void set_gravity(const Vec3& gravity) { gravity_ = gravity; }

    // Own state, part of each checkpoint: references of everything that is under way. Given back to an object of the same
    // scene, the run goes on bit for bit. "" is the state before the first step. Throws InputError on text that is no such
    // state.
    std::string state_json() const;
    void restore(const std::string& text);

private:
    struct SupportState {
        std::vector<int> particles;    // (m) particle indices
        std::vector<Vec3f> reference;  // (m) positions at activation
        std::vector<int> axis_particles;
        std::vector<Vec3f> axis_reference;
        bool used = false;
    };
    struct TieState {
        std::vector<Int2> particles;
        std::vector<float> length;  // (pairs) m, at activation
        bool used = false;
    };
    void add_support(StepInputs& inputs, int index, double time, const State& current) const;

    const std::vector<SupportTrack> supports_;
    const std::vector<TieSet> ties_;
    const std::vector<Sphere> spheres_;
    std::vector<SupportState> support_states_;
    std::vector<TieState> tie_states_;
    std::vector<double> sphere_mass_;
    int sphere_first_ = 0;
    int particle_count_ = 0;
    Vec3 gravity_;
};

// Scheduled setting changes with their time in (after, until], in order of the file.
std::vector<SettingChange> due_changes(const Scene& scene, double after, double until);

// "" if the gate's check holds for a state, else one sentence that names what failed.
//   columns_up: in every column z rises from the neck ring to the end ring, ring by ring, and the end is >= 5 mm above the
//   neck.
std::string check_gate(const Gate& gate, const Scene& scene, const State& state);

}  // namespace plica
