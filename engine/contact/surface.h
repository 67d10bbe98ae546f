// Which particles, edges and triangles of a model can touch each other.
#pragma once

#include <vector>

#include "engine/solver/model.h"
#include "engine/solver/settings.h"
#include "engine/solver/step_report.h"

namespace plica {

struct Surface {
    std::vector<Int3> triangles;
    std::vector<Int2> edges;                              // each once, (smaller, larger), in order
    std::vector<int> movable_triangles, fixed_triangles;  // indices; fixed: all three vertices never move
    std::vector<int> movable_edges, fixed_edges;
    std::vector<int> vertices;  // film and obstacle vertices that belong to a triangle, and sphere centres
    std::vector<int> spheres;   // sphere centres

    explicit Surface(const Model& model);
};

// What the distance of a vertex or sphere centre from a triangle has to exceed [m] (spec/solver.md, "Contact").
inline double contact_offset(const Model& model, int vertex, double min_gap) {
    const double radius = model.radius[vertex];
    return radius > 0 ? radius + 0.5 * min_gap : min_gap;
}

// The group of a pair by the bodies of one particle of each side.
ContactGroup contact_group(BodyKind a, BodyKind b);

// Whether the switches let bodies a and b touch; a == b for self-contact.
bool may_touch(const Model& model, const ContactSwitches& switches, int body_a, int body_b);

}  // namespace plica
