// plica export: a recording as video, pictures, meshes, table or arrays.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <unistd.h>

#include "app/commands/commands.h"
#include "app/commands/mesh_export.h"
#include "app/commands/progress.h"
#include "app/commands/stop_signal.h"
#include "app/commands/table_export.h"
#include "app/export_pictures.h"
#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/scene/setting_table.h"

namespace plica {
namespace {

// The frames of [from, to], every n-th.
std::vector<int> chosen_frames(const RecordingReader& recording, const ExportOptions& options) {
    const double first = recording.time(0), last = recording.time(recording.frame_count() - 1);
    const double from = options.from.value_or(first), to = options.to.value_or(last);
    if (options.every < 1) throw InputError("--every is " + std::to_string(options.every) + "; give 1 or more");
    if (options.from && options.to && !(from <= to))
        throw InputError("--from " + number_text(from) + " is after --to " + number_text(to));
    std::vector<int> frames;
    for (int i = 0; i < recording.frame_count(); ++i)
        if (recording.time(i) >= from - 1e-9 && recording.time(i) <= to + 1e-9) frames.push_back(i);
    if (frames.empty())
        throw InputError("no frame lies from " + number_text(from) + " to " + number_text(to) + " s; the recording goes from " +
                         number_text(first) + " to " + number_text(last) + " s");
    std::vector<int> thinned;
    for (std::size_t k = 0; k < frames.size(); k += std::size_t(options.every)) thinned.push_back(frames[k]);
    return thinned;
}

void say_written(const ExportOptions& options, const std::string& what) {
    if (!options.quiet) std::fprintf(stderr, "wrote %s\n", what.c_str());
}

// Returns false when it was stopped.
bool pictures(const RecordingReader& recording, const ExportOptions& options) {
    ExportPictureOptions pictures;
    pictures.video_path = options.video;
    pictures.frames_folder = options.frames;
    pictures.width = options.width;
    pictures.height = options.height;
    pictures.fps = options.fps;
    pictures.speed = options.speed;
    pictures.from = options.from;
    pictures.to = options.to;
    pictures.every = options.every;
    pictures.show_clock = !options.no_clock;
    pictures.gauges = options.gauges;
    for (int mode = 0; mode < color_mode_count; ++mode)
        if (options.color == color_mode_names[mode]) pictures.color = ColorMode(mode);
    if (options.white || options.transparent) pictures.style.theme = ThemeKind::Print;
    if (options.transparent) pictures.style.clear_background = true;
    const std::string note = export_note(pictures);
    if (!note.empty()) std::fprintf(stderr, "note: %s\n", note.c_str());
    const bool terminal = isatty(STDERR_FILENO) == 1;
    watch_stop_signals();
    auto last = std::chrono::steady_clock::now();
    const bool whole = export_recording(recording, pictures, [&](const ExportProgress& p) {
        const auto now = std::chrono::steady_clock::now();
        const double since = std::chrono::duration<double>(now - last).count();
        if (!options.quiet && (since > (terminal ? 0.2 : 10.0) || (terminal && p.done == p.total))) {
            last = now;
            std::fprintf(stderr, terminal ? "\r\033[K%3d%%  picture %d of %d, ETA %s" : "%3d%%  picture %d of %d, ETA %s\n",
                         p.total ? 100 * p.done / p.total : 100, p.done, p.total, duration_text(p.remaining).c_str());
            if (terminal && p.done == p.total) std::fprintf(stderr, "\n");
            std::fflush(stderr);
        }
        return stop_requests() == 0;
    });
    unwatch_stop_signals();
    return whole;
}

}  // namespace

int command_export(const ExportOptions& options) {
    if (options.video.empty() && options.frames.empty() && options.mesh.empty() && options.csv.empty() && options.npz.empty())
        throw InputError(
            "nothing to export is named; give --video out.mp4, --frames FOLDER, --mesh obj|ply|pc2, --csv FILE or --npz FILE");
    if (!options.output.empty() && options.mesh.empty())
        throw InputError("-o names the output of --mesh; the other exports take their file themselves");
    const RecordingReader recording(options.file);
    if (!recording.note().empty()) std::fprintf(stderr, "note: %s %s\n", options.file.c_str(), recording.note().c_str());
    const std::vector<int> frames = chosen_frames(recording, options);
    const std::string stem = std::filesystem::path(options.file).stem().string();

    if (!options.csv.empty()) {
        export_csv(recording, frames, options.csv);
        say_written(options, options.csv + ", " + std::to_string(frames.size()) + " rows");
    }
    if (!options.npz.empty()) {
        export_npz(recording, frames, options.npz);
        say_written(options, options.npz + ", " + std::to_string(frames.size()) + " frames");
    }
    if (options.mesh == "pc2") {
        const std::string path = options.output.empty() ? stem + ".pc2" : options.output;
        export_point_cache(recording, frames, path);
        say_written(options, path + ", " + std::to_string(frames.size()) + " samples, with .obj and .times.csv beside it");
    } else if (!options.mesh.empty()) {
        const std::string folder = options.output.empty() ? stem + "_" + options.mesh : options.output;
        export_mesh_sequence(recording, frames, folder, options.mesh);
        say_written(options, folder + "/, " + std::to_string(frames.size()) + " meshes with times.csv");
    }
    // One after the other: the picture functions do either.
    for (const bool video : {true, false}) {
        ExportOptions one = options;
        (video ? one.frames : one.video).clear();
        if (one.video.empty() && one.frames.empty()) continue;
        if (!pictures(recording, one)) {
            std::fprintf(stderr, "stopped as asked; %s\n",
                         video ? "no video was left" : "the pictures written so far are kept");
            return status_failed;
        }
        say_written(options, video ? one.video : one.frames + "/");
    }
    return status_done;
}

}  // namespace plica
