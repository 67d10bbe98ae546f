// Every shipped scene and every mesh that may be run does so; those that may not are refused at the start.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/scene/build_model.h"
#include "engine/scene/mesh_import.h"
#include "engine/scene/scene_file.h"
#include "engine/simulation/simulation.h"

namespace plica {
namespace {

std::string input(const std::string& name) { return PLICA_TESTS_DIR "/inputs/" + name; }

// Steps the scene; every gap that is told is above 0 and nothing pierces.
void expect_steps(Simulation& simulation, int steps) {
    ASSERT_FALSE(simulation.start_error()) << simulation.start_error()->message;
    for (int n = 0; n < steps; ++n) {
        const StepOutcome outcome = simulation.step();
        ASSERT_TRUE(outcome.frame) << (outcome.error ? outcome.error->message : "no reason");
        for (std::size_t i = 0; i < simulation.gauges().size(); ++i) {
            const std::string& name = simulation.gauges()[i].name;
            const double value = outcome.frame->gauges[i];
            if (name.starts_with("min_gap") && !std::isnan(value)) {
                EXPECT_GT(value, 0) << name << " in step " << n + 1;
            }
            if (name == "intersecting_pairs") {
                EXPECT_EQ(value, 0) << "step " << n + 1;
            }
        }
    }
}

TEST(shipped_scenes, take_twelve_steps) {
    for (const std::string& name : shipped_scenes()) {
        SCOPED_TRACE(name);
        Simulation simulation(load_scene(name));
        expect_steps(simulation, 12);
    }
}

TEST(mesh_scenes, of_every_dialect_take_a_step_with_a_pin) {
    for (const char* file :
         {"B01_relative_indices.obj", "B01_crlf_bom_tabs.obj", "B01_corner_forms.obj", "B01_single_triangle.obj"}) {
        SCOPED_TRACE(file);
        Simulation simulation(scene_from_mesh(input(file), {30e-6, "", {0}, 1}));
        const Vec3 pinned = to_double(simulation.frame()->state.x[0]);
        expect_steps(simulation, 3);
        EXPECT_LT(norm(to_double(simulation.frame()->state.x[0]) - pinned), 1e-4);
    }
}

TEST(mesh_scenes, sheets_that_touch_at_the_start_are_refused) {
    for (const char* file : {"B08_two_sheets_gap_0.obj", "B08_two_sheets_gap_10um.obj"}) {
        const Simulation simulation(scene_from_mesh(input(file)));
        ASSERT_TRUE(simulation.start_error()) << file;
        EXPECT_GT(simulation.start_error()->pair_count, 0);
        EXPECT_FALSE(simulation.start_error()->pairs.empty());
    }
}

// 0.2 mm apart and without gravity they part, and the centre of mass stays.
TEST(mesh_scenes, sheets_a_little_apart_part_and_keep_their_centre) {
    Scene scene = scene_from_mesh(input("B08_two_sheets_gap_0.2mm.obj"));
    set_value(scene, "solver.gravity", "[0, 0, 0]");
    set_value(scene, "solver.film_damping", "0");
    set_value(scene, "solver.tolerance", "1e-7");
    Simulation simulation(std::move(scene));
    const auto centre = [&] {
        Vec3 sum;
        double mass = 0;
        for (std::size_t i = 0; i < simulation.model().mass.size(); ++i) {
            sum += simulation.model().mass[i] * to_double(simulation.frame()->state.x[i]);
            mass += simulation.model().mass[i];
        }
        return (1 / mass) * sum;
    };
    const Vec3 before = centre();
    expect_steps(simulation, 12);
    EXPECT_LT(norm(centre() - before), 12e-7);  // 12 steps, each solved to 1e-7 m
    EXPECT_GT(simulation.frame()->state.x[49].z - simulation.frame()->state.x[0].z, 5e-4f);
}

}  // namespace
}  // namespace plica
