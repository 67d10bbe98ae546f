// Darkens the floor; fades out at the rim of the area.
in vec2 v_place;
out vec4 color;
uniform sampler2D u_shadow;
uniform float u_strength;
void main() {
    vec2 rim = clamp(8.0 * min(v_place, 1.0 - v_place), 0.0, 1.0);
    color = vec4(0.0, 0.0, 0.0, u_strength * rim.x * rim.y * texture(u_shadow, v_place).r);
}
