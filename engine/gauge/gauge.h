// What is measured of a frame. Each gauge is a named number over time, NaN where it is not defined for the scene.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "engine/scene/scene.h"
#include "engine/solver/model.h"
#include "engine/solver/state.h"
#include "engine/solver/step_report.h"

namespace plica {

struct GaugeSpec {
    std::string name;       // snake_case, SI, as stored: "neck_width_x"
    std::string label;      // for people: "neck width x"
    std::string unit;       // SI unit as stored: "m"
    std::string show_unit;  // "mm"
    double show_scale = 1;  // shown = stored * show_scale
    bool log_plot = false;
    double lower_limit = -std::numeric_limits<double>::infinity();  // outside of [lower, upper] the window shows red
    double upper_limit = std::numeric_limits<double>::infinity();
};

// The gauges of a scene, in fixed order: minimum gaps (film_film, film_obstacle, film_sphere), intersecting pairs, neck width
// x and y, skirt height (films with groups "neck" and "end"), iterations, step time, energies, ...
std::vector<GaugeSpec> gauge_specs(const Scene& scene);

// Values in the order of gauge_specs; those of a press (scenario/fold_gauges.h) follow them.
std::vector<double> measure(const Scene& scene, const Model& model, const State& state, const StepReport& report);

}  // namespace plica
