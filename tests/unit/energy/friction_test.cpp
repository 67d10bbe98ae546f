#include "engine/energy/friction.h"

#include "tests/unit/energy/battery.h"

namespace plica::test {
namespace {

Friction sample(std::mt19937& rng) {
    const Vec3 n = random_vec(rng);
    return {0.12, (1 / norm(n)) * n, {1, -0.2, -0.5, -0.3}, 4e-6};
}

TEST(Friction, DerivativesAreThoseOfTheFormulaWrittenAnew) {
    std::mt19937 rng(1);
    for (const double slip : {1e-8, 1e-6, 4e-6, 1e-4, 1e-2}) {
        for (int i = 0; i < 20; ++i) {
            const Friction f = sample(rng);
            const Points<1> r{random_vec(rng, slip)};
            const Dual<3> want = autodiff<1>(
                [&](const std::array<DualVec<3>, 1>& x) {
                    const DualVec<3> n{f.normal.x, f.normal.y, f.normal.z}, t = x[0] - dot(x[0], n) * n;
                    return f.load * (sqrt(dot(t, t) + f.eps * f.eps) - f.eps);
                },
                r);
            EXPECT_NEAR(f.energy(r[0]), want.value, 1e-12 * want.value + 1e-15 * f.load * f.eps);
            EXPECT_LT(relative_error(flat(f.gradient(r[0])), want.slope), 1e-11);
            EXPECT_LT(relative_error(flat(f.hessian(r[0])), want.curvature), 1e-11);
        }
    }
}

TEST(Friction, HessianIsSymmetricAndPositiveSemiDefinite) {
    std::mt19937 rng(2);
    for (const double slip : {0.0, 1e-8, 4e-6, 1e-2, 1e3}) {
        const Friction f = sample(rng);
        const Matrix<3> h = flat(f.hessian(random_vec(rng, slip)));
        EXPECT_LT(symmetry_error(h), 1e-14);
        EXPECT_GT(lowest_eigenvalue(h), -1e-14);
        EXPECT_LT((h * flat(f.normal)).cwiseAbs().maxCoeff(), 1e-14 * h.cwiseAbs().maxCoeff());
    }
}

TEST(Friction, ForceIsTangentialAgainstTheSlipAndNeverAboveTheLoad) {
    std::mt19937 rng(3);
    for (const double slip : {1e-9, 4e-6, 1e-2}) {
        const Friction f = sample(rng);
        const Vec3 r = random_vec(rng, slip), force = -f.gradient(r);
        EXPECT_NEAR(dot(force, f.normal), 0, 1e-15);
        EXPECT_LT(dot(force, r), 0);
        EXPECT_LE(norm(force), f.load * (1 + 1e-15));
    }
    const Friction f = sample(rng);
    EXPECT_NEAR(norm(f.gradient(random_vec(rng, 1))), f.load, 1e-10);  // full friction far above eps
}

TEST(Friction, EnergyKeepsItsDigitsFarBelowEps) {
    const Friction f{0.12, {0, 0, 1}, {1, -1, 0, 0}, 4e-6};
    // load t²/(2 eps) (1 − …): sqrt(t² + eps²) − eps would have no digit left.
    EXPECT_NEAR(f.energy({1e-16, 0, 0}), 0.12 * 1e-32 / 8e-6, 1e-14 * 0.12 * 1e-32 / 8e-6);
}

TEST(Friction, NoSlipNoEpsAndNoLoadStayFinite) {
    const Friction still{0.12, {0, 0, 1}, {1, -1, 0, 0}, 4e-6}, sharp{0.12, {0, 0, 1}, {1, -1, 0, 0}, 0},
        none{0, {0, 0, 1}, {1, -1, 0, 0}, 4e-6};
    for (const Friction& f : {still, sharp, none}) {
        for (const Vec3& r : {Vec3{}, Vec3{0, 0, 1}, Vec3{1e-200, 0, 0}}) {
            EXPECT_TRUE(std::isfinite(f.energy(r)));
            EXPECT_TRUE(is_finite(f.gradient(r)));
            EXPECT_TRUE(flat(f.hessian(r)).allFinite());
        }
    }
    EXPECT_EQ(still.energy({0, 0, 1}), 0);
}

}  // namespace
}  // namespace plica::test
