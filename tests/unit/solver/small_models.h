// Small models for solver tests, built by hand so that these tests need no scene files.
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "engine/solver/solver.h"

namespace plica::testing {

constexpr double film_mu = 3258.6206896551726, film_lambda = 5332.288401253919;  // N/m, 30 µm, 315 MPa, ν 0.45
constexpr double film_bending = 8.887147335423198e-07;                           // N m

struct ModelBuilder {
    Model model;
    State state;

    int add_body(const std::string& name, BodyKind kind) {
        model.bodies.push_back({name, kind});
        return int(model.bodies.size()) - 1;
    }
    int add_particle(int body, Vec3 x, double mass, double radius = 0, Vec3 v = {}) {
        model.body.push_back(body);
        model.mass.push_back(mass);
        model.radius.push_back(radius);
        model.fixed.push_back(mass == 0);
        state.x.push_back(to_float(x));
        state.v.push_back(to_float(v));
        return model.particle_count() - 1;
    }
    // Film of the given rest shape; area density 0.02775 kg/m².
    int add_film(const std::vector<Vec3>& rest, const std::vector<Int3>& triangles, Vec3 velocity = {},
                 MembraneModel law = MembraneModel::NeoHookean) {
        const int body = add_body("film" + std::to_string(model.bodies.size()), BodyKind::Film);
        const int first = model.particle_count();
        std::vector<double> mass(rest.size(), 0);
        for (const Int3& t : triangles) {
            const double area = 0.5 * norm(cross(rest[t.b] - rest[t.a], rest[t.c] - rest[t.a]));
            for (int k = 0; k < 3; ++k) mass[t[k]] += area * 0.02775 / 3;
        }
        for (std::size_t i = 0; i < rest.size(); ++i) add_particle(body, rest[i], mass[i], 0, velocity);
        std::map<Int2, std::vector<std::pair<int, int>>> edges;  // edge -> (opposite, orientation)
        for (const Int3& t : triangles) {
            model.triangles.push_back({t.a + first, t.b + first, t.c + first});
            model.membranes.push_back({{t.a + first, t.b + first, t.c + first},
                                       make_membrane(law, rest[t.a], rest[t.b], rest[t.c], film_mu, film_lambda)});
            for (int k = 0; k < 3; ++k) {
                const int i = t[k], j = t[(k + 1) % 3], opposite = t[(k + 2) % 3];
                edges[{std::min(i, j), std::max(i, j)}].push_back({opposite, i});
            }
        }
        for (const auto& [edge, sides] : edges) {
            if (sides.size() != 2) continue;
            const int c = sides[0].second, d = edge.a == c ? edge.b : edge.a, a = sides[0].first, b = sides[1].first;
            const double length = norm(rest[d] - rest[c]);
            const double area_a = 0.5 * norm(cross(rest[c] - rest[a], rest[d] - rest[a]));
            const double area_b = 0.5 * norm(cross(rest[c] - rest[b], rest[d] - rest[b]));
            const Hinge bend{hinge_stiffness(film_bending, length, area_a, area_b),
                             hinge_angle(rest[a], rest[b], rest[c], rest[d])};
            model.hinges.push_back({a + first, b + first, c + first, d + first, bend});
        }
        return body;
    }
    int add_sphere(Vec3 x, double radius, Vec3 v = {}) {
        const int body = add_body("sphere" + std::to_string(model.bodies.size()), BodyKind::Sphere);
        return add_particle(body, x, 250 * 4 * M_PI / 3 * radius * radius * radius, radius, v);
    }
    void add_floor(double half_width) {
        const int body = add_body("floor", BodyKind::Obstacle);
        const int first = model.particle_count();
        for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
            add_particle(body, {x * half_width, y * half_width, 0}, 0);
        model.triangles.push_back({first, first + 1, first + 2});
        model.triangles.push_back({first, first + 2, first + 3});
    }
};

// Square sheet of n x n vertices at height z, spacing in m.
inline void square_sheet(int n, double spacing, double z, std::vector<Vec3>& x, std::vector<Int3>& triangles) {
    x.clear();
    triangles.clear();
    const double half = 0.5 * spacing * (n - 1);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) x.push_back({i * spacing - half, j * spacing - half, z});
    for (int j = 0; j + 1 < n; ++j) {
        for (int i = 0; i + 1 < n; ++i) {
            const int a = j * n + i, b = a + 1, c = b + n, d = a + n;
            if ((i + j) % 2 == 0) {
                triangles.push_back({a, b, c});
                triangles.push_back({a, c, d});
            } else {
                triangles.push_back({a, b, d});
                triangles.push_back({b, c, d});
            }
        }
    }
}

inline InputsAt no_inputs() {
    return [](double, double) { return StepInputs{}; };
}

}  // namespace plica::testing
