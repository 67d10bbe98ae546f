// 14 numbers that follow from the documents' settings: material coefficients, and what the scene builder makes of the bag.
#include <cmath>
#include <map>

#include "engine/contact/contact_geometry.h"
#include "engine/energy/hinge.h"
#include "engine/energy/membrane.h"
#include "engine/scene/build_model.h"
#include "engine/scene/generators.h"
#include "tests/golden/check.h"

namespace plica::golden {

namespace {

// The bag with seven spheres, bin and floor; the first three spheres have the radii that the file asks for.
Scene bag_scene(const Material& material) {
    Scene scene;
    ShapeMesh bag = make_bag(default_bag_shape());
    Film film;
    film.name = "bag";
    film.rest = bag.rest;
    film.start = bag.start;
    film.triangles = bag.triangles;
    film.groups = bag.groups;
    film.material = material;
    scene.films.push_back(film);
    for (const double radius : {0.026, 0.012, 0.025, 0.025, 0.025, 0.025, 0.025}) {
        Sphere sphere;
        sphere.radius = radius;
        scene.spheres.push_back(sphere);
    }
    for (const ShapeMesh& mesh : {make_bin({}), make_floor({})}) {
        Obstacle obstacle;
        obstacle.vertices = mesh.start;
        obstacle.triangles = mesh.triangles;
        scene.obstacles.push_back(obstacle);
    }
    return scene;
}

int boundary_edges(const std::vector<Int3>& triangles) {
    std::map<Int2, int> count;
    for (const Int3& t : triangles) {
        for (int i = 0; i < 3; ++i) ++count[{std::min(t[i], t[(i + 1) % 3]), std::max(t[i], t[(i + 1) % 3])}];
    }
    int boundary = 0;
    for (const auto& [edge, uses] : count) boundary += uses == 1;
    return boundary;
}

void constants(Case& c) {
    Material m;
    m.young = c.in("E").get<double>();
    m.thickness = c.in("h").get<double>();
    m.poisson = c.in("nu").get<double>();
    m.density = c.in("rho").get<double>();
    const SolverSettings settings;
    const double dt = c.in("dt").get<double>();
    const double mu = lame_mu(m.young, m.thickness, m.poisson), lambda = lame_lambda(m.young, m.thickness, m.poisson);
    c.value("mu", mu);
    c.value("lambda_", lambda);
    c.value("D", bending_stiffness(m.young, m.thickness, m.poisson));
    c.value("eps_friction", dt * settings.eps_v);
    c.value("c_sphere_face_26mm", 0.026 + 0.5 * settings.min_gap);
    c.value("alpha_6mm_12mm", capped_fraction((6e-3 - settings.min_gap) / 12e-3));
    c.value("steps_10_5_s", std::round(10.5 / dt));
    c.value("saved_frames", std::round(10.5 / dt) + 1);

    const Scene scene = bag_scene(m);
    const Film& film = scene.films[0];
    const Model model = build_model(scene);
    const ParticleLayout layout = particle_layout(scene);
    double mass = 0, area = 0;
    for (std::size_t i = 0; i < film.rest.size(); ++i) mass += model.mass[i];
    for (const MembraneElement& e : model.membranes) area += e.law.area;
    c.value("area_density", mass / area);
    c.require(model.membranes.at(0).law.lame_mu == mu && model.membranes[0].law.lame_lambda == lambda,
              "the scene's membranes have other coefficients");
    const auto first = std::size_t(layout.sphere_first);
    c.value("sphere_mass_26mm", model.mass.at(first));
    c.value("sphere_mass_12mm", model.mass.at(first + 1));
    c.value("sphere_mass_25mm", model.mass.at(first + 2));
    c.value("bag_vertices", double(film.rest.size()));
    c.value("bag_triangles", double(film.triangles.size()));
    c.value("bag_particles_with_obstacles", double(model.particle_count()));
    c.value("dense_matrix_bytes_622", 8.0 * (3.0 * model.particle_count()) * (3.0 * model.particle_count()));
    c.value("interior_hinges_bag", double(model.hinges.size()));
    c.value("boundary_edges_bag", double(boundary_edges(film.triangles)));
    for (const auto& [key, group] : {std::pair{"neck_ring", "neck"}, std::pair{"end_ring", "end"}}) {
        const VertexGroup* found = find_group(film, group);
        c.require(found && !found->vertices.empty(), std::string("the bag has no group ").append(group));
        if (found) c.value(key, {double(found->vertices.front()), double(found->vertices.back())}, 0, 0);
    }
}

}  // namespace

std::vector<Kind> constant_kinds() { return {{"14_", constants}}; }

}  // namespace plica::golden
