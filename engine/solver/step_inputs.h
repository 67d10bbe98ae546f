// What drives one step: supports, grips, ties and forces at its end time.
#pragma once

#include <functional>
#include <vector>

#include "engine/core/types.h"
#include "engine/energy/grip.h"
#include "engine/energy/support.h"
#include "engine/energy/tie.h"

namespace plica {

struct SupportPoint {
    int vertex = 0;
    Support law;    // stiffness, target
    int group = 0;  // index of the scene's support, for reactions
};

struct GripPoint {
    int vertex = 0;
    Grip law;  // stiffness, target, force limit
    int group = 0;
    bool of_support = false;  // group is one of supports: a support with a force limit
};

struct TieElement {
    int i = 0, j = 0;
    Tie law;  // stiffness, length
};

struct StepInputs {
    std::vector<Vec3> force;  // (N) N, external force without gravity and damping; empty: none
    std::vector<SupportPoint> supports;
    std::vector<GripPoint> grips;
    std::vector<TieElement> ties;
    int support_group_count = 0;
    int grip_group_count = 0;
};

// Inputs for the step that ends at `time` and takes `dt`; a retried step asks again for each of its halves.
using InputsAt = std::function<StepInputs(double time, double dt)>;

}  // namespace plica
