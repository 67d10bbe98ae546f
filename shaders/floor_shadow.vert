// A rectangle on the floor.
#include "view.glsl"
uniform vec4 u_area;               // low x, low y, 1 / size x, 1 / size y [m]
uniform float u_floor_height;      // m
out vec2 v_place;
void main() {
    v_place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec3 p = vec3(u_area.xy + v_place / u_area.zw, u_floor_height);
    gl_Position = u_view_projection * vec4(p - u_eye.xyz, 1.0);
    gl_Position.z -= 2e-5 * gl_Position.w;
}
