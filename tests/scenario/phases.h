// What the tests of a scene's phases share: the stored frames they go on from, and steps that have to be clean.
#pragma once

#include <span>
#include <string>

#include "engine/simulation/simulation.h"

namespace plica {

// A frame stored as <scene>_<name>.checkpoint. After a change of a scene that moves them they are written anew from a whole
// run:
//     plica run bag -o bag.h5 && plica_scenario --write bag.h5 tests/scenario
struct Start {
    const char* name;
    double time;  // s
};
std::span<const Start> starts_of(const std::string& scene);

Simulation simulation_at(const char* scene_name, const char* start, Scene scene);
double gauge(const Simulation& simulation, const std::string& name);

// No intersection and no gap of 0 or less at the present frame.
void expect_no_contact_lost(const Simulation& simulation);

// Steps to a time; fails on a step that is refused and on a gate. `check` looks at each frame.
void run_to(Simulation& simulation, double time, void (*check)(const Simulation&));

}  // namespace plica
