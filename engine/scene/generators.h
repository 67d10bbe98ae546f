// Built-in shapes: films with named groups of vertices, and fixed obstacles. SI units, z upwards.
#pragma once

#include <string>
#include <vector>

#include "engine/core/types.h"
#include "engine/scene/scene.h"

namespace plica {

// Vertices, triangles (consistently oriented) and named groups of a generated or imported surface.
struct ShapeMesh {
    std::vector<Vec3> rest;   // (n) m
    std::vector<Vec3> start;  // (n) m
    std::vector<Int3> triangles;
    std::vector<VertexGroup> groups;
};

// One ring of a bag's profile: radius, and height either given (`edge` 0) or following from the length of the edge to the
// ring before it: upwards for edge > 0, downwards for edge < 0 [m].
struct ProfilePoint {
    double r = 0, z = 0;
    double edge = 0;
};

// A bag: a centre vertex and rings of `columns` vertices at angle 2 π j / columns (spec/bag.md, "Geometry that fits").
// Vertex 0 is the centre, ring r (1 …) is 1 + columns (r - 1) … columns r. The rest shape has the same edge lengths, with every
// edge led upwards: a plain sack. Triangle normals point out of the sack.
// Groups: "centre", "ring 1" …, "column 0" …, "neck", "end".
struct BagShape {
    int columns = 32;
    std::vector<ProfilePoint> profile;  // [0] is the centre, r = 0
    int neck_ring = 11;
    double lift = 0;         // m, the start lies this much higher than the profile says
    bool alternate = false;  // direction of the diagonals changes from cell to cell
};
BagShape default_bag_shape();
ShapeMesh make_bag(const BagShape& shape);

// A flat sheet of nx x ny cells, vertex i + (nx + 1) j at origin + i dx u + j dy v.
// Groups: "column 0" … (fixed i), "row 0" … (fixed j), "left", "right", "bottom", "top", "corners", "centre".
struct SheetShape {
    int nx = 10, ny = 10;         // cells
    double dx = 0.01, dy = 0.01;  // m
    Vec3 origin;                  // m, corner (0, 0)
    Vec3 u{1, 0, 0}, v{0, 1, 0};  // directions, unit length
    bool alternate = true;        // direction of the diagonals changes from cell to cell
    bool opposite = false;        // otherwise: all of them from (i + 1, j) to (i, j + 1)
};
ShapeMesh make_sheet(const SheetShape& shape);

// An open bin with a wall: rings of `sides` vertices at angle 2 π (j + ½) / sides, inner floor at `floor_height`.
struct BinShape {
    int sides = 32;
    double inner_radius = 0.069, outer_radius = 0.0705;  // m
    double height = 0.106, floor_height = 0.003;         // m
    Vec3 position;                                       // m, middle of the underside
};
ShapeMesh make_bin(const BinShape& shape);

// A rectangle of two triangles at height z, normal up.
struct FloorShape {
    double x_min = -0.3, x_max = 0.65, y_min = -0.35, y_max = 0.35, z = 0;  // m
};
ShapeMesh make_floor(const FloorShape& shape);

// A ball of triangles: an icosahedron, every triangle split into four `level` times.
struct BallShape {
    double radius = 0.05;  // m
    Vec3 position;         // m, centre
    int level = 2;         // 12, 42, 162, 642 … vertices
};
ShapeMesh make_ball(const BallShape& shape);

}  // namespace plica
