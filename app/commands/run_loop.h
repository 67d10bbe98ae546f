// Stepping a simulation to a time while recording it: shared by run, resume and the run without a display.
#pragma once

#include <string>
#include <vector>

#include "engine/recording/recording.h"
#include "engine/recording/verdict.h"
#include "engine/simulation/simulation.h"

namespace plica {

struct RunPlan {
    double until = 0;                                 // s
    std::vector<Simulation::LoggedCommand> commands;  // given again at their steps and recorded
    bool quiet = false;
};

// Runs, records, prints progress (stderr) and the verdict (stdout), closes the recording. Returns the exit status.
int run_and_record(Simulation& simulation, RecordingWriter& recording, Verdict& verdict, const RunPlan& plan);

// The checks as a table for people.
std::string verdict_table(const std::vector<Check>& checks);

}  // namespace plica
