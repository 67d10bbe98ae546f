// Vertices of a film by name: "neck", "ring 9", "ring 1..3", "17", "0..31", "all", several separated by commas.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/scene.h"

namespace plica {

// Appends the selected vertices (film-local) to `vertices`, in the order said. "" or what is wrong.
std::string select_vertices(const Film& film, const std::string& selection, std::vector<int>& vertices);

}  // namespace plica
