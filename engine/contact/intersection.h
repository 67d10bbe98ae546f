// Triangles that pierce each other: what must never happen, checked at every step start and shown as a gauge.
#pragma once

#include <vector>

#include "engine/contact/broad_phase.h"

namespace plica {

// Pairs (smaller, larger) of triangles that share no vertex and pierce each other at positions x (N), sorted. Exact for the
// given doubles. Pairs of fixed triangles are left out. `broad` is brought up to date for x.
std::vector<Int2> intersecting_triangles(const Model& model, const Surface& surface, BroadPhase& broad,
                                         const std::vector<Vec3>& x, const Workers& workers);

// The same for a single look.
std::vector<Int2> intersecting_triangles(const Model& model, const std::vector<Vec3>& x, const Workers& workers);

}  // namespace plica
