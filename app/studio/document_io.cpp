// Opening what the studio can open, and recordings as sinks of a run.
#include <filesystem>
#include <fstream>

#include "app/studio/document.h"
#include "engine/core/error.h"
#include "engine/scene/mesh_import.h"
#include "engine/scene/scene_file.h"

namespace plica {

namespace fs = std::filesystem;

namespace {

// By what the file begins with, not by its name.
bool is_recording_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    char head[8] = {};
    in.read(head, 8);
    const std::string ext = fs::path(path).extension().string();
    return (in && std::string(head + 1, 3) == "HDF") || ext == ".h5" || ext == ".hdf5";
}

void load_recording(Loaded& loaded, const std::string& path) {
    loaded.reader = std::make_shared<RecordingReader>(path);
    RecordingReader& reader = *loaded.reader;
    loaded.note = reader.note();
    const RecordingInfo& info = reader.info();
    for (int i = 0; i < reader.frame_count(); ++i) loaded.times.push_back(reader.time(i));
    for (const GaugeSpec& spec : info.gauges) loaded.gauges.push_back(reader.gauge(spec.name));
    loaded.last_frame = reader.frame(reader.frame_count() - 1);
    try {
        const std::string folder =
            info.scene_path.empty() ? fs::path(path).parent_path().string() : fs::path(info.scene_path).parent_path().string();
        loaded.scene = parse_scene(info.scene_text, info.scene_path.empty() ? path : info.scene_path, folder);
        loaded.simulation.emplace(loaded.scene);
    } catch (const InputError& e) {
        loaded.simulation.reset();
        loaded.why_no_simulation = std::string("the scene of this recording cannot be built again: ") + e.what();
        loaded.scene.name = info.scene_name;
    }
}

// Writes frames as they come; HDF5's own thread does the work.
class RecordingSink : public FrameSink {
public:
    explicit RecordingSink(RecordingWriter writer) : writer_(std::move(writer)) {}
    void append(const Frame& frame) override { writer_.append(frame); }
    void append_command(int step, const Command& command) override { writer_.append_command(step, command); }
    void close() override { writer_.close(); }

private:
    RecordingWriter writer_;
};

}  // namespace

bool is_mesh_file(const std::string& path) {
    std::string ext = fs::path(path).extension().string();
    for (char& c : ext) c = char(std::tolower(static_cast<unsigned char>(c)));
    return ext == ".obj";
}

Loaded load_document(const std::string& path, const LoadOptions& options) {
    Loaded loaded;
    loaded.path = path;
    if (is_recording_file(path)) {
        load_recording(loaded, path);
        return loaded;
    }
    if (is_mesh_file(path) && options.ask) {
        ImportOptions import{options.unit, options.thickness};
        ImportReport report = inspect_mesh(path, import).report;
        if (report.unit_needed) {
            import.unit = report.likely_unit;
            report = inspect_mesh(path, import).report;
        }
        if (!report.ok()) load_mesh(path, import);  // throws with file and lines
        loaded.question = std::move(report);
        return loaded;
    }
    if (is_mesh_file(path)) {
        MeshSceneOptions mesh;
        mesh.unit = options.unit;
        mesh.thickness = options.thickness;
        loaded.scene = scene_from_mesh(path, mesh);
        ImportOptions import;
        import.unit = options.unit;
        import.thickness = options.thickness;
        loaded.note = inspect_mesh(path, import).report.text();
    } else {
        loaded.scene = load_scene(path);
        if (!loaded.scene.path.empty()) loaded.path = loaded.scene.path;
    }
    loaded.simulation.emplace(loaded.scene);
    return loaded;
}

std::mutex& recording_mutex() {
    static std::mutex mutex;
    return mutex;
}

FramePtr PastFrames::frame(int index) const {
    if (index >= stored) return frames[std::size_t(index - stored)];
    std::lock_guard lock(recording_mutex());
    return reader->frame(index);
}

std::unique_ptr<FrameSink> open_recording_sink(const std::string& path, const Simulation& simulation, const PastFrames& past) {
    const int threads = simulation.settings().threads;
    if (past.count() <= 1) {
        auto sink = std::make_unique<RecordingSink>(RecordingWriter(path, simulation, threads));
        for (const auto& logged : past.commands) sink->append_command(logged.step, logged.command);
        return sink;
    }
    // A recording begins with the start of its scene, so that every frame of it can be continued.
    const Simulation start(simulation.scene());
    auto sink = std::make_unique<RecordingSink>(RecordingWriter(path, start, threads));
    std::size_t next = 0;
    for (int i = 0; i < past.count(); ++i) {
        const FramePtr frame = past.frame(i);
        for (; next < past.commands.size() && past.commands[next].step < frame->step; ++next)
            sink->append_command(past.commands[next].step, past.commands[next].command);
        if (i > 0) sink->append(*frame);
    }
    for (; next < past.commands.size(); ++next) sink->append_command(past.commands[next].step, past.commands[next].command);
    return sink;
}

}  // namespace plica
