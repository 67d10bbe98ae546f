// The line on stderr while a run goes on: a bar on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "engine/simulation/simulation.h"

namespace plica {

class Progress {
public:
    // From `start` to `end` seconds of simulated time. quiet: says nothing.
    Progress(double start, double end, int particle_count, bool quiet);
    ~Progress();

    void step_begins(int step, double tolerance);
    void iteration(const StepProgress& progress);  // from the solving thread
    void step_ends(const Frame& frame);
    // A message of its own above the bar.
    void say(const std::string& text);
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    void loop(const std::stop_token& stop);
    void draw(bool last);
    std::string status(Clock::time_point now) const;
    std::string stalled(Clock::time_point now) const;

    const double start_, end_;
    const int particle_count_;
    const bool quiet_, terminal_;
    const Clock::time_point began_;

    std::mutex mutex_;
    std::condition_variable_any wake_;
    int step_ = 0, steps_done_ = 0, iterations_ = 0, last_iterations_ = 0;
    bool in_step_ = false;
    double time_, tolerance_ = 0, min_gap_, lowest_gap_;
    StepProgress inside_;
    Clock::time_point step_began_, last_line_;
    int last_percent_ = -1;
    bool bar_shown_ = false;
    std::jthread thread_;
};

// "1 h 02 min", "3 min 20 s", "12 s".
std::string duration_text(double seconds);
// "12.3 µm", "0.98 mm".
std::string length_text(double metres);

}  // namespace plica
