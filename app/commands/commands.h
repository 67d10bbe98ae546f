// The commands of `plica`, one file each. Each returns the exit status: 0 done, 1 the simulation or a check failed (what was
// computed is kept), 2 bad usage or input. Bad input is thrown as InputError and becomes a message and status 2 in main.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plica {

inline constexpr int status_done = 0;
inline constexpr int status_failed = 1;
inline constexpr int status_bad_input = 2;

// What to simulate: a scene (file or shipped name) or a mesh.
struct SceneChoice {
    std::string source;
    std::vector<std::string> settings;  // key=value
    std::string contact;                // ipc, guarded, basic; "": what the scene says
    double thickness = 30e-6;           // m, meshes only
    std::string unit;                   // meshes only
    std::vector<int> pins;              // meshes only
    int threads = 0;                    // 0: as many as pay
    std::string backend = "auto";
};

struct RunOptions {
    SceneChoice scene;
    std::string commands;         // recording whose edits are made again; "": none
    std::string output;           // "": <scene>.h5, or the next free name
    std::optional<double> until;  // s
    bool quiet = false;
};
int command_run(const RunOptions& options);

struct ResumeOptions {
    std::string file;
    std::optional<double> from, until;  // s
    int threads = 0;
    std::string backend = "auto";
    bool quiet = false;
};
int command_resume(const ResumeOptions& options);

struct InfoOptions {
    std::string file;
    bool system = false, json = false;
};
int command_info(const InfoOptions& options);
int command_system_info(bool json);

struct CheckOptions {
    SceneChoice scene;  // source may be a recording
    bool json = false;
};
int command_check(const CheckOptions& options);

struct ExportOptions {
    std::string file;
    std::string video, frames, mesh, csv, npz, output;
    int width = 1280, height = 720, fps = 60, every = 1;
    double speed = 0.5;
    std::optional<double> from, to;  // s
    std::vector<std::string> gauges;
    std::string color;  // of the film, color_mode_names; "": plain
    bool no_clock = false, white = false, transparent = false, quiet = false;
};
int command_export(const ExportOptions& options);

struct CompareOptions {
    std::string a, b;
    bool json = false;
};
int command_compare(const CompareOptions& options);

struct BenchOptions {
    SceneChoice scene;
    std::optional<int> steps;  // none: the whole scene by its phases, or 240
    int from = 0;              // steps done before the clock starts
    bool json = false;
};
int command_bench(const BenchOptions& options);

// Empty or none: the value of the source.
struct LabWallOptions {
    std::vector<std::string> v0, k;        // m/s, N/m, as typed
    std::optional<double> h, dhat, kappa;  // s, m, as printed in the source
    bool json = false;
};
int command_lab_wall(const LabWallOptions& options);

struct ViewOptions {
    std::string source;  // scene or recording
    std::string record_to;
    std::vector<std::string> settings;
    int width = 0, height = 0, threads = 0;
    bool run = false;
    std::string ui_log, settings_file;  // for tests of the window
};
int command_view(const ViewOptions& options);
// `plica` without a command: the window with the bag; without a display the bag as recording and video.
int command_default(const ViewOptions& options);

}  // namespace plica
