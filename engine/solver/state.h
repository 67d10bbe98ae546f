// What changes from step to step, in the precision in which it is stored.
#pragma once

#include <vector>

#include "engine/core/types.h"

namespace plica {

// FP32 outside the solver; distances, derivatives and the linear system inside it are FP64 (spec/solver.md, "Step").
struct State {
    std::vector<Vec3f> x;  // (N) m
    std::vector<Vec3f> v;  // (N) m/s
    friend bool operator==(const State&, const State&) = default;
};

}  // namespace plica
