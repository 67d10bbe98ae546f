#include "view.glsl"
layout(location = 0) in vec4 a_place;  // eye-relative [m], diameter [px]
layout(location = 1) in vec4 a_color;
layout(location = 2) in float a_shape;
out vec4 v_color;
flat out float v_size;
flat out int v_shape;

void main() {
    gl_Position = u_view_projection * vec4(a_place.xyz, 1.0);
    gl_Position.z -= 8e-5 * gl_Position.w;
    gl_PointSize = a_place.w + 2.0;
    v_size = a_place.w + 2.0;
    v_color = a_color;
    v_shape = int(a_shape + 0.5);
}
