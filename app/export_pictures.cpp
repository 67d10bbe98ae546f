#include "app/export_pictures.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/number_text.h"
#include "engine/core/error.h"
#include "engine/scene/build_model.h"
#include "engine/scene/scene_file.h"

namespace plica {
namespace {

constexpr int framing_samples = 48;  // frames looked at to find what the camera has to see

int nearest_frame(const std::vector<double>& times, double t) {
    const auto after = std::lower_bound(times.begin(), times.end(), t);
    if (after == times.end()) return int(times.size()) - 1;
    const int i = int(after - times.begin());
    return i > 0 && t - times[std::size_t(i - 1)] <= times[std::size_t(i)] - t ? i - 1 : i;
}

std::vector<double> frame_times(const RecordingReader& recording) {
    std::vector<double> times(std::size_t(recording.frame_count()));
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = recording.time(int(i));
    return times;
}

// What a recording itself knows of its surfaces. Obstacles are told apart by which vertices hang together.
PictureSource picture_source(const RecordingInfo& info) {
    PictureSource source;
    source.triangles = info.triangles;
    source.film_vertices = info.film_vertex_count;
    source.film_triangles = int(info.triangles.size());
    source.sphere_count = info.sphere_count;
    source.sphere_radius = info.sphere_radius;
    const int first_particle = info.film_vertex_count + info.sphere_count;
    const int count = int(info.obstacle_positions.size());
    std::vector<int> reach(static_cast<std::size_t>(count));  // the last vertex that hangs together with this one in a triangle
    for (int v = 0; v < count; ++v) reach[std::size_t(v)] = v;
    for (const Int3& t : info.obstacle_triangles) {
        const int low = std::min({t.a, t.b, t.c}), high = std::max({t.a, t.b, t.c});
        reach[std::size_t(low)] = std::max(reach[std::size_t(low)], high);
    }
    for (int first = 0; first < count;) {
        int last = first;
        for (int v = first; v <= last; ++v) last = std::max(last, reach[std::size_t(v)]);
        PictureSource::Part part;
        part.first = first_particle + first;
        part.count = last - first + 1;
        part.floor = true;
        for (int v = first; v <= last; ++v)
            part.floor &= info.obstacle_positions[std::size_t(v)].z == info.obstacle_positions[std::size_t(first)].z;
        for (const Int3& t : info.obstacle_triangles)
            if (t.a >= first && t.a <= last) part.triangles.push_back({t.a - first, t.b - first, t.c - first});
        for (const Int3& t : part.triangles) source.triangles.push_back({t.a + part.first, t.b + part.first, t.c + part.first});
        source.obstacles.push_back(std::move(part));
        first = last + 1;
    }
    return source;
}

std::string seconds(double t) { return format_number(t, 6) + " s"; }

const GaugeSpec* find_gauge(const RecordingInfo& info, const std::string& name, std::size_t& index) {
    for (index = 0; index < info.gauges.size(); ++index)
        if (info.gauges[index].name == name) return &info.gauges[index];
    return nullptr;
}

std::string clock_text(double time, double speed, bool video) {
    std::string s = "t = " + fixed_reading(time, 3) + " s";
    if (video && speed != 1)
        s += speed < 1 ? "  (" + format_number(1 / speed, 3) + " × slower)" : "  (" + format_number(speed, 3) + " × faster)";
    return s;
}

}  // namespace

ViewStyle ExportPictureOptions::export_style() {
    ViewStyle style;
    style.samples = 4;
    return style;
}

std::vector<int> output_frames(const RecordingReader& recording, const ExportPictureOptions& options) {
    const std::vector<double> times = frame_times(recording);
    if (times.empty()) throw InputError("The recording has no frames: there is nothing to export");
    const double from = options.from.value_or(times.front()), to = options.to.value_or(times.back());
    if (!std::isfinite(from) || !std::isfinite(to) || from > to)
        throw InputError("export range from " + seconds(from) + " to " + seconds(to) + " is empty; give from <= to within " +
                         seconds(times.front()) + " to " + seconds(times.back()));
    const double slack = 1e-9;
    if (from > times.back() + slack || to < times.front() - slack)
        throw InputError("export range from " + seconds(from) + " to " + seconds(to) +
                         " lies outside of the recording, which goes from " + seconds(times.front()) + " to " +
                         seconds(times.back()));
    std::vector<int> frames;
    if (!options.video_path.empty()) {
        if (options.fps < 1 || options.fps > 240)
            throw InputError("--fps is " + std::to_string(options.fps) + "; give 24, 25, 30 or 60 (1 to 240 are possible)");
        if (!(options.speed >= 1e-4 && options.speed <= 1e4))
            throw InputError("--speed is " + format_number(options.speed, 6) +
                             "; give simulated seconds per second of video, 0.0001 to 10000");
        const double begin = std::max(from, times.front()), end = std::min(to, times.back());
        // As long as the range: 2 s at 60 fps are 120 pictures.
        const double wanted = std::round((end - begin) / options.speed * options.fps);
        if (wanted > 1e6)
            throw InputError("The video would have " + format_number(wanted, 6) +
                             " pictures; take a higher --speed or a shorter range");
        const int count = std::max(1, int(wanted));
        for (int k = 0; k < count; ++k) frames.push_back(nearest_frame(times, begin + k * options.speed / options.fps));
    } else {
        if (options.every < 1) throw InputError("--every is " + std::to_string(options.every) + "; give 1 or more");
        const int first = nearest_frame(times, from), last = nearest_frame(times, to);
        for (int i = first; i <= last; i += options.every) frames.push_back(i);
    }
    return frames;
}

std::string export_note(const ExportPictureOptions& options) {
    return options.video_path.empty() ? std::string() : video_size_note(options.width, options.height);
}

bool export_recording(const RecordingReader& recording, const ExportPictureOptions& options, const ExportWatch& watch) {
    const bool video = !options.video_path.empty();
    if (video != options.frames_folder.empty()) throw InputError("Either a video or a folder for pictures has to be given");
    if (const std::string wrong = check_picture_size(options.width, options.height, 0, video); !wrong.empty())
        throw InputError("--size: " + wrong);
    const std::vector<int> frames = output_frames(recording, options);
    const RecordingInfo& info = recording.info();
    for (const std::string& name : options.gauges) {
        std::size_t index = 0;
        if (!find_gauge(info, name, index)) {
            std::string known;
            for (const GaugeSpec& g : info.gauges) known += (known.empty() ? "" : ", ") + g.name;
            throw InputError("There is no gauge \"" + name + "\" in the recording; there are " + known);
        }
    }

    // The recording alone is enough to be drawn; colours by strain, bending and gap need the scene, whose meshes may be gone.
    std::optional<Scene> scene;
    std::optional<Model> model;
    try {
        const std::string name = info.scene_path.empty() ? "scene of the recording" : info.scene_path;
        scene = parse_scene(info.scene_text, name, std::filesystem::path(info.scene_path).parent_path().string());
        model = build_model(*scene);
    } catch (const InputError&) {
        const bool simple =
            options.color == ColorMode::Plain || options.color == ColorMode::Height || options.color == ColorMode::Speed;
        if (!simple) throw;
        model.reset();
    }
    ScenePicture picture(model ? picture_source(*scene, &*model) : picture_source(info));
    PictureOptions shown;
    shown.color = options.color;
    if (scene) {
        shown.dhat = scene->solver.dhat;
        shown.min_gap = scene->solver.min_gap;
        shown.switches = scene->switches;
    }
    // Frames are checked for intersections when they are made; looking for them again would double the time.
    shown.intersections = false;

    OutputFrame output;
    output.style = options.style;
    const Viewport viewport{options.width, options.height};
    // Lines and points keep their share of the picture.
    output.style.pixel_scale = float(std::clamp(options.height / 900.0, 0.8, 6.0));
    if (options.camera) {
        output.camera = *options.camera;
    } else {
        Bounds all;
        const std::size_t stride = std::max<std::size_t>(1, frames.size() / framing_samples);
        for (std::size_t i = 0; i < frames.size(); i += stride) {
            picture.update(*recording.frame(frames[i]), shown);
            const Bounds box = bounds(picture.frame());
            if (box.empty) continue;
            all.add(box.low);
            all.add(box.high);
        }
        output.camera.look_from(options.view.value_or(StandardView::Oblique));
        output.camera.frame(all, viewport);
    }

    const auto source = [&](int k) {
        const FramePtr frame = recording.frame(frames[std::size_t(k)]);
        if (shown.color == ColorMode::Memory) shown.controller = frame->controller;
        picture.update(*frame, shown);
        output.frame = &picture.frame();
        output.style.scale = picture.scale();
        output.caption.lines.clear();
        for (const std::string& wanted : options.gauges) {
            std::size_t index = 0;
            const GaugeSpec* gauge = find_gauge(info, wanted, index);
            const double value = index < frame->gauges.size() ? frame->gauges[index] : std::nan("");
            const std::string text =
                std::isnan(value) ? "undefined" : format_reading(value * gauge->show_scale) + " " + gauge->show_unit;
            output.caption.lines.push_back(gauge->label + " " + text);
        }
        if (options.show_clock) output.caption.lines.push_back(clock_text(frame->time, options.speed, video));
        output.caption.legend = options.color != ColorMode::Plain;
        return output;
    };
    if (video) {
        VideoOptions settings;
        settings.width = options.width;
        settings.height = options.height;
        settings.fps = options.fps;
        return export_video(options.video_path, settings, int(frames.size()), source, watch) == ExportEnd::Done;
    }
    return export_pictures(options.frames_folder, options.width, options.height, int(frames.size()), source, watch) ==
           ExportEnd::Done;
}

}  // namespace plica
