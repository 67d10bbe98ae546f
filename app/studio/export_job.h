// Exports in the background: video, pictures, meshes, tables. Each job has a thread of its own and reads a copy of what it
// needs.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/panels/panels.h"
#include "app/studio/document.h"
#include "render/camera.h"
#include "render/view_frame.h"

namespace plica {

enum class ExportKind { Video, Pictures, Table, Meshes };
inline constexpr const char* export_kind_names[] = {"Video (MP4)", "Pictures (PNG)", "Table (CSV)", "Meshes"};
inline constexpr const char* mesh_format_names[] = {"OBJ sequence", "PLY sequence", "PC2 cache"};

// What an export reads, copied from the document so that the run may go on.
struct ExportSource {
    PastFrames frames;
    std::vector<double> times;
    std::vector<GaugeSpec> specs;
    std::vector<std::vector<double>> gauges;  // per spec
    Scene scene;
    std::shared_ptr<const Model> model;
    std::vector<Int3> triangles;
    int film_vertices = 0, film_triangles = 0;
    ContactSwitches switches;
};

struct ExportRequest {
    ExportDialog what;
    Camera camera;
    ViewStyle style;
    int color_mode = 0;
};

// "" or what is wrong with the wish, before anything is written.
std::string check_export(const ExportDialog& what);

class ExportJobs {
public:
    explicit ExportJobs(std::function<void()> wake);
    ~ExportJobs();  // cancels and waits
    void start(ExportSource source, ExportRequest request);
    // Saves all frames as a recording.
    void save(PastFrames frames, Scene scene, std::string path);
    // Any other work; it returns what it did, in words, or throws.
    void start(std::string title, std::function<std::string()> work);
    void cancel_or_close(int job);
    std::vector<JobProgress> progress() const;
    int running() const;

private:
    struct Job;
    void launch(std::string title, std::function<std::string(Job&)> work);
    std::function<void()> wake_;
    std::vector<std::unique_ptr<Job>> jobs_;
    int next_ = 1;
};

}  // namespace plica
