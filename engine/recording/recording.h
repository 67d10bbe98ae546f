// The recording: one HDF5 file, written while the run goes on, readable with h5py (design.md §5).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/gauge/gauge.h"
#include "engine/simulation/command.h"
#include "engine/simulation/frame.h"
#include "engine/simulation/simulation.h"

namespace plica {

struct RecordingInfo {
    int version = 1;
    std::string program_version, backend;   // "cpu"
    int threads = 1;
    std::string scene_text;                 // TOML
    std::string scene_path;
    std::vector<Vec3f> obstacle_positions;
    std::vector<Int3> triangles;            // film triangles, film-local particle indices
    int film_vertex_count = 0, sphere_count = 0;
    std::vector<double> sphere_radius;
    std::vector<GaugeSpec> gauges;
};

// Frames appear whole or not at all: after kill -9 or a full disk the file opens with all but the last second.
class RecordingWriter {
public:
    // Throws InputError (folder missing, not writable, full) before anything is left on disk.
    RecordingWriter(const std::string& path, const Simulation& simulation, int threads);
    // Continues a recording: keeps frames 0..last_frame, drops what follows.
    static RecordingWriter reopen(const std::string& path, int last_frame);
    ~RecordingWriter();
    RecordingWriter(RecordingWriter&&) noexcept;

    void append(const Frame& frame);                              // throws std::runtime_error on a full disk, file kept
    void append_command(int step, const Command& command);
    void set_verdict(const std::string& json);                    // at the end, see verdict
    void flush();                                                 // also done by itself each second of wall time
    void close();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    explicit RecordingWriter(std::unique_ptr<Impl> impl);
};

class RecordingReader {
public:
    // Throws InputError: not a recording (reason), truncated (what is left). note() says what was odd but tolerable.
    explicit RecordingReader(const std::string& path);
    ~RecordingReader();
    RecordingReader(RecordingReader&&) noexcept;

    const RecordingInfo& info() const;
    const std::string& note() const;
    int frame_count() const;
    double time(int frame) const;
    FramePtr frame(int frame) const;                              // positions, velocities, gauges, report scalars
    std::vector<double> gauge(const std::string& name) const;     // (T)
    std::vector<Simulation::LoggedCommand> commands() const;
    std::string controller(int frame) const;                      // controllers' state as of that frame
    std::string verdict() const;                                  // JSON or ""

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace plica
