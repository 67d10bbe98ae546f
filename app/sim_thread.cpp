#include "app/sim_thread.h"

#include <chrono>
#include <exception>
#include <utility>

#include <pthread.h>

#include "engine/recording/recording.h"

namespace plica {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

SimThread::SimThread(Simulation simulation, std::function<void()> wake)
    : simulation_(std::move(simulation)), wake_(std::move(wake)) {
    step_ = simulation_.frame()->step;
    thread_ = std::jthread([this](std::stop_token stop) { loop(std::move(stop)); });
}

SimThread::~SimThread() {
    give_up_ = true;
    thread_.request_stop();
    wait_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void SimThread::run() { run_until(-1); }

void SimThread::run_until(int step) {
    {
        std::lock_guard lock(mutex_);
        until_ = step;
        give_up_ = false;
        state_ = RunState::Running;
    }
    wait_.notify_all();
}

void SimThread::pause() {
    std::lock_guard lock(mutex_);
    state_ = RunState::Paused;
}

void SimThread::interrupt() {
    std::lock_guard lock(mutex_);
    state_ = RunState::Paused;
    if (in_step_) give_up_ = true;
}

void SimThread::step_once() {
    {
        std::lock_guard lock(mutex_);
        give_up_ = false;
        state_ = RunState::Stepping;
    }
    wait_.notify_all();
}

void SimThread::post(Command command) {
    {
        std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(command));
    }
    wait_.notify_all();
}

void SimThread::restore(FramePtr frame, std::string controller, std::vector<Simulation::LoggedCommand> commands) {
    {
        std::lock_guard lock(mutex_);
        state_ = RunState::Paused;
        if (in_step_) give_up_ = true;
        tasks_.push_back(RestoreTask{std::move(frame), std::move(controller), std::move(commands)});
    }
    wait_.notify_all();
}

void SimThread::set_sink(std::function<std::unique_ptr<FrameSink>(const Simulation&)> open) {
    {
        std::lock_guard lock(mutex_);
        tasks_.push_back(SinkTask{std::move(open)});
    }
    wait_.notify_all();
}

std::vector<SimEvent> SimThread::take_events() {
    std::vector<SimEvent> out;
    std::lock_guard lock(mutex_);
    out.swap(events_);
    return out;
}

LiveProgress SimThread::progress() const {
    LiveProgress p;
    p.state = state_;
    p.in_step = in_step_;
    p.step = step_;
    p.iteration = iteration_;
    p.halving = halving_;
    p.max_dx = max_dx_;
    p.alpha = alpha_;
    p.seconds_in_step = p.in_step ? now() - step_began_ : 0;
    p.busy_seconds = busy_;
    return p;
}

SimSnapshot SimThread::snapshot() const {
    return {simulation_.settings(), simulation_.switches(), simulation_.pins(), simulation_.grips(),
            simulation_.last_clean_step()};
}

void SimThread::emit(SimEvent event) {
    {
        std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
    }
    if (wake_) wake_();
}

// A full disk pauses the run, and the sink tries again with the next step; any other failure ends the recording.
template <class F>
void SimThread::with_sink(F&& write) {
    if (!sink_) return;
    try {
        write(*sink_);
    } catch (const DiskFull& e) {
        pause();
        emit(RecordingErrorEvent{e.what(), true});
    } catch (const std::exception& e) {
        const std::string message = e.what();
        try {
            sink_->close();
        } catch (const std::exception&) {  // the first failure is the one to tell
        }
        sink_.reset();
        pause();
        emit(RecordingErrorEvent{message, false});
    }
}

void SimThread::do_task(Task& task) {
    if (auto* command = std::get_if<Command>(&task)) {
        CommandEvent event;
        event.step = simulation_.frame()->step;
        event.command = *command;
        event.refused = simulation_.apply(*command);
        event.now = snapshot();
        if (event.refused.empty()) with_sink([&](FrameSink& sink) { sink.append_command(event.step, event.command); });
        emit(std::move(event));
    } else if (auto* restore = std::get_if<RestoreTask>(&task)) {
        RestoredEvent event;
        try {
            simulation_.restore(*restore->frame, restore->controller, restore->commands);
        } catch (const std::exception& e) {
            event.refused = e.what();
        }
        event.step = step_ = simulation_.frame()->step;
        event.now = snapshot();
        emit(std::move(event));
    } else if (auto* sink = std::get_if<SinkTask>(&task)) {
        with_sink([](FrameSink& old) { old.close(); });
        sink_.reset();
        if (!sink->open) return;
        try {
            sink_ = sink->open(simulation_);
        } catch (const std::exception& e) {
            pause();
            emit(RecordingErrorEvent{e.what(), false});
        }
    }
}

void SimThread::do_step(const std::stop_token& stop) {
    const int before = simulation_.frame()->step;
    const double time_before = simulation_.frame()->time;
    step_ = before + 1;
    iteration_ = 0;
    halving_ = 0;
    max_dx_ = 0;
    alpha_ = 0;
    const double began = now();
    step_began_ = began;
    in_step_ = true;
    StepOutcome outcome = simulation_.step([&] { return stop.stop_requested() || give_up_.load(); },
                                           [&](const StepProgress& p) {
                                               iteration_ = p.iteration;
                                               halving_ = p.halving;
                                               max_dx_ = p.max_dx;
                                               alpha_ = p.alpha;
                                           });
    busy_ = busy_ + (now() - began);
    if (outcome.frame) {
        with_sink([&](FrameSink& sink) { sink.append(*outcome.frame); });
        const int step = outcome.frame->step;
        const double time = outcome.frame->time;
        emit(FrameEvent{outcome.frame, snapshot()});
        if (!outcome.gate_failure.empty()) {
            pause();
            emit(GateEvent{outcome.gate_failure, step, time});
        }
        // The run pauses when it passes the end of the scene; asked again it goes on beyond.
        const double end = simulation_.scene().duration - 0.5 * simulation_.settings().dt;
        const bool scene_end = time >= end && time_before < end;
        if (state_ == RunState::Running && (scene_end || (until_ >= 0 && step >= until_))) {
            pause();
            emit(EndEvent{step, scene_end});
        }
    } else if (outcome.error) {
        pause();
        step_ = before;
        emit(StepErrorEvent{*outcome.error, before + 1, simulation_.frame()->time});
    } else {
        step_ = before;
    }
    // Only when all has been told: who sees the pause has the last frame.
    {
        std::lock_guard lock(mutex_);
        in_step_ = false;
        give_up_ = false;
        RunState stepping = RunState::Stepping;
        state_.compare_exchange_strong(stepping, RunState::Paused);
    }
    if (wake_) wake_();
}

void SimThread::loop(std::stop_token stop) {
    pthread_setname_np(pthread_self(), "plica-solver");
    while (!stop.stop_requested()) {
        std::vector<Task> tasks;
        {
            std::unique_lock lock(mutex_);
            wait_.wait(lock, stop, [&] { return !tasks_.empty() || state_ != RunState::Paused; });
            tasks.swap(tasks_);
            // A restore asked for between two steps found no step to give up.
            if (!in_step_) give_up_ = false;
        }
        for (Task& task : tasks) do_task(task);
        if (!stop.stop_requested() && state_ != RunState::Paused) do_step(stop);
    }
    with_sink([](FrameSink& sink) { sink.close(); });
    sink_.reset();
}

}  // namespace plica
