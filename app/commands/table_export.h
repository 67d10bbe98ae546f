// Recordings as tables and arrays: CSV and NPZ. `frames` are the frame numbers to write. Throw InputError; whole or absent.
#pragma once

#include <string>
#include <vector>

#include "engine/recording/recording.h"

namespace plica {

// One row per frame: step, time_s, gap_m (the smallest of all), then every gauge as name_unit; "nan" where undefined.
void export_csv(const RecordingReader& recording, const std::vector<int>& frames, const std::string& path);

// film (T,N,3) and spheres (T,M,3) f4 with velocities, time, step, faces (F,3) i4, sphere_radius, gauge_<name> (T), scene (u1).
void export_npz(const RecordingReader& recording, const std::vector<int>& frames, const std::string& path);

}  // namespace plica
