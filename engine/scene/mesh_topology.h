// Edges of a triangle surface and who shares them: what bending, mesh checks and generators' tests need to know.
#pragma once

#include <span>
#include <vector>

#include "engine/core/types.h"

namespace plica {

// An undirected edge with the corners opposite to it. `c -> d` is its direction in the first triangle that has it.
struct MeshEdge {
    int c = 0, d = 0;
    int first_triangle = -1, second_triangle = -1;  // -1: boundary
    int a = -1, b = -1;                             // opposite vertices in first and second triangle
    int triangle_count = 0;                         // > 2: non-manifold
    bool consistent = true;                         // both triangles run through it in opposite directions
};

// All edges in order of their first appearance (triangle by triangle, corners 0-1, 1-2, 2-0).
std::vector<MeshEdge> mesh_edges(std::span<const Int3> triangles);

// Cross product of two triangle sides: twice the area, along the normal of the corner order.
Vec3 triangle_normal(const Vec3& p0, const Vec3& p1, const Vec3& p2);

// Twice the area over the longest side squared: 0 for a degenerate triangle, 0.87 for an equilateral one, NaN if all corners
// coincide.
double triangle_shape(const Vec3& p0, const Vec3& p1, const Vec3& p2);

// Below this shape number a triangle counts as having no area: rounding of coordinates alone makes it so.
inline constexpr double degenerate_shape = 1e-7;

}  // namespace plica
