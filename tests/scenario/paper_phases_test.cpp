// Each phase of the pressed fold from a stored frame within it, some tens of steps: what the controller measures, what it does
// upon it, and what must not change.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/scene/scene_file.h"
#include "phases.h"

namespace plica {
namespace {

Simulation at(const char* name, Scene scene = load_scene("paper")) { return simulation_at("paper", name, std::move(scene)); }

void run_to(Simulation& simulation, double time) { run_to(simulation, time, expect_no_contact_lost); }

std::string stage(const Simulation& simulation) {
    return nlohmann::json::parse(simulation.controller()).at("press").at("stage").get<std::string>();
}

void one_step(Simulation& simulation) { run_to(simulation, simulation.frame()->time + simulation.settings().dt); }

TEST(paper, corner_is_carried_over) {
    Simulation simulation = at("fold");
    one_step(simulation);
    const double before = gauge(simulation, "fold_angle");
    run_to(simulation, 2.1);
    EXPECT_GT(gauge(simulation, "fold_angle"), before + 0.03);
    EXPECT_EQ(gauge(simulation, "tool_force"), 0);
    EXPECT_EQ(gauge(simulation, "creases"), 0);
    EXPECT_EQ(gauge(simulation, "grip_weight"), 1);
    EXPECT_EQ(stage(simulation), "wait");
}

TEST(paper, tool_seats_on_the_bulge_and_feels_it) {
    Simulation simulation = at("contact");
    EXPECT_EQ(stage(simulation), "align");
    one_step(simulation);
    EXPECT_EQ(gauge(simulation, "tool_force"), 0);
    EXPECT_GT(gauge(simulation, "bulge"), 5e-3);
    run_to(simulation, 5.6);
    EXPECT_EQ(stage(simulation), "press");
    EXPECT_GT(gauge(simulation, "tool_force"), 0.01);
    EXPECT_EQ(gauge(simulation, "creases"), 0);  // not yet deep: nothing is remembered
}

TEST(paper, first_deep_crease_is_remembered) {
    Simulation simulation = at("crease");
    EXPECT_EQ(stage(simulation), "press");
    one_step(simulation);
    EXPECT_EQ(gauge(simulation, "creases"), 0);
    run_to(simulation, 6.35);
    EXPECT_EQ(gauge(simulation, "creases"), 1);
    EXPECT_EQ(gauge(simulation, "creases_off_path"), 0);
    EXPECT_GT(gauge(simulation, "memory_angle"), 0.5 * std::numbers::pi);
    EXPECT_EQ(gauge(simulation, "grip_weight"), 1);  // the starting end is not pressed yet
    EXPECT_EQ(stage(simulation), "to_start");
}

TEST(paper, a_crease_is_the_same_in_guarded_contact) {
    Simulation simulation = at("crease");
    Command guarded;
    guarded.kind = Command::Kind::SetSwitch;
    guarded.key = "contact";
    guarded.value = 1;
    ASSERT_EQ(simulation.apply(guarded), "");
    Command soft;  // gives way to 1 N
    soft.kind = Command::Kind::SetSetting;
    soft.key = "penalty";
    soft.value = 300;
    ASSERT_EQ(simulation.apply(soft), "");
    double resolves = 0;
    while (simulation.frame()->time < 6.35) {
        one_step(simulation);
        resolves += gauge(simulation, "ipc_resolves");
    }
    EXPECT_GT(resolves, 0);
    EXPECT_EQ(gauge(simulation, "creases"), 1);
    EXPECT_GE(gauge(simulation, "layer_gap"), 0.094e-3);
}

TEST(paper, grips_are_handed_over_by_the_measured_travel) {
    Simulation simulation = at("along");
    one_step(simulation);
    const double travel = gauge(simulation, "tool_travel"), weight = gauge(simulation, "grip_weight");
    run_to(simulation, 8.7);
    const double length = std::sqrt(0.09 * 0.09 + 0.09 * 0.09), radius = 6e-3;
    EXPECT_GT(gauge(simulation, "tool_travel"), travel + 1e-3);
    EXPECT_LT(gauge(simulation, "grip_weight"), weight);
    EXPECT_NEAR(gauge(simulation, "grip_weight"), 1 - gauge(simulation, "tool_travel") / (length - 2 * radius), 1e-9);
    EXPECT_GE(gauge(simulation, "layer_gap"), 0.094e-3);
    EXPECT_EQ(gauge(simulation, "tool_under"), 0);
}

TEST(paper, both_ends_are_pressed_when_the_grips_have_no_weight) {
    Simulation simulation = at("end");
    one_step(simulation);
    EXPECT_EQ(gauge(simulation, "ends_pressed"), 1);
    EXPECT_GT(gauge(simulation, "grip_weight"), 0);
    run_to(simulation, 10.35);
    EXPECT_EQ(gauge(simulation, "ends_pressed"), 2);
    EXPECT_EQ(gauge(simulation, "grip_weight"), 0);
    EXPECT_EQ(stage(simulation), "along");  // segments are missing: it goes back to them
}

TEST(paper, tool_lifts_when_all_is_pressed) {
    Simulation simulation = at("lift");
    run_to(simulation, 11.12);
    EXPECT_EQ(stage(simulation), "lift");
    EXPECT_EQ(gauge(simulation, "segments_pressed"), 9);
    EXPECT_EQ(gauge(simulation, "tool_force"), 0);
    EXPECT_GT(gauge(simulation, "hold_force"), 0);  // the hold-downs go last
}

TEST(paper, free_sheet_is_held_by_nothing_and_keeps_its_crease) {
    Simulation simulation = at("release");
    run_to(simulation, 11.26);
    ASSERT_EQ(stage(simulation), "free");
    const std::string controller = simulation.controller();
    const double memory = gauge(simulation, "memory_angle");
    for (int i = 0; i < 100; ++i) {
        one_step(simulation);
        ASSERT_EQ(gauge(simulation, "tool_force"), 0);
        ASSERT_EQ(gauge(simulation, "hold_force"), 0);
        ASSERT_EQ(gauge(simulation, "memory_angle"), memory);
    }
    EXPECT_EQ(simulation.controller(), controller);
    EXPECT_LE(gauge(simulation, "bulge"), 0.15e-3);
    EXPECT_GE(gauge(simulation, "crease_angle"), 174 * std::numbers::pi / 180);
}

}  // namespace
}  // namespace plica
