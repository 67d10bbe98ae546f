// Pairs that are worth a look for a while: a list with room for motion, kept over steps and filtered by candidates and
// intersection check, so that trees are built only when something has moved further than the room.
//
// What is filtered out of it does not depend on when it was built: every pair whose boxes overlap now is in it, as long as
// covers() holds. So the bits of a step depend on its state alone.
#pragma once

#include <vector>

#include "engine/contact/surface.h"
#include "engine/core/parallel.h"
#include "engine/geometry/bvh.h"

namespace plica {

// Boxes of particles and what follows for triangles and edges.
struct ParticleBoxes {
    std::vector<Vec3> lo, hi;  // (N)

    Box triangle(const Int3& t) const;
    Box edge(const Int2& e, double width) const;
    Box vertex(int v, double width) const { return padded_box(lo[v], hi[v], width); }
};

class BroadPhase {
public:
    // After it the pair lists hold every pair that can touch and whose boxes, widened by offset + reach [m] on one side,
    // overlap. Offsets: min_gap, and radius + min_gap/2 for spheres. `motion`, where not empty, is the motion (N) that the
    // boxes already hold: when lists are made anew, they leave room for a few more of it.
    void update(const Model& model, const Surface& surface, const ParticleBoxes& boxes, const std::vector<Vec3>& motion,
                double min_gap, double reach, const Workers& workers);

    // In canonical order. Pairs of what never moves, and of what shares a vertex, are left out.
    const std::vector<Int2>& vertex_triangle() const { return vertex_triangle_; }  // (particle, triangle)
    const std::vector<Int2>& edge_edge() const { return edge_edge_; }              // (smaller, larger) edge
    const std::vector<Int2>& triangle_triangle() const {
        return triangle_triangle_;
    }  // (smaller, larger), overlap without widening

private:
    bool covers(const ParticleBoxes& boxes, double min_gap, double reach) const;

    ParticleBoxes wide_;
    double min_gap_ = -1, reach_ = -1;
    std::vector<Int2> vertex_triangle_, edge_edge_, triangle_triangle_;
    std::vector<Box> triangle_boxes_, edge_boxes_;
    Bvh movable_triangles_, fixed_triangles_, movable_edges_, fixed_edges_;
};

}  // namespace plica
