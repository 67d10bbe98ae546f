// The press of a fold on states and forces made by hand: what is remembered and what is not, and what is measured of it.
#include "engine/scenario/fold_press.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/gauge/fold_metrics.h"
#include "engine/scenario/fold_section.h"
#include "engine/scene/build_model.h"
#include "engine/scene/scene_file.h"

namespace plica {
namespace {

constexpr double pi = std::numbers::pi;

class Press : public testing::Test {
protected:
    Scene scene_ = load_scene("paper");
    Model model_ = build_model(scene_);
    FoldPress press_{scene_, model_};
    State flat_ = initial_state(scene_);
    const int table_ = particle_layout(scene_).obstacle_first[0];

    Vec3 at(const State& s, int p) const { return to_double(s.x[std::size_t(p)]); }

    // The flap turned about the fold by `angle`, then lifted by `gap` [m].
    State folded(double angle, double gap) const {
        State s = flat_;
        const FoldLayout& fold = press_.layout();
        const Vec3 begin = at(flat_, fold.fold.front());
        Vec3 along = at(flat_, fold.fold.back()) - begin;
        along *= 1 / norm(along);
        for (const int p : fold.flap_particles) {
            const Vec3 arm = at(flat_, p) - begin, level = dot(arm, along) * along, out = arm - level;
            s.x[std::size_t(p)] =
                to_float(begin + level + std::cos(angle) * out + Vec3{0, 0, std::sin(angle) * norm(out) + gap});
        }
        return s;
    }

    // A triangle of the flap with the fold's edge k.
    Int3 flap_triangle(int k) const {
        const FoldLayout& fold = press_.layout();
        const std::set<int> edge{fold.fold[std::size_t(k)], fold.fold[std::size_t(k + 1)]};
        for (const int t : fold.flap) {
            const Int3& v = model_.triangles[std::size_t(t)];
            if (int(edge.count(v.a) + edge.count(v.b) + edge.count(v.c)) == 2) return v;
        }
        ADD_FAILURE() << "no triangle at edge " << k;
        return {};
    }

    // The tool pressing on the flap at edge k with `force` N along `normal`, the table bearing `bearing` N `away` m from there.
    StepReport pressed(State& s, int k, double force, double bearing, double away = 0.005, Vec3 normal = {0, 0, 1}) const {
        const Int3 t = flap_triangle(k);
        const Vec3 place = (1.0 / 3) * (at(s, t.a) + at(s, t.b) + at(s, t.c));
        s.x[std::size_t(press_.tool())] = to_float(place + Vec3{0, 0, 6.2e-3});
        StepReport report;
        report.contact_forces.push_back(
            {CandidateKind::VertexTriangle, {press_.tool(), t.a, t.b, t.c}, ContactGroup::FilmSphere, force, normal, place});
        report.contact_forces.push_back({CandidateKind::VertexTriangle,
                                         {t.a, table_, table_ + 1, table_ + 2},
                                         ContactGroup::FilmObstacle,
                                         bearing,
                                         {0, 0, 1},
                                         place + Vec3{away, 0, 0}});
        return report;
    }

    int memories_after(State s, const StepReport& report) const {
        FoldPress press = press_;
        press.accepted(0.1, 1.0 / 1200, s, report);
        return press.creases();
    }
};

TEST_F(Press, a_supported_deep_fold_is_remembered_and_nothing_else) {
    State s = folded(0.98 * pi, 0);
    const StepReport report = pressed(s, 4, 1.0, 0.5);
    press_.accepted(0.1, 1.0 / 1200, s, report);
    EXPECT_TRUE(press_.reading().aligned);
    EXPECT_TRUE(press_.reading().supported);
    EXPECT_DOUBLE_EQ(press_.reading().tool_force, 1.0);
    EXPECT_DOUBLE_EQ(press_.reading().table_force, 0.5);
    ASSERT_EQ(press_.creases(), 1);
    EXPECT_EQ(press_.on_fold(), 1);
    const int hinge = press_.layout().hinges[4];
    EXPECT_NEAR(std::fabs(press_.memory()[std::size_t(hinge)].angle), 0.98 * pi, 1e-5);

    Model changed = model_;
    press_.remember(changed);
    for (std::size_t h = 0; h < model_.hinges.size(); ++h) {
        if (int(h) == hinge)
            EXPECT_EQ(changed.hinges[h].law.rest_angle, press_.memory()[h].angle);
        else
            EXPECT_EQ(changed.hinges[h].law.rest_angle, model_.hinges[h].law.rest_angle);
    }
}

TEST_F(Press, limits_of_support_are_strict) {
    State s = folded(0.98 * pi, 0);
    EXPECT_EQ(memories_after(s, pressed(s, 4, 0.0101, 0.0031)), 1);
    EXPECT_EQ(memories_after(s, pressed(s, 4, 0.01, 0.5)), 0);
    EXPECT_EQ(memories_after(s, pressed(s, 4, 1.0, 0.003)), 0);
    EXPECT_EQ(memories_after(s, pressed(s, 4, 1.0, 0.5, 0.0189)), 1);
    EXPECT_EQ(memories_after(s, pressed(s, 4, 1.0, 0.5, 0.0191)), 0);
    StepReport unborne = pressed(s, 4, 1.0, 0.5);
    unborne.contact_forces.pop_back();
    EXPECT_EQ(memories_after(s, unborne), 0);
    EXPECT_EQ(memories_after(s, pressed(s, 4, 1.0, 0.5, 0.005, {1, 0, 0})), 0);  // pushes from the side: not on the upper face
}

TEST_F(Press, a_flat_layer_or_a_shallow_fold_is_never_remembered) {
    State flat = flat_;
    EXPECT_EQ(memories_after(flat, pressed(flat, 4, 1.0, 0.5)), 0);
    State shallow = folded(0.49 * pi, 0);
    EXPECT_EQ(memories_after(shallow, pressed(shallow, 4, 1.0, 0.5)), 0);
}

TEST_F(Press, a_memory_deepens_only_and_keeps_its_side) {
    State s = folded(0.9 * pi, 0);
    press_.accepted(0.1, 1.0 / 1200, s, pressed(s, 4, 1.0, 0.5));
    const auto angle = [&] { return press_.memory()[std::size_t(press_.layout().hinges[4])].angle; };
    const double first = angle();
    ASSERT_NEAR(std::fabs(first), 0.9 * pi, 1e-5);
    State shallower = folded(0.8 * pi, 0);
    press_.accepted(0.2, 1.0 / 1200, shallower, pressed(shallower, 4, 1.0, 0.5));
    EXPECT_EQ(angle(), first);
    State other_side = folded(-0.95 * pi, 0);
    press_.accepted(0.3, 1.0 / 1200, other_side, pressed(other_side, 4, 1.0, 0.5));
    EXPECT_EQ(angle(), first);
    State deeper = folded(0.95 * pi, 0);
    press_.accepted(0.4, 1.0 / 1200, deeper, pressed(deeper, 4, 1.0, 0.5));
    EXPECT_NEAR(angle() / first, 0.95 / 0.9, 1e-5);
}

TEST_F(Press, state_comes_back_and_nonsense_is_refused_without_a_trace) {
    State s = folded(0.98 * pi, 0);
    press_.accepted(0.1, 1.0 / 1200, s, pressed(s, 4, 1.0, 0.5));
    const std::string text = press_.state_json();
    FoldPress other(scene_, model_);
    other.restore(text);
    EXPECT_EQ(other.state_json(), text);
    EXPECT_EQ(other.creases(), 1);
    for (const char* wrong : {"", "{}", "[]", "{\"stage\": \"dance\"}", "nonsense"}) {
        EXPECT_THROW(other.restore(wrong), InputError) << wrong;
        EXPECT_EQ(other.state_json(), text) << wrong;
    }
    std::string far = text;
    const auto creases = far.find("[[");
    ASSERT_NE(creases, std::string::npos);
    far.insert(creases + 2, "99");  // a hinge that is not there
    EXPECT_THROW(other.restore(far), InputError);

    const std::vector<RememberedEdge> edges = remembered_edges("{\"press\": " + text + "}");
    ASSERT_EQ(edges.size(), 1u);
    EXPECT_EQ(edges[0].hinge, press_.layout().hinges[4]);
    for (const char* none : {"", "{}", "null", "{\"press\": 1}", "{\"press\": {\"creases\": [[1]]}}", "nonsense"})
        EXPECT_TRUE(remembered_edges(none).empty()) << none;
}

TEST_F(Press, drive_of_the_tool_has_no_weight_to_hand_over_and_goes_last) {
    StepInputs inputs;
    press_.drive(inputs);
    ASSERT_EQ(inputs.grips.size(), 1u);  // before the press begins only the tool is led
    EXPECT_EQ(inputs.grips[0].vertex, press_.tool());
    EXPECT_EQ(press_.drive_group(), 0);
    EXPECT_EQ(press_.weight(), 1);
}

TEST_F(Press, layer_gap_is_vertical_and_negative_where_layers_changed_places) {
    const FoldLayout& fold = press_.layout();
    const auto gap = [&](const State& s) {
        std::vector<Vec3> x;
        for (const Vec3f& p : s.x) x.push_back(to_double(p));
        return layer_gap(x, model_.triangles, fold.base, fold.flap);
    };
    EXPECT_EQ(gap(flat_), std::numeric_limits<double>::infinity());
    // The centroid of a triangle at the fold rises with one or two of its corners only.
    EXPECT_NEAR(gap(folded(pi, 0.3e-3)), 0.1e-3, 1e-7);
    EXPECT_NEAR(gap(folded(pi, -0.3e-3)), -0.3e-3, 1e-7);
}

TEST_F(Press, a_cut_shows_both_panels_the_tool_and_the_height_over_the_table) {
    State s = flat_;
    FoldSection cut = fold_section(press_, model_, s, 0.5);
    ASSERT_FALSE(cut.base.empty());
    ASSERT_FALSE(cut.flap.empty());
    double reach = 0;
    for (const auto& segment : cut.base)
        for (const auto& p : segment) {
            EXPECT_NEAR(p.height, 0.5e-3, 1e-7);
            EXPECT_GE(p.across, -1e-7);
        }
    for (const auto& segment : cut.flap)
        for (const auto& p : segment) {
            EXPECT_LE(p.across, 1e-7);
            reach = std::max(reach, -p.across);
        }
    EXPECT_NEAR(reach, 90e-3 / std::sqrt(2.0), 1e-6);  // half the diagonal of the 90 mm square whose corner is folded

    s = folded(pi, 2e-3);
    const Vec3 middle = at(s, press_.layout().fold[4]);
    s.x[std::size_t(press_.tool())] = to_float(middle + Vec3{0, 0, 0.01});
    for (const double place : {0.0, 4.0 / 9, 1.0}) {
        cut = fold_section(press_, model_, s, place);
        for (const auto& segment : cut.flap)
            for (const auto& p : segment) {
                EXPECT_GE(p.across, -1e-7);
                EXPECT_LE(p.height, 2.5e-3 + 1e-7);
            }
        EXPECT_EQ(cut.tool, place > 0 && place < 1);
    }
    cut = fold_section(press_, model_, s, 4.0 / 9);
    EXPECT_NEAR(cut.tool_radius, 6e-3, 1e-6);
    EXPECT_NEAR(cut.tool_centre.height, 0.0105, 1e-6);
    // Beyond the ends it is cut at the ends.
    EXPECT_EQ(fold_section(press_, model_, s, -5).flap.size(), fold_section(press_, model_, s, 0).flap.size());
}

TEST(FoldFault, says_what_is_wrong_with_a_fold) {
    const Scene scene = load_scene("paper");
    const Film& film = scene.films[0];
    EXPECT_EQ(fold_fault(film, scene.press->fold), "");
    std::vector<int> part(scene.press->fold.begin() + 1, scene.press->fold.end());
    const std::vector<std::vector<int>> wrong{{}, {171}, {0, 1, 2}, {171, 9}, {171, 153, 171}, part, {100000, 153}};
    for (const std::vector<int>& fold : wrong) EXPECT_NE(fold_fault(film, fold), "") << fold.size();
}

}  // namespace
}  // namespace plica
