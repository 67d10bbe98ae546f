// The floor: a quiet plane with a grid in round lengths and the soft shadow of what is above it.
#include "view.glsl"
in vec3 v_position;
noperspective in vec3 v_away;
flat in vec3 v_strength;
out vec4 color;                   // premultiplied

uniform vec3 u_floor, u_line;
uniform vec4 u_grid;              // x: 1 / spacing of the fine lines [1/m], y: 1 when drawn, z: strength of the shadow, w: opacity
uniform vec4 u_shadow_area;       // low x, low y, 1 / size x, 1 / size y [m]
uniform vec3 u_look;              // what is looked at, eye-relative [m]
uniform float u_fade;             // 1 / m²: the grid fades with the distance from there
uniform sampler2D u_shadow;

void main() {
    vec2 p = v_position.xy + u_eye.xy;
    vec3 d = v_position - u_look;
    float fade = 1.0 / (1.0 + dot(d, d) * u_fade);
    // Fine and coarse lines at once, a coarse one every ten; lines closer than a few pixels melt into the plane.
    vec2 q = p * u_grid.x;
    vec4 lines = vec4(q, 0.1 * q);
    vec2 pixel2 = max(fwidth(q), vec2(1e-9));
    vec4 pixel = vec4(pixel2, 0.1 * pixel2);
    vec4 away = (abs(fract(lines - 0.5) - 0.5)) / pixel;
    vec4 cover = clamp(vec4(0.5, 0.5, 0.65, 0.65) * u_fill.w + 0.5 - away, 0.0, 1.0) * clamp((0.45 - pixel) * 3.0, 0.0, 1.0);
    float ink = max(0.45 * max(cover.x, cover.y), 0.9 * max(cover.z, cover.w)) * (0.12 + 0.88 * fade) * u_grid.y;
    // Light fades a little away from the middle, like that of a lamp.
    float light = 0.84 + 0.16 * fade;
    float shadow = texture(u_shadow, (p - u_shadow_area.xy) * u_shadow_area.zw).r * u_grid.z;
    vec3 shade = mix(u_floor, u_line, ink) * light * (1.0 - shadow);
    vec3 rim = v_strength * clamp(1.3 - v_away, 0.0, 1.0);
    shade = mix(shade, u_line, 0.8 * max(rim.x, max(rim.y, rim.z)));
    color = vec4(shade * u_grid.w, u_grid.w);
}
