#include "engine/contact/contact_geometry.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace plica {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vec3 random_vec(std::mt19937& rng, double size) {
    std::uniform_real_distribution<double> d(-size, size);
    const double x = d(rng), y = d(rng), z = d(rng);
    return {x, y, z};
}

ContactGeometry geometry(CandidateKind kind, const Vec3 (&x)[4]) {
    switch (kind) {
        case CandidateKind::VertexTriangle: return vertex_triangle_contact(x[0], x[1], x[2], x[3]);
        case CandidateKind::EdgeEdge: return edge_edge_contact(x[0], x[1], x[2], x[3]);
        default: return sphere_sphere_contact(x[0], x[1]);
    }
}

class ContactKinds : public testing::TestWithParam<CandidateKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ContactKinds,
                         testing::Values(CandidateKind::VertexTriangle, CandidateKind::EdgeEdge, CandidateKind::SphereSphere),
                         [](const auto& test) {
                             return test.param == CandidateKind::VertexTriangle ? "VertexTriangle"
                                    : test.param == CandidateKind::EdgeEdge     ? "EdgeEdge"
                                                                                : "SphereSphere";
                         });

TEST_P(ContactKinds, WeightsSumToZeroAndGiveTheSeparation) {
    std::mt19937 rng(1);
    for (int i = 0; i < 300; ++i) {
        const Vec3 x[4] = {random_vec(rng, 1), random_vec(rng, 1), random_vec(rng, 1), random_vec(rng, 1)};
        const ContactGeometry g = geometry(GetParam(), x);
        Vec3 r;
        double sum = 0;
        for (int k = 0; k < 4; ++k) {
            r += g.weight[k] * x[k];
            sum += g.weight[k];
        }
        EXPECT_NEAR(sum, 0, 1e-15);
        EXPECT_NEAR(norm(g.normal), 1, 1e-15);
        EXPECT_LT(norm(r - g.distance * g.normal), 1e-14);
    }
}

TEST_P(ContactKinds, WeightedNormalIsTheGradientOfTheDistance) {
    std::mt19937 rng(2);
    for (int i = 0; i < 300; ++i) {
        Vec3 x[4] = {random_vec(rng, 1), random_vec(rng, 1), random_vec(rng, 1), random_vec(rng, 1)};
        const ContactGeometry g = geometry(GetParam(), x);
        if (g.distance < 1e-2) continue;
        const double h = 1e-6;
        for (int k = 0; k < 4; ++k) {
            for (int axis = 0; axis < 3; ++axis) {
                const double at = x[k][axis];
                x[k][axis] = at + h;
                const double up = geometry(GetParam(), x).distance;
                x[k][axis] = at - h;
                const double down = geometry(GetParam(), x).distance;
                x[k][axis] = at;
                // The distance has a continuous slope, also where the closest point passes from face to edge.
                EXPECT_NEAR((up - down) / (2 * h), g.weight[k] * g.normal[axis], 3e-4);
            }
        }
    }
}

TEST_P(ContactKinds, TouchingPairsHaveNoNormalButStayFinite) {
    const Vec3 p{0.1, 0.2, 0.3};
    const Vec3 x[4] = {p, p, p, p};
    const ContactGeometry g = geometry(GetParam(), x);
    EXPECT_EQ(g.distance, 0);
    EXPECT_EQ(g.normal, Vec3{});
}

TEST_P(ContactKinds, AcceptedMotionKeepsTheGapPositive) {
    std::mt19937 rng(3);
    int limited = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 x[4] = {random_vec(rng, 1), random_vec(rng, 1), random_vec(rng, 1), random_vec(rng, 1)};
        Vec3 dx[4];
        for (Vec3& d : dx) d = random_vec(rng, 3);
        const ContactGeometry g = geometry(GetParam(), x);
        const double offset = 0.3 * g.distance, gap = g.distance - offset;
        const double speed = approach(GetParam(), g.normal, dx[0], dx[1], dx[2], dx[3]);
        const double alpha = capped_fraction(speed > 0 ? gap / speed : infinity);
        limited += alpha < 1;
        for (int k = 0; k <= 16; ++k) {
            Vec3 moved[4];
            for (int j = 0; j < 4; ++j) moved[j] = x[j] + (alpha * k / 16) * dx[j];
            ASSERT_GT(geometry(GetParam(), moved).distance, offset);
        }
    }
    EXPECT_GT(limited, 500);
}

TEST_P(ContactKinds, FastCrossingIsStoppedBeforeHalfWay) {
    // The two sides 6 mm apart change places (spec/solver.md, "Verification"): 12 mm approach, offset 30 µm.
    const double h = 6e-3;
    Vec3 x[4], dx[4];
    const bool edges = GetParam() == CandidateKind::EdgeEdge, spheres = GetParam() == CandidateKind::SphereSphere;
    if (edges) {
        x[0] = {-0.02, 0, h}, x[1] = {0.02, 0.001, h}, x[2] = {0.001, -0.02, 0}, x[3] = {0, 0.02, 0};
    } else {
        x[0] = {0.001, 0.002, h}, x[1] = spheres ? Vec3{0.001, 0.002, 0} : Vec3{-0.02, -0.02, 0}, x[2] = {0.02, -0.02, 0},
        x[3] = {0, 0.02, 0};
    }
    for (int i = 0; i < 4; ++i) dx[i] = {0, 0, x[i].z > 0 ? -h : h};
    if (spheres) dx[2] = dx[3] = {};
    const ContactGeometry g = geometry(GetParam(), x);
    const double gap = g.distance - 30e-6;
    const double speed = approach(GetParam(), g.normal, dx[0], dx[1], dx[2], dx[3]);
    EXPECT_NEAR(speed, 12e-3, 1e-15);
    const double alpha = capped_fraction(gap / speed);
    EXPECT_GT(alpha, 0);
    EXPECT_LT(alpha, 0.5);
    EXPECT_NEAR(alpha, 0.44775, 1e-12);
    // Sideways as well, at any speed: what counts is along the normal.
    for (int i = 0; i < 4; ++i) dx[i] = 100 * dx[i] + Vec3{5, -3, 0};
    EXPECT_NEAR(approach(GetParam(), g.normal, dx[0], dx[1], dx[2], dx[3]), 1.2, 1e-12);
}

TEST_P(ContactKinds, CommonMotionAndPartingAreNotLimited) {
    std::mt19937 rng(4);
    for (int i = 0; i < 100; ++i) {
        const Vec3 x[4] = {random_vec(rng, 1), random_vec(rng, 1), random_vec(rng, 1), random_vec(rng, 1)};
        const ContactGeometry g = geometry(GetParam(), x);
        const Vec3 d = random_vec(rng, 1);
        EXPECT_NEAR(approach(GetParam(), g.normal, d, d, d, d), 0, 1e-15);
        const Vec3 first = g.normal, second = -g.normal;  // apart
        const bool edges = GetParam() == CandidateKind::EdgeEdge;
        EXPECT_NEAR(approach(GetParam(), g.normal, first, edges ? first : second, second, second), -2, 1e-14);
    }
}

TEST(MotionCap, RatioOfOneIsTheBorder) {
    EXPECT_EQ(capped_fraction(infinity), 1);
    EXPECT_EQ(capped_fraction(1.0001), 1);
    EXPECT_EQ(capped_fraction(1), 0.9);
    EXPECT_EQ(capped_fraction(0.5), 0.45);
}

}  // namespace
}  // namespace plica
