// plica bench: what a step and a Newton iteration cost, split by stage.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/load.h"
#include "app/commands/progress.h"
#include "app/commands/stop_signal.h"
#include "engine/core/error.h"
#include "engine/core/number_text.h"

namespace plica {
namespace {

// What steps cost, added up.
struct Costs {
    std::string name;  // of the part
    StageSeconds seconds;
    double wall = 0;  // s
    long iterations = 0, active = 0;
    int most_active = 0, halved = 0, intersecting = 0, first = 0;
    std::vector<double> step_ms;

    void add(const StepReport& report, double took, int step) {
        if (step_ms.empty()) first = step;
        wall += took;
        step_ms.push_back(took * 1e3);
        seconds += report.seconds;
        iterations += report.iterations;
        active += report.active_contacts;
        most_active = std::max(most_active, report.active_contacts);
        halved += report.halvings > 0;
        intersecting += report.intersecting_pairs > 0;
    }
    int steps() const { return int(step_ms.size()); }
    double per_iteration() const { return iterations > 0 ? wall * 1e3 / double(iterations) : 0; }  // ms
    std::vector<std::pair<const char*, double>> stages() const {
        std::vector<std::pair<const char*, double>> list{{"start_check", seconds.start_check},
                                                         {"candidates", seconds.candidates},
                                                         {"assembly", seconds.assembly},
                                                         {"factorization", seconds.factorization},
                                                         {"cap", seconds.cap},
                                                         {"line_search", seconds.line_search}};
        double told = 0;
        for (const auto& [stage, s] : list) told += s;
        list.emplace_back("other", std::max(0.0, wall - told));
        return list;
    }

    nlohmann::ordered_json json() const {
        nlohmann::ordered_json out;
        out["steps"] = steps();
        out["from"] = first - 1;
        out["ms_per_iteration"] = per_iteration();
        out["iterations_per_step"] = double(iterations) / steps();
        out["ms_per_step"] = wall * 1e3 / steps();
        std::vector<double> sorted = step_ms;
        std::sort(sorted.begin(), sorted.end());
        out["median_ms_per_step"] = sorted[sorted.size() / 2];
        out["slowest_ms_per_step"] = sorted.back();
        for (const auto& [stage, s] : stages()) out["stages"][stage] = s * 1e3 / steps();
        out["factorization_share"] = wall > 0 ? seconds.factorization / wall : 0;
        out["mean_active_contacts"] = double(active) / steps();
        out["most_active_contacts"] = most_active;
        out["halved_steps"] = halved;
        out["intersecting_frames"] = intersecting;
        return out;
    }
};

// A line per part: steps, iterations a step, ms a step and an iteration, and ms an iteration by stage.
void print_parts(const std::vector<Costs>& parts) {
    std::size_t name_width = 4;
    for (const Costs& part : parts) name_width = std::max(name_width, part.name.size());
    std::printf("\n%-*s  steps  it/step  ms/step  ms/it ", int(name_width), "part");
    for (const auto& [stage, s] : Costs().stages()) std::printf(" %13s", stage);
    std::printf("  factorization\n");
    for (const Costs& part : parts) {
        if (part.steps() == 0) continue;
        std::printf("%-*s  %5d  %7s  %7s  %5s ", int(name_width), part.name.c_str(), part.steps(),
                    fixed_text(double(part.iterations) / part.steps(), 2).c_str(),
                    fixed_text(part.wall * 1e3 / part.steps(), 2).c_str(), fixed_text(part.per_iteration(), 2).c_str());
        for (const auto& [stage, s] : part.stages())
            std::printf(" %13s", fixed_text(s * 1e3 / double(std::max(1l, part.iterations)), 3).c_str());
        std::printf("  %11s %%\n", fixed_text(100 * part.seconds.factorization / part.wall, 1).c_str());
    }
}

}  // namespace

int command_bench(const BenchOptions& options) {
    using Clock = std::chrono::steady_clock;
    if (options.steps && *options.steps < 1)
        throw InputError("--steps is " + std::to_string(*options.steps) + "; give 1 or more");
    if (options.from < 0) throw InputError("--from is " + std::to_string(options.from) + "; give a step, 0 or more");
    Simulation simulation(load_choice(options.scene));
    if (simulation.start_error()) {
        std::fprintf(stderr, "plica: %s: %s\n", options.scene.source.c_str(),
                     error_text(*simulation.start_error(), simulation.model()).c_str());
        return status_bad_input;
    }
    watch_stop_signals();
    // Without --steps the whole scene by its phases, where it has some.
    const Scene& scene = simulation.scene();
    const double dt = simulation.settings().dt;
    const bool by_phase = !options.steps && !scene.phases.empty();
    const int last = by_phase ? int(std::lround(scene.duration / dt)) : options.from + options.steps.value_or(240);
    Costs whole;
    std::vector<Costs> parts;
    if (by_phase)
        for (const Phase& phase : scene.phases) parts.emplace_back().name = phase.name;
    {
        Progress progress(0, last * dt, simulation.model().particle_count(), options.json);
        while (simulation.frame()->step < last && stop_requests() == 0) {
            const bool counted = simulation.frame()->step >= options.from;
            progress.step_begins(simulation.frame()->step + 1, simulation.settings().tolerance);
            const auto start = Clock::now();
            const StepOutcome outcome = simulation.step({}, [&](const StepProgress& p) { progress.iteration(p); });
            const double took = std::chrono::duration<double>(Clock::now() - start).count();
            if (outcome.error) {
                progress.finish();
                std::fprintf(stderr, "plica: step %d failed: %s\n", simulation.frame()->step + 1,
                             error_text(*outcome.error, simulation.model()).c_str());
                return status_failed;
            }
            progress.step_ends(*outcome.frame);
            if (!counted) continue;
            const double middle = outcome.frame->time - 0.5 * dt;
            whole.add(outcome.frame->report, took, outcome.frame->step);
            for (std::size_t p = 0; p < parts.size(); ++p)
                if (middle >= scene.phases[p].from && middle < scene.phases[p].until)
                    parts[p].add(outcome.frame->report, took, outcome.frame->step);
        }
    }
    if (whole.steps() == 0) {
        std::fprintf(stderr, "plica: stopped before the first counted step\n");
        return status_failed;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double peak = double(usage.ru_maxrss) / 1024, speed = dt * whole.steps() / whole.wall;
    if (options.json) {
        nlohmann::ordered_json json;
        json["scene"] = scene.name;
        json["threads"] = simulation.settings().threads;
        json.update(whole.json());
        json["simulated_seconds_per_second"] = speed;
        json["peak_rss_mb"] = peak;
        for (const Costs& part : parts)
            if (part.steps() > 0) {
                json["parts"].push_back({{"name", part.name}});
                json["parts"].back().update(part.json());
            }
        std::printf("%s\n", json.dump(2).c_str());
        return status_done;
    }
    const nlohmann::ordered_json sums = whole.json();
    std::printf("%s, steps %d to %d, %d threads\n", scene.name.c_str(), whole.first, whole.first + whole.steps() - 1,
                simulation.settings().threads);
    std::printf("%s ms a step (median %s, slowest %s), %s iterations a step, %s ms an iteration\n",
                digits_text(sums["ms_per_step"], 4).c_str(), digits_text(sums["median_ms_per_step"], 4).c_str(),
                digits_text(sums["slowest_ms_per_step"], 4).c_str(), digits_text(sums["iterations_per_step"], 3).c_str(),
                digits_text(whole.per_iteration(), 3).c_str());
    for (const auto& [stage, s] : whole.stages())
        std::printf("  %-14s %8s ms a step  %5s %%\n", stage, fixed_text(s * 1e3 / whole.steps(), 3).c_str(),
                    fixed_text(100 * s / whole.wall, 1).c_str());
    std::printf(
        "%s active contacts on average, %d at most; %d steps halved; %d frames intersect; %s simulated seconds per second; "
        "peak memory %s MB\n",
        digits_text(sums["mean_active_contacts"], 4).c_str(), whole.most_active, whole.halved, whole.intersecting,
        digits_text(speed, 3).c_str(), digits_text(peak, 4).c_str());
    if (!parts.empty()) print_parts(parts);
    return status_done;
}

}  // namespace plica
