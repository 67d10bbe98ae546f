#include "engine/scene/generators.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <utility>

namespace plica {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;

// A quad (corners in order) as two triangles; `flip` chooses the diagonal 1-3 instead of 0-2.
void add_quad(std::vector<Int3>& triangles, int q0, int q1, int q2, int q3, bool flip) {
    if (flip) {
        triangles.push_back({q0, q1, q3});
        triangles.push_back({q1, q2, q3});
    } else {
        triangles.push_back({q0, q1, q2});
        triangles.push_back({q0, q2, q3});
    }
}

Vec3 on_circle(double r, double angle, double z) { return {r * std::cos(angle), r * std::sin(angle), z}; }

}  // namespace

// Seated in the bin and cuffed over its rim; the start is 118 mm higher (spec/bag.md, "Geometry that fits").
BagShape default_bag_shape() {
    BagShape shape;
    shape.profile = {{0, 4.5e-3, 0}, {21.5e-3, 4.5e-3, 0}, {43e-3, 4.5e-3, 0}, {64e-3, 4.5e-3, 0}};
    for (int i = 1; i <= 5; ++i) shape.profile.push_back({64e-3 + 0.64e-3 * i, 4.5e-3 + 19.9e-3 * i, 0});
    shape.profile.push_back({70e-3, 117e-3, 0});
    for (const double r : {72.9e-3, 73.6e-3}) shape.profile.push_back({r, 0, -15e-3});
    for (const double r : {74.0e-3, 74.4e-3, 74.8e-3, 75.2e-3}) shape.profile.push_back({r, 0, -7.5e-3});
    shape.lift = 118e-3;
    return shape;
}

ShapeMesh make_bag(const BagShape& shape) {
    const int columns = shape.columns, rings = int(shape.profile.size()) - 1;
    assert(columns >= 3 && rings >= 1 && shape.neck_ring >= 1 && shape.neck_ring <= rings);
    ShapeMesh bag;

    // Heights of the rings: as placed, and unfolded with every step upwards.
    double z = shape.profile[0].z, z_rest = 0;
    bag.rest.push_back({0, 0, 0});
    bag.start.push_back({0, 0, z + shape.lift});
    for (int ring = 1; ring <= rings; ++ring) {
        const ProfilePoint& point = shape.profile[std::size_t(ring)];
        const double dr = point.r - shape.profile[std::size_t(ring - 1)].r;
        double dz = point.z - z;
        if (point.edge != 0) dz = std::copysign(std::sqrt(point.edge * point.edge - dr * dr), point.edge);
        z += dz;
        z_rest += std::abs(dz);
        for (int j = 0; j < columns; ++j) {
            const double angle = two_pi * j / columns;
            bag.rest.push_back(on_circle(point.r, angle, z_rest));
            bag.start.push_back(on_circle(point.r, angle, z + shape.lift));
        }
    }

    const auto vertex = [&](int ring, int j) { return 1 + columns * (ring - 1) + (j + columns) % columns; };
    for (int j = 0; j < columns; ++j) bag.triangles.push_back({0, vertex(1, j + 1), vertex(1, j)});
    for (int ring = 1; ring < rings; ++ring)
        for (int j = 0; j < columns; ++j)
            add_quad(bag.triangles, vertex(ring, j), vertex(ring, j + 1), vertex(ring + 1, j + 1), vertex(ring + 1, j),
                     shape.alternate && (ring + j) % 2 == 1);

    bag.groups.push_back({"centre", {0}});
    for (int ring = 1; ring <= rings; ++ring) {
        VertexGroup group{"ring " + std::to_string(ring), {}};
        for (int j = 0; j < columns; ++j) group.vertices.push_back(vertex(ring, j));
        bag.groups.push_back(std::move(group));
    }
    for (int j = 0; j < columns; ++j) {
        VertexGroup group{"column " + std::to_string(j), {}};
        for (int ring = 1; ring <= rings; ++ring) group.vertices.push_back(vertex(ring, j));
        bag.groups.push_back(std::move(group));
    }
    bag.groups.push_back({"neck", bag.groups[std::size_t(shape.neck_ring)].vertices});
    bag.groups.push_back({"end", bag.groups[std::size_t(rings)].vertices});
    return bag;
}

ShapeMesh make_sheet(const SheetShape& shape) {
    assert(shape.nx >= 1 && shape.ny >= 1);
    ShapeMesh sheet;
    const int row = shape.nx + 1;
    for (int j = 0; j <= shape.ny; ++j)
        for (int i = 0; i <= shape.nx; ++i)
            sheet.start.push_back(shape.origin + (i * shape.dx) * shape.u + (j * shape.dy) * shape.v);
    sheet.rest = sheet.start;
    for (int j = 0; j < shape.ny; ++j)
        for (int i = 0; i < shape.nx; ++i) {
            const int q = i + row * j;
            add_quad(sheet.triangles, q, q + 1, q + 1 + row, q + row, shape.alternate ? (i + j) % 2 == 1 : shape.opposite);
        }
    const auto column = [&](int i) {
        std::vector<int> vertices;
        for (int j = 0; j <= shape.ny; ++j) vertices.push_back(i + row * j);
        return vertices;
    };
    const auto line = [&](int j) {
        std::vector<int> vertices;
        for (int i = 0; i <= shape.nx; ++i) vertices.push_back(i + row * j);
        return vertices;
    };
    for (int i = 0; i <= shape.nx; ++i) sheet.groups.push_back({"column " + std::to_string(i), column(i)});
    for (int j = 0; j <= shape.ny; ++j) sheet.groups.push_back({"row " + std::to_string(j), line(j)});
    sheet.groups.push_back({"left", column(0)});
    sheet.groups.push_back({"right", column(shape.nx)});
    sheet.groups.push_back({"bottom", line(0)});
    sheet.groups.push_back({"top", line(shape.ny)});
    sheet.groups.push_back({"corners", {0, shape.nx, row * shape.ny, row * shape.ny + shape.nx}});
    sheet.groups.push_back({"centre", {shape.nx / 2 + row * (shape.ny / 2)}});
    return sheet;
}

ShapeMesh make_bin(const BinShape& shape) {
    const int n = shape.sides;
    assert(n >= 3);
    ShapeMesh bin;
    const std::pair<double, double> rings[4] = {{shape.inner_radius, shape.floor_height},
                                                {shape.inner_radius, shape.height},
                                                {shape.outer_radius, shape.height},
                                                {shape.outer_radius, 0.0}};
    for (const auto& [r, z] : rings)
        for (int j = 0; j < n; ++j) bin.start.push_back(shape.position + on_circle(r, two_pi * (j + 0.5) / n, z));
    const int inner_centre = 4 * n, outer_centre = 4 * n + 1;
    bin.start.push_back(shape.position + Vec3{0, 0, shape.floor_height});
    bin.start.push_back(shape.position);

    // From the inner floor up the inside, over the rim and down the outside; normals point away from the wall's material.
    const auto vertex = [n](int ring, int j) { return ring * n + j % n; };
    for (int j = 0; j < n; ++j) bin.triangles.push_back({inner_centre, vertex(0, j), vertex(0, j + 1)});
    for (int ring = 0; ring < 3; ++ring)
        for (int j = 0; j < n; ++j)
            add_quad(bin.triangles, vertex(ring, j), vertex(ring + 1, j), vertex(ring + 1, j + 1), vertex(ring, j + 1), false);
    for (int j = 0; j < n; ++j) bin.triangles.push_back({outer_centre, vertex(3, j + 1), vertex(3, j)});
    bin.rest = bin.start;
    return bin;
}

ShapeMesh make_floor(const FloorShape& shape) {
    ShapeMesh floor;
    floor.start = {{shape.x_min, shape.y_min, shape.z},
                   {shape.x_max, shape.y_min, shape.z},
                   {shape.x_max, shape.y_max, shape.z},
                   {shape.x_min, shape.y_max, shape.z}};
    floor.triangles = {{0, 1, 2}, {0, 2, 3}};
    floor.rest = floor.start;
    return floor;
}

ShapeMesh make_ball(const BallShape& shape) {
    ShapeMesh ball;
    const double g = std::numbers::phi;
    std::vector<Vec3> points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    ball.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (Vec3& p : points) p *= 1.0 / norm(p);
    for (int level = 0; level < shape.level; ++level) {
        std::map<std::pair<int, int>, int> middle_of;
        const auto middle = [&](int a, int b) {
            const auto [entry, added] = middle_of.try_emplace(std::minmax(a, b), int(points.size()));
            if (added) {
                const Vec3 m = points[std::size_t(a)] + points[std::size_t(b)];
                points.push_back(m * (1.0 / norm(m)));
            }
            return entry->second;
        };
        std::vector<Int3> finer;
        for (const Int3& t : ball.triangles) {
            const int ab = middle(t.a, t.b), bc = middle(t.b, t.c), ca = middle(t.c, t.a);
            finer.insert(finer.end(), {{t.a, ab, ca}, {t.b, bc, ab}, {t.c, ca, bc}, {ab, bc, ca}});
        }
        ball.triangles = std::move(finer);
    }
    for (const Vec3& p : points) ball.start.push_back(shape.position + shape.radius * p);
    ball.rest = ball.start;
    return ball;
}

}  // namespace plica
