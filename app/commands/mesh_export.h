// Recordings as meshes for other programs: OBJ and PLY sequences, and Blender's point cache PC2. Metres, z upwards.
#pragma once

#include <string>
#include <vector>

#include "engine/recording/recording.h"

namespace plica {

// A folder with film_000000.obj … (or .ply), obstacles.obj, times.csv (file, frame, step, time_s) and spheres.csv; every file
// has the same vertices and triangles in the same order. The folder appears whole or not at all; an existing one that is not
// empty is refused.
void export_mesh_sequence(const RecordingReader& recording, const std::vector<int>& frames, const std::string& folder,
                          const std::string& format);

// path.pc2 (one sample per frame), and beside it path.obj to put it on, and path.times.csv.
void export_point_cache(const RecordingReader& recording, const std::vector<int>& frames, const std::string& path);

}  // namespace plica
