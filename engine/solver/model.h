// What a step works on and what stays the same from step to step: particles, surfaces, elements, bodies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/types.h"
#include "engine/energy/hinge.h"
#include "engine/energy/membrane.h"

namespace plica {

enum class BodyKind : std::uint8_t { Film, Sphere, Obstacle };

// A film, one sphere, or an obstacle. Contact groups, switches and reactions are told per body.
struct Body {
    std::string name;
    BodyKind kind = BodyKind::Film;
    bool rolls = false;  // a sphere that turns freely: no friction at its contacts
};

struct MembraneElement {
    Int3 vertices;
    Membrane law;
};

struct HingeElement {
    int a = 0, b = 0, c = 0, d = 0;  // opposite, opposite, shared edge c -> d
    Hinge law;
};

// All particles in one index space: film vertices, sphere centres, obstacle vertices, in any order (a Scene gives that one).
struct Model {
    std::vector<Body> bodies;
    std::vector<int> body;            // (N) index into bodies
    std::vector<double> mass;         // (N) kg; 0 for obstacle vertices
    std::vector<double> radius;       // (N) m; > 0 for sphere centres only
    std::vector<std::uint8_t> fixed;  // (N) 1: never moves (obstacles, mass 0)
    std::vector<Int3> triangles;      // (F) film and obstacle surfaces
    std::vector<MembraneElement> membranes;
    std::vector<HingeElement> hinges;

    int particle_count() const { return int(mass.size()); }
    BodyKind kind(int particle) const { return bodies[std::size_t(body[std::size_t(particle)])].kind; }
};

}  // namespace plica
