// What lies under the cursor. On the CPU, without OpenGL.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "render/camera.h"
#include "render/view_frame.h"

namespace plica {

struct Hit {
    enum class Kind { Film, Obstacle, Floor, Sphere } kind = Kind::Film;
    int surface = -1;   // index into ViewFrame::surfaces; -1 for spheres
    int triangle = -1;  // of that surface
    int vertex = -1;    // nearest corner of the triangle, index within the surface
    int sphere = -1;
    glm::dvec3 barycentric{0};  // of the point in the triangle
    glm::dvec3 position{0};     // m
    double distance = 0;        // m along the ray
    bool front = true;          // the side that the triangle's normal points to
};

struct PickFilter {
    bool films = true, spheres = true, obstacles = false, floor = false;
};

// The nearest hit of the ray with visible surfaces and spheres.
std::optional<Hit> pick(const ViewFrame& frame, const Ray& ray, const PickFilter& filter = {});

// The film vertex whose picture is nearest to the cursor and within `reach_px`; nearer to the eye wins within two pixels.
struct VertexHit {
    int surface = -1, vertex = -1;
    double distance_px = 0;
    glm::dvec3 position{0};
};
std::optional<VertexHit> pick_vertex(const ViewFrame& frame, const Camera& camera, const Viewport& viewport,
                                     glm::dvec2 cursor_px, double reach_px = 10);

// Film vertices inside a polygon of the picture (box: four corners; lasso: any), hidden ones included.
struct VertexId {
    int surface = -1, vertex = -1;
    friend bool operator==(const VertexId&, const VertexId&) = default;
};
std::vector<VertexId> vertices_within(const ViewFrame& frame, const Camera& camera, const Viewport& viewport,
                                      std::span<const glm::dvec2> polygon_px);

}  // namespace plica
