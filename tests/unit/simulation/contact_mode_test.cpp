// ipc, guarded and basic on one small scene: a marble falls on a sheet over a ball.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/scene/scene_file.h"
#include "engine/simulation/simulation.h"
#include "tests/unit/simulation/small_scene.h"

namespace plica {
namespace {

// Far too soft for what falls on it.
constexpr const char* soft = "0.05";  // N/m

Scene scene_with(const std::string& mode, const std::string& penalty) {
    Scene scene = small_scene();
    set_value(scene, "contact.mode", mode);
    set_value(scene, "solver.penalty", penalty);
    return scene;
}

Command contact(double value) {
    Command c;
    c.kind = Command::Kind::SetSwitch;
    c.key = "contact";
    c.value = value;
    return c;
}

std::vector<FramePtr> run(Simulation& simulation, int steps) {
    std::vector<FramePtr> frames;
    for (int i = 0; i < steps; ++i) {
        const StepOutcome outcome = simulation.step();
        EXPECT_TRUE(outcome.frame) << (outcome.error ? outcome.error->message : "");
        if (!outcome.frame) break;
        frames.push_back(outcome.frame);
    }
    return frames;
}

double smallest_gap(const Frame& frame) { return *std::min_element(frame.report.min_gap.begin(), frame.report.min_gap.end()); }

TEST(ContactMode, basic_lets_surfaces_through_and_says_so) {
    Simulation simulation(scene_with("basic", soft));
    int intersecting = 0;
    double gap = 1;
    for (const FramePtr& frame : run(simulation, 60)) {
        intersecting += frame->report.intersecting_pairs > 0;
        gap = std::min(gap, smallest_gap(*frame));
        EXPECT_EQ(frame->report.ipc_resolves, 0);
    }
    EXPECT_GT(intersecting, 0);
    EXPECT_LT(gap, 0);
}

TEST(ContactMode, guarded_solves_again_where_the_same_penalty_would_let_through) {
    Simulation simulation(scene_with("guarded", soft));
    int resolves = 0;
    for (const FramePtr& frame : run(simulation, 60)) {
        EXPECT_EQ(frame->report.intersecting_pairs, 0);
        EXPECT_GT(smallest_gap(*frame), 0);
        resolves += frame->report.ipc_resolves;
    }
    EXPECT_GT(resolves, 0);
}

TEST(ContactMode, guarded_keeps_penalty_steps_that_are_no_risk) {
    // Firm enough: not one step is taken back, and the course is that of basic to the last bit.
    Simulation guarded(scene_with("guarded", "1e4")), basic(scene_with("basic", "1e4"));
    const auto a = run(guarded, 40), b = run(basic, 40);
    ASSERT_EQ(a.size(), b.size());
    int touching = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i]->report.ipc_resolves, 0);
        EXPECT_EQ(a[i]->state, b[i]->state);
        touching += a[i]->report.active_contacts > 0;
    }
    EXPECT_GT(touching, 10);
}

TEST(ContactMode, ipc_does_not_know_of_the_penalty) {
    Simulation a(scene_with("ipc", soft)), b(scene_with("ipc", "1e6"));
    EXPECT_EQ(run(a, 40).back()->state, run(b, 40).back()->state);
}

TEST(ContactMode, guarded_resumes_with_the_same_bits) {
    Simulation whole(scene_with("guarded", soft));
    const std::string start = whole.frame()->controller;
    const auto frames = run(whole, 50);
    int resolves = 0;
    for (int i = 21; i < 50; ++i) resolves += frames[std::size_t(i)]->report.ipc_resolves;
    ASSERT_GT(resolves, 0);
    Simulation resumed(scene_with("ipc", "1e4"));  // the mode comes with the frame's controller state
    resumed.restore(*frames[20], start, {});
    EXPECT_EQ(resumed.switches().mode, ContactMode::Guarded);
    EXPECT_EQ(run(resumed, 29).back()->state, frames[49]->state);
}

TEST(ContactMode, can_be_changed_between_steps_but_not_in_a_tangle) {
    Simulation simulation(scene_with("basic", soft));
    ASSERT_EQ(simulation.apply(contact(0)), "");
    ASSERT_EQ(simulation.switches().mode, ContactMode::Ipc);
    ASSERT_EQ(simulation.apply(contact(1)), "");
    ASSERT_EQ(simulation.apply(contact(2)), "");
    bool tangled = false;
    for (int i = 0; i < 100 && !tangled; ++i) {
        ASSERT_TRUE(simulation.step().frame);
        tangled = simulation.frame()->report.intersecting_pairs > 0;
    }
    ASSERT_TRUE(tangled);
    for (const double mode : {0.0, 1.0}) {
        const std::string refusal = simulation.apply(contact(mode));
        EXPECT_NE(refusal.find("is refused: there are"), std::string::npos) << refusal;
        EXPECT_NE(refusal.find("last clean step"), std::string::npos) << refusal;
        EXPECT_EQ(simulation.switches().mode, ContactMode::Basic);
    }
    EXPECT_TRUE(simulation.step().frame);
}

TEST(ContactMode, other_values_are_refused) {
    Simulation simulation(small_scene());
    for (const double value : {-1.0, 0.5, 3.0, 1e300})
        EXPECT_NE(simulation.apply(contact(value)).find("give 0 (ipc), 1 (guarded) or 2 (basic)"), std::string::npos) << value;
    EXPECT_EQ(simulation.switches().mode, ContactMode::Ipc);
    EXPECT_THROW(scene_with("soft", "1"), InputError);
    EXPECT_THROW(scene_with("basic", "0"), InputError);
}

TEST(ContactMode, a_guarded_step_that_fails_leaves_the_run_as_it_was) {
    Simulation simulation(scene_with("guarded", soft)), undisturbed(scene_with("guarded", soft));
    run(simulation, 30), run(undisturbed, 30);
    const auto set = [&](const char* key, double value) {
        Command c;
        c.kind = Command::Kind::SetSetting;
        c.key = key;
        c.value = value;
        ASSERT_EQ(simulation.apply(c), "");
    };
    const double tolerance = simulation.settings().tolerance;
    set("max_iterations", 1), set("max_halvings", 1), set("tolerance", 1e-300);
    const StepOutcome failed = simulation.step();
    ASSERT_TRUE(failed.error);
    EXPECT_EQ(simulation.frame()->step, 30);
    set("max_iterations", 150), set("max_halvings", 7), set("tolerance", tolerance);
    EXPECT_EQ(run(simulation, 5).back()->state, run(undisturbed, 5).back()->state);
}

}  // namespace
}  // namespace plica
