#include "engine/simulation/simulation.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/scene/scene_file.h"
#include "tests/unit/simulation/small_scene.h"

namespace plica {
namespace {

Command set(const std::string& key, double value) {
    Command c;
    c.kind = Command::Kind::SetSetting;
    c.key = key;
    c.value = value;
    return c;
}
Command throw_switch(const std::string& key, bool on) {
    Command c;
    c.kind = Command::Kind::SetSwitch;
    c.key = key;
    c.value = on;
    return c;
}
Command pin(std::vector<int> vertices) {
    Command c;
    c.kind = Command::Kind::Pin;
    c.vertices = std::move(vertices);
    return c;
}
Command grip(int vertex, Vec3 target) {
    Command c;
    c.kind = Command::Kind::Grip;
    c.vertices = {vertex};
    c.target = target;
    c.value = 50;
    c.limit = 0.2;
    return c;
}

std::vector<FramePtr> run(Simulation& simulation, int steps) {
    std::vector<FramePtr> frames{simulation.frame()};
    for (int i = 0; i < steps; ++i) {
        StepOutcome outcome = simulation.step();
        EXPECT_TRUE(outcome.frame) << (outcome.error ? outcome.error->message : "");
        if (!outcome.frame) break;
        frames.push_back(outcome.frame);
    }
    return frames;
}

TEST(Simulation, the_first_frame_reports_the_gaps_of_the_start) {
    const Simulation simulation(small_scene());
    const Frame& first = *simulation.frame();
    EXPECT_EQ(first.step, 0);
    EXPECT_EQ(first.time, 0);
    EXPECT_FALSE(simulation.start_error());
    EXPECT_EQ(first.report.intersecting_pairs, 0);
    for (const double gap : first.report.min_gap) EXPECT_GT(gap, 0);
    EXPECT_EQ(first.gauges.size(), simulation.gauges().size());
    EXPECT_FALSE(first.controller.empty());
}

TEST(Simulation, times_are_multiples_of_dt_without_drift) {
    Simulation simulation(small_scene());
    const auto frames = run(simulation, 30);
    for (const FramePtr& frame : frames) EXPECT_EQ(frame->time, frame->step * simulation.settings().dt);
}

TEST(Simulation, resumes_with_the_same_bits_from_every_frame) {
    // Pins, a grip, a change of dt and of friction on the way: all of it has to come back from frame and controller state.
    Simulation whole(small_scene());
    std::vector<Simulation::LoggedCommand> log;
    std::vector<FramePtr> frames{whole.frame()};
    std::vector<std::string> controllers{whole.frame()->controller};
    const auto give = [&](const Command& c) {
        ASSERT_EQ(whole.apply(c), "");
        log.push_back({whole.frame()->step, c});
    };
    for (int i = 0; i < 24; ++i) {
        if (i == 3) give(pin({0, 8}));
        if (i == 6) give(set("dt", 1.0 / 480));
        if (i == 9) give(grip(40, {0.02, 0.0, 0.08}));
        if (i == 12) give(set("friction_mu", 0.1));
        if (i == 15) {
            Command release;
            release.kind = Command::Kind::Release;
            release.vertices = {0};
            give(release);
        }
        const StepOutcome outcome = whole.step();
        ASSERT_TRUE(outcome.frame) << (outcome.error ? outcome.error->message : "");
        frames.push_back(outcome.frame);
        controllers.push_back(outcome.frame->controller.empty() ? controllers.back() : outcome.frame->controller);
    }
    for (const int from : {0, 1, 3, 5, 6, 7, 11, 14, 15, 20, 23}) {
        Simulation resumed(small_scene());
        resumed.restore(*frames[std::size_t(from)], controllers[std::size_t(from)], log);
        for (std::size_t i = std::size_t(from) + 1; i < frames.size(); ++i) {
            const StepOutcome outcome = resumed.step();
            ASSERT_TRUE(outcome.frame);
            EXPECT_EQ(outcome.frame->time, frames[i]->time);
            ASSERT_EQ(outcome.frame->state, frames[i]->state) << "from " << from << " at step " << i;
            for (const auto& logged : log) {
                if (logged.step == int(i)) {
                    ASSERT_EQ(resumed.apply(logged.command), "");
                }
            }
        }
    }
}

TEST(Simulation, threads_do_not_change_a_bit) {
    Scene scene = small_scene();
    Simulation one(scene);
    scene.solver.threads = 2;
    Simulation two(scene);
    const auto a = run(one, 12), b = run(two, 12);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i]->state, b[i]->state) << i;
        EXPECT_EQ(a[i]->controller, b[i]->controller);
    }
}

TEST(Simulation, controller_state_is_repeated_only_when_it_changes) {
    Simulation simulation(small_scene());
    const auto frames = run(simulation, 4);
    for (std::size_t i = 1; i < frames.size(); ++i) EXPECT_TRUE(frames[i]->controller.empty());
    ASSERT_EQ(simulation.apply(set("friction_mu", 0.2)), "");
    EXPECT_FALSE(simulation.step().frame->controller.empty());
}

TEST(Simulation, refuses_settings_out_of_range_and_says_what_is_allowed) {
    Simulation simulation(small_scene());
    const SolverSettings before = simulation.settings();
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    for (const char* key : {"dt", "dhat", "min_gap", "kappa", "friction_mu", "tolerance", "gravity_z"})
        for (const double bad : {nan, inf, -inf}) {
            const std::string refusal = simulation.apply(set(key, bad));
            EXPECT_NE(refusal.find(key), std::string::npos) << refusal;
            EXPECT_NE(refusal.find("allowed"), std::string::npos) << refusal;
        }
    for (const char* key : {"dt", "dhat", "kappa", "tolerance"}) EXPECT_NE(simulation.apply(set(key, 0)), "") << key;
    EXPECT_NE(simulation.apply(set("friction_mu", -0.1)), "");
    EXPECT_NE(simulation.apply(set("frction_mu", 0.1)).find("friction_mu"), std::string::npos);
    EXPECT_EQ(simulation.settings().dt, before.dt);
    EXPECT_EQ(simulation.settings().dhat, before.dhat);
    EXPECT_EQ(simulation.apply(set("gravity_z", -1.62)), "");
    EXPECT_EQ(simulation.settings().gravity.z, -1.62);
}

TEST(Simulation, refuses_pins_and_grips_that_cannot_be) {
    Simulation simulation(small_scene());
    const int count = simulation.model().particle_count();
    EXPECT_NE(simulation.apply(pin({})), "");
    EXPECT_NE(simulation.apply(pin({count})).find(std::to_string(count)), std::string::npos);
    EXPECT_NE(simulation.apply(pin({-1})), "");
    EXPECT_NE(simulation.apply(pin({count - 1})).find("fixed"), std::string::npos);  // a vertex of the floor
    EXPECT_NE(simulation.apply(grip(0, {std::nan(""), 0, 0})), "");
    Command weak = grip(0, {});
    weak.limit = 0;
    EXPECT_NE(simulation.apply(weak), "");
    EXPECT_TRUE(simulation.pins().empty());
    EXPECT_TRUE(simulation.grips().empty());
}

TEST(Simulation, a_pinned_vertex_stays_and_a_released_one_falls) {
    Simulation simulation(small_scene());
    ASSERT_EQ(simulation.apply(pin({0})), "");
    const double start = simulation.frame()->state.x[0].z;
    run(simulation, 10);
    const double held = simulation.frame()->state.x[0].z;
    EXPECT_NEAR(held, start, 1e-4);  // m·g of a vertex is far below 1000 N/m * 0.1 mm
    Command release;
    release.kind = Command::Kind::Release;
    release.vertices = {0};
    ASSERT_EQ(simulation.apply(release), "");
    run(simulation, 10);
    EXPECT_LT(simulation.frame()->state.x[0].z, held - 3e-4);
}

TEST(Simulation, contact_cannot_be_switched_on_in_a_tangle) {
    // The sphere falls through the sheet while contact with it is off.
    Simulation simulation(small_scene());
    ASSERT_EQ(simulation.apply(throw_switch("body:ball", false)), "");
    bool tangled = false;
    for (int i = 0; i < 120 && !tangled; ++i) {
        ASSERT_TRUE(simulation.step().frame);
        const std::string refusal = simulation.apply(throw_switch("body:ball", true));
        if (refusal.empty()) {
            ASSERT_EQ(simulation.apply(throw_switch("body:ball", false)), "");
            continue;
        }
        tangled = true;
        EXPECT_NE(refusal.find("intersecting pairs of triangles"), std::string::npos) << refusal;
        EXPECT_NE(refusal.find("last clean step"), std::string::npos) << refusal;
        // Other contact may still be switched: the ball is not part of it.
        EXPECT_EQ(simulation.apply(throw_switch("self_contact", false)), "");
        EXPECT_EQ(simulation.apply(throw_switch("self_contact", true)), "");
    }
    EXPECT_TRUE(tangled);
}

TEST(Simulation, unknown_switches_and_bodies_are_named) {
    Simulation simulation(small_scene());
    EXPECT_NE(simulation.apply(throw_switch("gravity", true)).find("self_contact"), std::string::npos);
    EXPECT_NE(simulation.apply(throw_switch("body:bal", true)).find("ball"), std::string::npos);
    Command half = throw_switch("barrier", true);
    half.value = 0.5;
    EXPECT_NE(simulation.apply(half), "");
}

TEST(Simulation, a_larger_min_gap_that_the_state_cannot_have_is_refused) {
    Simulation simulation(small_scene());
    run(simulation, 60);  // the sheet lies on the ball
    const std::string refusal = simulation.apply(set("min_gap", 0.05));
    EXPECT_NE(refusal.find("refused"), std::string::npos) << refusal;
    EXPECT_TRUE(simulation.step().frame);
}

TEST(Simulation, an_overlap_at_the_start_is_told_and_nothing_is_computed) {
    Scene scene = small_scene();
    scene.spheres[0].position.z = scene.films[0].start[0].z;  // the ball in the sheet
    Simulation simulation(scene);
    ASSERT_TRUE(simulation.start_error());
    EXPECT_GT(simulation.start_error()->pair_count, 0);
    const StepOutcome outcome = simulation.step();
    EXPECT_FALSE(outcome.frame);
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(simulation.frame()->step, 0);
}

TEST(Simulation, a_cancelled_step_leaves_the_frame) {
    Simulation simulation(small_scene());
    const FramePtr before = simulation.frame();
    const StepOutcome outcome = simulation.step([] { return true; });
    EXPECT_TRUE(outcome.cancelled);
    EXPECT_EQ(simulation.frame(), before);
    EXPECT_TRUE(simulation.step().frame);
}

TEST(Simulation, a_failed_step_leaves_the_run_as_it_was) {
    Simulation simulation(small_scene()), undisturbed(small_scene());
    run(simulation, 3), run(undisturbed, 3);
    const double tolerance = simulation.settings().tolerance;
    ASSERT_EQ(simulation.apply(set("max_iterations", 1)), "");
    ASSERT_EQ(simulation.apply(set("max_halvings", 0)), "");
    ASSERT_EQ(simulation.apply(set("tolerance", 1e-300)), "");
    const StepOutcome failed = simulation.step();
    ASSERT_TRUE(failed.error);
    EXPECT_EQ(simulation.frame()->step, 3);
    ASSERT_EQ(simulation.apply(set("max_iterations", 150)), "");
    ASSERT_EQ(simulation.apply(set("max_halvings", 7)), "");
    ASSERT_EQ(simulation.apply(set("tolerance", tolerance)), "");
    EXPECT_EQ(run(simulation, 3).back()->state, run(undisturbed, 3).back()->state);
}

TEST(Simulation, scheduled_changes_hold_from_their_time_on_and_survive_a_resume) {
    Scene scene = small_scene();
    scene.changes.push_back({5.0 / 240, "tolerance", 1e-7});
    Simulation simulation(scene);
    const auto frames = run(simulation, 8);
    EXPECT_EQ(simulation.settings().tolerance, 1e-7);
    Simulation early(scene);
    early.restore(*frames[4], frames[0]->controller, {});
    EXPECT_EQ(early.settings().tolerance, scene.solver.tolerance);
    EXPECT_EQ(run(early, 4).back()->state, frames[8]->state);
}

TEST(Simulation, restore_refuses_what_does_not_fit) {
    Simulation simulation(small_scene());
    const auto frames = run(simulation, 2);
    Frame smaller = *frames[1];
    smaller.state.x.pop_back();
    EXPECT_THROW(simulation.restore(smaller, frames[0]->controller, {}), InputError);
    for (const char* text : {"", "{}", "[1]", "{\"settings\":{\"dt\":-1}}"})
        EXPECT_THROW(simulation.restore(*frames[1], text, {}), InputError);
    EXPECT_EQ(simulation.frame()->step, 2);
}

TEST(Simulation, two_run_side_by_side_without_touching_each_other) {
    Simulation a(small_scene()), b(small_scene()), alone(small_scene());
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(a.step().frame);
        ASSERT_TRUE(b.step().frame);
        ASSERT_TRUE(alone.step().frame);
    }
    EXPECT_EQ(a.frame()->state, alone.frame()->state);
    EXPECT_EQ(b.frame()->state, alone.frame()->state);
}

}  // namespace
}  // namespace plica
