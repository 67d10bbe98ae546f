// What all programs know of the view. Positions are relative to the eye, so that digits are not lost where one looks closely.
layout(std140) uniform View {
    mat4 u_view_projection;  // eye-relative world -> clip space
    vec4 u_eye;              // xyz: eye in the world [m]; w: 1 for orthographic views
    vec4 u_backward;         // xyz: towards the viewer, unit length
    vec4 u_key;              // xyz: towards the key light; w: strength of the light from all around
    vec4 u_fill;             // xyz: towards the fill light; w: scale of lines and points
    vec4 u_size;             // xy: picture [px]
};

vec3 to_eye(vec3 position) { return u_eye.w > 0.5 ? u_backward.xyz : normalize(-position); }

// Colours come as sRGB; light is added up in (nearly) linear values.
vec3 linear(vec3 srgb) { return srgb * srgb; }
vec3 encoded(vec3 light) { return sqrt(clamp(light, 0.0, 1.0)); }

// Key, fill and a sky that is brighter above than below, on a dull surface. n and v are unit vectors.
vec3 dull(vec3 albedo, vec3 n) {
    float key = max(dot(n, u_key.xyz), 0.0), fill = max(dot(n, u_fill.xyz), 0.0);
    float sky = 0.5 + 0.5 * n.z;
    vec3 around = mix(vec3(0.20, 0.19, 0.18), vec3(0.40, 0.43, 0.47), sky) * u_key.w;
    return albedo * (around + key * vec3(0.74, 0.72, 0.68) + fill * vec3(0.14, 0.16, 0.20));
}
float gloss(vec3 n, vec3 v, float power) {
    vec3 h = normalize(u_key.xyz + v);
    return pow(max(dot(n, h), 0.0), power);
}
float grazing(vec3 n, vec3 v) {
    float c = 1.0 - clamp(dot(n, v), 0.0, 1.0);
    return c * c * c;
}
