#include "render/video.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "render/render_error.h"
#include "render/run_program.h"

namespace plica {
namespace {

std::string size_text(int width, int height) { return std::to_string(width) + " x " + std::to_string(height); }

// The last lines of what ffmpeg said: there is the reason.
std::string last_words(const std::string& said) {
    std::vector<std::string> lines;
    std::string line;
    for (const char c : said + "\n") {
        if (c == '\n' || c == '\r') {
            if (!line.empty()) lines.push_back(line);
            line.clear();
        } else {
            line += c;
        }
    }
    std::string text;
    for (std::size_t i = lines.size() > 3 ? lines.size() - 3 : 0; i < lines.size(); ++i)
        text += (text.empty() ? "" : "; ") + lines[i];
    return text.empty() ? "it says nothing" : text;
}

constexpr const char* instead = "PNG pictures can be written without it (--frames DIR)";

}  // namespace

std::string check_picture_size(int width, int height, int gl_limit, bool video) {
    const int low = video ? min_video_side_px : 1;
    const int high_w = gl_limit > 0 ? std::min(gl_limit, max_video_width_px) : max_video_width_px;
    const int high_h = gl_limit > 0 ? std::min(gl_limit, max_video_height_px) : max_video_height_px;
    if (width >= low && height >= low && width <= high_w && height <= high_h) return {};
    return std::string(video ? "video" : "picture") + " size " + size_text(width, height) + " is out of range; allowed are " +
           size_text(low, low) + " to " + size_text(high_w, high_h) + " pixels";
}

std::string video_size_note(int width, int height) {
    const bool odd_w = width % 2 != 0, odd_h = height % 2 != 0;
    if (!odd_w && !odd_h) return {};
    const std::string added = odd_w && odd_h ? "one column and one row" : odd_w ? "one column" : "one row";
    return "The video becomes " + size_text(width + odd_w, height + odd_h) + " instead of " + size_text(width, height) +
           ": H.264 needs even sides, so " + added + " in the background's colour is added; the picture is not scaled";
}

std::string video_problem(const std::string& program) {
    static std::mutex mutex;
    static std::map<std::string, std::string> known;
    const std::lock_guard lock(mutex);
    const auto found = known.find(program);
    if (found != known.end() && found->second.empty()) return {};  // a missing program may be installed meanwhile: ask again
    std::string problem;
    try {
        ChildProcess child = start_program({program, "-hide_banner", "-loglevel", "error", "-h", "encoder=libx264"});
        std::string said;
        const int status = wait_for(child, said);
        if (status != 0 || said.find("libx264") == std::string::npos || said.find("not recognized") != std::string::npos)
            problem = "The program " + program + " cannot encode H.264 (libx264): " + last_words(said) + ". " + instead;
    } catch (const RenderError& error) {
        problem = std::string("Videos need the program ffmpeg: ") + error.what() + ". Install the package ffmpeg; " + instead;
    }
    known[program] = problem;
    return problem;
}

struct VideoWriter::Impl {
    VideoOptions options;
    std::string path, part;
    ChildProcess child;
    std::string said;
    std::vector<std::uint8_t> padded;
    int width = 0, height = 0;  // even
    int frames = 0;

    void abandon() {
        stop_program(child);
        if (!part.empty()) ::unlink(part.c_str());
        part.clear();
    }
    [[noreturn]] void fail(const std::string& why) {
        abandon();
        throw RenderError(path + ": the video could not be written: " + why);
    }
};

VideoWriter::VideoWriter(const std::string& path, const VideoOptions& options) : impl_(std::make_unique<Impl>()) {
    Impl& m = *impl_;
    m.options = options;
    m.path = path;
    if (const std::string wrong = check_picture_size(options.width, options.height); !wrong.empty()) throw RenderError(wrong);
    if (options.fps < 1 || options.fps > 240)
        throw RenderError(std::to_string(options.fps) + " frames per second cannot be written; take 24, 25, 30 or 60");
    if (const std::string problem = video_problem(options.program); !problem.empty()) throw RenderError(problem);
    m.width = options.width + options.width % 2;
    m.height = options.height + options.height % 2;

    // The folder is tried first, so that the message is the system's and not ffmpeg's.
    m.part = path + ".part" + std::to_string(::getpid()) + ".mp4";
    if (std::FILE* file = std::fopen(m.part.c_str(), "wb"))
        std::fclose(file);
    else {
        const std::string why = std::strerror(errno);
        m.part.clear();
        m.fail(why);
    }
    // A path that begins with "-" or holds ":" would be taken for something else.
    const std::string output = "file:" + m.part;
    m.child = start_program({options.program,
                             "-hide_banner",
                             "-loglevel",
                             "error",
                             "-nostdin",
                             "-y",  //
                             "-f",
                             "rawvideo",
                             "-pixel_format",
                             "rgb24",
                             "-video_size",  //
                             std::to_string(m.width) + "x" + std::to_string(m.height),
                             "-framerate",
                             std::to_string(options.fps),
                             "-i",
                             "pipe:0",
                             "-vf",
                             "scale=in_range=full:out_range=tv:out_color_matrix=bt709,format=yuv420p",  //
                             "-c:v",
                             "libx264",
                             "-preset",
                             options.preset,
                             "-crf",
                             std::to_string(options.crf),  //
                             "-pix_fmt",
                             "yuv420p",
                             "-colorspace",
                             "bt709",
                             "-color_primaries",
                             "bt709",
                             "-color_trc",
                             "bt709",  //
                             "-color_range",
                             "tv",
                             "-movflags",
                             "+faststart",
                             "-f",
                             "mp4",
                             output});
}

VideoWriter::~VideoWriter() { impl_->abandon(); }

void VideoWriter::add(const Image& image) {
    Impl& m = *impl_;
    if (m.child.pid < 0) throw RenderError(m.path + ": the video has already ended");
    if (image.width != m.options.width || image.height != m.options.height)
        m.fail("a picture of " + size_text(image.width, image.height) + " was given for " +
               size_text(m.options.width, m.options.height));
    m.padded.resize(3 * std::size_t(m.width) * std::size_t(m.height));
    std::uint8_t* to = m.padded.data();
    for (int y = 0; y < m.height; ++y) {
        for (int x = 0; x < m.width; ++x, to += 3) {
            const std::uint8_t* from = x < image.width && y < image.height ? image.at(x, y) : m.options.padding;
            to[0] = from[0], to[1] = from[1], to[2] = from[2];
        }
    }
    if (!write_all(m.child, m.padded.data(), m.padded.size(), m.said)) {
        const int status = wait_for(m.child, m.said);
        m.fail("ffmpeg stopped at picture " + std::to_string(m.frames) + " with status " + std::to_string(status) + ": " +
               last_words(m.said));
    }
    ++m.frames;
}

void VideoWriter::finish() {
    Impl& m = *impl_;
    if (m.child.pid < 0) return;
    if (m.frames == 0) m.fail("there is no picture in it");
    const int status = wait_for(m.child, m.said);
    if (status != 0) m.fail("ffmpeg ended with status " + std::to_string(status) + ": " + last_words(m.said));
    struct stat info {};
    if (::stat(m.part.c_str(), &info) != 0 || info.st_size == 0) m.fail("ffmpeg left no file: " + last_words(m.said));
    if (std::rename(m.part.c_str(), m.path.c_str()) != 0) m.fail(std::strerror(errno));
    m.part.clear();
}

int VideoWriter::frames() const { return impl_->frames; }

}  // namespace plica
