// What is odd about a triangle mesh besides its syntax: for the import report. Internal.
#pragma once

#include "engine/scene/mesh_import.h"

namespace plica {

// Fills counts, errors and warnings of `report` from the scaled mesh. `thickness` [m]: vertices closer than this are counted.
void check_mesh(const Mesh& mesh, double thickness, ImportReport& report);

}  // namespace plica
