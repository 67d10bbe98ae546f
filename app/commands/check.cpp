// plica check: is a scene or mesh fit to start? Are the frames of a recording free of intersections, computed anew?
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/load.h"
#include "app/commands/progress.h"
#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/recording/scene_checks.h"
#include "engine/scene/build_model.h"
#include "engine/solver/solver.h"

namespace plica {
namespace {

int check_scene(const CheckOptions& options) {
    const Simulation simulation(load_choice(options.scene));
    const Scene& scene = simulation.scene();
    validate_checks(scene);
    const Model& model = simulation.model();
    const Frame& start = *simulation.frame();
    const double gap = *std::min_element(start.report.min_gap.begin(), start.report.min_gap.end());
    std::size_t film_vertices = 0, film_triangles = 0;
    for (const Film& film : scene.films) film_vertices += film.rest.size(), film_triangles += film.triangles.size();
    const auto& error = simulation.start_error();
    if (options.json) {
        nlohmann::ordered_json json;
        json["valid"] = !error;
        json["scene"] = scene.name;
        json["film_vertices"] = film_vertices;
        json["film_triangles"] = film_triangles;
        json["spheres"] = scene.spheres.size();
        json["obstacles"] = scene.obstacles.size();
        json["intersecting_pairs"] = start.report.intersecting_pairs;
        json["minimum_gap"] = std::isfinite(gap) ? nlohmann::json(gap) : nlohmann::json(nullptr);
        json["overlaps"] = error && error->reason == StepFailure::InitialOverlap ? error->pair_count : 0;
        json["pairs"] = nlohmann::json::array();
        if (error)
            for (const ContactPair& pair : error->pairs)
                json["pairs"].push_back({{"what", describe(pair, model)},
                                         {"particles", pair.particles},
                                         {"gap", pair.gap},
                                         {"position", {pair.position.x, pair.position.y, pair.position.z}}});
        std::printf("%s\n", json.dump(2).c_str());
    } else {
        std::printf(
            "%s: %zu films with %zu vertices and %zu triangles, %zu spheres, %zu obstacles, %zu supports; duration %s s\n",
            scene.name.c_str(), scene.films.size(), film_vertices, film_triangles, scene.spheres.size(), scene.obstacles.size(),
            scene.supports.size(), digits_text(scene.duration, 6).c_str());
        if (!error)
            std::printf("valid: no overlap and no intersection at the start; smallest gap %s\n",
                        std::isfinite(gap) ? length_text(gap).c_str() : "beyond the reach of contact");
    }
    if (!error) return status_done;
    std::fflush(stdout);
    std::fprintf(stderr, "plica: %s: %s\n", options.scene.source.c_str(), error_text(*error, model).c_str());
    return status_bad_input;
}

int check_recording(const CheckOptions& options) {
    const RecordingReader recording(options.scene.source);
    if (!recording.note().empty()) std::fprintf(stderr, "note: %s %s\n", recording.path().c_str(), recording.note().c_str());
    const int threads = thread_count(options.scene.threads);
    const Scene scene = scene_of(recording, threads);
    const Solver solver(build_model(scene), threads);
    int bad_frames = 0, intersecting_frames = 0, first_bad = -1;
    long pairs = 0;
    double smallest = std::numeric_limits<double>::infinity();
    int smallest_frame = -1;
    const bool terminal = isatty(STDERR_FILENO) == 1;
    for (int i = 0; i < recording.frame_count(); ++i) {
        const FramePtr frame = recording.frame(i);
        SolverSettings settings = scene.solver;
        // min_gap may have been changed on the way.
        const auto controller = nlohmann::json::parse(frame->controller, nullptr, false);
        if (controller.is_object() && controller.contains("settings"))
            settings.min_gap = controller["settings"].value("min_gap", settings.min_gap);
        const ContactCensus census = solver.census(frame->state, settings, settings.dhat);
        for (const double gap : census.min_gap)
            if (gap < smallest) smallest = gap, smallest_frame = i;
        if (terminal && i % 25 == 0) std::fprintf(stderr, "\r\033[Kframe %d of %d", i, recording.frame_count());
        if (census.intersecting.empty() && census.overlap_count == 0) continue;
        intersecting_frames += !census.intersecting.empty();
        pairs += long(census.intersecting.size());
        if (bad_frames++ == 0) {
            first_bad = i;
            if (terminal) std::fprintf(stderr, "\r\033[K");
            std::fprintf(stderr, "step %d, t = %s s: %zu intersecting pairs of triangles, %d gaps of 0 or less\n", frame->step,
                         fixed_text(frame->time, 4).c_str(), census.intersecting.size(), census.overlap_count);
            for (const ContactPair& pair : census.overlaps)
                std::fprintf(stderr, "  %s\n", describe(pair, solver.model()).c_str());
        }
    }
    if (terminal) std::fprintf(stderr, "\r\033[K");
    if (options.json) {
        nlohmann::ordered_json json;
        json["frames"] = recording.frame_count();
        json["intersecting_frames"] = intersecting_frames;
        json["intersecting_pairs"] = pairs;
        json["bad_frames"] = bad_frames;
        json["first_bad_step"] = first_bad < 0 ? nlohmann::json(nullptr) : nlohmann::json(recording.step(first_bad));
        json["minimum_gap"] = std::isfinite(smallest) ? nlohmann::json(smallest) : nlohmann::json(nullptr);
        json["note"] = recording.note();
        std::printf("%s\n", json.dump(2).c_str());
    } else {
        std::printf(
            "%d frames, computed anew: %d with intersections, %d with intersections or gaps of 0 or less; smallest gap %s%s\n",
            recording.frame_count(), intersecting_frames, bad_frames,
            std::isfinite(smallest) ? length_text(smallest).c_str() : "beyond the reach of contact",
            smallest_frame >= 0 ? (" at step " + std::to_string(recording.step(smallest_frame))).c_str() : "");
    }
    return bad_frames == 0 ? status_done : status_failed;
}

}  // namespace

int command_check(const CheckOptions& options) {
    return source_kind(options.scene.source) == SourceKind::Recording ? check_recording(options) : check_scene(options);
}

}  // namespace plica
