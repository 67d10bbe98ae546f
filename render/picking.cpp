#include "render/picking.h"

#include <cmath>
#include <cstddef>

#include <glm/geometric.hpp>

namespace plica {
namespace {

glm::dvec3 point_of(std::span<const float> positions, int vertex) {
    const std::size_t i = 3 * std::size_t(vertex);
    return {positions[i], positions[i + 1], positions[i + 2]};
}

// Möller and Trumbore 1997, two-sided. Returns the distance along the ray, or a negative number.
double hit_triangle(const Ray& ray, const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, glm::dvec3& barycentric,
                    bool& front) {
    const glm::dvec3 ab = b - a, ac = c - a;
    const glm::dvec3 p = glm::cross(ray.direction, ac);
    const double det = glm::dot(ab, p);
    if (det == 0 || !std::isfinite(det)) return -1;
    const glm::dvec3 s = ray.origin - a;
    const double u = glm::dot(s, p) / det;
    if (!(u >= 0 && u <= 1)) return -1;
    const glm::dvec3 q = glm::cross(s, ab);
    const double v = glm::dot(ray.direction, q) / det;
    if (!(v >= 0 && u + v <= 1)) return -1;
    barycentric = {1 - u - v, u, v};
    front = det > 0;
    return glm::dot(ac, q) / det;
}

double hit_sphere(const Ray& ray, const glm::dvec3& centre, double radius) {
    const glm::dvec3 d = centre - ray.origin;
    const double along = glm::dot(d, ray.direction);
    const glm::dvec3 across = d - along * ray.direction;
    const double rest = radius * radius - glm::dot(across, across);
    if (!(rest >= 0)) return -1;
    const double half = std::sqrt(rest);
    return along - half > 0 ? along - half : along + half;
}

// Even-odd rule.
bool inside(std::span<const glm::dvec2> polygon, const glm::dvec2& p) {
    bool in = false;
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const glm::dvec2 a = polygon[i], b = polygon[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) in = !in;
    }
    return in;
}

}  // namespace

std::optional<Hit> pick(const ViewFrame& frame, const Ray& ray, const PickFilter& filter) {
    std::optional<Hit> best;
    for (std::size_t s = 0; s < frame.surfaces.size(); ++s) {
        const SurfaceView& surface = frame.surfaces[s];
        const bool wanted = surface.kind == SurfaceKind::Film       ? filter.films
                            : surface.kind == SurfaceKind::Obstacle ? filter.obstacles
                                                                    : filter.floor;
        if (!surface.visible || !wanted) continue;
        for (std::size_t t = 0; t + 2 < surface.triangles.size(); t += 3) {
            const int* corner = &surface.triangles[t];
            glm::dvec3 barycentric;
            bool front = true;
            const double distance =
                hit_triangle(ray, point_of(surface.positions, corner[0]), point_of(surface.positions, corner[1]),
                             point_of(surface.positions, corner[2]), barycentric, front);
            if (!(distance > 0) || (best && distance >= best->distance)) continue;
            Hit hit;
            hit.kind = surface.kind == SurfaceKind::Film       ? Hit::Kind::Film
                       : surface.kind == SurfaceKind::Obstacle ? Hit::Kind::Obstacle
                                                               : Hit::Kind::Floor;
            hit.surface = int(s);
            hit.triangle = int(t / 3);
            hit.barycentric = barycentric;
            hit.distance = distance;
            hit.position = ray.origin + distance * ray.direction;
            hit.front = front;
            double nearest = -1;
            for (int k = 0; k < 3; ++k) {
                const glm::dvec3 d = point_of(surface.positions, corner[k]) - hit.position;
                if (nearest < 0 || glm::dot(d, d) < nearest) {
                    nearest = glm::dot(d, d);
                    hit.vertex = corner[k];
                }
            }
            best = hit;
        }
    }
    if (filter.spheres) {
        for (std::size_t i = 0; i < frame.spheres.radii.size(); ++i) {
            const double distance = hit_sphere(ray, point_of(frame.spheres.centres, int(i)), frame.spheres.radii[i]);
            if (!(distance > 0) || (best && distance >= best->distance)) continue;
            Hit hit;
            hit.kind = Hit::Kind::Sphere;
            hit.sphere = int(i);
            hit.distance = distance;
            hit.position = ray.origin + distance * ray.direction;
            best = hit;
        }
    }
    return best;
}

std::optional<VertexHit> pick_vertex(const ViewFrame& frame, const Camera& camera, const Viewport& viewport,
                                     glm::dvec2 cursor_px, double reach_px) {
    std::optional<VertexHit> best;
    double best_depth = 0;
    for (std::size_t s = 0; s < frame.surfaces.size(); ++s) {
        const SurfaceView& surface = frame.surfaces[s];
        if (!surface.visible || surface.kind != SurfaceKind::Film) continue;
        for (int v = 0; v < int(surface.positions.size() / 3); ++v) {
            const glm::dvec3 p = point_of(surface.positions, v);
            const glm::dvec3 place = camera.project(p, viewport);
            if (!camera.orthographic && !(place.z > 0)) continue;
            const double away = glm::length(glm::dvec2(place) - cursor_px);
            if (!(away <= reach_px)) continue;
            const bool better = !best || away < best->distance_px - 2 || (away < best->distance_px + 2 && place.z < best_depth);
            if (!better) continue;
            best = VertexHit{int(s), v, away, p};
            best_depth = place.z;
        }
    }
    return best;
}

std::vector<VertexId> vertices_within(const ViewFrame& frame, const Camera& camera, const Viewport& viewport,
                                      std::span<const glm::dvec2> polygon_px) {
    std::vector<VertexId> found;
    if (polygon_px.size() < 3) return found;
    for (std::size_t s = 0; s < frame.surfaces.size(); ++s) {
        const SurfaceView& surface = frame.surfaces[s];
        if (!surface.visible || surface.kind != SurfaceKind::Film) continue;
        for (int v = 0; v < int(surface.positions.size() / 3); ++v) {
            const glm::dvec3 place = camera.project(point_of(surface.positions, v), viewport);
            if ((camera.orthographic || place.z > 0) && inside(polygon_px, glm::dvec2(place))) found.push_back({int(s), v});
        }
    }
    return found;
}

}  // namespace plica
