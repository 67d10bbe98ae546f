// The checks that a scene file asks for ([[check]]), measured frame by frame while a run goes on.
#pragma once

#include <string>
#include <vector>

#include "engine/gauge/gauge.h"
#include "engine/scene/scene.h"
#include "engine/simulation/frame.h"
#include "engine/solver/model.h"

namespace plica {

struct Check {
    std::string check;  // "intersecting frames"
    double value = 0;   // NaN: nothing to measure
    std::string limit;  // "= 0", "> 0 m"
    std::string unit;
    bool pass = false;
    std::string detail;  // "" or one sentence: where, when
};

// Throws InputError where a check names a gauge that the scene does not have, or spheres where there are none.
void validate_checks(const Scene& scene);

class SceneChecks {
public:
    // `gauges` of the frames to come.
    SceneChecks(const Scene& scene, const Model& model, const std::vector<GaugeSpec>& gauges);

    // Frames in order. One without positions (RecordingReader::scalars) counts for gauges and support forces only.
    void add(const Frame& frame);
    // From this time on add() needs frames with positions; infinity: never.
    double positions_from() const { return positions_from_; }

    // One row for each check of the scene; none before the scene's duration is reached: a part of a run is not judged by these.
    std::vector<Check> checks() const;

private:
    struct Measured {
        SceneCheck spec;
        int gauge = -1;  // index; -1: another measure
        std::string label, unit;
        double value = 0, margin = 0;      // the worst so far, and how far it is within its limits
        double time = 0;                   // s, of that
        bool any = false, broken = false;  // a value that is not a number
        std::vector<Vec3> low, high;       // sphere_height_range (z), sphere_displacement (low: where it began)
    };
    void take(Measured& m, double value, double time);
    void measure(Measured& m, const Frame& frame);
    Vec3 momentum_residual(const Frame& frame) const;  // N
    Vec3 internal_force(const Frame& frame) const;     // N

    Model model_;
    Scene scene_;
    std::vector<Measured> measured_;
    double positions_from_ = 0, last_time_ = 0;
    State previous_;  // of the frame before; empty if it had no positions
};

}  // namespace plica
