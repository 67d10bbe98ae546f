// Triangles that pierce each other: what must never happen, checked at every step start and shown as a gauge.
#pragma once

#include <functional>
#include <vector>

#include "engine/contact/surface.h"
#include "engine/core/parallel.h"

namespace plica {

// Pairs (smaller, larger) of triangles that share no vertex and pierce each other at positions x (N), sorted. Exact for the given
// doubles. Pairs of fixed triangles are left out, and pairs for which `wanted(body_a, body_b)` is false.
std::vector<Int2> intersecting_triangles(const Model& model, const std::vector<Vec3>& x, const Workers& workers,
                                         const std::function<bool(int, int)>& wanted = {});

}  // namespace plica
