#include "view.glsl"
in vec3 v_position;
in vec3 v_normal;
in vec4 v_color;
flat in float v_glow;
out vec4 color;
uniform vec3 u_glow;

void main() {
    vec3 n = normalize(v_normal), v = to_eye(v_position);
    vec3 light = dull(linear(v_color.rgb), n) + 0.26 * gloss(n, v, 48.0) + 0.07 * grazing(n, v);
    vec3 shade = encoded(light);
    // Chosen: a bright ring, so that the ball's own colour stays readable.
    float ring = smoothstep(0.45, 0.75, 1.0 - clamp(dot(n, v), 0.0, 1.0));
    shade = mix(shade, u_glow, v_glow * (0.12 + 0.88 * ring));
    color = vec4(shade, 1.0);
}
