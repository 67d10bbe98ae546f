// engine/scene/choreography.h
#include "engine/scene/choreography.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/error.h"
#include "engine/scene/build_model.h"
#include "engine/scene/scene_file.h"

namespace plica {
namespace {

constexpr double dt = 1.0 / 240;

const char* const text = R"(
duration = 1
[[film]]
name = "sheet"
generator = "sheet"
nx = 2
ny = 2
[[sphere]]
name = "ball"
radius = 0.01
position = [0, 0, 1]
drop_time = 0.5
[[support]]
vertices = "left"
from = 0.1
until = 0.4
stiffness = { keys = [[0.2, 10], [0.4, 0]], ease = "linear" }
offset = [[0.1, 0, 0, 0], [0.2, 0, 0, 0.3]]
[[support]]
kind = "cylinder"
vertices = "right"
axis_group = "centre"
from = 0.1
radius = 0.05
height = 0.02
blend = 0.2
[[tie]]
pairs = [[0, 8]]
from = 0.2
stiffness = 250
length = 0.001
shortening = [[0.2, 0], [0.4, 1]]
[[change]]
time = 0.25
key = "tolerance"
value = 5e-7
)";

struct Fixture {
    Scene scene = parse_scene(text, "test.toml");
    Model model = build_model(scene);
    State state = initial_state(scene);
    Choreography choreography{scene, model};

    State moved(float by) const {
        State other = state;
        for (Vec3f& p : other.x) p.z += by;
        return other;
    }
    StepInputs step(int n, const State& at) {
        choreography.begin_step(n * dt, at);
        return choreography.inputs((n + 1) * dt, dt, at);
    }
};

bool same(const StepInputs& a, const StepInputs& b) {
    if (a.supports.size() != b.supports.size() || a.ties.size() != b.ties.size()) return false;
    for (std::size_t i = 0; i < a.supports.size(); ++i)
        if (a.supports[i].vertex != b.supports[i].vertex || !(a.supports[i].law.target == b.supports[i].law.target) ||
            a.supports[i].law.stiffness != b.supports[i].law.stiffness)
            return false;
    for (std::size_t i = 0; i < a.ties.size(); ++i)
        if (a.ties[i].law.length != b.ties[i].law.length) return false;
    return a.force == b.force;
}

TEST(choreography, support_acts_on_the_steps_that_end_within_its_time) {
    Fixture f;
    EXPECT_TRUE(f.step(23, f.state).supports.empty());   // ends at 0.1
    EXPECT_EQ(f.step(24, f.state).supports.size(), 6u);  // both supports
    EXPECT_EQ(f.step(94, f.state).supports.size(), 6u);  // ends just before 0.4
    EXPECT_EQ(f.step(96, f.state).supports.size(), 3u);  // the first one is over
}

TEST(choreography, reference_is_the_position_at_the_start_of_the_first_step) {
    Fixture f;
    f.step(23, f.moved(0.5f));
    f.step(24, f.moved(1.0f));
    const StepInputs later = f.step(25, f.moved(9.0f));
    const double s = (26 * dt - 0.1) / 0.1, lift = 0.3 * s * s * (3 - 2 * s);
    EXPECT_NEAR(later.supports[0].law.target.z, 1.0 + lift, 1e-7);
    EXPECT_EQ(later.supports[0].law.stiffness, 10);
}

TEST(choreography, half_steps_do_not_remember_anew) {
    Fixture f;
    f.choreography.begin_step(24 * dt, f.moved(1.0f));
    const StepInputs half = f.choreography.inputs(24.5 * dt, dt / 2, f.moved(2.0f));
    const StepInputs whole = f.choreography.inputs(25 * dt, dt / 2, f.moved(3.0f));
    EXPECT_NEAR(half.supports[0].law.target.z, 1.0, 1e-3);
    EXPECT_NEAR(whole.supports[0].law.target.z, 1.0, 1e-2);
    EXPECT_GT(whole.supports[0].law.target.z, half.supports[0].law.target.z);
}

TEST(choreography, failed_first_step_does_not_keep_its_reference) {
    Fixture f;
    f.step(24, f.moved(1.0f));
    const StepInputs again = f.step(24, f.moved(2.0f));
    EXPECT_NEAR(again.supports[0].law.target.z, 2.0, 1e-2);
}

TEST(choreography, cylinder_leads_each_vertex_at_its_own_angle) {
    Fixture f;
    f.step(24, f.state);
    const StepInputs inputs = f.step(100, f.moved(1.0f));
    const Vec3 axis = to_double(f.state.x[4]);
    ASSERT_EQ(inputs.supports.size(), 3u);
    for (const SupportPoint& support : inputs.supports) {
        const Vec3 reference = to_double(f.state.x[std::size_t(support.vertex)]) - axis, led = support.law.target - axis;
        EXPECT_NEAR(std::hypot(led.x, led.y), 0.05, 1e-12);
        EXPECT_NEAR(led.z, 0.02, 1e-12);
        EXPECT_NEAR(std::atan2(led.y, led.x), std::atan2(reference.y, reference.x), 1e-12);
    }
}

TEST(choreography, drawstring_pulls_what_lies_outside_of_it_to_its_circle) {
    const std::string sheet =
        "[[film]]\nname = \"sheet\"\ngenerator = \"sheet\"\nnx = 2\nny = 2\nsize = [0.1, 0.1]\n"
        "origin = [-0.05, -0.05, 0.3]\n[[support]]\nkind = \"drawstring\"\nvertices = \"all\"\n"
        "axis = [0, 0, 0]\nstiffness = 2\n";
    const Scene scene = parse_scene(sheet + "radius = { keys = [[0, 0.08], [1, 0.04]], ease = \"linear\" }\n", "test.toml");
    const Model model = build_model(scene);
    const State state = initial_state(scene);
    Choreography choreography(scene, model);
    choreography.begin_step(0.25, state);
    // Radius 0.06 m at 0.5 s: the corners, at 0.0707 m, are pulled, the others at 0.05 and 0 m are not.
    const StepInputs inputs = choreography.inputs(0.5, 0.25, state);
    ASSERT_EQ(inputs.supports.size(), 4u);
    for (const auto& support : inputs.supports) {
        const Vec3 target = support.law.target, at = to_double(state.x[std::size_t(support.vertex)]);
        EXPECT_NEAR(std::hypot(target.x, target.y), 0.06, 1e-12);
        EXPECT_NEAR(target.x * at.y - target.y * at.x, 0, 1e-12);
        EXPECT_EQ(target.z, at.z);
        EXPECT_EQ(support.law.stiffness, 2);
    }
    EXPECT_TRUE(choreography.inputs(0.001, 0.001, state).supports.empty());
    EXPECT_THROW(parse_scene(sheet, "test.toml"), InputError);  // no radius
}

TEST(choreography, tie_goes_from_its_length_at_activation_to_its_target) {
    Fixture f;
    const StepInputs first = f.step(48, f.state);
    ASSERT_EQ(first.ties.size(), 1u);
    const double length = norm(to_double(f.state.x[8]) - to_double(f.state.x[0]));
    EXPECT_NEAR(first.ties[0].law.length, length, 1e-4);
    EXPECT_NEAR(f.step(120, f.state).ties[0].law.length, 0.001, 1e-12);
}

TEST(choreography, gravity_of_a_sphere_is_cancelled_until_it_drops) {
    Fixture f;
    const StepInputs held = f.step(100, f.state);
    EXPECT_NEAR(held.force[9].z, 9.81 * f.model.mass[9], 1e-15);
    EXPECT_EQ(held.force[0], Vec3{});
    EXPECT_FALSE(f.step(119, f.state).force.empty());  // ends at 0.5
    EXPECT_TRUE(f.step(120, f.state).force.empty());
}

TEST(choreography, restored_in_a_new_object_it_goes_on_bit_for_bit) {
    for (const int at : {0, 10, 24, 30, 50, 97, 110}) {
        Fixture a;
        for (int n = 0; n < at; ++n) a.step(n, a.moved(0.01f * float(n)));
        const std::string state = a.choreography.state_json();
        Fixture b;
        b.choreography.restore(state);
        EXPECT_EQ(b.choreography.state_json(), state);
        for (int n = at; n < 130; ++n)
            EXPECT_TRUE(same(a.step(n, a.moved(0.01f * float(n))), b.step(n, b.moved(0.01f * float(n)))))
                << "from " << at << ", step " << n;
    }
}

// An object that has gone further is brought back without a trace of what it saw later.
TEST(choreography, restored_in_a_used_object_it_goes_on_bit_for_bit) {
    Fixture a, b;
    std::string state;
    for (int n = 0; n < 120; ++n) {
        if (n == 20) state = b.choreography.state_json();
        b.step(n, b.moved(0.5f));
    }
    for (int n = 0; n < 20; ++n) a.step(n, a.moved(0.5f));
    b.choreography.restore(state);
    for (int n = 20; n < 120; ++n) EXPECT_TRUE(same(a.step(n, a.moved(1.5f)), b.step(n, b.moved(1.5f)))) << n;
}

TEST(choreography, foreign_state_is_refused_and_changes_nothing) {
    Fixture f;
    f.step(30, f.state);
    const std::string before = f.choreography.state_json();
    for (const char* bad :
         {"{", "[]", "{\"supports\":{\"9\":{}},\"ties\":{}}",
          "{\"supports\":{\"0\":{\"reference\":[],\"axis\":[]}},\"ties\":{}}", "{\"supports\":{},\"ties\":{\"0\":[1,2,3]}}"})
        EXPECT_THROW(f.choreography.restore(bad), InputError) << bad;
    EXPECT_EQ(f.choreography.state_json(), before);
}

TEST(choreography, changes_are_due_once) {
    Fixture f;
    EXPECT_TRUE(due_changes(f.scene, 0.2, 0.24).empty());
    ASSERT_EQ(due_changes(f.scene, 0.24, 0.25).size(), 1u);
    EXPECT_TRUE(due_changes(f.scene, 0.25, 0.3).empty());
}

TEST(gate, names_the_columns_that_are_not_up) {
    Scene scene = load_scene("bag");
    scene.gates.push_back({"spread", 0, "columns_up", "bag"});
    State state = initial_state(scene);
    // Cuffed: every column hangs down.
    EXPECT_NE(check_gate(scene.gates[0], scene, state).find("32 of 32"), std::string::npos);
    for (std::size_t i = 0; i < 481; ++i) state.x[i] = to_float(scene.films[0].rest[i]);
    EXPECT_EQ(check_gate(scene.gates[0], scene, state), "");
    state.x[449 + 7].z = state.x[321 + 7].z + 0.004f;  // end only 4 mm above the neck
    state.x[385 + 9].z = state.x[353 + 9].z - 0.001f;  // ring 13 below ring 12
    const std::string failure = check_gate(scene.gates[0], scene, state);
    EXPECT_NE(failure.find("2 of 32"), std::string::npos) << failure;
    EXPECT_NE(failure.find("column 7, 9"), std::string::npos) << failure;
}

}  // namespace
}  // namespace plica
