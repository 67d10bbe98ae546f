// Darkness falls off with the height of what throws the shadow; the darkest wins (blending by maximum).
in float v_height;
out vec4 color;
uniform float u_reach;             // 1 / m
uniform float u_strength;
void main() { color = vec4(u_strength * exp(-max(v_height, 0.0) * u_reach)); }
