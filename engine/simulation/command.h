// What a person does to a running simulation: applied between two steps, logged with the step number, replayable.
#pragma once

#include <string>
#include <vector>

#include "engine/core/types.h"

namespace plica {

struct Command {
    enum class Kind {
        SetSetting,  // key (scene/setting_table.h; gravity_x, gravity_y, gravity_z), value
        SetSwitch,   // key: "barrier" | "self_contact" | "friction" | "motion_cap" | "body:<name>", value 0 or 1;
                     // "contact": value is the ContactMode, 0 ipc, 1 guarded, 2 basic
        Pin,         // vertices held where they are, stiffness [N/m] in value; 0: 1000 N/m
        Release,     // vertices: pins and grips on them are removed
        Grip,        // vertices[0] pulled to target, stiffness in value, force limit [N] in limit; again = move
        Note,        // text in key (branch made, run resumed, …)
    } kind = Kind::Note;
    std::string key;
    double value = 0;
    double limit = 0;
    std::vector<int> vertices;  // particle indices
    Vec3 target;                // m

    // One line of JSON, and back; throws InputError.
    std::string to_json() const;
    static Command from_json(const std::string& text);
    // For the undo menu and the timeline: "friction 0.35 → 0.2".
    std::string describe() const;
};

}  // namespace plica
