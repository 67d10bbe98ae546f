// Videos and picture sequences of a recording, without a display: what `plica export FILE --video | --frames` does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/scene_picture.h"
#include "engine/recording/recording.h"
#include "render/camera.h"
#include "render/export.h"
#include "render/view_frame.h"

namespace plica {

struct ExportPictureOptions {
    std::string video_path;  // one of the two
    std::string frames_folder;
    int width = 1280, height = 720;  // px
    int fps = 60;                    // of the video; recorded frames nearest to its times are shown
    double speed = 1;                // simulated seconds per second of video
    std::optional<double> from, to;  // s, the recorded range
    int every = 1;                   // pictures: every n-th recorded frame of the range
    bool show_clock = true;
    std::vector<std::string> gauges;  // names of gauges, written below the clock
    ColorMode color = ColorMode::Plain;
    std::optional<Camera> camera;      // default: all of the range is seen, obliquely
    std::optional<StandardView> view;  // of the default camera
    ViewStyle style = export_style();

    static ViewStyle export_style();  // four samples
};

// The pictures that `options` ask for, as recorded frame numbers. Throws InputError (range without frames, speed, fps, every
// …).
std::vector<int> output_frames(const RecordingReader& recording, const ExportPictureOptions& options);

// What is to be said before it starts, or "": an odd size that is padded.
std::string export_note(const ExportPictureOptions& options);

// Writes what is asked for. Throws InputError for bad options and RenderError when it cannot be drawn, encoded or written; a
// video is whole or absent. False: cancelled by `watch`.
bool export_recording(const RecordingReader& recording, const ExportPictureOptions& options, const ExportWatch& watch = {});

}  // namespace plica
