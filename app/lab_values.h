// What people set in the 1-D lab, and what may be set.                                                          spec/wall.md
#pragma once

#include <span>
#include <string>

#include "engine/lab/wall.h"

namespace plica {

struct LabValues {
    double v0 = 5;          // m/s
    double h = 0.01;        // s
    double k = 1e6;         // N/m, stiffness of the penalty
    double dhat = 1e-3;     // m
    double kappa = 1e4;     // as printed, see engine/lab/wall.h
    double x_tilde = 0.55;  // m, of the landscape while it does not follow the throw
    bool follow = false;    // the landscape shows x̃ and iterates of the throw
    double rate = 10;       // Newton iterates shown per second
    bool operator==(const LabValues&) const = default;
};

// A number that is set: shown = scale · stored. A slider covers the useful part of what may be typed, in orders of magnitude.
struct LabParameter {
    double LabValues::*member;
    const char *id, *label, *unit;
    double scale;
    double low, high;                // allowed, stored unit
    double slider_low, slider_high;  // both 0: no slider
    const char* about;
};

std::span<const LabParameter> lab_parameters();
const LabParameter& lab_parameter(double LabValues::*member);

// "" or why `value` (stored unit) cannot be set, with what is allowed.
std::string lab_refusal(const LabValues& values, const LabParameter& parameter, double value);

// The wall with these values, and as many steps as the source has, or as the ball needs to the wall and 25 there.
WallLab wall_lab(const LabValues& values, bool barrier);

}  // namespace plica
