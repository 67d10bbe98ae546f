// Instances of a unit ball.
#include "view.glsl"
layout(location = 0) in vec3 a_unit;
layout(location = 1) in vec4 a_ball;      // centre relative to the eye, radius [m]
layout(location = 2) in vec4 a_color;
layout(location = 3) in float a_glow;
out vec3 v_position;
out vec3 v_normal;
out vec4 v_color;
flat out float v_glow;

void main() {
    v_normal = a_unit;
    v_position = a_ball.xyz + a_ball.w * a_unit;
    v_color = a_color;
    v_glow = a_glow;
    gl_Position = u_view_projection * vec4(v_position, 1.0);
}
