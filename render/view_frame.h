// What a picture shows: plain spans, nothing owned, no physics. Lengths in metres, z upwards. Spans have to live until the
// draw call returns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/color_map.h"
#include "render/theme.h"

namespace plica {

enum class SurfaceKind : std::uint8_t { Film, Obstacle, Floor };

// Bits of SurfaceView::marks.
enum TriangleMark : std::uint8_t { MarkIntersecting = 1, MarkSelected = 2, MarkHover = 4, MarkContact = 8 };

struct SurfaceView {
    SurfaceKind kind = SurfaceKind::Film;
    std::span<const float> positions{};     // (3 n) m
    std::span<const int> triangles{};       // (3 m) indices into positions
    std::span<const float> scalars{};       // (n) coloured by style.scale, NaN = undefined; empty: plain
    std::span<const std::uint8_t> marks{};  // (m) TriangleMark bits; empty: none
    bool visible = true;
    float opacity = -1;                        // < 0: that of the style for this kind
    std::optional<glm::vec3> front{}, back{};  // tint; empty: the theme's
};

struct SpheresView {
    std::span<const float> centres{};       // (3 k) m
    std::span<const float> radii{};         // (k) m
    std::span<const glm::vec4> colors{};    // (k); empty: sphere_color(i)
    std::span<const std::uint8_t> marks{};  // (k) MarkSelected, MarkHover; empty: none
};

enum class PointShape : std::uint8_t { Disc, Ring, Square, Diamond };

struct PointMark {
    glm::vec3 position{0};  // m
    glm::vec4 color{1};
    float size_px = 8;  // diameter at 100 %
    PointShape shape = PointShape::Disc;
    bool on_top = false;  // not hidden by what is in front
};

struct StrokeMark {
    glm::vec3 from{0}, to{0};  // m
    glm::vec4 color{1};
    float width_px = 2;
    bool arrow = false;  // head at `to`
    bool on_top = false;
};

struct ViewFrame {
    std::vector<SurfaceView> surfaces;
    SpheresView spheres;
    std::vector<PointMark> points;    // contacts, pins, grips, selected vertices
    std::vector<StrokeMark> strokes;  // contact normals, forces, fold lines
    // Equal numbers promise equal contents, so that nothing is sent to the GPU again while only the camera moves.
    // 0 promises nothing.
    std::uint64_t topology_id = 0;  // kinds and triangles of all surfaces
    std::uint64_t content_id = 0;   // positions, scalars, marks of all surfaces
};

enum class EdgeStyle : std::uint8_t {
    None,
    Folds,
    Mesh
};  // Folds: sharp folds and rims only; Mesh: every edge, folds stronger

struct ViewStyle {
    ThemeKind theme = ThemeKind::Dark;
    float film_opacity = 0.46f;  // 1: opaque
    float obstacle_opacity = 0.16f;
    EdgeStyle edges = EdgeStyle::Folds;
    bool floor_grid = true;
    bool shadow = true;             // soft darkening of the floor
    bool clear_background = false;  // alpha 0 where nothing is drawn
    ColorScale scale;               // of SurfaceView::scalars
    float pixel_scale = 1;          // size of lines and points: HiDPI, large pictures
    bool exact_layers = true;       // the first see-through layer per pixel; off: by whole triangles, 1/3 cheaper
    int samples = 0;                // multisampling: 0 none, 2, 4, 8; costs 3 x under software rendering
};

struct Bounds {
    glm::dvec3 low{0}, high{0};  // m
    bool empty = true;
    void add(const glm::dvec3& p);
    glm::dvec3 centre() const { return 0.5 * (low + high); }
    double radius() const;  // m, of the sphere around the box; 0 when empty
};
// Of films, spheres and obstacles; the floor only when there is nothing else.
Bounds bounds(const ViewFrame& frame);

}  // namespace plica
