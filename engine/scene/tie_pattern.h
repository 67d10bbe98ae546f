// Ties that would need hundreds of pairs in a file, from a rule: across rings of vertices, or from ring to ring.
#pragma once

#include <vector>

#include "engine/scene/scene.h"

namespace plica {

// Ties vertex j of a closed ring to j + step for each step, one tie for each pair. The target lengths are those of a pleated
// circle: vertex j at the angle 2πj/n and radius + pleat (j even) or radius - pleat (j odd) [m].
// Steps from 1 to n/2; |pleat| <= radius, n even where pleat is not 0.
void tie_ring(TieSet& tie, const std::vector<int>& ring, const std::vector<int>& steps, double radius, double pleat);

// Ties the k-th vertex of one ring to the k-th of the other, with one target length [m]. Both have as many vertices.
void tie_columns(TieSet& tie, const std::vector<int>& lower, const std::vector<int>& upper, double length);

}  // namespace plica
