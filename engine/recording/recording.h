// The recording: one HDF5 file, written while the run goes on, readable with h5py (layout: format.h).
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/gauge/gauge.h"
#include "engine/simulation/command.h"
#include "engine/simulation/frame.h"
#include "engine/simulation/simulation.h"

namespace plica {

struct RecordingInfo {
    int version = 1;
    std::string program_version, backend;  // "cpu"
    int threads = 1;
    std::string scene_name, scene_text;  // TOML
    std::string scene_path;              // absolute where known: meshes named in the scene are found beside it
    std::string created;                 // "2026-01-31T12:00:00Z"
    std::vector<Vec3f> obstacle_positions;
    std::vector<Int3> triangles;           // film triangles, film-local particle indices
    std::vector<Int3> obstacle_triangles;  // into obstacle_positions
    int film_vertex_count = 0, sphere_count = 0;
    std::vector<double> sphere_radius;
    std::vector<std::string> body_names;
    int support_groups = 1;  // those of the scene, and one of the pins
    std::vector<GaugeSpec> gauges;
};

// No room while recording: says how much is needed and what to do. Not bad input: the run can pause and go on.
struct DiskFull : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Frames appear whole or not at all: after kill -9 or a full disk the file opens with all but the last second. Not for use by
// two threads at once; a thread of its own writes what has gathered twice a second.
class RecordingWriter {
public:
    // Begins with the simulation's present frame. Throws InputError (folder missing, not writable, full, another program writes
    // this recording) before anything is left on disk; an older file of that name stays until the new one can be written.
    RecordingWriter(const std::string& path, const Simulation& simulation, int threads);
    // Continues a recording: keeps frames 0..last_frame, drops what follows, verdict included. The old file stays as it is
    // until the kept frames are copied. Throws InputError.
    static RecordingWriter reopen(const std::string& path, int last_frame);
    ~RecordingWriter();  // closes; errors are lost, so call close()
    RecordingWriter(RecordingWriter&&) noexcept;
    RecordingWriter& operator=(RecordingWriter&&) noexcept;

    // A frame whose step is not above the last one's is already there and ignored. Throws DiskFull; the frame is then kept in
    // memory and written by a later append, flush or close, once there is room.
    void append(const Frame& frame);
    void append_command(int step, const Command& command);
    void set_verdict(const std::string& json);  // at the end, see verdict.h; throws DiskFull
    void flush();                               // also done by itself; throws DiskFull
    void close();                               // throws DiskFull; what was flushed is there all the same
    const std::string& path() const;
    int frame_count() const;  // frames given so far

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    explicit RecordingWriter(std::unique_ptr<Impl> impl);
};

class RecordingReader {
public:
    // Throws InputError: not a recording (reason), damaged (what is missing). note() says what was odd but tolerable: not
    // closed, still being written, cut, and how many frames are left. Sees the frames that were there when it was opened.
    explicit RecordingReader(const std::string& path);
    ~RecordingReader();
    RecordingReader(RecordingReader&&) noexcept;
    RecordingReader& operator=(RecordingReader&&) noexcept;

    const RecordingInfo& info() const;
    const std::string& path() const;
    const std::string& note() const;
    bool being_written() const;  // by a running program
    int frame_count() const;     // at least 1
    double time(int frame) const;
    int step(int frame) const;
    // Positions, velocities, gauges, report without grip forces; `controller` is that of the frame, never "". Throws InputError
    // where the file is damaged.
    FramePtr frame(int frame) const;
    FramePtr scalars(int frame) const;                              // the same without positions and velocities: no file access
    std::vector<double> gauge(const std::string& name) const;       // (T); empty if there is none of that name
    std::vector<double> step_field(const std::string& name) const;  // (T) of /steps/<name>
    std::vector<Simulation::LoggedCommand> commands() const;
    std::string controller(int frame) const;  // controllers' state as of that frame
    std::string verdict() const;              // JSON or ""

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// The frame whose time is nearest to `time`.
int nearest_frame(const RecordingReader& recording, double time);

std::string hdf5_version();  // "1.10.8", of the library in use

}  // namespace plica
