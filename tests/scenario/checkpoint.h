// A frame of a scene's run as a small file, from which a test goes on: positions, velocities, controllers' state.
#pragma once

#include <string>

#include "engine/simulation/frame.h"
#include "engine/simulation/simulation.h"

namespace plica {

// Binary, little-endian: "PLICA CHECKPOINT 1\n", i32 step, f64 time, i32 count of moving particles, then positions and
// velocities (count, 3) f32 each, i32 bytes of the controller's JSON text, that text.
void write_checkpoint(const std::string& path, const Frame& frame, int moving_particles);

// A simulation of the scene that stands at the checkpoint. Throws InputError where they do not fit each other.
Simulation simulation_at(const std::string& path, Scene scene);

}  // namespace plica
