// How far the grips have handed the fold over to the creases: their weight sinks with the supported travel of the tool.
// spec/paper.md, "Phases" 3: w = max(0, 1 − s/(L − 2R)).
#pragma once

#include <algorithm>

namespace plica {

struct GripHandOver {
    double length = 0.12728;  // L [m], of the fold
    double radius = 6e-3;     // R [m], of the tool
    bool started = false;
    double start = 0;     // m along the fold, of the first contact that counts
    double farthest = 0;  // m

    // One accepted state: a supported contact at `position` [m] along the fold. Nothing counts before the first deep crease and
    // the starting end's press are confirmed; then only what joins the travel so far within a tool diameter.
    void contact(bool supported, double position, bool deep_crease, bool end_pressed) {
        if (!supported) return;
        if (!started) {
            if (!deep_crease || !end_pressed) return;
            started = true;
            start = farthest = position;
        } else if (position <= farthest + 2 * radius) {
            farthest = std::max(farthest, position);
        }
    }
    double travel() const { return farthest - start; }  // s [m]
    double weight() const { return weight_at(travel()); }
    double weight_at(double s) const { return std::max(0.0, 1 - s / (length - 2 * radius)); }
};

}  // namespace plica
