// A sheet of 81 vertices above a ball of triangles, with a marble over it: small enough for a step in a millisecond or two.
#pragma once

#include <string>

#include "engine/scene/scene_file.h"

namespace plica {

inline std::string small_scene_text() {
    return R"(name = "small"
duration = 0.25
[solver]
dt = 0.004166666666666667
[[film]]
name = "sheet"
generator = "sheet"
nx = 8
ny = 8
spacing = 0.01
origin = [-0.04, -0.04, 0.09]
[[obstacle]]
name = "ball"
generator = "ball"
radius = 0.03
position = [0, 0, 0.05]
level = 2
[[obstacle]]
name = "floor"
generator = "floor"
x = [-0.2, 0.2]
y = [-0.2, 0.2]
z = 0
[[sphere]]
name = "marble"
radius = 0.008
density = 250
position = [0.005, 0, 0.12]
)";
}

inline Scene small_scene() { return parse_scene(small_scene_text(), "small"); }

}  // namespace plica
