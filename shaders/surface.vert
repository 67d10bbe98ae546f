// Corners are drawn by number: positions are fetched per vertex, so that only they travel to the GPU each frame.
#include "view.glsl"
uniform isamplerBuffer u_triangles;  // per triangle: vertices a, b, c; material
uniform samplerBuffer u_positions;   // 3 floats per vertex [m]
uniform samplerBuffer u_normals;     // per corner, (n + 1) / 2
uniform samplerBuffer u_scalars;     // per vertex
uniform usamplerBuffer u_marks;      // per triangle: strength of edges 0, 1, 2; mark bits

invariant gl_Position;
out vec3 v_position;                 // eye-relative [m]
out vec3 v_normal;
out vec3 v_corner;                   // barycentric
out float v_scalar;
flat out uvec4 v_marks;
flat out int v_material;

void main() {
    int triangle = gl_VertexID / 3, corner = gl_VertexID - 3 * triangle;
    ivec4 t = texelFetch(u_triangles, triangle);
    int vertex = corner == 0 ? t.x : corner == 1 ? t.y : t.z;
    vec3 p = vec3(texelFetch(u_positions, 3 * vertex).r, texelFetch(u_positions, 3 * vertex + 1).r,
                  texelFetch(u_positions, 3 * vertex + 2).r);
    v_position = p - u_eye.xyz;
    v_normal = texelFetch(u_normals, gl_VertexID).xyz * 2.0 - 1.0;
    v_corner = vec3(corner == 0, corner == 1, corner == 2);
    v_scalar = texelFetch(u_scalars, vertex).r;
    v_marks = texelFetch(u_marks, triangle);
    v_material = t.w;
    gl_Position = u_view_projection * vec4(v_position, 1.0);
}
