// engine/scene/build_model.h: masses, elements and constants that follow from a scene (golden 14).
#include "engine/scene/build_model.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/scene/scene_file.h"

namespace plica {
namespace {

nlohmann::json golden_constants() {
    std::ifstream in(PLICA_TESTS_DIR "/golden/14_constants.json");
    return nlohmann::json::parse(in)["cases"][0]["expected"];
}

// Two triangles over the edge 0-1: flat, or with the second one lifted by `lift`.
Scene two_triangles(double lift) {
    Scene scene;
    Film film;
    film.name = "film";
    film.rest = {{0, 0, 0}, {0.1, 0, 0}, {0.05, 0.1, 0}, {0.05, -0.1, lift}};
    film.start = film.rest;
    film.triangles = {{0, 1, 2}, {1, 0, 3}};
    scene.films.push_back(film);
    return scene;
}

TEST(build_model, bag_scene_has_the_constants_of_the_document) {
    const auto golden = golden_constants();
    const Scene scene = load_scene("bag");
    const Model model = build_model(scene);
    EXPECT_EQ(model.particle_count(), golden["bag_particles_with_obstacles"].get<int>());
    EXPECT_EQ(int(scene.films[0].start.size()), golden["bag_vertices"].get<int>());
    EXPECT_EQ(int(model.membranes.size()), golden["bag_triangles"].get<int>());
    EXPECT_EQ(int(model.hinges.size()), golden["interior_hinges_bag"].get<int>());
    EXPECT_EQ(find_group(scene.films[0], "neck")->vertices.front(), golden["neck_ring"][0].get<int>());
    EXPECT_EQ(find_group(scene.films[0], "end")->vertices.back(), golden["end_ring"][1].get<int>());
    const Membrane& membrane = model.membranes[0].law;
    const auto near = [](double value, const nlohmann::json& expected) {
        EXPECT_NEAR(value / expected.get<double>(), 1.0, 1e-12);
    };
    near(membrane.lame_mu, golden["mu"]);
    near(membrane.lame_lambda, golden["lambda_"]);
    near(model.mass[481], golden["sphere_mass_26mm"]);
    near(model.mass[484], golden["sphere_mass_12mm"]);
    near(model.mass[487], golden["sphere_mass_25mm"]);
    int fixed = 0;
    for (const auto f : model.fixed) fixed += f;
    EXPECT_EQ(fixed, 134);
}

TEST(build_model, particles_stand_in_the_order_films_spheres_obstacles) {
    const Scene scene = load_scene("bag");
    const Model model = build_model(scene);
    const ParticleLayout layout = particle_layout(scene);
    EXPECT_EQ(layout.sphere_first, 481);
    EXPECT_EQ(layout.obstacle_first, (std::vector<int>{488, 618}));
    EXPECT_EQ(model.kind(480), BodyKind::Film);
    EXPECT_EQ(model.kind(481), BodyKind::Sphere);
    EXPECT_EQ(model.kind(488), BodyKind::Obstacle);
    EXPECT_EQ(model.bodies[std::size_t(model.body[621])].name, "floor");
}

// Only what is left of the film's 2.4 g: 0.0871 m² of 0.02775 kg/m².
TEST(build_model, masses_sum_to_area_density_times_area) {
    const Scene scene = load_scene("bag");
    const Model model = build_model(scene);
    double mass = 0, area = 0;
    for (int i = 0; i < 481; ++i) mass += model.mass[std::size_t(i)];
    for (const MembraneElement& element : model.membranes) area += element.law.area;
    EXPECT_NEAR(mass, area * golden_constants()["area_density"].get<double>(), 1e-12);
}

TEST(build_model, every_corner_carries_a_third_of_its_triangle) {
    const Model model = build_model(two_triangles(0));
    const double triangle = 0.005 * 0.02775;
    EXPECT_NEAR(model.mass[2], triangle / 3, 1e-18);
    EXPECT_NEAR(model.mass[0], 2 * triangle / 3, 1e-18);
}

TEST(build_model, hinge_is_ordered_opposite_opposite_edge_and_stiff_as_the_document_says) {
    const Model model = build_model(two_triangles(0));
    ASSERT_EQ(model.hinges.size(), 1u);
    const HingeElement& hinge = model.hinges[0];
    EXPECT_EQ((std::vector<int>{hinge.a, hinge.b, hinge.c, hinge.d}), (std::vector<int>{2, 3, 0, 1}));
    // kθ = 6 D ℓ²/(A1 + A2) with ℓ = 0.1 m, A1 = A2 = 0.005 m².
    EXPECT_NEAR(hinge.law.stiffness / (6 * golden_constants()["D"].get<double>() * 0.01 / 0.01), 1.0, 1e-12);
    EXPECT_NEAR(hinge.law.rest_angle, 0, 1e-15);
}

// Normals are +z. The second wing lifted to +z folds towards them: negative angle (reading A1).
TEST(build_model, hinge_angle_is_negative_when_the_faces_fold_towards_their_normals) {
    EXPECT_LT(build_model(two_triangles(0.05)).hinges[0].law.rest_angle, -0.1);
    EXPECT_GT(build_model(two_triangles(-0.05)).hinges[0].law.rest_angle, 0.1);
    Scene flat = two_triangles(0.05);
    flat.films[0].rest_flat = true;
    EXPECT_EQ(build_model(flat).hinges[0].law.rest_angle, 0);
}

TEST(build_model, bending_stiffness_can_be_given) {
    Scene scene = two_triangles(0);
    scene.films[0].material.bending_stiffness = 2e-6;
    EXPECT_NEAR(build_model(scene).hinges[0].law.stiffness, 12e-6, 1e-18);
    scene.films[0].material.bending_stiffness = 0;
    EXPECT_TRUE(build_model(scene).hinges.empty());
}

TEST(build_model, edge_of_three_triangles_has_no_bending) {
    Scene scene = two_triangles(0);
    Film& film = scene.films[0];
    film.rest.push_back({0.05, 0, 0.1});
    film.start = film.rest;
    film.triangles.push_back({0, 1, 4});
    const Model model = build_model(scene);
    EXPECT_TRUE(model.hinges.empty());
    EXPECT_EQ(model.membranes.size(), 3u);
}

TEST(build_model, vertex_in_no_triangle_is_fixed) {
    Scene scene = two_triangles(0);
    scene.films[0].rest.push_back({1, 1, 1});
    scene.films[0].start = scene.films[0].rest;
    const Model model = build_model(scene);
    EXPECT_EQ(model.fixed[4], 1);
    EXPECT_EQ(model.fixed[3], 0);
}

TEST(build_model, rest_triangle_without_area_is_refused_by_number) {
    Scene scene = two_triangles(0);
    scene.films[0].rest[3] = {0.05, 0, 0};
    try {
        build_model(scene);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("triangle 1 (vertices 1, 0, 3) has no area"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace plica
