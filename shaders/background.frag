in float v_height;
out vec4 color;
uniform vec4 u_top, u_bottom;
void main() {
    // A little noise hides the steps of eight bits.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    color = vec4(mix(u_bottom.rgb, u_top.rgb, v_height) + noise / 255.0, 1.0);
}
