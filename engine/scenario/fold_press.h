// The press of a fold: a ball that is led by what it feels, grips that let go as far as the crease is pressed, and the
// memory of the crease.                                                                    spec/paper.md, "Phases"
//
//   wait      until `from`: the fold is made by supports
//   align     the tool rises above the ridge, goes over the place of the first crease and comes down on it
//   press     its height follows (measured reaction − load) until the first deep crease; where the load does not make one, it
//             creeps towards the starting end
//   to_start  rolls to the starting end until that end is pressed
//   along     rolls to the other end, and back while anything is missing; the grips weaken with the supported travel
//   lift      both ends and all segments pressed, grips without weight: the tool goes up
//   free      nothing holds the film any more
//
// Everything follows from accepted states and the contact forces that the solver reports of them; no time but `from` is given.
#pragma once

#include <string>
#include <vector>

#include "engine/scenario/paper_grip.h"
#include "engine/scenario/paper_memory.h"
#include "engine/scene/fold_layout.h"
#include "engine/solver/state.h"
#include "engine/solver/step_inputs.h"
#include "engine/solver/step_report.h"

namespace plica {

// An edge that remembers an angle: its hinge in the model, and the angle [rad].
struct RememberedEdge {
    int hinge = 0;
    double angle = 0;
};
// Those in a controller state (Simulation::controller); none in that of a scene without a press.
std::vector<RememberedEdge> remembered_edges(const std::string& controller);

class FoldPress {
public:
    enum class Stage { Wait, Align, Press, ToStart, Along, Lift, Free };

    // For a scene with a press.
    FoldPress(const Scene& scene, const Model& model);

    // Adds the tool's drive and the grips to the inputs of a step, weakens supports that are handed over, drops released ones.
    void drive(StepInputs& inputs);

    // An accepted step that ended at `time` and took `dt`: reads its forces, updates memory, grips and stage, commands the
    // tool.
    void accepted(double time, double dt, const State& state, const StepReport& report);

    // Rest angles of the pressed edges into the model; all others are those of the scene.
    void remember(Model& model) const;

    // What was measured of the last accepted step, and what has been reached.
    struct Reading {
        double tool_force = 0;   // N, upwards on the tool
        double table_force = 0;  // N, largest of a contact within 19 mm
        double position = 0;     // m, of the contact along the present ends of the fold; NaN without contact
        bool aligned = false;    // the tool stands on the upper face of two layers
        bool supported = false;  // spec/paper.md, "Memory"
        bool under = false;      // the tool's centre is below the upper layer at its place
    };
    const Reading& reading() const { return reading_; }
    Stage stage() const { return stage_; }
    const FoldLayout& layout() const { return layout_; }
    int tool() const { return tool_; }                     // particle
    double table_height() const { return table_height_; }  // m
    int drive_group() const { return drive_group_; }       // grip group of the tool's drive in the last inputs
    double weight() const;                                 // w of the grips
    double travel() const { return hand_over_.travel(); }
    const std::vector<CreaseMemory>& memory() const { return memory_; }  // (hinges of the model)
    int creases() const;                                                 // edges with a memory
    int on_fold() const;                                                 // of them on the fold
    int segments() const;                                                // of these, remembered to the wanted depth
    int ends() const { return int(start_end_) + int(far_end_); }         // pressed
    double release_time() const { return release_time_; }                // s; negative before
    double forgotten() const { return forgotten_; }                      // rad, largest change of a memory since the release

    // The state as JSON, and back; throws InputError on text that is no such state.
    std::string state_json() const;
    void restore(const std::string& text);

private:
    Vec3 ridge(double u, const State& state) const;  // m, of the fold at u [m] from its start
    Vec3 inward(const State& state) const;           // unit, horizontal, across the fold towards the flap's side
    int layers_at(const Vec3& p, double below, const State& state) const;
    void read(const State& state, const StepReport& report);
    double press_edges(const State& state, const StepReport& report);  // rad, largest change of a memory
    void lead(double time, double dt, const State& state);
    double goal();
    void roll(double dt, double goal);

    PressSpec spec_;
    FoldLayout layout_;
    std::vector<Int3> triangles_;       // of the film
    std::vector<HingeElement> hinges_;  // of the model, with the scene's rest angles
    std::vector<int> body_;
    int tool_ = 0, table_body_ = 0, drive_group_ = -1;
    double radius_ = 0, table_height_ = 0;
    std::vector<int> grip_particles_;
    std::vector<Vec3> grip_flat_;              // m, where a sharp fold would lay them
    std::vector<int> handed_over_, released_;  // supports

    Stage stage_ = Stage::Wait;
    Vec3 command_;                  // m, of the tool
    double u_ = 0;                  // m, commanded place along the fold
    int direction_ = 1;             // of rolling
    double settled_ = 0;            // s, for which the segment under the tool has not become deeper
    bool above_ = false;            // aligned in the air
    double contact_time_ = -1;      // s, of the first supported contact
    double ramp_ = 0;               // of the grips' downward pull, 0 … 1
    std::vector<Vec3f> grip_hold_;  // m, where they were when the press began
    GripHandOver hand_over_;
    std::vector<CreaseMemory> memory_;
    bool start_end_ = false, far_end_ = false;
    double release_time_ = -1;
    double forgotten_ = 0;
    Reading reading_;
};

}  // namespace plica
