// Films, obstacles and floor. Corners are drawn by number: positions are fetched per vertex, so that only they travel to the GPU
// each frame. All three corners are known here, and with them the side that is seen and the distance to the edges in pixels: the
// fragment shader, which counts under software rendering, has little left to do.
#include "view.glsl"
uniform isamplerBuffer u_triangles;  // per triangle: vertices a, b, c; material
uniform samplerBuffer u_vertices;    // xyz: position [m]; w: scalar
uniform samplerBuffer u_normals;     // per corner, (n + 1) / 2
uniform usamplerBuffer u_marks;      // per triangle: strength of edges 0, 1, 2; mark bits
uniform vec4 u_front[32];            // rgb: tint; a: opacity
uniform vec4 u_back[32];             // rgb: tint of the other side; a: 1 film, 0 obstacle
uniform vec2 u_ink;                  // x: strength of edges that are neither fold nor rim; y: of those that are
uniform vec3 u_selection, u_hover, u_alarm;

invariant gl_Position;
out vec3 v_position;                 // eye-relative [m]
out vec4 v_light;                    // rgb: dull light as sRGB, or how bright a coloured surface is (r); a: opacity
out vec3 v_normal;                   // towards the viewer
flat out vec3 v_half;                // between viewer and key light, unit length; the same for the whole triangle
out float v_scalar;
noperspective out vec3 v_away;       // px to the three edges
flat out vec3 v_strength;            // of the edges
flat out vec3 v_width;               // px, half
flat out vec4 v_glow;                // colour and strength of the mark
flat out vec2 v_gloss;               // highlight; edge alpha

vec3 corner_of(int vertex) { return texelFetch(u_vertices, vertex).xyz - u_eye.xyz; }

void main() {
    int triangle = gl_VertexID / 3, corner = gl_VertexID - 3 * triangle;
    ivec4 t = texelFetch(u_triangles, triangle);
    int vertex = corner == 0 ? t.x : corner == 1 ? t.y : t.z;
    vec4 own = texelFetch(u_vertices, vertex);
    v_position = own.xyz - u_eye.xyz;
    v_scalar = own.w;
    gl_Position = u_view_projection * vec4(v_position, 1.0);

    vec3 a = corner_of(t.x), b = corner_of(t.y), c = corner_of(t.z);
    vec3 across = cross(b - a, c - a);
    bool front = dot(across, u_eye.w > 0.5 ? u_backward.xyz : -a) >= 0.0;
    bool film = u_back[t.w].a > 0.5;

    vec3 v = to_eye(v_position);
    vec3 n = texelFetch(u_normals, gl_VertexID).xyz * 2.0 - 1.0;
    n = normalize(front ? n : -n);
    // Smooth normals can turn away at a silhouette: bend them back just into view.
    float facing = dot(n, v);
    if (facing < 0.06) n = normalize(n + (0.06 - facing) * v);
    v_normal = n;
    v_half = normalize(u_key.xyz + to_eye(a + b + c));

    vec3 albedo = linear(front ? u_front[t.w].rgb : u_back[t.w].rgb);
    float rim = grazing(n, v);
    float alpha = u_front[t.w].a;
    vec3 light = dull(albedo, n);
    if (film) {
        // Light through the film from behind and a bright, dense grazing rim make it thin and smooth.
        light += albedo * 0.30 * max(dot(-n, u_key.xyz), 0.0) + 0.26 * rim * vec3(0.80, 0.90, 1.0);
        alpha = mix(alpha, 1.0, 0.80 * rim);
    } else {
        light += 0.06 * rim;
        alpha = mix(alpha, 1.0, 0.35 * rim);
    }
#ifdef COLORED
    light = vec3(0.62 + 0.38 * max(dot(n, u_key.xyz), 0.0));
    if (film) alpha = max(alpha, 0.90);
#endif
    v_light = vec4(light, alpha);
#ifndef COLORED
    v_light.rgb = encoded(light);
#endif
    v_gloss = vec2(film ? 0.55 : 0.08, film ? 1.0 : 0.5);

    uvec4 marks = texelFetch(u_marks, triangle);
    uint bits = marks.w;
    v_glow = (bits & 1u) != 0u ? vec4(u_alarm, 0.80)
           : (bits & 4u) != 0u ? vec4(u_hover, 0.50)
           : (bits & 2u) != 0u ? vec4(u_selection, 0.55) : vec4(0.0);

    // Edges: a fold is drawn half from either side. Triangles that reach behind the eye have none.
    vec3 fold = vec3(marks.xyz) / 255.0 * u_ink.y;
    v_strength = max(fold, vec3(film ? u_ink.x : 0.0));
    v_width = u_fill.w * (0.35 + 0.55 * fold);
    v_away = vec3(1e6);
    vec4 ca = u_view_projection * vec4(a, 1.0), cb = u_view_projection * vec4(b, 1.0), cc = u_view_projection * vec4(c, 1.0);
    if (min(ca.w, min(cb.w, cc.w)) > 0.0) {
        vec2 pa = 0.5 * u_size.xy * ca.xy / ca.w, pb = 0.5 * u_size.xy * cb.xy / cb.w, pc = 0.5 * u_size.xy * cc.xy / cc.w;
        vec2 ab = pb - pa, bc = pc - pb, ca2 = pa - pc;
        float twice_area = abs(ab.x * ca2.y - ab.y * ca2.x);
        vec3 height = twice_area / max(vec3(length(bc), length(ca2), length(ab)), vec3(1e-6));
        v_away = vec3(corner == 0 ? height.x : 0.0, corner == 1 ? height.y : 0.0, corner == 2 ? height.z : 0.0);
        // Edges of triangles that are only a few pixels high would turn everything into lines.
        float size = sqrt(twice_area);
        v_strength *= clamp((size - 3.0) / 10.0, 0.0, 1.0);
    }
}
