// plica view, and plica without a command: the window; without a display the bag as recording and video.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "app/commands/commands.h"
#include "app/commands/load.h"
#include "app/studio/studio.h"
#include "engine/core/error.h"

namespace plica {
namespace {

bool has_display() {
    const char* display = std::getenv("DISPLAY");
    return display && *display;
}

int open_window(const ViewOptions& options) {
    StudioOptions studio;
    // "lab" is the 1-D lab, with the bag behind it, unless a file has that name.
    studio.lab = options.source == "lab" && !std::filesystem::exists(options.source);
    if (!options.source.empty() && !studio.lab) studio.scene_or_recording = options.source;
    studio.width = options.width;
    studio.height = options.height;
    studio.start_running = options.run;
    studio.record_to = options.record_to;
    studio.threads = options.threads;
    studio.ui_log = options.ui_log;
    studio.settings_file = options.settings_file;
    for (const std::string& setting : options.settings) studio.set.push_back(split_setting(setting));
    return run_studio(studio);
}

}  // namespace

int command_view(const ViewOptions& options) {
    if (!has_display())
        throw InputError(
            "there is no display (DISPLAY is not set), so no window can be opened; `plica run`, `check`, `info` and `export` "
            "need "
            "none, and `plica export FILE --video out.mp4` makes pictures without one");
    return open_window(options);
}

int command_default(const ViewOptions& options) {
    if (has_display()) return open_window(options);
    std::fprintf(stderr, "there is no display (DISPLAY is not set): running the bag without a window, to bag.h5 and bag.mp4\n");
    RunOptions run;
    run.scene.source = "bag";
    run.scene.threads = options.threads;
    run.scene.settings = options.settings;
    run.output = "bag.h5";
    const int status = command_run(run);
    if (status == status_bad_input) return status;
    ExportOptions video;
    video.file = run.output;
    video.video = "bag.mp4";
    const int video_status = command_export(video);
    return status != status_done ? status : video_status;
}

}  // namespace plica
