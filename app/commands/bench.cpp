// plica bench: what a step and a Newton iteration cost, split by stage.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "app/commands/commands.h"
#include "app/commands/load.h"
#include "app/commands/progress.h"
#include "app/commands/stop_signal.h"
#include "engine/core/error.h"
#include "engine/core/number_text.h"

namespace plica {

int command_bench(const BenchOptions& options) {
    using Clock = std::chrono::steady_clock;
    if (options.steps < 1) throw InputError("--steps is " + std::to_string(options.steps) + "; give 1 or more");
    if (options.from < 0) throw InputError("--from is " + std::to_string(options.from) + "; give a step, 0 or more");
    Simulation simulation(load_choice(options.scene));
    if (simulation.start_error()) {
        std::fprintf(stderr, "plica: %s: %s\n", options.scene.source.c_str(), error_text(*simulation.start_error(), simulation.model()).c_str());
        return status_bad_input;
    }
    watch_stop_signals();
    StageSeconds seconds;
    long iterations = 0, active = 0;
    int most_active = 0, halved = 0, intersecting = 0;
    std::vector<double> step_ms;
    double wall = 0;
    {
        const double dt = simulation.settings().dt;
        Progress progress(0, (options.from + options.steps) * dt, simulation.model().particle_count(), options.json);
        while (simulation.frame()->step < options.from + options.steps && stop_requests() == 0) {
            const bool counted = simulation.frame()->step >= options.from;
            progress.step_begins(simulation.frame()->step + 1, simulation.settings().tolerance);
            const auto start = Clock::now();
            const StepOutcome outcome = simulation.step({}, [&](const StepProgress& p) { progress.iteration(p); });
            const double took = std::chrono::duration<double>(Clock::now() - start).count();
            if (outcome.error) {
                progress.finish();
                std::fprintf(stderr, "plica: step %d failed: %s\n", simulation.frame()->step + 1, error_text(*outcome.error, simulation.model()).c_str());
                return status_failed;
            }
            progress.step_ends(*outcome.frame);
            if (!counted) continue;
            const StepReport& report = outcome.frame->report;
            wall += took;
            step_ms.push_back(took * 1e3);
            seconds += report.seconds;
            iterations += report.iterations;
            active += report.active_contacts;
            most_active = std::max(most_active, report.active_contacts);
            halved += report.halvings > 0;
            intersecting += report.intersecting_pairs > 0;
        }
    }
    const int steps = int(step_ms.size());
    if (steps == 0) {
        std::fprintf(stderr, "plica: stopped before the first counted step\n");
        return status_failed;
    }
    std::sort(step_ms.begin(), step_ms.end());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double per_iteration = iterations > 0 ? wall * 1e3 / double(iterations) : 0;
    const std::vector<std::pair<const char*, double>> stages{{"start_check", seconds.start_check}, {"candidates", seconds.candidates},
                                                             {"assembly", seconds.assembly},       {"factorization", seconds.factorization},
                                                             {"cap", seconds.cap},                 {"line_search", seconds.line_search}};
    double told = 0;
    for (const auto& [name, s] : stages) told += s;
    if (options.json) {
        nlohmann::ordered_json json;
        json["scene"] = simulation.scene().name;
        json["steps"] = steps;
        json["from"] = options.from;
        json["threads"] = simulation.settings().threads;
        json["ms_per_iteration"] = per_iteration;
        json["iterations_per_step"] = double(iterations) / steps;
        json["ms_per_step"] = wall * 1e3 / steps;
        json["median_ms_per_step"] = step_ms[step_ms.size() / 2];
        json["slowest_ms_per_step"] = step_ms.back();
        for (const auto& [name, s] : stages) json["stages"][name] = s * 1e3 / steps;
        json["stages"]["other"] = std::max(0.0, wall - told) * 1e3 / steps;
        json["factorization_share"] = wall > 0 ? seconds.factorization / wall : 0;
        json["mean_active_contacts"] = double(active) / steps;
        json["most_active_contacts"] = most_active;
        json["halved_steps"] = halved;
        json["intersecting_frames"] = intersecting;
        json["simulated_seconds_per_second"] = simulation.settings().dt * steps / wall;
        json["peak_rss_mb"] = double(usage.ru_maxrss) / 1024;
        std::printf("%s\n", json.dump(2).c_str());
        return status_done;
    }
    std::printf("%s, steps %d to %d, %d threads\n", simulation.scene().name.c_str(), options.from + 1, options.from + steps, simulation.settings().threads);
    std::printf("%s ms a step (median %s, slowest %s), %s iterations a step, %s ms an iteration\n", digits_text(wall * 1e3 / steps, 4).c_str(),
                digits_text(step_ms[step_ms.size() / 2], 4).c_str(), digits_text(step_ms.back(), 4).c_str(),
                digits_text(double(iterations) / steps, 3).c_str(), digits_text(per_iteration, 3).c_str());
    const auto row = [&](const char* name, double s) {
        std::printf("  %-14s %8s ms a step  %5s %%\n", name, fixed_text(s * 1e3 / steps, 3).c_str(), fixed_text(100 * s / wall, 1).c_str());
    };
    for (const auto& [name, s] : stages) row(name, s);
    row("other", std::max(0.0, wall - told));
    std::printf("%s active contacts on average, %d at most; %d steps halved; %s simulated seconds per second; peak memory %s MB\n",
                digits_text(double(active) / steps, 4).c_str(), most_active, halved, digits_text(simulation.settings().dt * steps / wall, 3).c_str(),
                digits_text(double(usage.ru_maxrss) / 1024, 4).c_str());
    return status_done;
}

}  // namespace plica
