// Seen from above, for the soft shadow on the floor.
uniform isamplerBuffer u_triangles;
uniform samplerBuffer u_vertices;
uniform vec4 u_area;                // low x, low y, 1 / size x, 1 / size y [m]
uniform float u_floor_height;       // m
out float v_height;                 // above the floor [m]

void main() {
    int triangle = gl_VertexID / 3, corner = gl_VertexID - 3 * triangle;
    ivec4 t = texelFetch(u_triangles, triangle);
    int vertex = corner == 0 ? t.x : corner == 1 ? t.y : t.z;
    vec3 p = texelFetch(u_vertices, vertex).xyz;
    v_height = p.z - u_floor_height;
    gl_Position = vec4(2.0 * (p.xy - u_area.xy) * u_area.zw - 1.0, 0.0, 1.0);
}
