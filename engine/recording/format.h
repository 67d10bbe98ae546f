// Layout of a recording, version 1, shared by writer and reader. All numbers are little-endian, in SI units.
//
//   attributes of /        version, program_version, units, backend, threads, scene_name, scene_path, created
//   /scene                 the scene file, one fixed-length UTF-8 text
//   /topology/triangles    (F,3) i32, film triangles; vertex i is column i of /frames/film
//   /topology/obstacles    (P,3) f32, obstacle_triangles (G,3) i32 into it; sphere_radius (M) f64; body_names (B)
//   /frames/time, step     (T) s, number of the step (0 = start)
//   /frames/film           (T,N,3) f32 m, film_velocity m/s; spheres (T,M,3) f32, sphere_velocity
//   /frames/checksum       (T) u32, CRC-32 of one row each of film, film_velocity, spheres, sphere_velocity
//   /frames/count          (1) i64: frames 0 … count - 1 are whole. The datasets may be longer for a moment while writing
//   /gauges/<name>         (T) f64, attributes unit, label, show_unit, show_scale, log_plot, lower_limit, upper_limit, order
//   /steps/<field>         (T) what the solver reported; energies [J], seconds by stage, gaps [m] (inf: nothing within reach)
//   /steps/body_reaction   (T,B,3) N, support_force (T,S,3) N (the last row of S: pins)
//   /steps/history         (H,4) f64: max_dx, alpha, max_step, energy of each Newton iteration; rows of frame i end at
//                          history_end[i]
//   /commands, /controller, /verdict   each a stream of bytes `text` (JSON, UTF-8) cut by `end`: entry i is
//                          text[end[i-1]:end[i]]; `step` tells the step it belongs to. The controller state of a frame is the
//                          last entry with step <= its own.
//
// Written in single-writer-multiple-reader mode: the file can be read while it grows, and after the program was killed:
//
//   import h5py, json
//   f = h5py.File("bag.h5", "r", libver="latest", swmr=True)        # swmr=True is needed only if it was not closed
//   n = f["frames/count"][0]; film = f["frames/film"][:n]           # (T,N,3)
//   gap = f["gauges/min_gap_film_film"][:n]
//   end = [0, *f["commands/end"][:]]; text = bytes(f["commands/text"][:])
//   commands = [json.loads(text[a:b]) for a, b in zip(end, end[1:])]
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/recording/column.h"
#include "engine/solver/step_report.h"

namespace plica {

inline constexpr int recording_version = 1;
inline constexpr const char* recording_units = "SI: m, kg, s, N, J";

// One number of the step report as a column /steps/<name>.
struct StepField {
    std::string name, unit;
    h5::Type type = h5::Type::F64;  // F64 or I32
    std::function<double(const StepReport&)> get;
    std::function<void(StepReport&, double)> set;
};
const std::vector<StepField>& step_fields();

// Columns of a frame besides gauges and step fields.
namespace column {
ColumnSpec time();
ColumnSpec step();
ColumnSpec checksum();
ColumnSpec film(std::size_t vertices);  // 0 = any, for reading
ColumnSpec film_velocity(std::size_t vertices);
ColumnSpec spheres(std::size_t count);
ColumnSpec sphere_velocity(std::size_t count);
ColumnSpec gauge(const std::string& name, const std::string& unit);
ColumnSpec step_field(const StepField& field);
ColumnSpec body_reaction(std::size_t bodies);
ColumnSpec support_force(std::size_t groups);
ColumnSpec history();
ColumnSpec history_end();
ColumnSpec stream_text(const std::string& stream);
ColumnSpec stream_end(const std::string& stream);
ColumnSpec stream_step(const std::string& stream);
}  // namespace column

inline constexpr const char* frame_count_path = "frames/count";

}  // namespace plica
