// A ball of radius 1 around the origin, from an icosahedron whose triangles are split into four `level` times.
#pragma once

#include <vector>

#include <glm/vec3.hpp>

namespace plica {

// (3 per triangle) corners, outward.
std::vector<glm::vec3> unit_ball(int level);

}  // namespace plica
