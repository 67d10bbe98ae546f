// A keyframed value over time: the elementary word of choreography.
#pragma once

#include <vector>

#include "engine/core/types.h"

namespace plica {

enum class Ease { Linear, Smooth, Step };  // Smooth: 3s² - 2s³ between keys; Step: holds the left key

struct ScalarKey {
    double time = 0;  // s
    double value = 0;
};

// Constant before the first and after the last key; keys in order of time, at least one.
struct ScalarTrack {
    std::vector<ScalarKey> keys;
    Ease ease = Ease::Smooth;
    double at(double time) const;
};

struct VectorKey {
    double time = 0;
    Vec3 value;
};
struct VectorTrack {
    std::vector<VectorKey> keys;
    Ease ease = Ease::Smooth;
    Vec3 at(double time) const;
};

}  // namespace plica
