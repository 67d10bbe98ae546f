#include "app/studio/export_job.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/number_text.h"
#include "app/scene_picture.h"
#include "engine/core/error.h"
#include "render/export.h"
#include "render/render_error.h"

namespace plica {

namespace fs = std::filesystem;

struct ExportJobs::Job {
    int id = 0;
    std::string title;
    std::atomic<bool> cancel{false}, done{false}, failed{false};
    std::atomic<double> fraction{0};
    std::mutex mutex;  // guards message
    std::string message;
    std::jthread thread;
};

namespace {

struct Cancelled {};

// The frame whose time is nearest to that of an output picture.
int frame_at(const std::vector<double>& times, double t) {
    const auto it = std::lower_bound(times.begin(), times.end(), t);
    if (it == times.end()) return int(times.size()) - 1;
    const int i = int(it - times.begin());
    return i > 0 && t - times[std::size_t(i - 1)] <= times[std::size_t(i)] - t ? i - 1 : i;
}

struct FrameRange {
    int first, last;
};
FrameRange range_of(const std::vector<double>& times, const ExportDialog& what) {
    const int first = frame_at(times, what.from), last = frame_at(times, what.to > what.from ? what.to : times.back());
    return {std::clamp(first, 0, int(times.size()) - 1), std::clamp(last, first, int(times.size()) - 1)};
}

// The written file appears under its name only when it is whole.
template <class F>
void write_whole(const fs::path& path, F&& write) {
    const fs::path part = fs::path(path).concat(".part");
    {
        std::ofstream out(part, std::ios::binary | std::ios::trunc);
        if (!out) throw InputError(path.string(), 0, "cannot be written: is the folder there and writable?");
        try {
            write(out);
        } catch (...) {
            out.close();
            std::error_code ec;
            fs::remove(part, ec);
            throw;
        }
        out.flush();
        if (!out) {
            std::error_code ec;
            out.close();
            fs::remove(part, ec);
            throw InputError(path.string(), 0, "cannot be written to the end: is the disk full?");
        }
    }
    std::error_code ec;
    fs::rename(part, path, ec);
    if (ec) throw InputError(path.string(), 0, "cannot be written: " + ec.message());
}

std::string full_number(double value) { return std::isnan(value) ? "nan" : format_number(value, 17); }

void write_table(const ExportSource& source, const ExportDialog& what, const std::function<void(double)>& tick) {
    write_whole(what.path, [&](std::ofstream& out) {
        out << "frame,time_s";
        for (const GaugeSpec& spec : source.specs)
            out << ',' << spec.name << (spec.unit.empty() || spec.unit == "1" ? "" : "_" + spec.unit);
        out << '\n';
        const FrameRange range = range_of(source.times, what);
        for (int i = range.first; i <= range.last; i += what.every) {
            out << i << ',' << full_number(source.times[std::size_t(i)]);
            for (const auto& column : source.gauges) out << ',' << full_number(column[std::size_t(i)]);
            out << '\n';
            tick(double(i - range.first) / std::max(1, range.last - range.first));
        }
    });
}

void write_obj(std::ofstream& out, const ExportSource& s, const Frame& frame) {
    for (int v = 0; v < s.film_vertices; ++v) {
        const Vec3f& x = frame.state.x[std::size_t(v)];
        out << "v " << format_number(x.x, 9) << ' ' << format_number(x.y, 9) << ' ' << format_number(x.z, 9) << '\n';
    }
    for (int t = 0; t < s.film_triangles; ++t) {
        const Int3& tri = s.triangles[std::size_t(t)];
        out << "f " << tri.a + 1 << ' ' << tri.b + 1 << ' ' << tri.c + 1 << '\n';
    }
}

void write_ply(std::ofstream& out, const ExportSource& s, const Frame& frame) {
    out << "ply\nformat binary_little_endian 1.0\ncomment time " << format_number(frame.time, 17)
        << " s, metres\nelement vertex " << s.film_vertices
        << "\nproperty float x\nproperty float y\nproperty float z\nelement face " << s.film_triangles
        << "\nproperty list uchar int vertex_indices\nend_header\n";
    out.write(reinterpret_cast<const char*>(frame.state.x.data()), std::streamsize(sizeof(Vec3f)) * s.film_vertices);
    for (int t = 0; t < s.film_triangles; ++t) {
        const Int3& tri = s.triangles[std::size_t(t)];
        out.put(3);
        out.write(reinterpret_cast<const char*>(&tri), sizeof tri);
    }
}

// POINTCACHE2: 12 bytes of name, version 1, vertices, start frame, sample rate, samples, then the positions.
void write_pc2(const ExportSource& s, const ExportDialog& what, const std::function<void(double)>& tick) {
    const FrameRange range = range_of(s.times, what);
    write_whole(what.path, [&](std::ofstream& out) {
        const auto number = [&](auto value) { out.write(reinterpret_cast<const char*>(&value), sizeof value); };
        out.write("POINTCACHE2\0", 12);
        number(std::int32_t(1));
        number(std::int32_t(s.film_vertices));
        number(0.0f);
        number(float(what.every));
        number(std::int32_t((range.last - range.first) / what.every + 1));
        for (int i = range.first; i <= range.last; i += what.every) {
            const FramePtr frame = s.frames.frame(i);
            out.write(reinterpret_cast<const char*>(frame->state.x.data()), std::streamsize(sizeof(Vec3f)) * s.film_vertices);
            tick(double(i - range.first) / std::max(1, range.last - range.first));
        }
    });
    const FramePtr first = s.frames.frame(range.first);
    write_whole(fs::path(what.path).replace_extension(".obj"), [&](std::ofstream& out) { write_obj(out, s, *first); });
}

int write_meshes(const ExportSource& s, const ExportDialog& what, const std::function<void(double)>& tick) {
    if (what.mesh_format == 2) {
        write_pc2(s, what, tick);
        return 1;
    }
    std::error_code ec;
    fs::create_directories(what.path, ec);
    if (ec) throw InputError(what.path, 0, "the folder cannot be made: " + ec.message());
    const FrameRange range = range_of(s.times, what);
    int count = 0;
    std::string list = "file,frame,time_s\n";
    for (int i = range.first; i <= range.last; i += what.every, ++count) {
        char name[64];
        std::snprintf(name, sizeof name, "frame_%06d.%s", count, what.mesh_format == 0 ? "obj" : "ply");
        const FramePtr frame = s.frames.frame(i);
        write_whole(fs::path(what.path) / name, [&](std::ofstream& out) {
            if (what.mesh_format == 0)
                write_obj(out, s, *frame);
            else
                write_ply(out, s, *frame);
        });
        list += std::string(name) + "," + std::to_string(i) + "," + full_number(frame->time) + "\n";
        tick(double(i - range.first) / std::max(1, range.last - range.first));
    }
    write_whole(fs::path(what.path) / "times.csv", [&](std::ofstream& out) { out << list; });
    return count;
}

// A frame whose controllers' state is that of the one before it carries none.
std::string controller_at(const ExportSource& s, int frame) {
    for (; frame >= 0; --frame)
        if (const FramePtr f = s.frames.frame(frame); !f->controller.empty()) return f->controller;
    return {};
}

std::string render_export(const ExportSource& s, const ExportRequest& r, const std::function<void(double)>& tick) {
    const ExportDialog& what = r.what;
    const double from = what.from, to = what.to > what.from ? what.to : s.times.back();
    const int count = std::max(1, int(std::lround((to - from) / what.speed * what.fps)) + 1);
    ScenePicture picture(picture_source(s.scene, s.model.get()));
    PictureOptions options;
    options.color = ColorMode(r.color_mode);
    options.switches = s.switches;
    options.dhat = s.scene.solver.dhat;
    options.min_gap = s.scene.solver.min_gap;
    const FrameSource source = [&](int k) {
        const double t = from + k * what.speed / what.fps;
        const FramePtr frame = s.frames.frame(frame_at(s.times, t));
        if (options.color == ColorMode::Memory) options.controller = controller_at(s, frame_at(s.times, t));
        picture.update(*frame, options);
        OutputFrame out;
        out.frame = &picture.frame();
        out.camera = r.camera;
        out.style = r.style;
        out.style.scale = picture.scale();
        out.caption.lines = {"t = " + fixed_reading(frame->time, 3) + " s" +
                             (what.speed == 1 ? "" : ", " + format_number(what.speed, 3) + " × speed")};
        out.caption.legend = options.color != ColorMode::Plain;
        return out;
    };
    const ExportWatch watch = [&](const ExportProgress& p) {
        tick(double(p.done) / std::max(1, p.total));
        return true;
    };
    if (what.kind == int(ExportKind::Video)) {
        VideoOptions video;
        video.width = what.width;
        video.height = what.height;
        video.fps = what.fps;
        export_video(what.path, video, count, source, watch);
        return std::to_string(count) + " pictures, " + format_number(double(count) / what.fps, 4) + " s";
    }
    export_pictures(what.path, what.width, what.height, count, source, watch);
    return std::to_string(count) + " pictures";
}

}  // namespace

std::string check_export(const ExportDialog& what) {
    if (what.path.empty()) return "Give a file name.";
    const bool drawn = what.kind == int(ExportKind::Video) || what.kind == int(ExportKind::Pictures);
    if (drawn) {
        if (const std::string why = check_picture_size(what.width, what.height, 0, what.kind == int(ExportKind::Video));
            !why.empty())
            return why;
        if (what.fps < 1 || what.fps > 240) return "Pictures per second: allowed is 1 to 240.";
        if (!(what.speed >= 1.0 / 1024 && what.speed <= 1024)) return "Speed: allowed is 1/1024 to 1024.";
    }
    if (what.kind == int(ExportKind::Video))
        if (const std::string why = video_problem(); !why.empty()) return why;
    if (what.every < 1) return "Every n-th frame: n is at least 1.";
    const fs::path folder = fs::absolute(fs::path(what.path)).parent_path();
    std::error_code ec;
    if (!fs::is_directory(folder, ec)) return "There is no folder \"" + folder.string() + "\".";
    return {};
}

ExportJobs::ExportJobs(std::function<void()> wake) : wake_(std::move(wake)) {}

ExportJobs::~ExportJobs() {
    for (auto& job : jobs_) job->cancel = true;
}

void ExportJobs::launch(std::string title, std::function<std::string(Job&)> work) {
    auto job = std::make_unique<Job>();
    job->id = next_++;
    job->title = std::move(title);
    Job* j = job.get();
    j->thread = std::jthread([j, work = std::move(work), wake = wake_] {
        std::string message;
        try {
            message = work(*j);
        } catch (const Cancelled&) {
            message = "cancelled, nothing is left behind";
        } catch (const std::exception& e) {
            message = e.what();
            j->failed = true;
        }
        {
            std::lock_guard lock(j->mutex);
            j->message = message;
        }
        j->done = true;
        wake();
    });
    jobs_.push_back(std::move(job));
}

void ExportJobs::start(ExportSource source, ExportRequest request) {
    const std::string title = std::string(export_kind_names[std::clamp(request.what.kind, 0, 3)]) + ": " +
                              fs::path(request.what.path).filename().string();
    auto wake = wake_;
    launch(title, [source = std::move(source), request = std::move(request), wake](Job& job) -> std::string {
        double told = -1;
        const auto tick = [&](double fraction) {
            if (job.cancel) throw Cancelled{};
            job.fraction = fraction;
            if (fraction - told > 0.01) {
                told = fraction;
                wake();
            }
        };
        const std::string& path = request.what.path;
        switch (ExportKind(request.what.kind)) {
            case ExportKind::Table: write_table(source, request.what, tick); return "written to " + path;
            case ExportKind::Meshes: {
                const int count = write_meshes(source, request.what, tick);
                return (request.what.mesh_format == 2 ? std::string("written to ") : std::to_string(count) + " meshes in ") +
                       path;
            }
            default: return render_export(source, request, tick) + ", written to " + path;
        }
    });
}

void ExportJobs::save(PastFrames frames, Scene scene, std::string path) {
    auto wake = wake_;
    launch("Recording: " + fs::path(path).filename().string(),
           [frames = std::move(frames), scene = std::move(scene), path = std::move(path), wake](Job& job) -> std::string {
               const fs::path part = fs::path(path).concat(".part.h5");
               std::error_code ec;
               try {
                   const Simulation start(scene);
                   auto sink = open_recording_sink(part.string(), start, frames);
                   if (job.cancel) throw Cancelled{};
                   sink->close();
               } catch (...) {
                   fs::remove(part, ec);
                   throw;
               }
               fs::rename(part, path, ec);
               if (ec) throw InputError(path, 0, "cannot be written: " + ec.message());
               return std::to_string(frames.count()) + " frames, saved to " + path;
           });
}

void ExportJobs::start(std::string title, std::function<std::string()> work) {
    launch(std::move(title), [work = std::move(work)](Job&) { return work(); });
}

void ExportJobs::cancel_or_close(int id) {
    for (auto it = jobs_.begin(); it != jobs_.end(); ++it) {
        if ((*it)->id != id) continue;
        if ((*it)->done)
            jobs_.erase(it);
        else
            (*it)->cancel = true;
        return;
    }
}

std::vector<JobProgress> ExportJobs::progress() const {
    std::vector<JobProgress> out;
    for (const auto& job : jobs_) {
        JobProgress p;
        p.job = job->id;
        p.title = job->title;
        p.fraction = job->fraction;
        p.done = job->done;
        p.failed = job->failed;
        if (p.done) {
            std::lock_guard lock(job->mutex);
            p.message = job->message;
        }
        out.push_back(std::move(p));
    }
    return out;
}

int ExportJobs::running() const {
    return int(std::count_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return !job->done; }));
}

}  // namespace plica
