in float v_height;
out vec4 color;
uniform vec3 u_top, u_bottom;
void main() {
    // A little noise hides the steps of eight bits.
    float noise = fract(dot(gl_FragCoord.xy, vec2(0.7548777, 0.5698403))) - 0.5;
    color = vec4(mix(u_bottom, u_top, v_height) + noise / 255.0, 1.0);
}
