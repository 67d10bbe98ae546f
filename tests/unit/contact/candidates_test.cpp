#include "engine/contact/candidates.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/contact/contact_geometry.h"
#include "tests/unit/solver/small_models.h"

namespace plica {
namespace {

using Key = std::pair<int, std::array<int, 4>>;

// Two sheets and a sphere that move far in one step.
struct Motion {
    testing::ModelBuilder b;
    std::vector<Vec3> from, to;

    explicit Motion(unsigned seed) {
        std::vector<Vec3> x;
        std::vector<Int3> t;
        testing::square_sheet(6, 0.008, 0.002, x, t);
        b.add_film(x, t);
        testing::square_sheet(5, 0.009, 0.008, x, t);
        b.add_film(x, t);
        b.add_sphere({0.004, 0.003, 0.025}, 0.01);
        b.add_sphere({0.004, -0.02, 0.021}, 0.006);
        b.add_floor(0.2);
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> shift(-0.006, 0.006);
        for (std::size_t i = 0; i < b.state.x.size(); ++i) {
            from.push_back(to_double(b.state.x[i]));
            to.push_back(from.back());
            if (!b.model.fixed[i]) to.back() += Vec3{shift(random), shift(random), shift(random)};
        }
    }
};

TEST(Candidates, NoPairIsMissingAtSeventeenTimesOfAMovingPath) {
    for (unsigned seed = 0; seed < 6; ++seed) {
        Motion m(seed);
        const Surface surface(m.b.model);
        const Workers workers(1);
        const double min_gap = 30e-6, dhat = 1e-3;
        CandidateSet set;
        set.build(m.b.model, surface, {}, min_gap, dhat, 1.5e-3, m.from, m.to, workers);
        std::set<Key> have;
        for (const Candidate& c : set.list()) have.insert({int(c.kind), c.p});
        EXPECT_EQ(have.size(), set.list().size()) << "a pair is listed twice";

        int near = 0;
        for (int k = 0; k <= 16; ++k) {
            std::vector<Vec3> x(m.from.size());
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = m.from[i] + (k / 16.0) * (m.to[i] - m.from[i]);
            ASSERT_TRUE(set.covers(x));
            for (const int v : surface.vertices) {
                const double offset = m.b.model.radius[v] > 0 ? m.b.model.radius[v] + min_gap / 2 : min_gap;
                for (const Int3& t : surface.triangles) {
                    if (t.a == v || t.b == v || t.c == v || (m.b.model.fixed[v] && m.b.model.fixed[t.a])) continue;
                    if (vertex_triangle_contact(x[v], x[t.a], x[t.b], x[t.c]).distance - offset >= dhat) continue;
                    ++near;
                    EXPECT_TRUE(have.count({int(CandidateKind::VertexTriangle), {v, t.a, t.b, t.c}}))
                        << "vertex " << v << " time " << k;
                }
            }
            for (std::size_t i = 0; i < surface.edges.size(); ++i) {
                for (std::size_t j = i + 1; j < surface.edges.size(); ++j) {
                    const Int2 a = surface.edges[i], b = surface.edges[j];
                    if (a.a == b.a || a.a == b.b || a.b == b.a || a.b == b.b || (m.b.model.fixed[a.a] && m.b.model.fixed[b.a]))
                        continue;
                    if (edge_edge_contact(x[a.a], x[a.b], x[b.a], x[b.b]).distance - min_gap >= dhat) continue;
                    ++near;
                    EXPECT_TRUE(have.count({int(CandidateKind::EdgeEdge), {a.a, a.b, b.a, b.b}}))
                        << "edges " << i << ", " << j << " time " << k;
                }
            }
        }
        EXPECT_GT(near, 100) << "the motion brings too little together to test anything";
        EXPECT_EQ(set.count(CandidateKind::SphereSphere), 1);
    }
}

TEST(Candidates, AreTheSameListForAnyNumberOfThreads) {
    Motion m(3);
    const Surface surface(m.b.model);
    CandidateSet one, two;
    one.build(m.b.model, surface, {}, 30e-6, 1e-3, 1.5e-3, m.from, m.to, Workers(1));
    two.build(m.b.model, surface, {}, 30e-6, 1e-3, 1.5e-3, m.from, m.to, Workers(2));
    ASSERT_EQ(one.list().size(), two.list().size());
    for (std::size_t k = 0; k < one.list().size(); ++k) EXPECT_EQ(one.list()[k].p, two.list()[k].p);
}

TEST(Candidates, CoverNoMoreThanTheyWereBuiltFor) {
    Motion m(1);
    const Surface surface(m.b.model);
    CandidateSet set;
    set.build(m.b.model, surface, {}, 30e-6, 1e-3, 1.5e-3, m.from, m.from, Workers(1));
    EXPECT_TRUE(set.covers(m.from));
    EXPECT_FALSE(set.covers(m.to));
    auto little = m.from;
    little[3] += Vec3{0.7e-3, 0, 0};
    EXPECT_TRUE(set.covers(little));
    little[3] += Vec3{0.1e-3, 0, 0};
    EXPECT_FALSE(set.covers(little));
}

TEST(Candidates, SwitchesLeaveTheirPairsOut) {
    Motion m(2);
    const Surface surface(m.b.model);
    ContactSwitches off;
    off.self_contact = false;
    off.body_off.assign(m.b.model.bodies.size(), false);
    off.body_off.back() = true;  // floor
    CandidateSet set;
    set.build(m.b.model, surface, off, 30e-6, 1e-3, 1.5e-3, m.from, m.to, Workers(1));
    for (const Candidate& c : set.list()) {
        EXPECT_NE(c.group, ContactGroup::FilmFilm);
        EXPECT_NE(c.group, ContactGroup::FilmObstacle);
        EXPECT_NE(c.group, ContactGroup::SphereObstacle);
    }
}

}  // namespace
}  // namespace plica
