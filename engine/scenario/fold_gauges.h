// What a pressed fold is judged by, in numbers.                        spec/paper.md, "Results"; readings.md, C1 and C2
#pragma once

#include <vector>

#include "engine/gauge/gauge.h"
#include "engine/scenario/fold_press.h"

namespace plica {

// Values of the gauges from fold_angle on (gauge_specs, gauge/gauge.h), in their order, after an accepted step that ended at
// `time`.
std::vector<double> measure_fold(const FoldPress& press, double time, const Model& model, const State& state,
                                 const StepReport& report);

}  // namespace plica
