// engine/gauge/gauge.h
#include "engine/gauge/gauge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/gauge/containment.h"
#include "engine/scene/build_model.h"
#include "engine/scene/scene_file.h"
#include "engine/simulation/simulation.h"

namespace plica {
namespace {

struct Bag {
    Scene scene = load_scene("bag");
    Model model = build_model(scene);
    State state = initial_state(scene);

    double value(const std::string& name, const StepReport& report = {}) const {
        const std::vector<GaugeSpec> specs = gauge_specs(scene);
        const std::vector<double> values = measure(scene, model, state, report);
        EXPECT_EQ(specs.size(), values.size());
        for (std::size_t i = 0; i < specs.size(); ++i)
            if (specs[i].name == name) return values[i];
        ADD_FAILURE() << "no gauge " << name;
        return 0;
    }
    // Puts the film into its rest shape, a sack that stands on z = 0.
    void unfold() {
        for (std::size_t i = 0; i < 481; ++i) state.x[i] = to_float(scene.films[0].rest[i]);
    }
    void put_spheres(const Vec3& p) {
        for (std::size_t i = 481; i < 488; ++i) state.x[i] = to_float(p);
    }
};

TEST(gauge, has_as_many_values_as_names_for_every_scene) {
    for (const std::string& name : shipped_scenes()) {
        const Scene scene = load_scene(name);
        const std::vector<GaugeSpec> specs = gauge_specs(scene);
        EXPECT_EQ(Simulation(scene).frame()->gauges.size(), specs.size()) << name;
        for (std::size_t i = 0; i < specs.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) EXPECT_NE(specs[i].name, specs[j].name);
    }
}

TEST(gauge, bag_metrics_are_those_of_the_cuffed_start) {
    const Bag bag;
    EXPECT_NEAR(bag.value("neck_width_x"), 2 * 0.070, 1e-7);
    EXPECT_NEAR(bag.value("neck_width_y"), 2 * 0.070, 1e-7);
    EXPECT_NEAR(bag.value("skirt_height"), -4 * std::sqrt(7.5e-3 * 7.5e-3 - 6e-3 * 6e-3), 1e-7);
}

TEST(gauge, strain_is_that_of_a_stretched_film) {
    Bag bag;
    bag.unfold();
    EXPECT_NEAR(bag.value("max_strain"), 0, 1e-5);
    for (std::size_t i = 0; i < 481; ++i) bag.state.x[i].z *= 1.02f;
    EXPECT_NEAR(bag.value("max_strain"), 0.02, 2e-4);
}

TEST(gauge, energy_and_speed_are_those_of_a_uniform_motion) {
    Bag bag;
    double film_mass = 0;
    for (std::size_t i = 0; i < 481; ++i) {
        bag.state.v[i] = {0, 3, 4};
        film_mass += bag.model.mass[i];
    }
    bag.state.v[484] = {2, 0, 0};
    EXPECT_NEAR(bag.value("energy_kinetic"), 0.5 * film_mass * 25 + 0.5 * bag.model.mass[484] * 4, 1e-9);
    EXPECT_NEAR(bag.value("max_film_speed"), 5, 1e-6);
    EXPECT_NEAR(bag.value("max_sphere_speed"), 2, 1e-6);
}

TEST(gauge, gaps_come_from_the_report_and_infinity_is_undefined) {
    const Bag bag;
    StepReport report;
    report.solves = 1;
    report.min_gap.fill(std::numeric_limits<double>::infinity());
    report.min_gap[std::size_t(ContactGroup::FilmSphere)] = 4e-4;
    report.iterations = 7;
    report.intersecting_pairs = 2;
    EXPECT_EQ(bag.value("min_gap_film_sphere", report), 4e-4);
    EXPECT_TRUE(std::isnan(bag.value("min_gap_film_film", report)));
    EXPECT_EQ(bag.value("iterations", report), 7);
    EXPECT_EQ(bag.value("intersecting_pairs", report), 2);
    EXPECT_TRUE(std::isnan(bag.value("min_gap_film_sphere", StepReport{})));
}

TEST(containment, spheres_in_the_sack_are_inside) {
    Bag bag;
    bag.unfold();
    bag.put_spheres({0, 0, 0.1});
    EXPECT_EQ(bag.value("spheres_inside"), 7);
    EXPECT_EQ(bag.value("spheres_through"), 0);
}

TEST(containment, spheres_beside_or_below_went_through) {
    Bag bag;
    bag.unfold();
    bag.put_spheres({0.09, 0, 0.1});
    bag.state.x[481] = {0, 0, -0.05f};
    EXPECT_EQ(bag.value("spheres_inside"), 0);
    EXPECT_EQ(bag.value("spheres_through"), 7);
}

TEST(containment, spheres_above_the_mouth_are_neither) {
    Bag bag;
    bag.unfold();
    bag.put_spheres({0, 0, 0.5});
    EXPECT_EQ(bag.value("spheres_inside"), 0);
    EXPECT_EQ(bag.value("spheres_through"), 0);
}

// The end hangs outside below the fold; what is in the sack above the height of the end is inside all the same.
TEST(containment, cuff_does_not_matter) {
    Bag bag;
    for (const double z : {0.13, 0.17, 0.2, 0.225}) {
        bag.put_spheres({0.02, 0.01, z});
        EXPECT_EQ(bag.value("spheres_inside"), 7) << z;
    }
    bag.put_spheres({0.08, 0, 0.2});
    EXPECT_EQ(bag.value("spheres_through"), 7);
}

}  // namespace
}  // namespace plica
