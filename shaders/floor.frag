// The floor: a quiet plane with a grid in round lengths. Its shadow is drawn over it, where there is one.
#include "view.glsl"
in vec3 v_position;               // eye-relative [m]
out vec4 color;                   // premultiplied

uniform vec3 u_floor, u_line;
uniform vec4 u_grid;              // x: 1 / spacing of the fine lines [1/m], y: 1 when drawn, z: opacity
uniform vec3 u_look;              // what is looked at, eye-relative [m]
uniform float u_fade;             // 1 / m²: the grid fades with the distance from there
uniform vec2 u_shift;             // eye in units of the spacing, less the whole tens

void main() {
    vec3 d = v_position - u_look;
    float fade = 1.0 / (1.0 + dot(d, d) * u_fade);
    // Every tenth line is a strong one; lines closer than a few pixels melt into the plane.
    vec2 q = v_position.xy * u_grid.x + u_shift;
    vec2 pixel = 1.0 / max(fwidth(q), vec2(1e-9));
    vec2 line = floor(q + 0.5);
    vec2 away = abs(q - line) * pixel;
    vec2 tenth = line * 0.1;
    vec2 strong = vec2(lessThan(abs(tenth - floor(tenth + 0.5)), vec2(0.02)));
    vec2 cover = clamp(0.5 * u_fill.w + 0.5 - away, 0.0, 1.0) * clamp((pixel - 2.2 + 20.0 * strong) * 0.3, 0.0, 1.0) * (0.4 + 0.5 * strong);
    float ink = max(cover.x, cover.y) * (0.12 + 0.88 * fade) * u_grid.y;
    // Light fades a little away from the middle, like that of a lamp.
    vec3 shade = mix(u_floor, u_line, ink) * (0.84 + 0.16 * fade);
    color = vec4(shade * u_grid.z, u_grid.z);
}
