// A cut across a fold: where the film, the tool and the table are in an upright plane.          spec/paper.md, "Results"
#pragma once

#include <array>
#include <vector>

#include "engine/scenario/fold_press.h"
#include "engine/solver/state.h"

namespace plica {

struct FoldSection {
    struct Point {
        double across = 0;  // m, from the crease over the base; what is not folded over lies at values below 0
        double height = 0;  // m, above the table
    };
    using Segment = std::array<Point, 2>;
    std::vector<Segment> base, flap;
    bool tool = false;  // the plane cuts it
    Point tool_centre;
    double tool_radius = 0;  // m, of that circle
};

// At `at` (0 … 1) of the crease, in the plane through the crease there and across the line between its present ends.
// Without segments where the ends of the crease lie above one another.
FoldSection fold_section(const FoldPress& press, const Model& model, const State& state, double at);

}  // namespace plica
