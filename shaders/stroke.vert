// A line as a strip of four corners, its width in pixels at either end (0 at the tip of an arrow).
#include "view.glsl"
layout(location = 0) in vec4 a_from;   // eye-relative [m], width [px]
layout(location = 1) in vec4 a_to;
layout(location = 2) in vec4 a_color;
out vec4 v_color;
out float v_across;                    // px from the middle
flat out float v_half;

void main() {
    vec4 from = u_view_projection * vec4(a_from.xyz, 1.0), to = u_view_projection * vec4(a_to.xyz, 1.0);
    vec2 a = from.xy / from.w * 0.5 * u_size.xy, b = to.xy / to.w * 0.5 * u_size.xy;
    vec2 along = b - a;
    along = dot(along, along) > 1e-12 ? normalize(along) : vec2(1.0, 0.0);
    bool end = gl_VertexID > 1;
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    float width = end ? a_to.w : a_from.w;
    float half_width = 0.5 * width + 1.0;  // one pixel more on each side for the soft rim
    vec4 p = end ? to : from;
    p.xy += side * half_width * vec2(-along.y, along.x) / (0.5 * u_size.xy) * p.w;
    p.z -= 6e-5 * p.w;                     // just in front of the surface it lies on
    v_color = a_color;
    v_across = side * half_width;
    v_half = 0.5 * max(a_from.w, a_to.w);
    gl_Position = p;
}
