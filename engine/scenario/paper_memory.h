// Crease memory of one edge: its rest angle follows the deepest fold that was really pressed.       spec/paper.md, "Memory"
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plica {

// What an accepted state says of the press at the edge.
struct PressContact {
    bool aligned = false;       // the tool stands on the upper face
    double tool_force = 0;      // N
    double table_force = 0;     // N, largest within table_distance
    double table_distance = 0;  // m

    // Every limit is strict, but for the distance.
    bool supported() const { return aligned && tool_force > 0.01 && table_force > 0.003 && table_distance <= 0.019; }
};

struct CreaseMemory {
    double angle = 0;     // rad, remembered
    bool marked = false;  // pressed at least once

    // Takes the edge's angle now [rad], if it is pressed deeper than 90° and than before, to the same side. True if taken.
    bool press(double now, const PressContact& contact) {
        const bool deeper = std::fabs(now) > std::max(0.5 * std::numbers::pi, std::fabs(angle));
        const bool same_side = !marked || (now > 0) == (angle > 0);
        if (!contact.supported() || !deeper || !same_side) return false;
        angle = now;
        marked = true;
        return true;
    }
};

}  // namespace plica
