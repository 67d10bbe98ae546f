// Depth of see-through surfaces alone, of the same bits as in surface.vert.
#include "view.glsl"
uniform isamplerBuffer u_triangles;
uniform samplerBuffer u_vertices;
invariant gl_Position;
void main() {
    int triangle = gl_VertexID / 3, corner = gl_VertexID - 3 * triangle;
    ivec4 t = texelFetch(u_triangles, triangle);
    int vertex = corner == 0 ? t.x : corner == 1 ? t.y : t.z;
    vec3 p = texelFetch(u_vertices, vertex).xyz - u_eye.xyz;
    gl_Position = u_view_projection * vec4(p, 1.0);
}
