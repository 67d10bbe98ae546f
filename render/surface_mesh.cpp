#include "render/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace plica {
namespace {

// Above this count corner normals are plain averages: the weighted ones would cost more than a frame's time.
constexpr std::size_t crease_normals_up_to = 120'000;
constexpr std::size_t cut_up_to = 20'000;  // triangles of one obstacle
constexpr std::uint8_t rim_strength = 215;

glm::vec3 at(const std::vector<glm::vec4>& vertices, int vertex) { return glm::vec3(vertices[std::size_t(vertex)]); }
glm::vec3 at(std::span<const float> positions, int vertex) {
    const float* p = &positions[3 * std::size_t(vertex)];
    return {p[0], p[1], p[2]};
}

float ramp(float from, float to, float x) {
    const float s = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
    return s * s * (3 - 2 * s);
}

}  // namespace

void SurfaceMesh::set_topology(const ViewFrame& frame) {
    parts_.clear();
    triangles_.clear();
    first_triangle_.clear();

    // Obstacles are cut down to the size of the film's triangles, or a sixteenth of their own.
    std::vector<float> film_edges;
    for (const SurfaceView& surface : frame.surfaces) {
        if (surface.kind != SurfaceKind::Film) continue;
        for (std::size_t t = 0; t + 2 < surface.triangles.size() && film_edges.size() < 3000; t += 3)
            film_edges.push_back(
                glm::distance(at(surface.positions, surface.triangles[t]), at(surface.positions, surface.triangles[t + 1])));
    }
    float film_edge = 0;
    if (!film_edges.empty()) {
        std::nth_element(film_edges.begin(), film_edges.begin() + std::ptrdiff_t(film_edges.size() / 2), film_edges.end());
        film_edge = film_edges[film_edges.size() / 2];
    }

    int vertices = 0;
    for (std::size_t s = 0; s < frame.surfaces.size(); ++s) {
        const SurfaceView& surface = frame.surfaces[s];
        Part part;
        part.kind = surface.kind;
        part.first_vertex = vertices;
        part.given_vertices = part.vertices = int(surface.positions.size() / 3);
        part.first_triangle = int(triangles_.size());
        std::vector<Triangle> local;
        for (std::size_t t = 0; t + 2 < surface.triangles.size(); t += 3)
            local.push_back(
                {{surface.triangles[t], surface.triangles[t + 1], surface.triangles[t + 2]}, int(s) % max_materials});
        if (surface.kind == SurfaceKind::Obstacle) {
            Bounds box;
            for (int v = 0; v < part.given_vertices; ++v) box.add(glm::dvec3(at(surface.positions, v)));
            cut(part, surface, local, std::max(2.2f * film_edge, float(box.radius()) / 7));
        }
        for (Triangle triangle : local) {
            for (int& v : triangle.vertices) v += part.first_vertex;
            triangles_.push_back(triangle);
        }
        part.triangles = int(triangles_.size()) - part.first_triangle;
        vertices += part.vertices;
        first_triangle_.push_back(part.first_triangle);
        parts_.push_back(std::move(part));
    }
    first_triangle_.push_back(int(triangles_.size()));
    vertices_.resize(std::size_t(vertices));
    connect();
}

// Edges longer than `longest` are halved again and again; whether an edge is halved depends on the edge alone, so no cracks.
void SurfaceMesh::cut(Part& part, const SurfaceView& surface, std::vector<Triangle>& triangles, float longest) {
    std::vector<glm::vec3> points;
    for (int v = 0; v < part.given_vertices; ++v) points.push_back(at(surface.positions, v));
    std::vector<std::uint32_t> origin(triangles.size());
    for (std::size_t t = 0; t < origin.size(); ++t) origin[t] = std::uint32_t(t);

    for (int round = 0; round < 12; ++round) {
        std::map<std::pair<int, int>, int> middle;
        std::vector<Triangle> next;
        std::vector<std::uint32_t> next_origin;
        const auto halve = [&](int a, int b) {
            if (a > b) std::swap(a, b);
            if (glm::distance(points[std::size_t(a)], points[std::size_t(b)]) <= longest) return -1;
            const auto [place, fresh] = middle.try_emplace({a, b}, int(points.size()));
            if (fresh) {
                points.push_back(0.5f * (points[std::size_t(a)] + points[std::size_t(b)]));
                part.middle_of.push_back({a, b});
            }
            return place->second;
        };
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            const Triangle& triangle = triangles[t];
            const int* v = triangle.vertices;
            int m[3];  // middle of the edge from corner k to k + 1
            for (int k = 0; k < 3; ++k) m[k] = halve(v[k], v[(k + 1) % 3]);
            const auto add = [&](int a, int b, int c) {
                next.push_back({{a, b, c}, triangle.material});
                next_origin.push_back(origin[t]);
            };
            const int count = (m[0] >= 0) + (m[1] >= 0) + (m[2] >= 0);
            if (count == 0) {
                add(v[0], v[1], v[2]);
            } else if (count == 3) {
                add(v[0], m[0], m[2]);
                add(m[0], v[1], m[1]);
                add(m[2], m[1], v[2]);
                add(m[0], m[1], m[2]);
            } else {
                int k = 0;  // turned so that edge k is halved and, of two, edge k + 1 too
                while (m[k] < 0 || (count == 2 && m[(k + 1) % 3] < 0)) ++k;
                const int a = v[k], b = v[(k + 1) % 3], c = v[(k + 2) % 3];
                if (count == 1) {
                    add(a, m[k], c);
                    add(m[k], b, c);
                } else {
                    add(m[k], b, m[(k + 1) % 3]);
                    add(a, m[k], m[(k + 1) % 3]);
                    add(a, m[(k + 1) % 3], c);
                }
            }
        }
        const bool done = middle.empty();
        triangles = std::move(next);
        origin = std::move(next_origin);
        if (done || triangles.size() > cut_up_to) break;
    }
    part.vertices = int(points.size());
    part.origin = std::move(origin);
}

void SurfaceMesh::connect() {
    const std::size_t count = triangles_.size();
    neighbour_.assign(3 * count, -1);
    same_way_.assign(3 * count, 0);

    struct Side {
        int a, b;      // a < b
        int corner;    // 3 triangle + k, k opposite
        bool forward;  // the triangle runs from a to b
    };
    std::vector<Side> sides;
    sides.reserve(3 * count);
    for (std::size_t t = 0; t < count; ++t) {
        for (int k = 0; k < 3; ++k) {
            const int a = triangles_[t].vertices[(k + 1) % 3], b = triangles_[t].vertices[(k + 2) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), int(3 * t) + k, a < b});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
        return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.corner < y.corner;
    });
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].a == sides[i].a && sides[end].b == sides[i].b) ++end;
        // Where three or more meet, each is shown as a rim.
        if (end - i == 2) {
            const Side &x = sides[i], &y = sides[i + 1];
            neighbour_[std::size_t(x.corner)] = y.corner / 3;
            neighbour_[std::size_t(y.corner)] = x.corner / 3;
            same_way_[std::size_t(x.corner)] = same_way_[std::size_t(y.corner)] = x.forward == y.forward;
        }
        i = end;
    }

    for (Part& part : parts_) {
        part.closed = part.kind == SurfaceKind::Obstacle && part.triangles > 0;
        for (int c = 3 * part.first_triangle; c < 3 * (part.first_triangle + part.triangles); ++c)
            part.closed = part.closed && neighbour_[std::size_t(c)] >= 0 && !same_way_[std::size_t(c)];
    }

    corner_start_.assign(vertices_.size() + 1, 0);
    for (const Triangle& t : triangles_)
        for (int v : t.vertices) ++corner_start_[std::size_t(v) + 1];
    for (std::size_t v = 1; v < corner_start_.size(); ++v) corner_start_[v] += corner_start_[v - 1];
    corner_list_.resize(3 * count);
    std::vector<int> fill(corner_start_.begin(), corner_start_.end() - 1);
    for (std::size_t t = 0; t < count; ++t)
        for (int k = 0; k < 3; ++k) corner_list_[std::size_t(fill[std::size_t(triangles_[t].vertices[k])]++)] = int(3 * t) + k;
}

void SurfaceMesh::update(const ViewFrame& frame) {
    for (std::size_t s = 0; s < parts_.size() && s < frame.surfaces.size(); ++s) {
        const Part& part = parts_[s];
        const SurfaceView& surface = frame.surfaces[s];
        glm::vec4* vertex = vertices_.data() + part.first_vertex;
        const bool valued = surface.scalars.size() == std::size_t(part.given_vertices);
        for (int v = 0; v < part.given_vertices; ++v) {
            const float value = valued ? surface.scalars[std::size_t(v)] : std::numeric_limits<float>::quiet_NaN();
            vertex[v] = glm::vec4(at(surface.positions, v), value);
        }
        for (std::size_t i = 0; i < part.middle_of.size(); ++i) {
            const auto [a, b] = part.middle_of[i];
            vertex[part.given_vertices + int(i)] = 0.5f * (vertex[a] + vertex[b]);
        }
    }
    find_normals();
    find_edges();
    for (std::size_t s = 0; s < parts_.size() && s < frame.surfaces.size(); ++s) {
        const Part& part = parts_[s];
        const std::span<const std::uint8_t> given = frame.surfaces[s].marks;
        for (int t = 0; t < part.triangles; ++t) {
            const std::size_t from = part.origin.empty() ? std::size_t(t) : part.origin[std::size_t(t)];
            marks_[4 * std::size_t(part.first_triangle + t) + 3] = from < given.size() ? given[from] : std::uint8_t(0);
        }
    }
}

void SurfaceMesh::find_normals() {
    const std::size_t count = triangles_.size();
    face_normals_.resize(count);
    face_areas_.resize(count);
    for (std::size_t t = 0; t < count; ++t) {
        const int* v = triangles_[t].vertices;
        const glm::vec3 a = at(vertices_, v[0]);
        const glm::vec3 n = glm::cross(at(vertices_, v[1]) - a, at(vertices_, v[2]) - a);
        const float length = glm::length(n);
        face_areas_[t] = length;
        face_normals_[t] = length > 0 && std::isfinite(length) ? n / length : glm::vec3(0);
    }
    normals_.resize(12 * count);
    const auto store = [&](std::size_t corner, glm::vec3 n, const glm::vec3& otherwise) {
        const float length = glm::length(n);
        n = length > 0 && std::isfinite(length) ? n / length : otherwise;
        for (int axis = 0; axis < 3; ++axis)
            normals_[4 * corner + std::size_t(axis)] = std::uint16_t(std::lround(32767.5f * (n[axis] + 1)));
    };
    const bool plain = count > crease_normals_up_to;
    for (std::size_t v = 0; v + 1 < corner_start_.size(); ++v) {
        const int begin = corner_start_[v], end = corner_start_[v + 1];
        if (plain) {
            glm::vec3 sum(0);
            for (int i = begin; i < end; ++i) {
                const std::size_t t = std::size_t(corner_list_[std::size_t(i)] / 3);
                sum += face_areas_[t] * face_normals_[t];
            }
            for (int i = begin; i < end; ++i) {
                const std::size_t corner = std::size_t(corner_list_[std::size_t(i)]);
                store(corner, sum, face_normals_[corner / 3]);
            }
            continue;
        }
        for (int i = begin; i < end; ++i) {
            const std::size_t corner = std::size_t(corner_list_[std::size_t(i)]);
            const glm::vec3& own = face_normals_[corner / 3];
            glm::vec3 sum(0);
            for (int k = begin; k < end; ++k) {
                const std::size_t t = std::size_t(corner_list_[std::size_t(k)] / 3);
                // Faces within 40° count fully, beyond 75° not at all; in between smoothly, so that nothing pops.
                sum += face_areas_[t] * ramp(0.26f, 0.77f, glm::dot(own, face_normals_[t])) * face_normals_[t];
            }
            store(corner, sum, own);
        }
    }
}

void SurfaceMesh::find_edges() {
    marks_.resize(4 * triangles_.size());
    for (const Part& part : parts_) {
        // Film: from 25° on, strongest at 95°. Obstacles: edges of 30° and more.
        const bool film = part.kind == SurfaceKind::Film;
        const float from = film ? 0.906f : 0.866f, to = film ? -0.087f : 0.80f;
        for (int t = part.first_triangle; t < part.first_triangle + part.triangles; ++t) {
            for (int k = 0; k < 3; ++k) {
                const std::size_t side = 3 * std::size_t(t) + std::size_t(k);
                const int other = neighbour_[side];
                std::uint8_t strength = rim_strength;
                if (other >= 0) {
                    float cosine = glm::dot(face_normals_[std::size_t(t)], face_normals_[std::size_t(other)]);
                    if (same_way_[side]) cosine = -cosine;
                    strength = std::uint8_t(std::lround(255 * ramp(from, to, cosine)));
                }
                marks_[4 * std::size_t(t) + std::size_t(k)] = strength;
            }
        }
    }
}

void SurfaceMesh::order(const glm::vec3& eye, const glm::vec3& direction, bool orthographic, const std::vector<bool>& wanted,
                        std::vector<std::uint32_t>& corners) {
    depth_.clear();
    for (std::size_t s = 0; s < parts_.size(); ++s) {
        if (s >= wanted.size() || !wanted[s]) continue;
        for (int t = parts_[s].first_triangle; t < parts_[s].first_triangle + parts_[s].triangles; ++t) {
            const int* v = triangles_[std::size_t(t)].vertices;
            if (parts_[s].closed &&
                glm::dot(face_normals_[std::size_t(t)], orthographic ? -direction : eye - at(vertices_, v[0])) < 0)
                continue;
            const float d = glm::dot(direction, at(vertices_, v[0]) + at(vertices_, v[1]) + at(vertices_, v[2]));
            depth_.push_back({std::isfinite(d) ? d : 0.0f, t});
        }
    }
    std::sort(depth_.begin(), depth_.end(),
              [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
    corners.clear();
    corners.reserve(3 * depth_.size());
    for (const auto& [d, t] : depth_)
        for (std::uint32_t k = 0; k < 3; ++k) corners.push_back(3 * std::uint32_t(t) + k);
}

void SurfaceMesh::collect(const std::vector<bool>& wanted, std::vector<std::uint32_t>& corners) const {
    corners.clear();
    for (std::size_t s = 0; s < parts_.size(); ++s) {
        if (s >= wanted.size() || !wanted[s]) continue;
        for (int c = 3 * parts_[s].first_triangle; c < 3 * (parts_[s].first_triangle + parts_[s].triangles); ++c)
            corners.push_back(std::uint32_t(c));
    }
}

}  // namespace plica
