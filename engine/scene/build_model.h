// Scene -> what the solver works on. Particle order: film vertices, sphere centres, obstacle vertices, each in scene order.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/scene.h"
#include "engine/solver/model.h"
#include "engine/solver/state.h"

namespace plica {

// Where the particles of a scene's bodies begin.
struct ParticleLayout {
    std::vector<int> film_first;      // (films) first vertex
    std::vector<int> obstacle_first;  // (obstacles)
    int film_vertex_count = 0;        // of all films; films are 0 … film_vertex_count - 1
    int sphere_first = 0;             // sphere i is particle sphere_first + i
    int particle_count = 0;
};
ParticleLayout particle_layout(const Scene& scene);

// Index of a film by name; -1 if there is none.
int film_index(const Scene& scene, const std::string& name);

// The vertices of a film's group as film-local indices; null if there is none.
const VertexGroup* find_group(const Film& film, const std::string& name);

// Lumped masses (a third of each triangle's mass per corner, 4/3 π R³ ρ for spheres, 0 for obstacles), membranes from the rest
// triangles, hinges over the interior edges that exactly two triangles share (spec/solver.md, "Film"; no bending elsewhere).
// Throws InputError for a rest triangle without area. Film vertices without a triangle are fixed.
Model build_model(const Scene& scene);

// Positions and velocities at t = 0 (FP32).
State initial_state(const Scene& scene);

}  // namespace plica
