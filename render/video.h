// H.264 MP4 through the ffmpeg program: raw pictures go into a pipe, so that nothing of its licence or its crashes is ours.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "render/image.h"

namespace plica {

inline constexpr int min_video_side_px = 16;
inline constexpr int max_video_width_px = 7680, max_video_height_px = 4320;

// "" or what is wrong with the size, with the limits; gl_limit 0: not known.
std::string check_picture_size(int width, int height, int gl_limit = 0, bool video = true);

struct VideoOptions {
    int width = 1280, height = 720;   // px; an odd side is padded to even with the background, never scaled
    int fps = 60;                     // 24, 25, 30 or 60 are usual; 1..240 work
    int crf = 18;                     // quality: smaller is better and larger
    std::string preset = "veryfast";  // x264: time against size
    std::uint8_t padding[3] = {0, 0, 0};
    std::string program = "ffmpeg";  // name in the path, or a path
};

// "" or why videos cannot be made here: ffmpeg missing or without H.264; what to install, and that pictures still work.
std::string video_problem(const std::string& program = "ffmpeg");
// What is to be said before starting, or "": "1279 x 719 becomes 1280 x 720: H.264 needs even sides; one black column and row".
std::string video_size_note(int width, int height);

class VideoWriter {
public:
    // Starts ffmpeg on a temporary name beside `path`. Throws RenderError.
    VideoWriter(const std::string& path, const VideoOptions& options);
    ~VideoWriter();  // without finish(): ends ffmpeg and removes the temporary file
    VideoWriter(const VideoWriter&) = delete;
    VideoWriter& operator=(const VideoWriter&) = delete;

    void add(const Image& image);  // width x height of the options; throws RenderError with ffmpeg's own words
    void finish();                 // waits for ffmpeg, checks its status and the file, renames it to `path`
    int frames() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace plica
