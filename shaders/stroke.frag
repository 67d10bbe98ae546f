in vec4 v_color;
in float v_across;
flat in float v_half;
out vec4 color;
void main() {
    float alpha = v_color.a * (1.0 - smoothstep(v_half - 0.5, v_half + 0.5, abs(v_across)));
    color = vec4(v_color.rgb * alpha, alpha);
}
