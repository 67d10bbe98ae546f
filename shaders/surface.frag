// Films and obstacles: two-sided, see-through or not. Most was done per corner; here are highlight, edges and marks.
in vec4 v_light;
in vec3 v_normal;
flat in vec3 v_half;
in float v_scalar;
noperspective in vec3 v_away;
flat in vec3 v_strength;
flat in vec3 v_width;
flat in vec4 v_glow;
flat in vec2 v_gloss;
out vec4 color;                    // premultiplied

uniform vec4 u_edge;               // rgb; a: strongest
#ifdef LAYERED
uniform sampler2D u_nearest;       // depth of the see-through layer that is seen first: it is left out
#endif
#ifdef COLORED
uniform vec3 u_range;              // low, 1 / (high - low), 1 when logarithmic: then of the logarithms
uniform vec3 u_undefined;
uniform sampler2D u_color_map;
#endif

void main() {
#ifdef LAYERED
    if (gl_FragCoord.z <= texelFetch(u_nearest, ivec2(gl_FragCoord.xy), 0).r + 2.5e-7) discard;
#endif
    // (n . h)^64 without a pow.
    float s = max(dot(v_normal, v_half), 0.0);
    s = s * s / dot(v_normal, v_normal);
    s *= s; s *= s; s *= s; s *= s; s *= s;
    float shine = v_gloss.x * s;
    float alpha = v_light.a;
#ifdef COLORED
    // Coloured by a value: even light, little gloss, so that the legend can be compared.
    float value = u_range.z > 0.5 ? log(max(v_scalar, 1e-30)) : v_scalar;
    float place = clamp((value - u_range.x) * u_range.y, 0.0, 1.0);
    vec3 albedo = isnan(v_scalar) ? u_undefined : texture(u_color_map, vec2(place * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
    vec3 shade = sqrt(min(albedo * albedo * v_light.r + 0.1 * shine, 1.0));
#else
    vec3 shade = v_light.rgb + (1.0 - v_light.rgb) * shine;
    alpha += (1.0 - alpha) * min(shine, 1.0);
#endif
    vec3 line = v_strength * clamp(v_width + 0.5 - v_away, 0.0, 1.0);
    float ink = max(line.x, max(line.y, line.z)) * u_edge.a * v_gloss.y;
    shade = mix(shade, u_edge.rgb, ink);
    alpha += (1.0 - alpha) * ink;
    // Marks glow: their colour, nearly opaque.
    shade = mix(shade, v_glow.rgb, v_glow.a * (1.0 - 0.5 * ink));
    alpha = max(alpha, 1.6 * v_glow.a);
    alpha = min(alpha, 1.0);
    color = vec4(shade * alpha, alpha);
}
