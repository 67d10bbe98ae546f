#include "render/export.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "render/gl_context.h"
#include "render/render_error.h"
#include "render/scene_view.h"

namespace plica {
namespace {

// Context, view and text painter, in the order in which they have to go.
class Studio {
public:
    Studio(int width, int height, bool video) : width_(width), height_(height) {
        if (const std::string wrong = check_picture_size(width, height, gl_info().max_size_px, video); !wrong.empty())
            throw RenderError(wrong);
    }
    void picture(const OutputFrame& output, Image& image) {
        view_.draw(*output.frame, output.camera, output.style, {width_, height_});
        view_.read(image);
        if (output.caption.lines.empty() && output.caption.title.empty() && !output.caption.legend) return;
        if (!painter_) painter_ = std::make_unique<TextPainter>();
        draw_caption(image, *painter_, output.caption, output.style.scale, theme(output.style.theme));
    }

private:
    HeadlessContext context_;
    SceneView view_;
    std::unique_ptr<TextPainter> painter_;
    int width_, height_;
};

class Clock {
public:
    ExportProgress progress(int done, int total) const {
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        return {done, total, seconds, done > 0 ? seconds / done * (total - done) : 0};
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

ExportEnd export_video(const std::string& path, const VideoOptions& options, int frame_count, const FrameSource& source,
                       const ExportWatch& watch) {
    if (const std::string wrong = check_picture_size(options.width, options.height); !wrong.empty()) throw RenderError(wrong);
    if (frame_count < 1) throw RenderError(path + ": there is no picture in the chosen range");
    Studio studio(options.width, options.height, true);
    VideoOptions padded = options;
    std::unique_ptr<VideoWriter> writer;
    const Clock clock;
    Image image;
    for (int k = 0; k < frame_count; ++k) {
        const OutputFrame output = source(k);
        if (!writer) {
            const glm::vec4 ground = theme(output.style.theme).background_bottom;
            for (int c = 0; c < 3; ++c) padded.padding[c] = std::uint8_t(std::lround(255 * ground[c]));
            writer = std::make_unique<VideoWriter>(path, padded);
        }
        studio.picture(output, image);
        writer->add(image);
        if (watch && !watch(clock.progress(k + 1, frame_count))) return ExportEnd::Cancelled;
    }
    writer->finish();
    return ExportEnd::Done;
}

ExportEnd export_pictures(const std::string& folder, int width, int height, int frame_count, const FrameSource& source,
                          const ExportWatch& watch) {
    if (const std::string wrong = check_picture_size(width, height, 0, false); !wrong.empty()) throw RenderError(wrong);
    if (frame_count < 1) throw RenderError(folder + ": there is no picture in the chosen range");
    Studio studio(width, height, false);
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw RenderError(folder + ": the folder cannot be made: " + failed.message());
    const Clock clock;
    Image image;
    for (int k = 0; k < frame_count; ++k) {
        const OutputFrame output = source(k);
        studio.picture(output, image);
        char name[32];
        std::snprintf(name, sizeof name, "/frame_%06d.png", k);
        write_png(image, folder + name, !output.style.clear_background);
        if (watch && !watch(clock.progress(k + 1, frame_count))) return ExportEnd::Cancelled;
    }
    return ExportEnd::Done;
}

Image render_picture(int width, int height, const OutputFrame& frame) {
    if (const std::string wrong = check_picture_size(width, height, 0, false); !wrong.empty()) throw RenderError(wrong);
    Studio studio(width, height, false);
    Image image;
    studio.picture(frame, image);
    return image;
}

}  // namespace plica
