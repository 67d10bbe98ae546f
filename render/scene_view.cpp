// The order of a picture: background, floor with its shadow, opaque surfaces and spheres, see-through surfaces from far to
// near, then lines and points, and at last those that nothing may hide.
#include "render/scene_view.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include <glad/gl.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "render/framebuffer.h"
#include "render/gl_context.h"
#include "render/gpu_buffer.h"
#include "render/render_error.h"
#include "render/shader.h"
#include "render/surface_mesh.h"
#include "render/unit_ball.h"

namespace plica {
namespace {

constexpr int shadow_size = 128;             // texels: the shadow is soft, more would not be seen
constexpr double shadow_margin = 0.06;       // m around what throws it
constexpr float shadow_fall = 1 / 0.045f;    // 1 / m of height
constexpr std::size_t sort_up_to = 250'000;  // see-through triangles; above it back faces are drawn before front faces
constexpr int ball_levels = 5;

struct ViewBlock {  // view.glsl
    glm::mat4 view_projection;
    glm::vec4 eye, backward, key, fill, size;
};
struct BallInstance {
    glm::vec4 ball, color;
    float glow;
};
struct StrokeInstance {
    glm::vec4 from, to, color;
};
struct PointInstance {
    glm::vec4 place, color;
    float shape;
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Spacing of the fine grid lines: 1 mm, 1 cm, 10 cm …, so that ten to a hundred are seen.
float grid_spacing(double seen) { return float(std::pow(10.0, std::floor(std::log10(std::max(seen, 1e-6) / 12)))); }

}  // namespace

struct SceneView::Impl {
    Shader surface{"surface.vert", "surface.frag"}, layer{"surface.vert", "surface.frag", "LAYERED"},
        colored_surface{"surface.vert", "surface.frag", "COLORED"},
        colored_layer{"surface.vert", "surface.frag", "COLORED LAYERED"}, depth_only{"depth.vert", "depth.frag"},
        floor{"surface.vert", "floor.frag"}, floor_shadow{"floor_shadow.vert", "floor_shadow.frag"},
        sphere{"sphere.vert", "sphere.frag"}, background{"background.vert", "background.frag"},
        stroke{"stroke.vert", "stroke.frag"}, point{"point.vert", "point.frag"}, shadow{"shadow.vert", "shadow.frag"},
        shadow_sphere{"shadow_sphere.vert", "shadow.frag"}, blur{"background.vert", "blur.frag"};
    Framebuffer target;
    DepthLayer nearest;
    SurfaceMesh mesh;
    GlInfo info = gl_info();
    DrawStats stats;

    TexelBuffer triangles{GL_RGBA32I}, vertices{GL_RGBA32F}, normals{GL_RGBA16}, marks{GL_RGBA8UI};
    GpuBuffer indices{GL_ELEMENT_ARRAY_BUFFER}, view_block{GL_UNIFORM_BUFFER};
    GpuBuffer balls{GL_ARRAY_BUFFER}, strokes{GL_ARRAY_BUFFER}, points{GL_ARRAY_BUFFER}, unit_balls{GL_ARRAY_BUFFER};
    GLuint plain_vao = 0, ball_vao = 0, stroke_vao = 0, point_vao = 0;
    GLuint color_map = 0;
    int loaded_map = -1;
    GLuint shadow_maps[2] = {0, 0}, shadow_targets[2] = {0, 0};
    std::array<int, ball_levels + 1> ball_start{};  // first corner of each level in unit_balls

    std::uint64_t topology_id = 0, content_id = 0;
    std::vector<std::size_t> shape;  // sizes of all surfaces, in case ids are not used or wrong
    std::vector<std::uint32_t> corners, ordered;
    glm::dvec3 eye{0};
    Bounds scene;
    glm::vec4 shadow_area{0};
    float floor_height = 0;
    bool shadow_drawn = false;
    std::vector<bool> opaque, clear;  // surfaces that are drawn so
    bool layered = false;             // the first see-through layer was found

    Impl();
    ~Impl();
    void upload(const ViewFrame& frame);
    void set_view(const Camera& camera, const ViewStyle& style, const Viewport& viewport);
    void bind_surfaces() const;
    void draw_corners(const std::vector<std::uint32_t>& list);
    void draw_shadow(const ViewFrame& frame, float height);
    void draw_floor(const ViewFrame& frame, const Camera& camera, const ViewStyle& style);
    void find_nearest_layer(const ViewFrame& frame, const Camera& camera, const ViewStyle& style, const Viewport& viewport);
    void draw_surfaces(const ViewFrame& frame, const Camera& camera, const ViewStyle& style);
    void upload_balls(const ViewFrame& frame);
    void draw_balls(const ViewFrame& frame, const Camera& camera, const Viewport& viewport);
    void draw_marks(const ViewFrame& frame, const Camera& camera, const ViewStyle& style, bool on_top);
    glm::vec3 relative(const glm::vec3& p) const { return glm::vec3(glm::dvec3(p) - eye); }
};

SceneView::Impl::Impl() {
    for (const Shader* shader :
         {&surface, &layer, &colored_surface, &colored_layer, &depth_only, &floor, &floor_shadow, &shadow}) {
        shader->use();
        shader->set("u_triangles", 0);
        shader->set("u_vertices", 1);
        shader->set("u_normals", 2);
        shader->set("u_marks", 3);
        shader->set("u_nearest", 4);
        shader->set("u_color_map", 5);
        shader->set("u_shadow", 5);
    }
    blur.use();
    blur.set("u_source", 5);

    glGenVertexArrays(1, &plain_vao);
    glBindVertexArray(plain_vao);
    indices.bind();

    std::vector<glm::vec3> units;
    for (int level = 0; level < ball_levels; ++level) {
        const std::vector<glm::vec3> ball = unit_ball(level);
        units.insert(units.end(), ball.begin(), ball.end());
        ball_start[std::size_t(level) + 1] = int(units.size());
    }
    const auto attribute = [](GLuint index, int components, std::size_t stride, std::size_t offset, GLuint divisor) {
        glEnableVertexAttribArray(index);
        glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, GLsizei(stride), reinterpret_cast<const void*>(offset));
        glVertexAttribDivisor(index, divisor);
    };
    glGenVertexArrays(1, &ball_vao);
    glBindVertexArray(ball_vao);
    unit_balls.set(units);
    attribute(0, 3, sizeof(glm::vec3), 0, 0);
    balls.bind();
    attribute(1, 4, sizeof(BallInstance), offsetof(BallInstance, ball), 1);
    attribute(2, 4, sizeof(BallInstance), offsetof(BallInstance, color), 1);
    attribute(3, 1, sizeof(BallInstance), offsetof(BallInstance, glow), 1);
    glGenVertexArrays(1, &stroke_vao);
    glBindVertexArray(stroke_vao);
    strokes.bind();
    attribute(0, 4, sizeof(StrokeInstance), offsetof(StrokeInstance, from), 1);
    attribute(1, 4, sizeof(StrokeInstance), offsetof(StrokeInstance, to), 1);
    attribute(2, 4, sizeof(StrokeInstance), offsetof(StrokeInstance, color), 1);
    glGenVertexArrays(1, &point_vao);
    glBindVertexArray(point_vao);
    points.bind();
    attribute(0, 4, sizeof(PointInstance), offsetof(PointInstance, place), 0);
    attribute(1, 4, sizeof(PointInstance), offsetof(PointInstance, color), 0);
    attribute(2, 1, sizeof(PointInstance), offsetof(PointInstance, shape), 0);
    glBindVertexArray(0);

    const auto texture = [](GLuint& name, GLint format, int width, int height) {
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_2D, name);
        glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    };
    GLint before = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    texture(color_map, GL_RGBA8, 256, 1);
    glGenFramebuffers(2, shadow_targets);
    for (int i = 0; i < 2; ++i) {
        texture(shadow_maps[i], GL_R8, shadow_size, shadow_size);
        glBindFramebuffer(GL_FRAMEBUFFER, shadow_targets[i]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, shadow_maps[i], 0);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before));
}

SceneView::Impl::~Impl() {
    for (GLuint* vao : {&plain_vao, &ball_vao, &stroke_vao, &point_vao}) glDeleteVertexArrays(1, vao);
    glDeleteTextures(1, &color_map);
    glDeleteTextures(2, shadow_maps);
    glDeleteFramebuffers(2, shadow_targets);
}

void SceneView::Impl::upload(const ViewFrame& frame) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::size_t> now;
    for (const SurfaceView& s : frame.surfaces) {
        now.push_back(s.positions.size());
        now.push_back(s.triangles.size());
        now.push_back(std::size_t(s.kind));
    }
    if (frame.topology_id == 0 || frame.topology_id != topology_id || now != shape) {
        mesh.set_topology(frame);
        triangles.set(mesh.triangles());
        topology_id = frame.topology_id;
        shape = std::move(now);
        content_id = 0;
    }
    if (frame.content_id == 0 || frame.content_id != content_id) {
        mesh.update(frame);
        vertices.set(mesh.vertices());
        normals.set(mesh.normals());
        marks.set(mesh.marks());
        content_id = frame.content_id;
    }
    stats.upload_ms = milliseconds_since(start);
    stats.triangles = int(mesh.triangles().size());
}

void SceneView::Impl::set_view(const Camera& camera, const ViewStyle& style, const Viewport& viewport) {
    eye = camera.eye();
    // Lights go along with the viewer, but keep coming from above.
    const glm::vec3 right(camera.right()), up(camera.up()), backward(camera.backward());
    const auto light = [&](const glm::vec3& in_view, float lift) {
        return glm::normalize(glm::normalize(in_view.x * right + in_view.y * up + in_view.z * backward) +
                              glm::vec3(0, 0, lift));
    };
    ViewBlock block;
    block.view_projection = camera.eye_relative_view_projection(viewport, scene);
    block.eye = glm::vec4(glm::vec3(eye), camera.orthographic ? 1.0f : 0.0f);
    block.backward = glm::vec4(backward, 0);
    block.key = glm::vec4(light({-0.55f, 0.55f, 0.65f}, 0.35f), theme(style.theme).ambient);
    block.fill = glm::vec4(light({0.85f, 0.10f, 0.45f}, 0), style.pixel_scale);
    block.size = glm::vec4(viewport.width_px, viewport.height_px, 0, 0);
    view_block.set(std::span<const ViewBlock>(&block, 1));
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, view_block.name());
}

void SceneView::Impl::bind_surfaces() const {
    triangles.bind(0);
    vertices.bind(1);
    normals.bind(2);
    marks.bind(3);
}

void SceneView::Impl::draw_corners(const std::vector<std::uint32_t>& list) {
    if (list.empty()) return;
    glBindVertexArray(plain_vao);
    indices.set(list);
    glDrawElements(GL_TRIANGLES, GLsizei(list.size()), GL_UNSIGNED_INT, nullptr);
}

void SceneView::Impl::draw_shadow(const ViewFrame& frame, float height) {
    floor_height = height;
    const glm::dvec3 low = scene.low - shadow_margin, high = scene.high + shadow_margin;
    shadow_area = {float(low.x), float(low.y), float(1 / (high.x - low.x)), float(1 / (high.y - low.y))};
    glViewport(0, 0, shadow_size, shadow_size);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_targets[0]);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    glBlendFunc(GL_ONE, GL_ONE);

    std::vector<bool> films, obstacles;
    for (const SurfaceView& s : frame.surfaces) {
        films.push_back(s.visible && s.kind == SurfaceKind::Film);
        obstacles.push_back(s.visible && s.kind == SurfaceKind::Obstacle);
    }
    bind_surfaces();
    shadow.use();
    shadow.set("u_area", shadow_area);
    shadow.set("u_floor_height", height);
    shadow.set("u_reach", shadow_fall);
    shadow.set("u_strength", 0.75f);
    mesh.collect(films, corners);
    draw_corners(corners);
    shadow.set("u_strength", 0.5f);
    mesh.collect(obstacles, corners);
    draw_corners(corners);
    if (!frame.spheres.radii.empty()) {
        shadow_sphere.use();
        shadow_sphere.set("u_eye_position", glm::vec3(eye));
        shadow_sphere.set("u_area", shadow_area);
        shadow_sphere.set("u_floor_height", height);
        shadow_sphere.set("u_reach", shadow_fall);
        shadow_sphere.set("u_strength", 1.0f);
        glBindVertexArray(ball_vao);
        glDrawArraysInstanced(GL_TRIANGLES, ball_start[1], ball_start[2] - ball_start[1], GLsizei(frame.spheres.radii.size()));
    }
    glDisable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);

    // Blurred by about 7 mm, at least by a texel.
    blur.use();
    blur.set("u_texel", glm::vec2(1.0f / shadow_size));
    glBindVertexArray(plain_vao);
    glActiveTexture(GL_TEXTURE5);
    const glm::vec2 step = glm::max(glm::vec2(0.0045f * shadow_area.z, 0.0045f * shadow_area.w), glm::vec2(1.0f / shadow_size));
    for (int pass = 0; pass < 2; ++pass) {
        glBindFramebuffer(GL_FRAMEBUFFER, shadow_targets[1 - pass]);
        glBindTexture(GL_TEXTURE_2D, shadow_maps[pass]);
        blur.set("u_step", pass == 0 ? glm::vec2(step.x, 0) : glm::vec2(0, step.y));
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
}

void SceneView::Impl::draw_floor(const ViewFrame& frame, const Camera& camera, const ViewStyle& style) {
    const Theme& colors = theme(style.theme);
    std::vector<bool> floors;
    for (const SurfaceView& s : frame.surfaces) floors.push_back(s.visible && s.kind == SurfaceKind::Floor);
    if (std::find(floors.begin(), floors.end(), true) == floors.end()) return;
    const double spacing = grid_spacing(camera.distance * 2 * std::tan(camera.fov_y / 2)),
                 reach = 1.3 * std::max(camera.distance, 1e-6);
    const bool above = camera.backward().z > 0;
    floor.use();
    bind_surfaces();
    floor.set("u_floor", colors.floor);
    floor.set("u_line", colors.floor_line);
    floor.set("u_grid", glm::vec4(1 / spacing, style.floor_grid ? 1 : 0, above ? 1 : 0.25, 0));
    floor.set("u_look", relative(glm::vec3(camera.target)));
    floor.set("u_fade", float(1 / (reach * reach)));
    floor.set("u_shift", glm::vec2(std::remainder(eye.x / spacing, 10), std::remainder(eye.y / spacing, 10)));
    glDepthMask(above);  // from below the floor is a pane
    mesh.collect(floors, corners);
    draw_corners(corners);
    glDepthMask(GL_TRUE);
    if (!above || !shadow_drawn) return;
    glActiveTexture(GL_TEXTURE5);
    glBindTexture(GL_TEXTURE_2D, shadow_maps[0]);
    floor_shadow.use();
    floor_shadow.set("u_area", shadow_area);
    floor_shadow.set("u_floor_height", floor_height);
    floor_shadow.set("u_strength", colors.shadow);
    glDepthMask(GL_FALSE);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDepthMask(GL_TRUE);
}

namespace {
float opacity_of(const SurfaceView& view, const ViewStyle& style) {
    return view.opacity >= 0                ? std::min(view.opacity, 1.0f)
           : view.kind == SurfaceKind::Film ? style.film_opacity
                                            : style.obstacle_opacity;
}
bool any(const std::vector<bool>& list) { return std::find(list.begin(), list.end(), true) != list.end(); }
}  // namespace

// Ordering whole triangles is not exact where layers lie close together. The layer that is seen first is found per pixel and
// drawn last, so that what is in error is seen through at least one film. Done before the picture is begun: changing between
// framebuffers in the middle costs milliseconds under software rendering.
void SceneView::Impl::find_nearest_layer(const ViewFrame& frame, const Camera& camera, const ViewStyle& style,
                                         const Viewport& viewport) {
    opaque.clear();
    clear.clear();
    std::size_t count = 0;
    for (std::size_t s = 0; s < frame.surfaces.size(); ++s) {
        const SurfaceView& view = frame.surfaces[s];
        const float opacity = opacity_of(view, style);
        const bool drawn = view.visible && view.kind != SurfaceKind::Floor && opacity > 0;
        opaque.push_back(drawn && opacity >= 1);
        clear.push_back(drawn && opacity < 1);
        if (clear[s]) count += std::size_t(mesh.first_triangle()[s + 1] - mesh.first_triangle()[s]);
    }
    const bool sorted = count > 0 && count <= sort_up_to;
    layered = sorted && style.exact_layers;
    stats.sort_ms = 0;
    ordered.clear();
    if (!sorted) return;
    const auto start = std::chrono::steady_clock::now();
    mesh.order(glm::vec3(eye), -glm::vec3(camera.backward()), camera.orthographic, clear, ordered);
    stats.sort_ms = milliseconds_since(start);
    if (!layered) return;
    nearest.resize(viewport.width_px, viewport.height_px);
    nearest.bind();
    glViewport(0, 0, viewport.width_px, viewport.height_px);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glClear(GL_DEPTH_BUFFER_BIT);
    bind_surfaces();
    depth_only.use();
    draw_corners(ordered);
}

void SceneView::Impl::draw_surfaces(const ViewFrame& frame, const Camera& camera, const ViewStyle& style) {
    const Theme& colors = theme(style.theme);
    std::array<glm::vec4, max_materials> front{}, back{};
    bool colored = false;
    for (std::size_t s = 0; s < frame.surfaces.size(); ++s) {
        const SurfaceView& view = frame.surfaces[s];
        const bool film = view.kind == SurfaceKind::Film;
        const glm::vec3 tint = view.front.value_or(film ? colors.film_front : colors.obstacle);
        const float opacity = opacity_of(view, style);
        front[s % max_materials] = glm::vec4(tint, opacity);
        back[s % max_materials] =
            glm::vec4(view.back.value_or(film ? (view.front ? tint : colors.film_back) : tint), film ? 1.0f : 0.0f);
        colored = colored || (film && !view.scalars.empty());
    }
    bind_surfaces();
    glActiveTexture(GL_TEXTURE5);
    glBindTexture(GL_TEXTURE_2D, color_map);
    if (loaded_map != int(style.scale.map)) {
        const auto table = color_table(style.scale.map);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 256, 1, GL_RGBA, GL_UNSIGNED_BYTE, table.data());
        loaded_map = int(style.scale.map);
    }
    // An empty range would divide by zero: everything then has the middle colour.
    double low = style.scale.low, high = style.scale.high;
    const bool logarithmic = style.scale.logarithmic && low > 0;
    if (logarithmic) low = std::log(low), high = high > 0 ? std::log(high) : low;
    if (!(high > low)) low -= 0.5, high = low + 1;

    const auto set_up = [&](const Shader& shader) {
        shader.use();
        shader.set("u_front", front.data(), max_materials);
        shader.set("u_back", back.data(), max_materials);
        shader.set("u_edge", colors.edge);
        shader.set("u_ink",
                   glm::vec2(style.edges == EdgeStyle::Mesh ? 0.42f : 0.0f, style.edges == EdgeStyle::None ? 0.0f : 1.0f));
        shader.set("u_range", glm::vec3(low, 1 / (high - low), logarithmic ? 1 : 0));
        shader.set("u_undefined", colors.undefined);
        shader.set("u_selection", glm::vec3(colors::selection));
        shader.set("u_hover", glm::vec3(colors::hover));
        shader.set("u_alarm", glm::vec3(colors::alarm));
    };
    if (any(opaque)) {
        set_up(colored ? colored_surface : surface);
        mesh.collect(opaque, corners);
        draw_corners(corners);
    }
    if (!any(clear)) return;
    if (!layered) {
        glDepthMask(GL_FALSE);
        set_up(colored ? colored_surface : surface);
        if (!ordered.empty()) {
            draw_corners(ordered);
        } else {
            // Too many to be ordered each frame: far sides before near sides.
            mesh.collect(clear, corners);
            glEnable(GL_CULL_FACE);
            for (const GLenum hidden : {GL_FRONT, GL_BACK}) {
                glCullFace(hidden);
                draw_corners(corners);
            }
            glDisable(GL_CULL_FACE);
        }
        glDepthMask(GL_TRUE);
        return;
    }
    glDepthMask(GL_FALSE);
    glActiveTexture(GL_TEXTURE4);
    glBindTexture(GL_TEXTURE_2D, nearest.texture());
    const auto again = [&] { glDrawElements(GL_TRIANGLES, GLsizei(ordered.size()), GL_UNSIGNED_INT, nullptr); };
    set_up(colored ? colored_layer : layer);
    draw_corners(ordered);
    draw_marks(frame, camera, style, false);  // those behind the nearest layer shine through it
    glBindVertexArray(plain_vao);
    glDepthMask(GL_TRUE);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    depth_only.use();
    again();
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_LEQUAL);
    set_up(colored ? colored_surface : surface);
    again();
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
}

void SceneView::Impl::upload_balls(const ViewFrame& frame) {
    std::vector<BallInstance> list;
    const SpheresView& s = frame.spheres;
    for (std::size_t i = 0; i < s.radii.size(); ++i) {
        const glm::vec3 centre{s.centres[3 * i], s.centres[3 * i + 1], s.centres[3 * i + 2]};
        const std::uint8_t mark = i < s.marks.size() ? s.marks[i] : std::uint8_t(0);
        list.push_back({glm::vec4(relative(centre), s.radii[i]), i < s.colors.size() ? s.colors[i] : sphere_color(int(i)),
                        mark & MarkSelected ? 1.0f
                        : mark & MarkHover  ? 0.6f
                                            : 0.0f});
    }
    if (!list.empty()) balls.set(list);
}

void SceneView::Impl::draw_balls(const ViewFrame& frame, const Camera& camera, const Viewport& viewport) {
    const std::size_t count = frame.spheres.radii.size();
    if (count == 0) return;
    // As round as the largest one needs: one level serves all.
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const glm::dvec3 c{frame.spheres.centres[3 * i], frame.spheres.centres[3 * i + 1], frame.spheres.centres[3 * i + 2]};
        const double depth = std::max(glm::dot(eye - c, camera.backward()), double(frame.spheres.radii[i]));
        largest = std::max(largest, frame.spheres.radii[i] / camera.metres_per_pixel(depth, viewport));
    }
    const std::size_t level = largest < 14 ? 1 : largest < 90 ? 2 : largest < 400 ? 3 : 4;
    sphere.use();
    sphere.set("u_glow", glm::vec3(colors::selection));
    glBindVertexArray(ball_vao);
    glEnable(GL_CULL_FACE);
    glDrawArraysInstanced(GL_TRIANGLES, ball_start[level], ball_start[level + 1] - ball_start[level], GLsizei(count));
    glDisable(GL_CULL_FACE);
}

void SceneView::Impl::draw_marks(const ViewFrame& frame, const Camera& camera, const ViewStyle& style, bool on_top) {
    const Viewport viewport{target.width(), target.height()};
    std::vector<StrokeInstance> lines;
    const Camera::Range range = camera.range(scene);
    const glm::dvec3 forward = -camera.backward();
    const auto add_line = [&](glm::dvec3 a, glm::dvec3 b, const glm::vec4& color, float width_a, float width_b) {
        // What lies behind the near plane is cut off here: the shader divides by the depth.
        const double da = glm::dot(a - eye, forward) - 1.001 * range.near, db = glm::dot(b - eye, forward) - 1.001 * range.near;
        if (!(da > 0) && !(db > 0)) return;
        if (da < 0) a += (da / (da - db)) * (b - a);
        if (db < 0) b += (db / (db - da)) * (a - b);
        lines.push_back({glm::vec4(glm::vec3(a - eye), width_a * style.pixel_scale),
                         glm::vec4(glm::vec3(b - eye), width_b * style.pixel_scale), color});
    };
    for (const StrokeMark& mark : frame.strokes) {
        if (mark.on_top != on_top) continue;
        const glm::dvec3 from(mark.from), to(mark.to);
        const double length = glm::length(to - from);
        if (!(length > 0) || !std::isfinite(length)) continue;
        if (mark.arrow) {
            const double depth = std::max(glm::dot(to - eye, forward), range.near);
            const double head =
                std::min(0.6 * length, 4.2 * mark.width_px * style.pixel_scale * camera.metres_per_pixel(depth, viewport));
            const glm::dvec3 neck = to - head / length * (to - from);
            add_line(from, neck, mark.color, mark.width_px, mark.width_px);
            add_line(neck, to, mark.color, 3.6f * mark.width_px, 0);
        } else {
            add_line(from, to, mark.color, mark.width_px, mark.width_px);
        }
    }
    std::vector<PointInstance> dots;
    for (const PointMark& mark : frame.points) {
        if (mark.on_top == on_top)
            dots.push_back(
                {glm::vec4(relative(mark.position), mark.size_px * style.pixel_scale), mark.color, float(mark.shape)});
    }
    if (!lines.empty()) {
        stroke.use();
        glBindVertexArray(stroke_vao);
        strokes.set(lines);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(lines.size()));
    }
    if (!dots.empty()) {
        point.use();
        glBindVertexArray(point_vao);
        points.set(dots);
        glDrawArrays(GL_POINTS, 0, GLsizei(dots.size()));
    }
}

SceneView::SceneView() : impl_(std::make_unique<Impl>()) {}
SceneView::~SceneView() = default;

void SceneView::draw(const ViewFrame& frame, const Camera& camera, const ViewStyle& style, const Viewport& viewport) {
    if (viewport.width_px <= 0 || viewport.height_px <= 0) return;
    Impl& m = *impl_;
    if (std::max(viewport.width_px, viewport.height_px) > m.info.max_size_px)
        throw RenderError("A picture of " + std::to_string(viewport.width_px) + " x " + std::to_string(viewport.height_px) +
                          " pixels is larger than this OpenGL allows (" + std::to_string(m.info.max_size_px) + " a side)");
    GLint framebuffer = 0, viewport_before[4];
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer);
    glGetIntegerv(GL_VIEWPORT, viewport_before);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glFrontFace(GL_CCW);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glBlendEquation(GL_FUNC_ADD);

    m.scene = bounds(frame);
    m.upload(frame);
    m.set_view(camera, style, viewport);
    m.upload_balls(frame);
    const auto floor = std::find_if(frame.surfaces.begin(), frame.surfaces.end(), [](const SurfaceView& s) {
        return s.visible && s.kind == SurfaceKind::Floor && !s.positions.empty();
    });
    m.shadow_drawn = style.shadow && floor != frame.surfaces.end() && !m.scene.empty;
    if (m.shadow_drawn) m.draw_shadow(frame, floor->positions[2]);
    m.find_nearest_layer(frame, camera, style, viewport);

    const int samples = style.samples > 1 ? std::min(style.samples, m.info.max_samples) : 0;
    m.target.resize(viewport.width_px, viewport.height_px, samples);
    m.target.bind();
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    if (!style.clear_background) {
        m.background.use();
        m.background.set("u_top", glm::vec3(theme(style.theme).background_top));
        m.background.set("u_bottom", glm::vec3(theme(style.theme).background_bottom));
        glBindVertexArray(m.plain_vao);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    const bool from_below = camera.backward().z <= 0;
    if (!from_below) m.draw_floor(frame, camera, style);
    m.draw_balls(frame, camera, viewport);
    m.draw_surfaces(frame, camera, style);
    if (from_below) m.draw_floor(frame, camera, style);
    glDepthMask(GL_FALSE);
    m.draw_marks(frame, camera, style, false);
    glDisable(GL_DEPTH_TEST);
    m.draw_marks(frame, camera, style, true);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    m.target.resolve();

    glBindVertexArray(0);
    glUseProgram(0);
    for (int unit = 5; unit >= 0; --unit) {
        glActiveTexture(GL_TEXTURE0 + GLenum(unit));
        glBindTexture(GL_TEXTURE_BUFFER, 0);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, GLuint(framebuffer));
    glViewport(viewport_before[0], viewport_before[1], viewport_before[2], viewport_before[3]);
}

unsigned SceneView::texture() const { return impl_->target.texture(); }
void SceneView::read(Image& image) const { impl_->target.read(image); }
const DrawStats& SceneView::stats() const { return impl_->stats; }

}  // namespace plica
