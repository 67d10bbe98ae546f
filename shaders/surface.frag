// Films and obstacles: two-sided, see-through or not, edges drawn from the barycentric coordinates.
#include "view.glsl"
in vec3 v_position;
in vec3 v_normal;
in vec3 v_corner;
in float v_scalar;
flat in uvec4 v_marks;
flat in int v_material;
out vec4 color;                    // premultiplied

uniform vec4 u_front[32];          // rgb: tint; a: opacity
uniform vec4 u_back[32];           // rgb: tint of the other side; a: 1 film, 0 obstacle
uniform vec4 u_edge;               // rgb; a: strongest
uniform float u_wire;              // strength of edges that are neither fold nor rim, 0..1
uniform float u_folds;             // 0: none are drawn
uniform vec4 u_range;              // low, high, 1 when logarithmic, 1 when films are coloured by their scalars
uniform vec3 u_undefined;
uniform vec3 u_selection, u_hover, u_alarm;
uniform sampler2D u_color_map;

void main() {
    bool film = u_back[v_material].a > 0.5;
    vec3 v = to_eye(v_position);
    bool front = gl_FrontFacing;
    vec3 n = normalize(front ? v_normal : -v_normal);
    // Smooth normals can turn away at a silhouette: bend them back just into view.
    float facing = dot(n, v);
    if (facing < 0.06) n = normalize(n + (0.06 - facing) * v);

    vec3 tint = front ? u_front[v_material].rgb : u_back[v_material].rgb;
    float alpha = u_front[v_material].a;
    vec3 light;
    if (film && u_range.w > 0.5) {
        // Coloured by a value: even light, little gloss, so that the legend can be compared.
        vec3 albedo = u_undefined;
        if (!isnan(v_scalar)) {
            float s = u_range.z > 0.5 ? log(max(v_scalar, 1e-30) / u_range.x) / log(u_range.y / u_range.x)
                                      : (v_scalar - u_range.x) / (u_range.y - u_range.x);
            albedo = texture(u_color_map, vec2(clamp(s, 0.0, 1.0) * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
        }
        light = linear(albedo) * (0.62 + 0.38 * max(dot(n, u_key.xyz), 0.0)) + 0.04 * gloss(n, v, 40.0);
        alpha = max(alpha, 0.88);
    } else {
        vec3 albedo = linear(tint);
        light = dull(albedo, n);
        if (film) {
            // Light through the film from behind, a sharp gloss and a bright grazing rim make it thin and smooth.
            float shine = gloss(n, v, 70.0);
            float rim = grazing(n, v);
            light += albedo * 0.26 * max(dot(-n, u_key.xyz), 0.0);
            light += 0.34 * shine + 0.20 * rim * mix(vec3(0.6, 0.75, 0.9), vec3(1.0), 0.4);
            alpha = mix(alpha, 1.0, clamp(0.75 * rim + 0.5 * shine, 0.0, 1.0));
        } else {
            float rim = grazing(n, v);
            light += 0.10 * gloss(n, v, 30.0) + 0.06 * rim;
            alpha = mix(alpha, 1.0, 0.35 * rim);
        }
    }

    // Distance to each edge in pixels; a fold is drawn half from either side.
    vec3 width = fwidth(v_corner);
    vec3 away = v_corner / max(width, vec3(1e-9));
    vec3 fold = vec3(v_marks.xyz) / 255.0 * u_folds;
    vec3 strength = max(fold, vec3(film ? u_wire : 0.0));
    // Edges of triangles that are only a few pixels high would turn everything into lines.
    vec3 height = 1.0 / max(width, vec3(1e-9));
    strength *= smoothstep(vec3(3.0), vec3(14.0), height) * 0.999 + 0.001;
    vec3 half_width = u_fill.w * (0.35 + 0.55 * fold);
    vec3 line = strength * (1.0 - smoothstep(half_width - 0.5, half_width + 0.5, away));
    float ink = max(line.x, max(line.y, line.z)) * u_edge.a * (film ? 1.0 : 0.55);
    vec3 shade = mix(encoded(light), u_edge.rgb, ink);
    alpha = mix(alpha, 1.0, ink);

    // Marks glow: their colour, nearly opaque, brighter than light could make them.
    uint bits = v_marks.w;
    if (bits != 0u) {
        vec3 glow = (bits & 1u) != 0u ? u_alarm : (bits & 4u) != 0u ? u_hover : (bits & 2u) != 0u ? u_selection : vec3(-1.0);
        if (glow.x >= 0.0) {
            float part = (bits & 1u) != 0u ? 0.80 : 0.55;
            shade = mix(shade, glow, part * (1.0 - 0.5 * ink));
            alpha = max(alpha, 0.92);
        }
    }
    color = vec4(shade * alpha, alpha);
}
