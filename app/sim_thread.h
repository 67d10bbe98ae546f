// The solver on its own thread: commands go in through a queue and are applied between two steps, immutable frames and other
// events come out through a queue. Neither side ever waits for the other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "engine/simulation/command.h"
#include "engine/simulation/frame.h"
#include "engine/simulation/simulation.h"

namespace plica {

enum class RunState { Paused, Running, Stepping };

// What holds for the next step, besides positions.
struct SimSnapshot {
    SolverSettings settings;
    ContactSwitches switches;
    std::vector<Simulation::HeldPoint> pins, grips;
    int last_clean_step = -1;
};

// Everything the thread has to tell, in the order in which it happened.
struct FrameEvent {
    FramePtr frame;
    SimSnapshot now;
};
struct CommandEvent {  // a command was applied, or refused with the reason
    int step = 0;
    Command command;
    std::string refused;
    SimSnapshot now;
};
struct StepErrorEvent {
    StepError error;
    int step = 0;     // the step that failed: the last accepted one + 1
    double time = 0;  // s, of the last accepted step
};
struct GateEvent {
    std::string message;
    int step = 0;
    double time = 0;
};
struct RestoredEvent {
    int step = 0;
    std::string refused;  // not empty: the frame does not fit the scene, the simulation stayed where it was
    SimSnapshot now;
};
struct EndEvent {  // the scene's duration or the asked step was reached
    int step = 0;
    bool scene_end = false;
};
struct RecordingErrorEvent {  // writing failed and the run is paused
    std::string message;
    bool goes_on = false;  // no room: what could not be written waits, the next step tries again
};
using SimEvent =
    std::variant<FrameEvent, CommandEvent, StepErrorEvent, GateEvent, RestoredEvent, EndEvent, RecordingErrorEvent>;

// What a look from outside shows at any moment, from atomics.
struct LiveProgress {
    RunState state = RunState::Paused;
    bool in_step = false;
    int step = 0, iteration = 0, halving = 0;
    double max_dx = 0, alpha = 0;
    double seconds_in_step = 0;  // wall time since the step began
    double busy_seconds = 0;     // wall time spent in steps since the thread began
};

// Where accepted frames go besides the window. Called on the solving thread only; throws std::exception when it cannot write.
class FrameSink {
public:
    virtual ~FrameSink() = default;
    virtual void append(const Frame& frame) = 0;
    virtual void append_command(int step, const Command& command) = 0;
    virtual void close() = 0;
};

class SimThread {
public:
    // `wake` is called on the solving thread after each event. The thread starts paused.
    SimThread(Simulation simulation, std::function<void()> wake);
    ~SimThread();  // stops within the current step and closes the sink
    SimThread(const SimThread&) = delete;
    SimThread& operator=(const SimThread&) = delete;

    void run();  // until pause, error, gate or end of the scene
    void run_until(int step);
    void pause();      // after the current step
    void interrupt();  // pause, giving up the current step; the state stays at the last frame
    void step_once();

    void post(Command command);
    // Goes back to `frame`; the commands before it are given again. Gives up a step under way.
    void restore(FramePtr frame, std::string controller, std::vector<Simulation::LoggedCommand> commands);
    // `open` makes the sink on the solving thread; what it throws comes back as a RecordingErrorEvent. Empty: stop recording.
    void set_sink(std::function<std::unique_ptr<FrameSink>(const Simulation&)> open);

    std::vector<SimEvent> take_events();
    LiveProgress progress() const;
    RunState state() const { return state_.load(); }

private:
    struct RestoreTask {
        FramePtr frame;
        std::string controller;
        std::vector<Simulation::LoggedCommand> commands;
    };
    struct SinkTask {
        std::function<std::unique_ptr<FrameSink>(const Simulation&)> open;
    };
    using Task = std::variant<Command, RestoreTask, SinkTask>;

    void loop(std::stop_token stop);
    void do_task(Task& task);
    void do_step(const std::stop_token& stop);
    SimSnapshot snapshot() const;
    void emit(SimEvent event);
    template <class F>
    void with_sink(F&& write);

    Simulation simulation_;
    std::unique_ptr<FrameSink> sink_;
    std::function<void()> wake_;

    mutable std::mutex mutex_;  // guards tasks_ and events_ only, never held during a step
    std::condition_variable_any wait_;
    std::vector<Task> tasks_;
    std::vector<SimEvent> events_;

    std::atomic<RunState> state_{RunState::Paused};
    std::atomic<bool> give_up_{false};
    std::atomic<int> until_{-1};
    std::atomic<bool> in_step_{false};
    std::atomic<int> step_{0}, iteration_{0}, halving_{0};
    std::atomic<double> max_dx_{0}, alpha_{0}, step_began_{0}, busy_{0};

    std::jthread thread_;  // last: joined before the rest goes
};

}  // namespace plica
