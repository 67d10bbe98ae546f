#include "app/commands/run_loop.h"

#include <chrono>
#include <cmath>
#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/load.h"
#include "app/commands/progress.h"
#include "app/commands/stop_signal.h"
#include "engine/core/number_text.h"

namespace plica {
namespace {

std::size_t text_width(const std::string& text) {
    std::size_t width = 0;
    for (const char c : text) width += (c & 0xC0) != 0x80;
    return width;
}
std::string padded(const std::string& text, std::size_t width) {
    const std::size_t own = text_width(text);
    return own < width ? text + std::string(width - own, ' ') : text;
}

// Steps and wall time spent in each phase of the scene.
class PhaseClock {
public:
    explicit PhaseClock(const std::vector<Phase>& phases) : phases_(phases), spent_(phases.size()) {}

    void step(double time, double seconds) {
        for (std::size_t i = 0; i < phases_.size(); ++i) {
            if (!(time > phases_[i].from + 1e-9 && time <= phases_[i].until + 1e-9)) continue;
            ++spent_[i].steps;
            spent_[i].seconds += seconds;
            return;
        }
    }
    std::string table() const {
        std::string text;
        for (std::size_t i = 0; i < phases_.size(); ++i) {
            if (spent_[i].steps == 0) continue;
            if (text.empty()) text = "phase                     simulated     steps    wall time\n";
            text += padded(phases_[i].name, 25) + " " +
                    padded(fixed_text(phases_[i].from, 2) + "–" + fixed_text(phases_[i].until, 2) + " s", 13) + " " +
                    padded(std::to_string(spent_[i].steps), 8) + " " + duration_text(spent_[i].seconds) + "\n";
        }
        return text;
    }

private:
    struct Spent {
        int steps = 0;
        double seconds = 0;
    };
    const std::vector<Phase>& phases_;
    std::vector<Spent> spent_;
};

struct End {
    enum class Reason { Done, Asked, StepFailed, GateFailed, DiskFull } reason = Reason::Done;
    std::string message;
};

}  // namespace

std::string verdict_table(const std::vector<Check>& checks) {
    std::string text = "check                     value         limit\n";
    for (const Check& c : checks) {
        const std::string value = std::isnan(c.value) ? "–" : c.unit == "m" ? length_text(c.value) : digits_text(c.value, 6);
        text += padded(c.check, 25) + " " + padded(value, 13) + " " +
                padded(c.limit + (c.unit.empty() || c.limit == "reported" ? "" : " " + c.unit), 18) + " " +
                (c.pass ? "passed" : "FAILED") + (c.detail.empty() ? "" : "  " + c.detail) + "\n";
    }
    return text;
}

int run_and_record(Simulation& simulation, RecordingWriter& recording, Verdict& verdict, const RunPlan& plan) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point began = Clock::now();
    const int first_step = simulation.frame()->step;
    long iterations = 0;
    PhaseClock phases(simulation.scene().phases);
    Clock::time_point step_began = began;
    End end;
    watch_stop_signals();
    {
        Progress progress(simulation.frame()->time, plan.until, simulation.model().particle_count(), plan.quiet);
        bool stop_told = false;
        try {
            while (simulation.frame()->time + 1e-6 * simulation.settings().dt < plan.until) {
                const int step = simulation.frame()->step;
                if (stop_requests() > 0) {
                    end = {End::Reason::Asked, ""};
                    break;
                }
                for (const Simulation::LoggedCommand& logged : plan.commands) {
                    if (logged.step != step) continue;
                    const std::string refusal = simulation.apply(logged.command);
                    if (refusal.empty())
                        recording.append_command(step, logged.command);
                    else
                        progress.say("step " + std::to_string(step) + ": recorded change left out: " + refusal);
                }
                progress.step_begins(step + 1, simulation.settings().tolerance);
                const StepOutcome outcome = simulation.step(
                    [&] {
                        if (stop_requests() == 1 && !stop_told) {
                            stop_told = true;
                            progress.say("stopping after this step (again: at once)");
                        }
                        return stop_requests() > 1;
                    },
                    [&](const StepProgress& inside) { progress.iteration(inside); });
                if (outcome.cancelled) {
                    end = {End::Reason::Asked, ""};
                    break;
                }
                if (outcome.error) {
                    end = {End::Reason::StepFailed, error_text(*outcome.error, simulation.model())};
                    verdict.failure(step + 1, outcome.error->message);
                    break;
                }
                iterations += outcome.frame->report.iterations;
                verdict.add(*outcome.frame);
                progress.step_ends(*outcome.frame);
                recording.append(*outcome.frame);
                const Clock::time_point now = Clock::now();
                phases.step(outcome.frame->time, std::chrono::duration<double>(now - step_began).count());
                step_began = now;
                if (!outcome.gate_failure.empty()) {
                    verdict.gate(outcome.gate_failure);
                    end = {End::Reason::GateFailed, outcome.gate_failure};
                    break;
                }
            }
        } catch (const DiskFull& e) {
            end = {End::Reason::DiskFull, e.what()};
        }
    }
    // An asked-for stop is no end of the run: its verdict is that of the frames, whenever it is asked for.
    try {
        if (end.reason != End::Reason::Asked && end.reason != End::Reason::DiskFull)
            recording.set_verdict(to_json(verdict.checks()));
        recording.close();
    } catch (const DiskFull& e) {
        end = {End::Reason::DiskFull, e.what()};
    }
    unwatch_stop_signals();

    const Frame& last = *simulation.frame();
    const double wall = std::chrono::duration<double>(Clock::now() - began).count();
    const int steps = last.step - first_step;
    if (!plan.quiet || end.reason != End::Reason::Done) {
        std::printf("%s\n", verdict_table(verdict.checks()).c_str());
        if (const std::string table = phases.table(); !table.empty()) std::printf("%s\n", table.c_str());
        std::printf("%d steps to t = %s s in %s", steps, fixed_text(last.time, 4).c_str(), duration_text(wall).c_str());
        if (steps > 0)
            std::printf(" (%s steps/s, %s Newton iterations a step)", digits_text(steps / wall, 3).c_str(),
                        digits_text(double(iterations) / steps, 3).c_str());
        std::printf("; recording: %s\n", recording.path().c_str());
    }
    std::fflush(stdout);
    const std::string& file = recording.path();
    switch (end.reason) {
        case End::Reason::Done: break;
        case End::Reason::Asked:
            std::fprintf(stderr,
                         "stopped at t = %s s as asked; the recording is complete up to there: plica resume '%s' goes on\n",
                         fixed_text(last.time, 4).c_str(), file.c_str());
            return status_done;
        case End::Reason::StepFailed:
            std::fprintf(stderr, "plica: step %d failed at t = %s s: %s\nthe frames before it are in %s\n", last.step + 1,
                         fixed_text(last.time, 4).c_str(), end.message.c_str(), file.c_str());
            return status_failed;
        case End::Reason::GateFailed:
            std::fprintf(stderr, "plica: the run stopped at t = %s s: %s\n", fixed_text(last.time, 4).c_str(),
                         end.message.c_str());
            return status_failed;
        case End::Reason::DiskFull:
            std::fprintf(stderr, "plica: stopped at t = %s s: %s\nplica resume '%s' goes on once there is room\n",
                         fixed_text(last.time, 4).c_str(), end.message.c_str(), file.c_str());
            return status_failed;
    }
    return verdict.passed() ? status_done : status_failed;
}

}  // namespace plica
