#include "engine/energy/hinge.h"

#include <numbers>

#include "tests/unit/energy/battery.h"

namespace plica::test {
namespace {

constexpr double pi = std::numbers::pi;

double angle(const Points<4>& x) { return hinge_angle(x[0], x[1], x[2], x[3]); }
Gradient<4> angle_gradient(const Points<4>& x) { return hinge_angle_gradient(x[0], x[1], x[2], x[3], nullptr); }
Matrix<12> angle_hessian(const Points<4>& x) { return flat(hinge_angle_hessian(x[0], x[1], x[2], x[3])); }

// Two random wings of about 1 cm at a given angle, turned and moved.
Points<4> fold(std::mt19937& rng, double theta) {
    std::uniform_real_distribution<double> along(-0.005, 0.015), height(0.004, 0.012), length(0.005, 0.015);
    const double a_along = along(rng), a_height = height(rng), b_along = along(rng), b_height = height(rng);
    // Edge on +x, a on +y, seen from +z counter-clockwise c, d, a: normal of the a wing is +z, so that b bends towards −z.
    const Points<4> x{Vec3{a_along, a_height, 0}, Vec3{b_along, -b_height * std::cos(theta), -b_height * std::sin(theta)},
                      Vec3{}, Vec3{length(rng), 0, 0}};
    return RigidMotion(rng)(x);
}

// θ as spec/solver.md prints it.
Dual<12> formula(const std::array<DualVec<12>, 4>& x) {
    const auto& [a, b, c, d] = x;
    const DualVec<12> n1 = cross(c - a, d - a), n2 = cross(d - b, c - b), edge = d - c;
    return atan2(dot(cross(n1, n2), edge) / sqrt(dot(edge, edge)), dot(n1, n2));
}

TEST(Hinge, AngleHasTheSignOfTheSpec) {
    std::mt19937 rng(1);
    for (const double theta : {0.0, 1e-6, 0.5, pi / 2, 3.0, -1e-6, -0.5, -pi / 2, -3.0})
        EXPECT_NEAR(angle(fold(rng, theta)), theta, 1e-13);
}

TEST(Hinge, DerivativesOfTheAngleAreThoseOfTheFormulaWrittenAnew) {
    std::mt19937 rng(2);
    std::uniform_real_distribution<double> any(-3.1, 3.1);
    for (int i = 0; i < 200; ++i) {
        const Points<4> x = fold(rng, any(rng));
        const Dual<12> want = autodiff<4>(formula, x);
        EXPECT_NEAR(angle(x), want.value, 1e-12);
        EXPECT_LT(relative_error(flat(angle_gradient(x)), want.slope), 1e-11);
        EXPECT_LT(relative_error(angle_hessian(x), want.curvature), 1e-10);
    }
}

TEST(Hinge, DerivativesAreThoseOfCentralDifferences) {
    std::mt19937 rng(3);
    std::uniform_real_distribution<double> any(-2.9, 2.9), rest(-1, 1);
    for (int i = 0; i < 50; ++i) {
        const Points<4> x = fold(rng, any(rng));
        const Hinge h{6e-6, rest(rng)};
        if (std::fabs(angle(x) - h.rest_angle) > 3.1) continue;  // the jump of wrap
        const auto energy = [&](const Points<4>& p) { return h.energy(p[0], p[1], p[2], p[3]); };
        const auto gradient = [&](const Points<4>& p) { return h.gradient(p[0], p[1], p[2], p[3]); };
        EXPECT_LT(relative_error(flat(gradient(x)), difference_gradient<4>(energy, x, 1e-6)), 1e-6);
        EXPECT_LT(relative_error(flat(h.hessian_exact(x[0], x[1], x[2], x[3])), difference_hessian<4>(gradient, x, 1e-6)),
                  1e-6);
    }
}

TEST(Hinge, AngleIsUnchangedAndItsGradientTurnsWithRigidMotion) {
    std::mt19937 rng(4);
    for (int i = 0; i < 50; ++i) {
        const Points<4> x = fold(rng, 1.0);
        const RigidMotion motion(rng);
        EXPECT_NEAR(angle(motion(x)), angle(x), 1e-12);
        EXPECT_LT(relative_error(flat(angle_gradient(motion(x))), flat(motion.turn(angle_gradient(x)))), 1e-11);
    }
}

TEST(Hinge, HessiansAreSymmetricAndTheGaussOneIsPositiveSemiDefinite) {
    std::mt19937 rng(5);
    for (int i = 0; i < 50; ++i) {
        const Points<4> x = fold(rng, -2.0);
        const Hinge h{6e-6, 0.3};
        EXPECT_LT(symmetry_error(angle_hessian(x)), 1e-13);
        const Matrix<12> gauss = flat(h.hessian(x[0], x[1], x[2], x[3]));
        EXPECT_LT(symmetry_error(gauss), 1e-14);
        EXPECT_GT(lowest_eigenvalue(gauss), -1e-13);
        // At the rest angle the Gauss Hessian is the exact one.
        const Hinge resting{6e-6, angle(x)};
        EXPECT_LT(relative_error(flat(resting.hessian_exact(x[0], x[1], x[2], x[3])), gauss), 1e-14);
    }
}

TEST(Hinge, ForcesAndMomentsAreInBalance) {
    std::mt19937 rng(6);
    const Points<4> x = fold(rng, 0.7);
    const Gradient<4> g = angle_gradient(x);
    Vec3 force, moment;
    for (std::size_t i = 0; i < 4; ++i) {
        force += g.v[i];
        moment += cross(x[i] - x[2], g.v[i]);
    }
    EXPECT_LT(max_abs(force), 1e-13 * flat(g).cwiseAbs().maxCoeff());
    EXPECT_LT(max_abs(moment), 1e-13);  // θ' is of size 1 per radian
}

TEST(Hinge, FoldOfExactly180DegreesHasFiniteSmoothDerivatives) {
    const Points<4> x{Vec3{0.25, 1, 0}, Vec3{0.5, 0.75, 0}, Vec3{}, Vec3{1, 0, 0}};
    EXPECT_DOUBLE_EQ(std::fabs(angle(x)), pi);
    const Hinge h{6e-6, 0};
    EXPECT_DOUBLE_EQ(h.energy(x[0], x[1], x[2], x[3]), 0.5 * 6e-6 * pi * pi);
    const auto turned = [](const Points<4>& p) {  // the angle measured from the fold, which does not jump there
        return wrap_angle(hinge_angle(p[0], p[1], p[2], p[3]) - pi);
    };
    EXPECT_LT(relative_error(flat(angle_gradient(x)), difference_gradient<4>(turned, x, 1e-4)), 1e-9);
    EXPECT_LT(relative_error(angle_hessian(x), difference_hessian<4>(angle_gradient, x, 1e-4)), 1e-9);
}

TEST(Hinge, EnergyIsContinuousOverTheFold) {
    std::mt19937 rng(7);
    const Hinge h{6e-6, 0};
    const Points<4> before = fold(rng, pi - 1e-9), after = fold(rng, -pi + 1e-9);
    const double full = 0.5 * 6e-6 * pi * pi;
    EXPECT_NEAR(h.energy(before[0], before[1], before[2], before[3]), full, 1e-8 * full);
    EXPECT_NEAR(h.energy(after[0], after[1], after[2], after[3]), full, 1e-8 * full);
    // A rest angle beyond the fold is reached the short way round.
    const Hinge beyond{6e-6, -pi + 0.1};
    const Points<4> x = fold(rng, pi - 0.1);
    EXPECT_NEAR(beyond.energy(x[0], x[1], x[2], x[3]), 0.5 * 6e-6 * 0.04, 1e-12 * 6e-6);
}

TEST(Hinge, WrapIsTheSameAngleBetweenMinusPiAndPi) {
    for (double a = -20; a < 20; a += 0.37) {
        const double w = wrap_angle(a);
        EXPECT_LE(std::fabs(w), pi);
        EXPECT_NEAR(std::sin(w), std::sin(a), 1e-14);
        EXPECT_NEAR(std::cos(w), std::cos(a), 1e-14);
    }
    EXPECT_EQ(wrap_angle(pi), pi);
    EXPECT_EQ(wrap_angle(-pi), -pi);
    EXPECT_EQ(wrap_angle(1e-300), 1e-300);
}

TEST(Hinge, DegenerateWingsStayFinite) {
    const Hinge h{6e-6, 0.1};
    const Vec3 a{0, 1e-2, 0}, c{}, d{1e-2, 0, 0};
    const Points<4> cases[] = {
        {a, Vec3{5e-3, 0, 0}, c, d},        // b on the edge
        {a, c, c, d},                       // b at its end
        {a, Vec3{0, -1e-2, 0}, c, c},       // no edge
        {a, a, a, a},                       // a point
        {a, Vec3{5e-3, -1e-18, 0}, c, d},   // a wing of rounding size
        {a, Vec3{5e-3, -1e-150, 0}, c, d},  // and one whose squares underflow
    };
    for (const Points<4>& x : cases) {
        EXPECT_TRUE(std::isfinite(h.energy(x[0], x[1], x[2], x[3])));
        EXPECT_TRUE(flat(h.gradient(x[0], x[1], x[2], x[3])).allFinite());
        EXPECT_TRUE(flat(h.hessian(x[0], x[1], x[2], x[3])).allFinite());
        EXPECT_TRUE(flat(h.hessian_exact(x[0], x[1], x[2], x[3])).allFinite());
    }
}

TEST(Hinge, StiffnessOfTheBagsFilm) {
    const double bending = bending_stiffness(315e6, 30e-6, 0.45);
    EXPECT_NEAR(bending, 8.887147335423198e-07, 1e-20);
    // 6 D ℓ²/(A1 + A2); rolled up, a row of cells s x w with flat diagonals has six times the energy ½ D/R² of a plate
    // (decision 2).
    const double s = 0.01, w = 0.02, radius = 0.5, k = hinge_stiffness(bending, w, s * w / 2, s * w / 2);
    EXPECT_NEAR(k, 6 * bending * w / s, 1e-14 * k);
    const double turn = s / radius, plate = 0.5 * bending / (radius * radius) * s * w;
    EXPECT_NEAR(0.5 * k * turn * turn / plate, 6, 1e-12);
}

}  // namespace
}  // namespace plica::test
