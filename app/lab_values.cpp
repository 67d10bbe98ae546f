#include "app/lab_values.h"

#include <cassert>
#include <cmath>

#include "app/number_text.h"

namespace plica {

namespace {

constexpr LabParameter parameters[] = {
    {&LabValues::v0, "v0", "Speed v0", "m/s", 1, 0.01, 1000, 0.1, 100, "Speed of the ball at x = 0."},
    {&LabValues::h, "h", "Time step h", "ms", 1e3, 1e-5, 0.1, 1e-4, 0.05,
     "One step moves the free ball by v h. Only a smaller h makes the penalty see the wall."},
    {&LabValues::k, "k", "Penalty stiffness k", "N/m", 1, 1, 1e8, 1e2, 1e8,
     "Pushes out of the wall towards the nearer face. It acts only where the ball is inside the wall."},
    {&LabValues::dhat, "dhat", "Barrier gap dhat", "mm", 1e3, 1e-6, 0.1, 1e-5, 0.02, "The barrier acts below this gap."},
    {&LabValues::kappa, "kappa", "Barrier stiffness κ", "", 1, 1, 1e10, 10, 1e8, "How hard the barrier pushes."},
    {&LabValues::x_tilde, "x_tilde", "Predicted position x̃", "mm", 1e3, -1, 100, 0, 0,
     "Where the ball would be after the step without contact. Drag the dashed line."},
    {&LabValues::rate, "rate", "Iterates per second", "/s", 1, 1, 60, 0, 0,
     "Newton iterates shown per second while the throw runs."},
};

constexpr double most_steps = 100000;

double steps_to_the_wall(const LabValues& values) { return std::ceil(WallLab().wall / (values.v0 * values.h)); }

}  // namespace

std::span<const LabParameter> lab_parameters() { return parameters; }

const LabParameter& lab_parameter(double LabValues::*member) {
    for (const LabParameter& p : parameters)
        if (p.member == member) return p;
    assert(false && "every number of the lab stands in the table");
    return parameters[0];
}

std::string lab_refusal(const LabValues& values, const LabParameter& p, double value) {
    const auto with_unit = [&](double v) {
        return format_number(v * p.scale) + (*p.unit ? std::string(" ") + p.unit : std::string());
    };
    if (!(value >= p.low && value <= p.high))
        return std::string(p.label) + ": " + with_unit(value) + " is not possible; allowed is " + with_unit(p.low) + " to " +
               with_unit(p.high) + ".";
    LabValues changed = values;
    changed.*p.member = value;
    if (const double steps = steps_to_the_wall(changed); steps > most_steps)
        return std::string(p.label) + ": with v0 · h = " + format_number(changed.v0 * changed.h * 1e6, 3) +
               " µm a step the ball needs " + format_number(steps, 7) +
               " steps to the wall; 100 000 are allowed. Give a larger v0 or h.";
    return {};
}

WallLab wall_lab(const LabValues& values, bool barrier) {
    WallLab lab;
    lab.barrier = barrier;
    lab.h = values.h;
    lab.dhat = values.dhat;
    lab.kappa = values.kappa;
    lab.penalty_stiffness = values.k;
    lab.steps = std::max(lab.steps, int(steps_to_the_wall(values)) + 25);
    return lab;
}

}  // namespace plica
