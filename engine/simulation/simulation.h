// A scene that runs: Scene -> inputs of the next step -> Solver -> Frame. No thread, no window, no global state.
// A run is a pure function of (scene, commands with their steps, settings).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/gauge/gauge.h"
#include "engine/scene/scene.h"
#include "engine/simulation/command.h"
#include "engine/simulation/frame.h"

namespace plica {

// Live signs of life from inside a long step; called on the solving thread after every Newton iteration.
struct StepProgress {
    int step = 0, iteration = 0, halving = 0;
    double time = 0, max_dx = 0, alpha = 0, energy = 0;
};

struct StepOutcome {
    FramePtr frame;                  // set when accepted
    std::optional<StepError> error;  // else the reason; the simulation stays at its last frame
    std::string gate_failure;        // not empty: accepted, but a gate of the scene failed here; message
    bool cancelled = false;
};

class Simulation {
public:
    // Throws InputError for scenes that cannot be built. start_error() tells of overlaps or intersections at the start.
    explicit Simulation(Scene scene);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    const Scene& scene() const;
    const Model& model() const;
    const std::vector<GaugeSpec>& gauges() const;
    const SolverSettings& settings() const;  // after scene changes and commands
    const ContactSwitches& switches() const;

    FramePtr frame() const;  // the current one (step 0 before the first step)
    const std::optional<StepError>& start_error() const;

    // Applied before the next step. Returns "" or why it was refused (unknown key, value out of range, collision switched on
    // in a tangled state: with the count of intersecting pairs and the last clean step).
    std::string apply(const Command& command);

    // All that the coming steps depend on besides positions, velocities and time, as JSON: references of supports, pins,
    // grips, settings, switches. That of frame(), with the commands applied since.
    std::string controller() const;

    // The last step whose positions had no intersecting pair and no gap <= 0; -1 if there was none.
    int last_clean_step() const;

    // What holds now by command: pinned vertices with their targets, and grips.
    struct HeldPoint {
        int vertex = 0;
        Vec3 target;           // m
        double stiffness = 0;  // N/m
        double limit = 0;      // N; 0 for pins
        friend bool operator==(const HeldPoint&, const HeldPoint&) = default;
    };
    const std::vector<HeldPoint>& pins() const;
    const std::vector<HeldPoint>& grips() const;  // report.grip_force is in this order

    // One step. `stop` is polled each Newton iteration; `progress` may be empty.
    StepOutcome step(const std::function<bool()>& stop = {}, const std::function<void(const StepProgress&)>& progress = {});

    // Continue from a frame of the past (resume, branch): state, time and `controller` (not "", see Frame) as of that frame,
    // then those of `commands` that were given at that frame (step == frame.step), so that the next step has the bits it had.
    // Earlier ones are in `controller` already, later ones are ignored. Throws InputError if frame or text do not fit the
    // scene; the simulation is then unchanged.
    struct LoggedCommand {
        int step = 0;  // applied before the step after this one
        Command command;
    };
    void restore(const Frame& frame, const std::string& controller, const std::vector<LoggedCommand>& commands);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace plica
