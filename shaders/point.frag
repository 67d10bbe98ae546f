// Disc, ring, square or diamond with a thin dark rim, so that it is seen on any ground.
in vec4 v_color;
flat in float v_size;
flat in int v_shape;
out vec4 color;

void main() {
    vec2 q = (gl_PointCoord - 0.5) * v_size;
    float radius = 0.5 * v_size - 1.0;
    float d = v_shape == 2 ? max(abs(q.x), abs(q.y)) + 0.1 * radius : v_shape == 3 ? abs(q.x) + abs(q.y) : length(q);
    float cover = 1.0 - smoothstep(radius - 0.5, radius + 0.5, d);
    float body = 1.0 - smoothstep(radius - 1.7, radius - 0.7, d);
    vec3 shade = mix(vec3(0.06, 0.07, 0.09), v_color.rgb, body);
    float alpha = cover * v_color.a;
    if (v_shape == 1) alpha *= smoothstep(0.45 * radius - 0.5, 0.45 * radius + 0.5, d);
    if (alpha < 0.004) discard;
    color = vec4(shade * alpha, alpha);
}
