// Pictures and videos of a sequence of frames, off screen: one way for the command line and for the window.
#pragma once

#include <functional>
#include <string>

#include "render/camera.h"
#include "render/text.h"
#include "render/video.h"
#include "render/view_frame.h"

namespace plica {

// What the k-th picture shows. The spans inside have to stay valid until the next call.
struct OutputFrame {
    const ViewFrame* frame = nullptr;
    Camera camera;
    ViewStyle style;
    Caption caption;
};
using FrameSource = std::function<OutputFrame(int output_frame)>;

struct ExportProgress {
    int done = 0, total = 0;  // pictures
    double seconds = 0;       // since the start
    double remaining = 0;     // s, estimate
};
// Called after each picture on the exporting thread; false cancels, and nothing is left of a video.
using ExportWatch = std::function<bool(const ExportProgress&)>;

enum class ExportEnd { Done, Cancelled };

// Both make an off-screen context of their own on the calling thread (which must not have one current) and throw RenderError.
ExportEnd export_video(const std::string& path, const VideoOptions& options, int frame_count, const FrameSource& source,
                       const ExportWatch& watch = {});
// Writes `folder`/frame_000000.png …; the folder is made when missing. Pictures are whole or absent. When cancelled, those
// written so far stay.
ExportEnd export_pictures(const std::string& folder, int width, int height, int frame_count, const FrameSource& source,
                          const ExportWatch& watch = {});
// One picture with its caption.
Image render_picture(int width, int height, const OutputFrame& frame);

}  // namespace plica
