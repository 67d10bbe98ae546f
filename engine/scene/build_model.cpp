#include "engine/scene/build_model.h"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scene/mesh_topology.h"

namespace plica {
namespace {

void add_film(Model& model, const Film& film, int first) {
    const Material& material = film.material;
    const double mu = lame_mu(material.young, material.thickness, material.poisson);
    const double lambda = lame_lambda(material.young, material.thickness, material.poisson);
    const auto law = material.model == Material::Model::StVK ? MembraneModel::StVK : MembraneModel::NeoHookean;
    const auto rest = [&](int vertex) { return film.rest[std::size_t(vertex)]; };

    std::vector<double> area;
    for (std::size_t f = 0; f < film.triangles.size(); ++f) {
        const Int3& t = film.triangles[f];
        const Membrane membrane = make_membrane(law, rest(t.a), rest(t.b), rest(t.c), mu, lambda);
        if (!(triangle_shape(rest(t.a), rest(t.b), rest(t.c)) > degenerate_shape))
            throw InputError("film \"" + film.name + "\": rest triangle " + std::to_string(f) + " (vertices " +
                             std::to_string(t.a) + ", " + std::to_string(t.b) + ", " + std::to_string(t.c) + ") has no area");
        area.push_back(membrane.area);
        const double share = membrane.area * material.thickness * material.density / 3.0;
        for (int k = 0; k < 3; ++k) model.mass[std::size_t(first + t[k])] += share;
        model.membranes.push_back({{first + t.a, first + t.b, first + t.c}, membrane});
        model.triangles.push_back({first + t.a, first + t.b, first + t.c});
    }
    for (std::size_t i = 0; i < film.rest.size(); ++i) {
        const std::size_t particle = std::size_t(first) + i;
        if (model.mass[particle] == 0) model.fixed[particle] = 1;  // in no triangle
    }

    const double bending =
        material.bending_stiffness.value_or(bending_stiffness(material.young, material.thickness, material.poisson));
    if (!(bending > 0)) return;
    for (const MeshEdge& edge : mesh_edges(film.triangles)) {
        // Where the two triangles run the same way along the edge, one of them shows its back and the angle means nothing.
        if (edge.triangle_count != 2 || !edge.consistent) continue;
        HingeElement hinge{first + edge.a, first + edge.b, first + edge.c, first + edge.d, {}};
        const double length = norm(rest(edge.d) - rest(edge.c));
        hinge.law.stiffness =
            hinge_stiffness(bending, length, area[std::size_t(edge.first_triangle)], area[std::size_t(edge.second_triangle)]);
        hinge.law.rest_angle = film.rest_flat ? 0.0 : hinge_angle(rest(edge.a), rest(edge.b), rest(edge.c), rest(edge.d));
        model.hinges.push_back(hinge);
    }
}

}  // namespace

ParticleLayout particle_layout(const Scene& scene) {
    ParticleLayout layout;
    int next = 0;
    for (const Film& film : scene.films) {
        layout.film_first.push_back(next);
        next += int(film.start.size());
    }
    layout.film_vertex_count = next;
    layout.sphere_first = next;
    next += int(scene.spheres.size());
    for (const Obstacle& obstacle : scene.obstacles) {
        layout.obstacle_first.push_back(next);
        next += int(obstacle.vertices.size());
    }
    layout.particle_count = next;
    return layout;
}

int film_index(const Scene& scene, const std::string& name) {
    for (std::size_t i = 0; i < scene.films.size(); ++i)
        if (scene.films[i].name == name) return int(i);
    return -1;
}

const VertexGroup* find_group(const Film& film, const std::string& name) {
    for (const VertexGroup& group : film.groups)
        if (group.name == name) return &group;
    return nullptr;
}

Model build_model(const Scene& scene) {
    const ParticleLayout layout = particle_layout(scene);
    const auto count = std::size_t(layout.particle_count);
    Model model;
    model.mass.assign(count, 0.0);
    model.radius.assign(count, 0.0);
    model.fixed.assign(count, 0);
    const auto add_body = [&](const std::string& name, BodyKind kind, std::size_t particles) {
        model.body.insert(model.body.end(), particles, int(model.bodies.size()));
        model.bodies.push_back({name, kind});
    };
    for (std::size_t i = 0; i < scene.films.size(); ++i) {
        add_body(scene.films[i].name, BodyKind::Film, scene.films[i].start.size());
        add_film(model, scene.films[i], layout.film_first[i]);
    }
    for (std::size_t i = 0; i < scene.spheres.size(); ++i) {
        const Sphere& sphere = scene.spheres[i];
        const std::size_t particle = std::size_t(layout.sphere_first) + i;
        add_body(sphere.name, BodyKind::Sphere, 1);
        model.bodies.back().rolls = sphere.rolls;
        model.radius[particle] = sphere.radius;
        model.mass[particle] = sphere.density * 4.0 / 3.0 * std::numbers::pi * sphere.radius * sphere.radius * sphere.radius;
    }
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
        const Obstacle& obstacle = scene.obstacles[i];
        const int first = layout.obstacle_first[i];
        add_body(obstacle.name, BodyKind::Obstacle, obstacle.vertices.size());
        for (std::size_t k = 0; k < obstacle.vertices.size(); ++k) model.fixed[std::size_t(first) + k] = 1;
        for (const Int3& t : obstacle.triangles) model.triangles.push_back({first + t.a, first + t.b, first + t.c});
    }
    return model;
}

State initial_state(const Scene& scene) {
    State state;
    for (const Film& film : scene.films)
        for (std::size_t i = 0; i < film.start.size(); ++i) {
            state.x.push_back(to_float(film.start[i]));
            state.v.push_back(film.start_velocity.empty() ? Vec3f{} : to_float(film.start_velocity[i]));
        }
    for (const Sphere& sphere : scene.spheres) {
        state.x.push_back(to_float(sphere.position));
        state.v.push_back(to_float(sphere.velocity));
    }
    for (const Obstacle& obstacle : scene.obstacles)
        for (const Vec3& p : obstacle.vertices) {
            state.x.push_back(to_float(p));
            state.v.push_back({});
        }
    return state;
}

}  // namespace plica
