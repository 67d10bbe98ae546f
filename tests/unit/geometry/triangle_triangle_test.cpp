#include "engine/geometry/triangle_triangle.h"

#include <random>

#include <gtest/gtest.h>

namespace plica {
namespace {

// Coordinates that are whole multiples of `unit`: their exact volume fits 128-bit integers.
struct Whole {
    long long x, y, z;
    Vec3 at(double unit, const Vec3& shift) const {
        return {double(x) * unit + shift.x, double(y) * unit + shift.y, double(z) * unit + shift.z};
    }
};

int exact_sign(const Whole& a, const Whole& b, const Whole& c, const Whole& d) {
    using Wide = __int128;
    const auto diff = [](const Whole& p, const Whole& q, Wide* out) {
        out[0] = p.x - q.x, out[1] = p.y - q.y, out[2] = p.z - q.z;
    };
    Wide u[3], v[3], w[3];
    diff(b, a, u), diff(c, a, v), diff(d, a, w);
    const Wide volume =
        (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2];
    return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

TEST(Orientation, IsPositiveOnTheSideOfTheNormal) {
    EXPECT_EQ(orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1);
    EXPECT_EQ(orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), -1);
    EXPECT_EQ(orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {7, 5, 0}), 0);
}

TEST(Orientation, IsExactWhereRoundingDecidesWrongly) {
    // Nearly coplanar points on a grid of 2⁻⁴⁰ m, up to 2⁻¹ m: differences of 39 bits, volumes of 120. A plain double volume
    // has 53.
    std::mt19937_64 rng(1);
    std::uniform_int_distribution<long long> far(-(1LL << 37), 1LL << 37), mix(-3, 3), off(-1, 1);
    int decided[3] = {}, plain_wrong = 0;
    for (int i = 0; i < 20000; ++i) {
        const Whole a{far(rng), far(rng), far(rng)}, u{far(rng), far(rng), far(rng)}, v{far(rng), far(rng), far(rng)};
        const long long p = mix(rng), q = mix(rng);
        const Whole b{a.x + u.x, a.y + u.y, a.z + u.z}, c{a.x + v.x, a.y + v.y, a.z + v.z};
        const Whole d{a.x + p * u.x + q * v.x + off(rng), a.y + p * u.y + q * v.y + off(rng),
                      a.z + p * u.z + q * v.z + off(rng)};
        const int want = exact_sign(a, b, c, d);
        const Vec3 pa = a.at(0x1p-40, {}), pb = b.at(0x1p-40, {}), pc = c.at(0x1p-40, {}), pd = d.at(0x1p-40, {});
        ASSERT_EQ(orientation(pa, pb, pc, pd), want);
        ++decided[want + 1];
        const double plain = dot(cross(pb - pa, pc - pa), pd - pa);
        plain_wrong += (plain > 0) - (plain < 0) != want;
    }
    EXPECT_GT(decided[0], 1000);
    EXPECT_GT(decided[1], 500);
    EXPECT_GT(decided[2], 1000);
    EXPECT_GT(plain_wrong, 100);  // else this tests nothing
}

TEST(Orientation, IsExactWhereDifferencesAreRounded) {
    // Points 2⁻⁵² apart beside points of size 1: b − a does not fit a double.
    const Vec3 a{0x1p-60, 0, 0}, b{1, 0x1p-70, 0}, c{0, 1, 0};
    // Plane through a, b, c has z = 0; a point on it, and just off it.
    EXPECT_EQ(orientation(a, b, c, {0.3, 0.3, 0}), 0);
    EXPECT_EQ(orientation(a, b, c, {0.3, 0.3, 0x1p-1000}), 1);
    // In the plane x + y + z = 1 with a shift of 2⁻⁶⁰ in one point only.
    EXPECT_EQ(orientation({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0x1p-60, 0.5, 0.5}), 1);
    EXPECT_EQ(orientation({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-0x1p-60, 0.5, 0.5}), -1);
    EXPECT_EQ(orientation({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0.5, 0.5}), 0);
}

TEST(Orientation, ChangesSignWithEverySwap) {
    std::mt19937 rng(2);
    std::uniform_real_distribution<double> d(-1, 1);
    for (int i = 0; i < 200; ++i) {
        Vec3 p[4];
        for (Vec3& v : p) v = {d(rng), d(rng), d(rng)};
        p[3] = (1.0 / 3) * (p[0] + p[1] + p[2]);  // coplanar up to rounding
        const int sign = orientation(p[0], p[1], p[2], p[3]);
        EXPECT_EQ(orientation(p[1], p[0], p[2], p[3]), -sign);
        EXPECT_EQ(orientation(p[0], p[3], p[2], p[1]), -sign);
        EXPECT_EQ(orientation(p[1], p[2], p[0], p[3]), sign);
    }
}

const Vec3 base[3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};

bool pierces(const Vec3& b0, const Vec3& b1, const Vec3& b2) {
    const bool one = triangles_intersect(base[0], base[1], base[2], b0, b1, b2);
    EXPECT_EQ(one, triangles_intersect(b0, b1, b2, base[0], base[1], base[2])) << "order of the triangles";
    EXPECT_EQ(one, triangles_intersect(base[2], base[1], base[0], b1, b2, b0)) << "order of the corners";
    return one;
}

TEST(TrianglesIntersect, EdgeThroughTheInside) {
    EXPECT_TRUE(pierces({0, 0, -1}, {0, 0.1, 1}, {3, 0, 1}));
    EXPECT_TRUE(pierces({0, 0, -1e-9}, {0, 0.1, 1}, {3, 0, 1}));
    EXPECT_FALSE(pierces({0, 0, 1e-9}, {0, 0.1, 1}, {3, 0, 1}));
    EXPECT_FALSE(pierces({5, 0, -1}, {5, 0.1, 1}, {8, 0, 1})) << "crosses the plane beside it";
    EXPECT_FALSE(pierces({0, 0, 0.1}, {0.1, 0, 0.1}, {0, 0.1, 0.1})) << "parallel layers";
}

TEST(TrianglesIntersect, TouchingAndCoplanarDoNotCount) {
    EXPECT_FALSE(pierces({0, 0, 0}, {0, 0.1, 1}, {3, 0, 1})) << "vertex on the face";
    EXPECT_FALSE(pierces({0, 0, 0}, {0.1, 0, 0}, {0, 0, 1})) << "edge in the face";
    EXPECT_FALSE(pierces({0, 0, 0}, {0.3, 0, 0}, {0, 0.3, 0})) << "coplanar, inside";
    EXPECT_FALSE(pierces({0, 0, 0}, {3, 0, 0}, {0, 3, 0})) << "coplanar, overlapping";
    EXPECT_FALSE(pierces(base[0], base[1], base[2])) << "the same triangle";
}

TEST(TrianglesIntersect, NothingSlipsThroughTheSeamOfTwoTriangles) {
    // A vertical edge exactly through the shared edge, and through a shared corner, of a mesh of triangles.
    const Vec3 below{0, 0, -1}, above{0, 0, 1}, far{0.3, 5, 1};
    const Vec3 left{-1, 0, 0}, right{1, 0, 0}, front{0, -1, 0}, back{0, 1, 0};
    const bool first = triangles_intersect(below, above, far, left, right, back);
    const bool second = triangles_intersect(below, above, far, right, left, front);
    EXPECT_TRUE(first || second);
    const bool corner =
        triangles_intersect(below, above, far, {}, right, back) || triangles_intersect(below, above, far, {}, left, back);
    EXPECT_TRUE(corner);
}

TEST(TrianglesIntersect, TrianglesWithoutAreaPierceOnlyByTheirEdges) {
    EXPECT_FALSE(pierces({0, 0, 0}, {0, 0, 0}, {0, 0, 0}));
    EXPECT_FALSE(pierces({0, 0, 1}, {0, 0, 2}, {0, 0, 3}));
    EXPECT_TRUE(pierces({0, 0, -1}, {0, 0, 2}, {0, 0, 3}));
}

TEST(TrianglesIntersect, AgreesWithARayThroughRandomTriangles) {
    std::mt19937 rng(3);
    std::uniform_real_distribution<double> d(-1, 1);
    int hits = 0;
    const auto edge_hits = [](const Vec3& p, const Vec3& q, const Vec3* t) {
        const Vec3 e1 = t[1] - t[0], e2 = t[2] - t[0], n = cross(e1, e2);
        const double hp = dot(n, p - t[0]), hq = dot(n, q - t[0]);
        if (hp * hq >= 0) return false;
        const Vec3 x = p + (hp / (hp - hq)) * (q - p) - t[0];
        const double b1 = dot(cross(x, e2), n) / dot(n, n), b2 = dot(cross(e1, x), n) / dot(n, n);
        return b1 > 0 && b2 > 0 && b1 + b2 < 1;
    };
    for (int i = 0; i < 5000; ++i) {
        Vec3 a[3], b[3];
        for (Vec3& v : a) v = {d(rng), d(rng), d(rng)};
        for (Vec3& v : b) v = {d(rng), d(rng), d(rng)};
        bool want = false;
        for (int k = 0; k < 3; ++k) want = want || edge_hits(a[k], a[(k + 1) % 3], b) || edge_hits(b[k], b[(k + 1) % 3], a);
        ASSERT_EQ(triangles_intersect(a[0], a[1], a[2], b[0], b[1], b[2]), want);
        hits += want;
    }
    EXPECT_GT(hits, 300);
}

}  // namespace
}  // namespace plica
