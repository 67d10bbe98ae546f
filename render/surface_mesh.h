// All surfaces of a frame as one triangle soup for the GPU, with what shading needs besides positions: normals per corner that
// keep sharp folds sharp, strength of edges, and the order from far to near. No OpenGL.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/view_frame.h"

namespace plica {

inline constexpr int max_materials = 32;  // more surfaces than that share tints

class SurfaceMesh {
public:
    struct Triangle {
        int vertices[3];
        int material;  // surface index modulo max_materials
    };

    // Kinds, triangles and (for see-through obstacles, whose large faces are cut so that they can be ordered) positions.
    void set_topology(const ViewFrame& frame);
    // Positions, scalars and marks of the same topology.
    void update(const ViewFrame& frame);

    const std::vector<Triangle>& triangles() const { return triangles_; }
    const std::vector<glm::vec4>& vertices() const { return vertices_; }    // (n) position; scalar, NaN where there is none
    const std::vector<std::uint16_t>& normals() const { return normals_; }  // (4 per corner), (n + 1) / 2 in 16 bits
    const std::vector<std::uint8_t>& marks() const {
        return marks_;
    }  // (4 per triangle): strength of the edges
       // opposite to corners 0, 1, 2; TriangleMark bits
    // First triangle of each surface, and one past the last of all.
    const std::vector<int>& first_triangle() const { return first_triangle_; }

    // Corner numbers (3 triangle + k) of the surfaces with `wanted`, from far to near along `direction` (unit, away from the
    // eye). Of closed obstacles only the faces towards the eye: the far side of a solid is not seen.
    void order(const glm::vec3& eye, const glm::vec3& direction, bool orthographic, const std::vector<bool>& wanted,
               std::vector<std::uint32_t>& corners);
    // The same in the order of the mesh.
    void collect(const std::vector<bool>& wanted, std::vector<std::uint32_t>& corners) const;

private:
    struct Part {  // one surface
        SurfaceKind kind;
        int first_vertex = 0, given_vertices = 0, vertices = 0;
        int first_triangle = 0, triangles = 0;
        bool closed = false;                         // no rim and one orientation
        std::vector<std::uint32_t> origin;           // (triangles) index in the given triangles; empty: the same
        std::vector<std::pair<int, int>> middle_of;  // added vertices lie in the middle of two, local indices
    };
    void cut(Part& part, const SurfaceView& surface, std::vector<Triangle>& triangles, float longest);
    void connect();
    void find_normals();
    void find_edges();

    std::vector<Part> parts_;
    std::vector<Triangle> triangles_;
    std::vector<int> neighbour_;          // (3 per triangle) triangle across the edge opposite to corner k, -1 rim;
    std::vector<std::uint8_t> same_way_;  // (3 per triangle) both run along the edge in the same direction: orientations differ
    std::vector<int> corner_start_, corner_list_;  // corners around each vertex
    std::vector<glm::vec3> face_normals_;          // unit, 0 for degenerate ones
    std::vector<glm::vec4> vertices_;
    std::vector<float> face_areas_;
    std::vector<std::uint16_t> normals_;
    std::vector<std::uint8_t> marks_;
    std::vector<int> first_triangle_;
    std::vector<std::pair<float, int>> depth_;  // scratch of order()
};

}  // namespace plica
