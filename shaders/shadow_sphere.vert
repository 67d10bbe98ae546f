layout(location = 0) in vec3 a_unit;
layout(location = 1) in vec4 a_ball;  // centre relative to the eye, radius [m]
uniform vec3 u_eye_position;
uniform vec4 u_area;
uniform float u_floor_height;
out float v_height;

void main() {
    vec3 p = u_eye_position + a_ball.xyz + a_ball.w * a_unit;
    v_height = p.z - u_floor_height;
    gl_Position = vec4(2.0 * (p.xy - u_area.xy) * u_area.zw - 1.0, 0.0, 1.0);
}
