// An accepted step as an immutable value: the only thing that timeline, renderer, gauges and export ever read.
#pragma once

#include <memory>
#include <vector>

#include "engine/solver/state.h"
#include "engine/solver/step_report.h"

namespace plica {

struct Frame {
    int step = 0;                // 0 = initial state
    double time = 0;             // s
    State state;                 // all particles, FP32 (scene order: films, spheres, obstacles)
    StepReport report;           // of the step that led here; default for step 0
    std::vector<double> gauges;  // one per GaugeSpec, NaN = undefined
    std::string controller;      // JSON, the controllers' own state after this step; "" = unchanged since the last frame
};

using FramePtr = std::shared_ptr<const Frame>;

}  // namespace plica
