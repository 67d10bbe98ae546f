#include "engine/solver/solver.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/unit/solver/small_models.h"

namespace plica {
namespace {

using testing::ModelBuilder;

SolverSettings quiet() {
    SolverSettings s;
    s.gravity = {};
    s.film_damping = 0;
    s.tolerance = 1e-7;
    return s;
}

// A triangle thrown at another, vertex first (VT) or edge across edge (EE), as in the source's small scenes.
ModelBuilder thrown_triangle(bool edge) {
    ModelBuilder b;
    b.add_film({{-0.01, -0.01, 0}, {0.01, -0.01, 0}, {0, 0.012, 0}}, {{0, 1, 2}});
    if (edge)
        b.add_film({{0, -0.02, 0.003}, {0, 0.001, 0.003}, {0.001, -0.01, 0.012}}, {{0, 1, 2}}, {0, 0, -1.5});
    else
        b.add_film({{0, 0, 0.003}, {0.004, 0.001, 0.012}, {-0.004, 0.001, 0.012}}, {{0, 1, 2}}, {0, 0, -1.5});
    return b;
}

double smallest_gap(Solver& solver, const State& state, const SolverSettings& settings) {
    return solver.census(state, settings, 0.05).min_gap[std::size_t(ContactGroup::FilmFilm)];
}

class SmallScene : public ::testing::TestWithParam<bool> {};

TEST_P(SmallScene, TwelveStepsKeepMidSurfacesMoreThanTheMinimumGapApart) {
    ModelBuilder b = thrown_triangle(GetParam());
    Solver solver(b.model);
    const SolverSettings settings = quiet();
    State state = b.state;
    double closest = 1;
    for (int k = 1; k <= 12; ++k) {
        State next;
        const StepResult r = solver.step(state, testing::no_inputs(), k * settings.dt, settings, {}, next);
        ASSERT_TRUE(r.ok()) << r.error->message;
        state = next;
        const double gap = smallest_gap(solver, state, settings);
        EXPECT_GT(gap, 0);  // distance of mid-surfaces > min_gap = 30 µm
        closest = std::min(closest, gap);
        EXPECT_EQ(r.report.intersecting_pairs, 0);
    }
    EXPECT_LT(closest, settings.dhat);  // they did meet
}

TEST_P(SmallScene, ThrownTriangleGivesItsMomentumToTheOther) {
    ModelBuilder b = thrown_triangle(GetParam());
    Solver solver(b.model);
    SolverSettings settings = quiet();
    settings.tolerance = 1e-10;
    const auto momentum = [&](const State& s) {
        Vec3 p;
        for (int i = 0; i < b.model.particle_count(); ++i) p += b.model.mass[i] * to_double(s.v[i]);
        return p;
    };
    State state = b.state;
    const Vec3 before = momentum(state);
    for (int k = 1; k <= 12; ++k) {
        State next;
        ASSERT_TRUE(solver.step(state, testing::no_inputs(), k * settings.dt, settings, {}, next).ok());
        state = next;
    }
    // FP32 positions of 1e-2 m carry 1e-9 m, velocities 2e-7 m/s a step.
    EXPECT_LT(norm(momentum(state) - before), 1e-5 * norm(before));
}

INSTANTIATE_TEST_SUITE_P(VertexTriangleAndEdgeEdge, SmallScene, ::testing::Bool());

TEST(Solver, RefusesInitialOverlapAndKeepsTheOutput) {
    ModelBuilder b;
    std::vector<Vec3> x;
    std::vector<Int3> t;
    testing::square_sheet(4, 0.01, 0, x, t);
    b.add_film(x, t);
    testing::square_sheet(4, 0.011, 1e-5, x, t);  // 10 µm above, less than min_gap
    b.add_film(x, t);
    Solver solver(b.model);
    State out{{{1, 2, 3}}, {{4, 5, 6}}};
    const State before = out;
    const StepResult r = solver.step(b.state, testing::no_inputs(), 0.1, quiet(), {}, out);
    ASSERT_TRUE(r.error);
    EXPECT_EQ(r.error->reason, StepFailure::InitialOverlap);
    EXPECT_GT(r.error->pair_count, 0);
    ASSERT_FALSE(r.error->pairs.empty());
    EXPECT_NEAR(r.error->pairs[0].gap, 1e-5 - 30e-6, 1e-8);
    EXPECT_TRUE(out == before);
}

TEST(Solver, RefusesAnEdgeThroughAFaceAndKeepsTheOutput) {
    ModelBuilder b;  // far from every edge and vertex: all gaps are positive
    b.add_film({{-0.05, -0.05, 0}, {0.05, -0.05, 0}, {0, 0.05, 0}}, {{0, 1, 2}});
    b.add_film({{0.001, 0, -0.01}, {0.002, 0.001, 0.01}, {0.009, 0.004, 0.011}}, {{0, 1, 2}});
    Solver solver(b.model);
    State out;
    const StepResult r = solver.step(b.state, testing::no_inputs(), 0.1, quiet(), {}, out);
    ASSERT_TRUE(r.error);
    EXPECT_EQ(r.error->reason, StepFailure::InitialIntersection);
    EXPECT_EQ(r.error->pair_count, 1);
    EXPECT_EQ(r.error->triangle_pairs.at(0), (Int2{0, 1}));
    EXPECT_TRUE(out.x.empty());
}

TEST(Solver, RefusesNaNAndNamesTheVertex) {
    ModelBuilder b = thrown_triangle(false);
    b.state.x[4].y = std::numeric_limits<float>::quiet_NaN();
    Solver solver(b.model);
    State out;
    const StepResult r = solver.step(b.state, testing::no_inputs(), 0.1, quiet(), {}, out);
    ASSERT_TRUE(r.error);
    EXPECT_EQ(r.error->reason, StepFailure::NotFinite);
    EXPECT_EQ(r.error->particle, 4);
    EXPECT_NE(r.error->message.find("vertex 1"), std::string::npos) << r.error->message;
}

// Two crumpled sheets, a sphere and the floor, all near contact, with ties and supports: every term is active.
struct Crowd {
    ModelBuilder b;
    StepInputs inputs;
    SolverSettings settings = quiet();

    Crowd() {
        std::vector<Vec3> x;
        std::vector<Int3> t;
        testing::square_sheet(5, 0.01, 0.0006, x, t);
        b.add_film(x, t);
        testing::square_sheet(5, 0.0096, 0.0013, x, t);
        b.add_film(x, t, {0.05, 0, 0}, MembraneModel::StVK);
        b.add_sphere({0.001, 0.002, 0.0018 + 0.01}, 0.01, {0, 0.1, -0.1});
        b.add_sphere({0.0212, 0.002, 0.0025 + 0.01}, 0.01);
        b.add_floor(0.2);
        std::mt19937 random(7);
        std::uniform_real_distribution<float> shift(-4e-5f, 4e-5f);
        for (std::size_t i = 0; i < 50; ++i) {
            b.state.x[i].x += shift(random);
            b.state.x[i].y += shift(random);
            b.state.x[i].z += shift(random);
        }
        inputs.supports.push_back({3, {50, {0.02, 0, 0.002}}, 0});
        inputs.support_group_count = 1;
        inputs.grips.push_back({40, {800, {0.02, 0.01, 0.004}, 0.45}, 0});
        inputs.grip_group_count = 1;
        inputs.ties.push_back({7, 33, {250, 0.001}});
        settings.gravity = {0, 0, -9.81};
        settings.film_damping = 12;
    }
};

TEST(Potential, AssembledGradientAgreesWithCentralDifferences) {
    Crowd c;
    Solver solver(c.b.model);
    std::vector<Vec3> x;
    for (const Vec3f& p : c.b.state.x) x.push_back(to_double(p));
    for (std::size_t i = 0; i < 52; ++i) x[i] += Vec3{1e-5 * double(i % 3), -1e-5 * double(i % 5), 2e-6 * double(i % 7)};
    std::vector<Vec3> g;
    const Energies e = solver.potential(c.b.state, c.inputs, c.settings, {}, x, &g);
    EXPECT_GT(e.barrier, 0);
    EXPECT_GT(e.friction, 0);
    EXPECT_GT(e.tie, 0);
    EXPECT_GT(e.grip, 0);
    double largest = 0;
    for (const Vec3& v : g) largest = std::max(largest, max_abs(v));
    for (int i = 0; i < 52; ++i) {
        for (int k = 0; k < 3; ++k) {
            const double h = 1e-9;
            auto y = x;
            y[i][k] += h;
            const double up = solver.potential(c.b.state, c.inputs, c.settings, {}, y, nullptr).total();
            y[i][k] -= 2 * h;
            const double down = solver.potential(c.b.state, c.inputs, c.settings, {}, y, nullptr).total();
            // truncation h² E'''/6 and rounding 1e-16 E/h, both far below 1e-5 of the largest entry
            EXPECT_NEAR((up - down) / (2 * h), g[i][k], 2e-5 * largest) << "particle " << i << " axis " << k;
        }
    }
}

TEST(Solver, GivesTheSameBitsForOneAndTwoThreads) {
    Crowd c;
    State end[2];
    for (int threads : {1, 2}) {
        Solver solver(c.b.model, threads);
        State state = c.b.state;
        for (int k = 1; k <= 8; ++k) {
            State next;
            const StepResult r = solver.step(
                state, [&](double, double) { return c.inputs; }, k * c.settings.dt, c.settings, {}, next);
            ASSERT_TRUE(r.ok()) << r.error->message;
            state = next;
        }
        end[threads - 1] = state;
    }
    EXPECT_TRUE(end[0] == end[1]);
}

TEST(Solver, AStepDependsOnTheStateAloneNotOnWhatWasSolvedBefore) {
    Crowd c;
    const auto inputs = [&](double, double) { return c.inputs; };
    Solver used(c.b.model), fresh(c.b.model);
    State first, second, again;
    ASSERT_TRUE(used.step(c.b.state, inputs, 1, c.settings, {}, first).ok());
    ASSERT_TRUE(used.step(first, inputs, 2, c.settings, {}, second).ok());
    ASSERT_TRUE(fresh.step(first, inputs, 2, c.settings, {}, again).ok());
    EXPECT_TRUE(second == again);
}

TEST(Solver, ContactForcesCarryTheWeightOfARestingSphere) {
    ModelBuilder b;
    b.add_floor(0.2);
    const int sphere = b.add_sphere({0, 0, 0.0104}, 0.01);
    Solver solver(b.model);
    SolverSettings settings = quiet();
    settings.gravity = {0, 0, -9.81};
    settings.tolerance = 1e-10;
    State state = b.state;
    StepReport report;
    for (int k = 1; k <= 400; ++k) {
        State next;
        const StepResult r = solver.step(state, testing::no_inputs(), k * settings.dt, settings, {}, next);
        ASSERT_TRUE(r.ok()) << r.error->message;
        report = r.report;
        state = next;
    }
    const double weight = b.model.mass[sphere] * 9.81;
    EXPECT_NEAR(report.body_reaction[1].z, weight, 1e-3 * weight);
    EXPECT_NEAR(report.body_reaction[0].z, -weight, 1e-3 * weight);
    EXPECT_LT(std::abs(to_double(state.v[sphere]).z), 1e-5);
}

TEST(Solver, SwitchedOffSelfContactLetsSheetsPassAndIsRefusedBackInTheTangle) {
    ModelBuilder b = thrown_triangle(false);
    Solver solver(b.model);
    const SolverSettings settings = quiet();
    ContactSwitches off;
    off.self_contact = false;
    State state = b.state;
    int k = 1;
    for (; k <= 12; ++k) {
        State next;
        ASSERT_TRUE(solver.step(state, testing::no_inputs(), k * settings.dt, settings, off, next).ok());
        state = next;
        if (!solver.census(state, settings, 1e-3).intersecting.empty()) break;
    }
    ASSERT_LE(k, 12) << "the triangles never met";
    State out;
    const StepResult r = solver.step(state, testing::no_inputs(), (k + 1) * settings.dt, settings, {}, out);
    ASSERT_TRUE(r.error);
    EXPECT_TRUE(r.error->reason == StepFailure::InitialIntersection || r.error->reason == StepFailure::InitialOverlap);
}

TEST(Solver, RetriesWithHalfStepsWhenTheIterationLimitIsReached) {
    Crowd c;
    c.settings.max_iterations = 3;
    Solver solver(c.b.model);
    State out;
    const StepResult r = solver.step(
        c.b.state, [&](double, double) { return c.inputs; }, 1, c.settings, {}, out);
    EXPECT_GT(r.report.solves, 1);
    EXPECT_GT(r.report.halvings, 0);
    EXPECT_EQ(r.ok(), !out.x.empty());
}

TEST(Solver, StopsWithinAStepWhenAsked) {
    Crowd c;
    Solver solver(c.b.model);
    State out;
    const StepResult r = solver.step(
        c.b.state, [&](double, double) { return c.inputs; }, 1, c.settings, {}, out,
        [](const IterationRecord&, int, int) { return false; });
    EXPECT_TRUE(r.cancelled);
    EXPECT_TRUE(out.x.empty());
}

}  // namespace
}  // namespace plica
