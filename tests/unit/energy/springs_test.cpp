// Support, tie, grip and inertia.
#include "engine/energy/grip.h"
#include "engine/energy/inertia.h"
#include "engine/energy/support.h"
#include "engine/energy/tie.h"
#include "tests/unit/energy/battery.h"

namespace plica::test {
namespace {

TEST(Support, DerivativesAreThoseOfCentralDifferences) {
    std::mt19937 rng(1);
    const Support s{3, random_vec(rng, 0.1)};
    const Points<1> x{random_vec(rng, 0.1)};
    const auto energy = [&](const Points<1>& p) { return s.energy(p[0]); };
    const auto gradient = [&](const Points<1>& p) { return Gradient<1>{{s.gradient(p[0])}}; };
    EXPECT_LT(relative_error(flat(s.gradient(x[0])), difference_gradient<1>(energy, x, 1e-4)), 1e-10);
    EXPECT_LT(relative_error(flat(s.hessian(x[0])), difference_hessian<1>(gradient, x, 1e-4)), 1e-10);
    EXPECT_EQ(s.energy(s.target), 0);
}

TEST(Inertia, DerivativesAreThoseOfCentralDifferences) {
    std::mt19937 rng(2);
    const Inertia m{2e-6, 1.0 / 240, random_vec(rng, 0.1)};
    const Points<1> x{random_vec(rng, 0.1)};
    const auto energy = [&](const Points<1>& p) { return m.energy(p[0]); };
    const auto gradient = [&](const Points<1>& p) { return Gradient<1>{{m.gradient(p[0])}}; };
    EXPECT_LT(relative_error(flat(m.gradient(x[0])), difference_gradient<1>(energy, x, 1e-4)), 1e-10);
    EXPECT_LT(relative_error(flat(m.hessian(x[0])), difference_hessian<1>(gradient, x, 1e-4)), 1e-10);
}

TEST(Inertia, TargetIsTheFreeFlight) {
    // Implicit Euler: x0 + dt v0 + dt² (g + f/m).
    const Vec3 x = inertia_target({1, 2, 3}, {0.5, 0, 0}, {0, 0, -10}, {0, 4, 0}, 2, 0.1);
    EXPECT_LT(max_abs(x - Vec3{1.05, 2.02, 2.9}), 1e-15);
}

double energy(const Tie& t, const Points<2>& x) { return t.energy(x[0], x[1]); }
Gradient<2> gradient(const Tie& t, const Points<2>& x) {
    const Vec3 g = t.gradient(x[0], x[1]);
    return {{g, -g}};
}
Matrix<3> block(const Tie& t, const Points<2>& x) { return flat(t.hessian(x[0], x[1])); }

TEST(Tie, DerivativesAreThoseOfCentralDifferencesWhenStretched) {
    std::mt19937 rng(3);
    for (int i = 0; i < 20; ++i) {
        const Points<2> x{random_vec(rng, 0.1), random_vec(rng, 0.1)};
        const Tie t{250, 0.7 * norm(x[0] - x[1])};
        EXPECT_LT(
            relative_error(flat(gradient(t, x)), difference_gradient<2>([&](const auto& p) { return energy(t, p); }, x, 1e-5)),
            1e-8);
        const Matrix<6> want = difference_hessian<2>([&](const auto& p) { return gradient(t, p); }, x, 1e-5);
        EXPECT_LT(relative_error(block(t, x), want.block<3, 3>(0, 0).eval()), 1e-8);
        EXPECT_LT(relative_error(Matrix<3>(-block(t, x)), want.block<3, 3>(0, 3).eval()), 1e-8);
    }
}

TEST(Tie, GradientIsThatOfCentralDifferencesWhenCompressed) {
    std::mt19937 rng(4);
    const Points<2> x{random_vec(rng, 0.1), random_vec(rng, 0.1)};
    const Tie t{250, 3 * norm(x[0] - x[1])};
    EXPECT_LT(
        relative_error(flat(gradient(t, x)), difference_gradient<2>([&](const auto& p) { return energy(t, p); }, x, 1e-5)),
        1e-8);
}

TEST(Tie, HessianIsPositiveSemiDefiniteAtAnyLength) {
    std::mt19937 rng(5);
    for (const double length : {0.0, 0.01, 0.1, 1.0}) {
        const Points<2> x{random_vec(rng, 0.1), random_vec(rng, 0.1)};
        const Matrix<3> h = block({250, length}, x);
        EXPECT_LT(symmetry_error(h), 1e-14);
        EXPECT_GT(lowest_eigenvalue(h), -1e-14);
        const Vector<3> n = flat(x[0] - x[1]).normalized();
        EXPECT_NEAR(n.dot(h * n), 250, 1e-10);
    }
}

TEST(Tie, EnergyIsUnchangedByRigidMotion) {
    std::mt19937 rng(6);
    const Points<2> x{random_vec(rng, 0.1), random_vec(rng, 0.1)};
    const Tie t{250, 0.01};
    const RigidMotion motion(rng);
    EXPECT_NEAR(energy(t, motion(x)), energy(t, x), 1e-13 * energy(t, x));
    EXPECT_LT(relative_error(flat(gradient(t, motion(x))), flat(motion.turn(gradient(t, x)))), 1e-13);
}

TEST(Tie, ZeroLengthIsFinite) {
    const Vec3 x{0.125, -0.25, 0.5};
    for (const Tie t : {Tie{250, 0.01}, Tie{250, 0}}) {
        EXPECT_EQ(t.energy(x, x), 0.5 * 250 * t.length * t.length);
        EXPECT_EQ(t.gradient(x, x), Vec3{});
        EXPECT_TRUE(flat(t.hessian(x, x)).allFinite());
        EXPECT_GE(lowest_eigenvalue(flat(t.hessian(x, x))), 0);
        const Vec3 near{0.125, -0.25, std::nextafter(0.5, 1.0)};
        EXPECT_TRUE(is_finite(t.gradient(near, x)));
        EXPECT_TRUE(flat(t.hessian(near, x)).allFinite());
    }
}

TEST(Grip, DerivativesAreThoseOfCentralDifferencesOnBothSidesOfTheLimit) {
    std::mt19937 rng(7);
    for (int i = 0; i < 50; ++i) {
        const Grip g{1000, random_vec(rng, 0.01), 2.0};  // elastic to 2 mm
        const Points<1> x{g.target + random_vec(rng, 0.006)};
        bool kink = false;
        for (int axis = 0; axis < 3; ++axis) kink = kink || std::fabs(std::fabs(x[0][axis] - g.target[axis]) - 0.002) < 3e-6;
        if (kink) continue;
        const auto energy_at = [&](const Points<1>& p) { return g.energy(p[0]); };
        const auto gradient_at = [&](const Points<1>& p) { return Gradient<1>{{g.gradient(p[0])}}; };
        EXPECT_LT(relative_error(flat(g.gradient(x[0])), difference_gradient<1>(energy_at, x, 1e-6)), 1e-8);
        EXPECT_LT(relative_error(flat(g.hessian(x[0])), difference_hessian<1>(gradient_at, x, 1e-6), 1000), 1e-8);
    }
}

TEST(Grip, ForceIsNeverAboveItsLimitAndEnergyHasNoStep) {
    const Grip g{1000, {0, 0, 0}, 2.0};
    EXPECT_EQ(g.gradient({0.001, 0, 0}).x, 1.0);
    EXPECT_EQ(g.gradient({0.5, -0.5, 0}).x, 2.0);
    EXPECT_EQ(g.gradient({0.5, -0.5, 0}).y, -2.0);
    EXPECT_EQ(g.hessian({0.5, 0.001, 0})(0, 0), 0);
    EXPECT_EQ(g.hessian({0.5, 0.001, 0})(1, 1), 1000);
    const double limit = 0.002;
    EXPECT_NEAR(g.energy({limit * (1 + 1e-9), 0, 0}), g.energy({limit * (1 - 1e-9), 0, 0}), 1e-11);
    EXPECT_NEAR(g.energy({0.012, 0, 0}) - g.energy({0.002, 0, 0}), 2.0 * 0.01, 1e-15);
}

TEST(Grip, WithoutLimitItIsASupport) {
    std::mt19937 rng(8);
    const Vec3 target = random_vec(rng), x = random_vec(rng);
    Grip g;
    g.stiffness = 30;
    g.target = target;
    const Support s{30, target};
    EXPECT_NEAR(g.energy(x), s.energy(x), 1e-14 * s.energy(x));
    EXPECT_EQ(g.gradient(x), s.gradient(x));
    EXPECT_EQ(flat(g.hessian(x)), flat(s.hessian(x)));
}

TEST(Grip, WithoutStiffnessOrForceItDoesNothing) {
    for (const Grip g : {Grip{0, {1, 1, 1}, 2}, Grip{0, {1, 1, 1}, 0}, Grip{1000, {1, 1, 1}, 0}}) {
        EXPECT_EQ(g.energy({0, 0, 0}), 0);
        EXPECT_EQ(max_abs(g.gradient({0, 0, 0})), 0);
        EXPECT_TRUE(flat(g.hessian({0, 0, 0})).allFinite());
    }
}

}  // namespace
}  // namespace plica::test
