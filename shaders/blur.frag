// Gauss in one direction; nine taps.
in float v_height;
out vec4 color;
uniform sampler2D u_source;
uniform vec2 u_step;               // one tap further, in texture coordinates
uniform vec2 u_texel;              // 1 / size

void main() {
    vec2 uv = gl_FragCoord.xy * u_texel;
    float sum = 0.20416 * texture(u_source, uv).r;
    sum += 0.18017 * (texture(u_source, uv + u_step).r + texture(u_source, uv - u_step).r);
    sum += 0.12383 * (texture(u_source, uv + 2.0 * u_step).r + texture(u_source, uv - 2.0 * u_step).r);
    sum += 0.06628 * (texture(u_source, uv + 3.0 * u_step).r + texture(u_source, uv - 3.0 * u_step).r);
    sum += 0.02764 * (texture(u_source, uv + 4.0 * u_step).r + texture(u_source, uv - 4.0 * u_step).r);
    color = vec4(sum);
}
