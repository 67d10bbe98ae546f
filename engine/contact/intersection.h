// Triangles that pierce each other: what must never happen, checked at every step start and shown as a gauge.
#pragma once

#include <vector>

#include "engine/contact/surface.h"
#include "engine/core/parallel.h"

namespace plica {

// Pairs (smaller, larger) of triangles that share no vertex and pierce each other at positions x (N), sorted. Exact for the given
// doubles. Pairs of fixed triangles are left out.
std::vector<Int2> intersecting_triangles(const Surface& surface, const std::vector<Vec3>& x, const Workers& workers);
inline std::vector<Int2> intersecting_triangles(const Model& model, const std::vector<Vec3>& x, const Workers& workers) {
    return intersecting_triangles(Surface(model), x, workers);
}

}  // namespace plica
