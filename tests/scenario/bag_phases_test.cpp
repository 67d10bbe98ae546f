// Each phase of the bag from a stored frame within it, some tens of steps: gaps, intersections, gates, and what the phase is
// for.
#include <gtest/gtest.h>

#include <string>

#include "engine/recording/recording.h"
#include "engine/recording/scene_checks.h"
#include "engine/recording/verdict.h"
#include "engine/scene/build_model.h"
#include "engine/scene/choreography.h"
#include "engine/scene/scene_file.h"
#include "phases.h"

namespace plica {
namespace {

Simulation at(const char* name, Scene scene = load_scene("bag")) { return simulation_at("bag", name, std::move(scene)); }

void expect_clean(const Simulation& simulation) {
    expect_no_contact_lost(simulation);
    EXPECT_EQ(gauge(simulation, "spheres_through"), 0) << "t = " << simulation.frame()->time;
}

void run_to(Simulation& simulation, double time) { run_to(simulation, time, expect_clean); }

TEST(bag, is_seated_over_the_bin) {
    Simulation simulation = at("seat");
    run_to(simulation, 0.8);
    // The neck is led to the rim, 11 mm above the bin's.
    EXPECT_NEAR(simulation.frame()->state.x[321].z, 0.117, 1e-3);
}

TEST(bag, holds_the_spheres_that_drop) {
    Simulation simulation = at("drop");
    run_to(simulation, 1.35);
    for (int i = 0; i < 3; ++i) EXPECT_LT(simulation.frame()->state.x[std::size_t(481 + i)].z, 0.2f - 0.05f);
    EXPECT_FLOAT_EQ(simulation.frame()->state.x[487].z, 0.262f);  // waits for its time
}

TEST(bag, is_lifted_off_the_bin) {
    Simulation simulation = at("lift");
    const float before = simulation.frame()->state.x[457].z;
    run_to(simulation, 2.42);
    EXPECT_GT(simulation.frame()->state.x[457].z, before + 0.01f);
}

TEST(bag, skirt_is_spread) {
    Simulation simulation = at("spread");
    run_to(simulation, simulation.frame()->time + 1.0 / 240);
    const double before = gauge(simulation, "skirt_height");
    run_to(simulation, 5.35);
    EXPECT_GT(gauge(simulation, "skirt_height"), before + 3e-3);
}

TEST(bag, gate_is_passed_with_all_columns_up) {
    Simulation simulation = at("gate");
    run_to(simulation, 6.05);
    EXPECT_EQ(check_gate(simulation.scene().gates.at(0), simulation.scene(), simulation.frame()->state), "");
}

TEST(bag, gate_stops_a_run_whose_skirt_is_not_up_and_names_the_columns) {
    Scene scene = load_scene("bag");
    scene.gates.at(0).time = 5.22;  // while most of it still hangs
    Simulation simulation = at("spread", std::move(scene));
    std::string failure;
    for (int n = 0; n < 12 && failure.empty(); ++n) failure = simulation.step().gate_failure;
    EXPECT_NE(failure.find("gate \"columns up\""), std::string::npos) << failure;
    EXPECT_NE(failure.find("of 32 columns"), std::string::npos) << failure;
    EXPECT_NE(failure.find(": column "), std::string::npos) << failure;
}

TEST(bag, neck_is_gathered) {
    Simulation simulation = at("gather");
    run_to(simulation, simulation.frame()->time + 1.0 / 240);
    const double before = gauge(simulation, "neck_width_y");
    run_to(simulation, 6.8);
    EXPECT_LT(gauge(simulation, "neck_width_y"), before - 1e-3);
}

TEST(bag, neck_is_cinched_under_a_skirt_that_stands) {
    Simulation simulation = at("cinch");
    run_to(simulation, simulation.frame()->time + 1.0 / 240);
    const double before = gauge(simulation, "neck_width_x");
    run_to(simulation, 7.95);
    EXPECT_LT(gauge(simulation, "neck_width_x"), before - 5e-3);
    EXPECT_GT(gauge(simulation, "skirt_height"), 0.0134);
}

TEST(bag, ties_close_the_neck) {
    Simulation simulation = at("tie");
    run_to(simulation, simulation.frame()->time + 1.0 / 240);
    const double before = gauge(simulation, "neck_width_y");
    run_to(simulation, 8.65);
    EXPECT_LT(gauge(simulation, "neck_width_y"), before - 1e-3);
    EXPECT_GT(gauge(simulation, "energy_tie"), 0);
}

TEST(bag, skirt_is_lowered_by_five_supports) {
    Simulation simulation = at("lower");
    run_to(simulation, 9.3);
    int held = 0;
    for (const Vec3& force : simulation.frame()->report.support_force) held += norm(force) > 0;
    EXPECT_EQ(held, 1);
    EXPECT_GT(gauge(simulation, "skirt_height"), 0.0134);
}

// The scene's own checks over the first 0.1 s of freedom.
TEST(bag, stands_free_after_release) {
    Scene scene = load_scene("bag");
    scene.duration = 9.5;
    for (SceneCheck& check : scene.checks)
        if (check.last > 0) check.last = 0.1;
    const Scene judged = scene;
    Simulation simulation = at("release", std::move(scene));
    SceneChecks checks(judged, simulation.model(), simulation.gauges());
    Scene weightless = judged;
    weightless.solver.gravity = {};
    SceneChecks wrong(weightless, simulation.model(), simulation.gauges());
    while (simulation.frame()->time < 9.5 - 1e-6) {
        const StepOutcome outcome = simulation.step();
        ASSERT_TRUE(outcome.frame) << outcome.error->message;
        expect_clean(simulation);
        checks.add(*outcome.frame);
        wrong.add(*outcome.frame);
    }
    EXPECT_EQ(simulation.settings().tolerance, 5e-7);
    const std::vector<Check> rows = checks.checks();
    EXPECT_EQ(rows.size(), judged.checks.size());
    for (const Check& row : rows) EXPECT_TRUE(row.pass) << row.check << " is " << row.value << ", limit " << row.limit;
    // Without gravity in the balance, the weight of film and spheres is missing: the check can fail.
    for (const Check& row : wrong.checks()) {
        if (row.check != "momentum residual") continue;
        EXPECT_FALSE(row.pass);
        EXPECT_NEAR(row.value, 9.81 * 0.0796, 0.02);
    }
}

// While the skirt is held, the check of outer forces finds it.
TEST(bag, outer_support_is_found_by_its_check) {
    Scene scene = load_scene("bag");
    scene.duration = 9.25;
    scene.checks = {{"", "support_force", 9.2, -1, 0, 0, 1}};
    const Scene judged = scene;
    Simulation simulation = at("lower", std::move(scene));
    SceneChecks checks(judged, simulation.model(), simulation.gauges());
    while (simulation.frame()->time < 9.25 - 1e-6) checks.add(*simulation.step().frame);
    ASSERT_EQ(checks.checks().size(), 1u);
    EXPECT_FALSE(checks.checks()[0].pass);
    EXPECT_GT(checks.checks()[0].value, 0.01);
}

TEST(bag, part_of_a_run_is_not_judged_by_its_end) {
    const Simulation simulation = at("release");
    SceneChecks checks(simulation.scene(), simulation.model(), simulation.gauges());
    checks.add(*simulation.frame());
    EXPECT_TRUE(checks.checks().empty());
}

}  // namespace
}  // namespace plica
