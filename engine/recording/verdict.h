// What a run is judged by, frame by frame: kept in the recording, printed at the end of a run and by `plica info`.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/recording/recording.h"
#include "engine/recording/scene_checks.h"
#include "engine/scene/scene.h"

namespace plica {

// Gathers checks while frames go by.
class Verdict {
public:
    // `gauges` of the frames to come; how many gates the scene has.
    explicit Verdict(std::vector<GaugeSpec> gauges, int gate_count = 0);
    // With the checks that the scene asks for. Throws InputError where they do not fit it.
    explicit Verdict(const Simulation& simulation);

    // Report and gauges are looked at, and positions where the time of a frame is at or after positions_from().
    void add(const Frame& frame);
    double positions_from() const;                   // s; infinity: positions are not looked at
    void gate(const std::string& failure);           // a gate that failed; message
    void failure(int step, const std::string& why);  // a step that failed and ended the run

    int frames() const { return frames_; }
    int intersecting_frames() const { return intersecting_frames_; }
    double minimum_gap() const { return minimum_gap_; }  // m; infinity: nothing came within reach

    std::vector<Check> checks() const;
    bool passed() const;

private:
    std::optional<SceneChecks> scene_checks_;
    int gate_count_ = 0;
    int spheres_through_ = -1;  // index of that gauge; -1: none
    int frames_ = 0, intersecting_frames_ = 0, first_intersecting_ = -1, gap_step_ = -1, outside_step_ = -1;
    double minimum_gap_ = std::numeric_limits<double>::infinity();
    double most_outside_ = 0;
    std::vector<std::string> gate_failures_;
    std::string failure_;
};

// JSON list of {check, value, limit, unit, pass, detail}, and back; [] for text that is none.
std::string to_json(const std::vector<Check>& checks);
std::vector<Check> checks_from_json(const std::string& text);

// Adds the frames 0 ... last of a recording.
void add_frames(Verdict& verdict, const RecordingReader& recording, int last);

// That of a recording: its own if the run ended, else from its frames.
std::vector<Check> verdict_of(const RecordingReader& recording);

}  // namespace plica
