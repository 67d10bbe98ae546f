// plica info FILE: what a recording holds and how its run is judged.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/progress.h"
#include "app/commands/run_loop.h"
#include "engine/core/number_text.h"
#include "engine/recording/disk_room.h"
#include "engine/recording/verdict.h"

namespace plica {
namespace {

// A number, or null where there is none: JSON knows no infinity.
nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

struct Sums {
    long iterations = 0, halved_steps = 0;
    double seconds = 0;
    int intersecting_frames = 0;
    double minimum_gap = 0;
};

Sums sums_of(const RecordingReader& recording) {
    Sums sums;
    Verdict verdict(recording.info().gauges);
    for (int i = 0; i < recording.frame_count(); ++i) {
        const FramePtr frame = recording.scalars(i);
        verdict.add(*frame);
        sums.iterations += frame->report.iterations;
        sums.halved_steps += frame->report.halvings > 0;
        sums.seconds += frame->report.seconds.total;
    }
    sums.intersecting_frames = verdict.intersecting_frames();
    sums.minimum_gap = verdict.minimum_gap();
    return sums;
}

// Part of the controllers' state at the last frame: "settings" or "switches".
nlohmann::json state_of(const RecordingReader& recording, const char* part) {
    const auto controller = nlohmann::json::parse(recording.controller(recording.frame_count() - 1), nullptr, false);
    return controller.is_object() && controller.contains(part) ? controller[part] : nlohmann::json::object();
}
std::string contact_mode_of(const RecordingReader& recording) {
    return state_of(recording, "switches").value("mode", contact_mode_names[0]);
}

void print_json(const RecordingReader& recording, const Sums& sums) {
    const RecordingInfo& info = recording.info();
    const int last = recording.frame_count() - 1;
    nlohmann::ordered_json json;
    json["file"] = recording.path();
    json["note"] = recording.note();
    json["frames"] = recording.frame_count();
    json["first_step"] = recording.step(0);
    json["last_step"] = recording.step(last);
    json["duration"] = recording.time(last);
    json["intersecting_frames"] = sums.intersecting_frames;
    json["minimum_gap"] = number(sums.minimum_gap);
    json["verdict"] = nlohmann::json::parse(to_json(verdict_of(recording)));
    json["finished"] = !recording.verdict().empty();
    json["scene"] = info.scene_name;
    json["scene_path"] = info.scene_path;
    json["film_vertices"] = info.film_vertex_count;
    json["film_triangles"] = info.triangles.size();
    json["spheres"] = info.sphere_count;
    json["obstacle_vertices"] = info.obstacle_positions.size();
    json["iterations"] = sums.iterations;
    json["halved_steps"] = sums.halved_steps;
    json["solver_seconds"] = sums.seconds;
    json["commands"] = nlohmann::json::array();
    for (const auto& logged : recording.commands())
        json["commands"].push_back({{"step", logged.step}, {"command", nlohmann::json::parse(logged.command.to_json())}});
    json["contact"] = contact_mode_of(recording);
    json["settings"] = state_of(recording, "settings");
    json["gauges"] = nlohmann::json::object();
    const FramePtr frame = recording.scalars(last);
    for (std::size_t g = 0; g < info.gauges.size(); ++g) json["gauges"][info.gauges[g].name] = number(frame->gauges[g]);
    json["version"] = info.version;
    json["program_version"] = info.program_version;
    json["backend"] = info.backend;
    json["threads"] = info.threads;
    json["created"] = info.created;
    std::printf("%s\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

void print_text(const RecordingReader& recording, const Sums& sums) {
    const RecordingInfo& info = recording.info();
    const int last = recording.frame_count() - 1;
    std::error_code ignored;
    std::printf("%s: %s\n", recording.path().c_str(), size_text(std::filesystem::file_size(recording.path(), ignored)).c_str());
    if (!recording.note().empty()) std::printf("note        %s\n", recording.note().c_str());
    std::printf("scene       %s%s%s\n", info.scene_name.c_str(), info.scene_path.empty() ? "" : " from ",
                info.scene_path.c_str());
    std::printf("frames      %d, step %d to %d, t = %s to %s s%s\n", last + 1, recording.step(0), recording.step(last),
                fixed_text(recording.time(0), 4).c_str(), fixed_text(recording.time(last), 4).c_str(),
                recording.verdict().empty() ? " (the run was not finished)" : "");
    std::printf("particles   %d film vertices, %zu film triangles, %d spheres, %zu obstacle vertices\n", info.film_vertex_count,
                info.triangles.size(), info.sphere_count, info.obstacle_positions.size());
    const int steps = std::max(1, last);
    std::printf("solver      %ld Newton iterations (%s a step), %ld steps halved, %s of computing\n", sums.iterations,
                digits_text(double(sums.iterations) / steps, 3).c_str(), sums.halved_steps,
                duration_text(sums.seconds).c_str());
    std::printf("written by  plica %s, %s, %d threads, %s\n", info.program_version.c_str(), info.backend.c_str(), info.threads,
                info.created.c_str());
    std::string settings;
    const nlohmann::json values = state_of(recording, "settings");
    for (const auto& [key, value] : values.items())
        settings += (settings.empty() ? "" : ", ") + key + " " +
                    (value.is_number() ? digits_text(value.get<double>(), 6) : value.dump());
    std::printf("contact     %s\n", contact_mode_of(recording).c_str());
    if (!settings.empty()) std::printf("settings    %s\n", settings.c_str());
    for (const auto& logged : recording.commands())
        std::printf("command     step %d: %s\n", logged.step, logged.command.describe().c_str());
    const FramePtr frame = recording.scalars(last);
    std::printf("\nat the end\n");
    for (std::size_t g = 0; g < info.gauges.size(); ++g)
        if (std::isfinite(frame->gauges[g]))
            std::printf("  %-32s %s %s\n", info.gauges[g].label.c_str(),
                        digits_text(frame->gauges[g] * info.gauges[g].show_scale, 5).c_str(), info.gauges[g].show_unit.c_str());
    std::printf("\n%s", verdict_table(verdict_of(recording)).c_str());
}

}  // namespace

int command_info(const InfoOptions& options) {
    if (options.system) return command_system_info(options.json);
    const RecordingReader recording(options.file);
    const Sums sums = sums_of(recording);
    if (options.json)
        print_json(recording, sums);
    else
        print_text(recording, sums);
    return status_done;
}

}  // namespace plica
