#include "engine/geometry/closest.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace plica {
namespace {

Vec3 random_vec(std::mt19937& rng, double size) {
    std::uniform_real_distribution<double> d(-size, size);
    const double x = d(rng), y = d(rng), z = d(rng);
    return {x, y, z};
}

// Smallest distance by trying points of the triangle, then ever finer around the best: a convex function, so that this finds
// it.
double searched_point_triangle(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
    const auto distance = [&](double u, double v) { return norm(p - (t0 + u * (t1 - t0) + v * (t2 - t0))); };
    double best_u = 0, best_v = 0, best = distance(0, 0);
    for (double reach = 0.5; reach > 1e-10; reach *= 0.7) {
        const double u0 = best_u, v0 = best_v;
        for (int i = -10; i <= 10; ++i) {
            for (int j = -10; j <= 10; ++j) {
                const double u = std::clamp(u0 + i * reach / 10, 0.0, 1.0), v = std::clamp(v0 + j * reach / 10, 0.0, 1.0 - u);
                if (const double d = distance(u, v); d < best) best = d, best_u = u, best_v = v;
            }
        }
    }
    return best;
}

double searched_edge_edge(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
    const auto distance = [&](double s, double t) { return norm(p0 + s * (p1 - p0) - q0 - t * (q1 - q0)); };
    double best_s = 0, best_t = 0, best = distance(0, 0);
    for (double reach = 1; reach > 1e-10; reach *= 0.7) {
        const double s0 = best_s, t0 = best_t;
        for (int i = -10; i <= 10; ++i) {
            for (int j = -10; j <= 10; ++j) {
                const double s = std::clamp(s0 + i * reach / 10, 0.0, 1.0), t = std::clamp(t0 + j * reach / 10, 0.0, 1.0);
                if (const double d = distance(s, t); d < best) best = d, best_s = s, best_t = t;
            }
        }
    }
    return best;
}

// What must hold for any answer: it is a point of the triangle, at the distance told.
void expect_consistent(const PointTriangle& c, const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
    for (const double w : c.weight) {
        EXPECT_GE(w, 0);
        EXPECT_LE(w, 1);
    }
    EXPECT_NEAR(c.weight[0] + c.weight[1] + c.weight[2], 1, 1e-15);
    const double size = std::max({max_abs(p), max_abs(t0), max_abs(t1), max_abs(t2)});
    const Vec3 r = p - (c.weight[0] * t0 + c.weight[1] * t1 + c.weight[2] * t2);
    EXPECT_LE(norm(r - c.separation), 2e-15 * size);
    EXPECT_EQ(norm(c.separation), c.distance);
}
void expect_consistent(const EdgeEdge& c, const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
    EXPECT_GE(c.s, 0);
    EXPECT_LE(c.s, 1);
    EXPECT_GE(c.t, 0);
    EXPECT_LE(c.t, 1);
    const double size = std::max({max_abs(p0), max_abs(p1), max_abs(q0), max_abs(q1)});
    EXPECT_LE(norm(p0 + c.s * (p1 - p0) - q0 - c.t * (q1 - q0) - c.separation), 2e-15 * size);
    EXPECT_EQ(norm(c.separation), c.distance);
}

TEST(PointTriangle, DistanceIsTheSmallestOverTheTriangle) {
    std::mt19937 rng(1);
    int faces = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec3 t0 = random_vec(rng, 1), t1 = random_vec(rng, 1), t2 = random_vec(rng, 1), p = random_vec(rng, 1);
        const PointTriangle c = closest_point_triangle(p, t0, t1, t2);
        expect_consistent(c, p, t0, t1, t2);
        faces += c.weight[0] > 0 && c.weight[1] > 0 && c.weight[2] > 0;
        const double searched = searched_point_triangle(p, t0, t1, t2);
        EXPECT_LE(c.distance, searched + 1e-15);
        EXPECT_NEAR(c.distance, searched, 1e-8);
    }
    EXPECT_GT(faces, 20);
}

TEST(PointTriangle, SliversOfAnyShapeAndWidth) {
    std::mt19937 rng(2);
    for (const double width : {1e-2, 1e-4, 1e-6, 1e-9, 1e-13, 1e-17, 0.0}) {
        for (int i = 0; i < 60; ++i) {
            const Vec3 a = random_vec(rng, 1), b = random_vec(rng, 1), aside = width * random_vec(rng, 1);
            const double along = std::uniform_real_distribution<double>(-0.5, 1.5)(rng);
            const Vec3 c = a + along * (b - a) + aside;
            // Near it, where it matters, and far.
            const Vec3 p = a + std::uniform_real_distribution<double>(-0.2, 1.2)(rng) * (b - a) +
                           (i % 2 ? 1e-3 : 1.0) * random_vec(rng, 1);
            const Vec3 corner[3] = {a, b, c};
            for (int turn = 0; turn < 3; ++turn) {
                const Vec3 &t0 = corner[turn], &t1 = corner[(turn + 1) % 3], &t2 = corner[(turn + 2) % 3];
                const PointTriangle got = closest_point_triangle(p, t0, t1, t2);
                expect_consistent(got, p, t0, t1, t2);
                const double searched = searched_point_triangle(p, t0, t1, t2);
                EXPECT_LE(got.distance, searched + 1e-15) << "width " << width;
                EXPECT_NEAR(got.distance, closest_point_triangle(p, t1, t2, t0).distance, 1e-14) << "width " << width;
            }
        }
    }
}

TEST(PointTriangle, DegenerateTrianglesAndTouchingPoints) {
    const Vec3 a{0.1, 0.2, 0.3}, b{0.4, 0.2, 0.3}, p{0.2, 0.5, 0.7};
    EXPECT_DOUBLE_EQ(closest_point_triangle(p, a, a, a).distance, norm(p - a));
    EXPECT_DOUBLE_EQ(closest_point_triangle(p, a, b, b).distance, 0.5);
    EXPECT_DOUBLE_EQ(closest_point_triangle(p, a, a, b).distance, 0.5);
    EXPECT_DOUBLE_EQ(closest_point_triangle(p, b, a, b).distance, 0.5);
    EXPECT_EQ(closest_point_triangle(a, a, b, p).distance, 0);
    EXPECT_EQ(closest_point_triangle(b, a, b, p).distance, 0);
    EXPECT_EQ(closest_point_triangle(p, a, b, p).distance, 0);
    EXPECT_EQ(closest_point_triangle(a, a, a, a).distance, 0);
}

TEST(PointTriangle, RegionsAreToldByWeightsThatAreExactlyZero) {
    const Vec3 t0{}, t1{1, 0, 0}, t2{0, 1, 0};
    const auto zeros = [&](const Vec3& p) {
        const PointTriangle c = closest_point_triangle(p, t0, t1, t2);
        return (c.weight[0] == 0 ? 1 : 0) + (c.weight[1] == 0 ? 2 : 0) + (c.weight[2] == 0 ? 4 : 0);
    };
    EXPECT_EQ(zeros({0.2, 0.3, 1}), 0);
    EXPECT_EQ(zeros({0.5, -1, 1}), 4);
    EXPECT_EQ(zeros({-1, 0.5, 1}), 2);
    EXPECT_EQ(zeros({1, 1, 1}), 1);
    EXPECT_EQ(zeros({-1, -1, 1}), 2 + 4);
    EXPECT_EQ(zeros({3, -1, 1}), 1 + 4);
    EXPECT_EQ(zeros({-1, 3, 1}), 1 + 2);
}

TEST(EdgeEdge, DistanceIsTheSmallestOverBothEdges) {
    std::mt19937 rng(3);
    int inside = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec3 p0 = random_vec(rng, 1), p1 = random_vec(rng, 1), q0 = random_vec(rng, 1), q1 = random_vec(rng, 1);
        const EdgeEdge c = closest_edge_edge(p0, p1, q0, q1);
        expect_consistent(c, p0, p1, q0, q1);
        inside += c.s > 0 && c.s < 1 && c.t > 0 && c.t < 1;
        const double searched = searched_edge_edge(p0, p1, q0, q1);
        EXPECT_LE(c.distance, searched + 1e-15);
        EXPECT_NEAR(c.distance, searched, 1e-8);
    }
    EXPECT_GT(inside, 20);
}

TEST(EdgeEdge, NearlyParallelAndParallelEdges) {
    std::mt19937 rng(4);
    for (const double angle : {1e-2, 1e-3, 2e-4, 0.5e-4, 1e-6, 1e-8, 1e-12, 1e-16, 0.0}) {
        for (int i = 0; i < 60; ++i) {
            const Vec3 p0 = random_vec(rng, 1), p1 = random_vec(rng, 1), u = p1 - p0;
            const double from = std::uniform_real_distribution<double>(-1.5, 1.5)(rng),
                         to = std::uniform_real_distribution<double>(-1.5, 1.5)(rng);
            const Vec3 aside = random_vec(rng, i % 2 ? 1e-3 : 1.0);
            const Vec3 q0 = p0 + from * u + aside, q1 = p0 + to * u + aside + angle * random_vec(rng, 1);
            const EdgeEdge c = closest_edge_edge(p0, p1, q0, q1);
            expect_consistent(c, p0, p1, q0, q1);
            const double searched = searched_edge_edge(p0, p1, q0, q1);
            EXPECT_LE(c.distance, searched + 2e-15) << "angle " << angle;
            EXPECT_NEAR(c.distance, closest_edge_edge(q1, q0, p0, p1).distance, 1e-14) << "angle " << angle;
        }
    }
}

TEST(EdgeEdge, DegenerateEdges) {
    const Vec3 a{0.1, 0.2, 0.3}, b{0.4, 0.2, 0.3}, p{0.2, 0.5, 0.7};
    EXPECT_DOUBLE_EQ(closest_edge_edge(p, p, a, b).distance, 0.5);
    EXPECT_DOUBLE_EQ(closest_edge_edge(a, b, p, p).distance, 0.5);
    EXPECT_DOUBLE_EQ(closest_edge_edge(p, p, a, a).distance, norm(p - a));
    EXPECT_EQ(closest_edge_edge(a, b, a, b).distance, 0);
    EXPECT_EQ(closest_edge_edge(a, b, b, a).distance, 0);
    EXPECT_EQ(closest_edge_edge(a, b, b, p).distance, 0);
    EXPECT_EQ(closest_edge_edge(a, a, a, a).distance, 0);
}

}  // namespace
}  // namespace plica
