// The floor: a quiet plane with a grid in round lengths and the soft shadow of what is above it.
#include "view.glsl"
in vec3 v_position;
in vec3 v_normal;
in vec3 v_corner;
flat in uvec4 v_marks;
out vec4 color;                   // premultiplied

uniform vec3 u_floor, u_line;
uniform vec4 u_grid;              // x: spacing of the fine lines [m], y: 1 when drawn, z: strength of the shadow, w: opacity
uniform vec4 u_shadow_area;       // low x, low y, 1 / size x, 1 / size y [m]
uniform vec3 u_look;              // xyz: what is looked at, eye-relative [m]
uniform float u_fade;             // 1 / m: the grid fades with the distance from there
uniform sampler2D u_shadow;

float lines(vec2 p, float spacing, float width_px) {
    vec2 q = p / spacing;
    vec2 pixel = max(fwidth(q), vec2(1e-9));
    vec2 away = abs(fract(q - 0.5) - 0.5) / pixel;
    vec2 line = 1.0 - smoothstep(vec2(0.5 * width_px - 0.5), vec2(0.5 * width_px + 0.5), away);
    line *= 1.0 - smoothstep(vec2(0.12), vec2(0.45), pixel);  // lines closer than a few pixels melt into the plane
    return max(line.x, line.y);
}

void main() {
    bool above = gl_FrontFacing;
    vec2 p = v_position.xy + u_eye.xy;
    vec3 albedo = u_floor;
    float far = length(v_position - u_look) * u_fade;
    float fade = exp(-far * far);
    if (u_grid.y > 0.5) {
        float fine = lines(p, u_grid.x, u_fill.w), coarse = lines(p, 10.0 * u_grid.x, 1.3 * u_fill.w);
        albedo = mix(albedo, u_line, max(0.45 * fine, 0.9 * coarse) * (0.15 + 0.85 * fade));
    }
    // Light fades a little away from the middle, like that of a lamp.
    float light = 0.86 + 0.14 * fade;
    vec2 s = (p - u_shadow_area.xy) * u_shadow_area.zw;
    float shadow = texture(u_shadow, clamp(s, 0.0, 1.0)).r * u_grid.z;
    vec3 width = fwidth(v_corner);
    vec3 away = v_corner / max(width, vec3(1e-9));
    vec3 rim = vec3(v_marks.xyz) / 255.0 * (1.0 - smoothstep(vec3(0.3), vec3(1.3), away));
    vec3 shade = mix(albedo * light * (1.0 - shadow), u_line, 0.8 * max(rim.x, max(rim.y, rim.z)));
    float alpha = above ? u_grid.w : 0.25;
    color = vec4(shade * alpha, alpha);
}
