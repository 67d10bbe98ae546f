#include "engine/energy/membrane.h"

#include "tests/unit/energy/battery.h"

namespace plica::test {
namespace {

// The bag's film: 315 MPa, 30 µm, 0.45.
const double mu = lame_mu(315e6, 30e-6, 0.45), lambda = lame_lambda(315e6, 30e-6, 0.45);

struct Sample {
    Points<3> rest, x;
    Membrane law;
};

// A random triangle of about 1 cm, deformed by up to `strain` in its plane, turned and moved.
Sample sample(MembraneModel model, std::mt19937& rng, double strain) {
    Sample s;
    do {
        for (Vec3& p : s.rest) p = random_vec(rng, 0.01);
        s.law = make_membrane(model, s.rest[0], s.rest[1], s.rest[2], mu, lambda);
    } while (s.law.area < 2e-5);
    std::uniform_real_distribution<double> d(-strain, strain);
    const double stretch_u = 1 + d(rng), stretch_v = 1 + d(rng), shear = d(rng);
    const Vec3 u = (1 / norm(s.rest[1] - s.rest[0])) * (s.rest[1] - s.rest[0]);
    const Vec3 normal = cross(u, s.rest[2] - s.rest[0]);
    const Vec3 v = cross((1 / norm(normal)) * normal, u);
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 r = s.rest[i] - s.rest[0];
        const double a = dot(r, u), b = dot(r, v);
        s.x[i] = s.rest[0] + (stretch_u * a + shear * b) * u + (stretch_v * b) * v;
    }
    s.x = RigidMotion(rng)(s.x);
    return s;
}

double energy(const Sample& s, const Points<3>& x) { return s.law.energy(x[0], x[1], x[2]); }
Gradient<3> gradient(const Sample& s, const Points<3>& x) { return s.law.gradient(x[0], x[1], x[2]); }
Matrix<9> hessian(const Sample& s, MembraneTangent tangent) {
    Gradient<3> g;
    Hessian<3> h;
    s.law.derivatives(s.x[0], s.x[1], s.x[2], tangent, g, h);
    return flat(h);
}

// The energy as spec/solver.md prints it, from the rest triangle, in a frame of its own.
Dual<9> formula(const Sample& s, const std::array<DualVec<9>, 3>& x) {
    const Vec3 e1 = s.rest[1] - s.rest[0], e2 = s.rest[2] - s.rest[0];
    const Vec3 n = cross(e1, e2), v = (1 / norm(e2)) * e2, w = (1 / norm(n)) * cross(n, v);
    Eigen::Matrix2d rest_edges;
    rest_edges << dot(e1, v), dot(e2, v), dot(e1, w), dot(e2, w);
    const Eigen::Matrix2d inverse = rest_edges.inverse();
    const double area = 0.5 * std::fabs(rest_edges.determinant());
    const DualVec<9> d1 = x[1] - x[0], d2 = x[2] - x[0];
    const DualVec<9> f1 = inverse(0, 0) * d1 + inverse(1, 0) * d2, f2 = inverse(0, 1) * d1 + inverse(1, 1) * d2;
    const Dual<9> c11 = dot(f1, f1), c12 = dot(f1, f2), c22 = dot(f2, f2);
    const Dual<9> trace = 0.5 * (c11 + c22 - 2.0);
    if (s.law.model == MembraneModel::StVK) {
        const Dual<9> e11 = 0.5 * (c11 - 1.0), e22 = 0.5 * (c22 - 1.0), e12 = 0.5 * c12;
        return area * (mu * (e11 * e11 + e22 * e22 + 2.0 * e12 * e12) + 0.5 * lambda * trace * trace);
    }
    const Dual<9> log_j = 0.5 * log(c11 * c22 - c12 * c12);
    return area * (mu * (trace - log_j) + 0.5 * lambda * log_j * log_j);
}

class MembraneTest : public testing::TestWithParam<MembraneModel> {};
INSTANTIATE_TEST_SUITE_P(Models, MembraneTest, testing::Values(MembraneModel::NeoHookean, MembraneModel::StVK),
                         [](const auto& test) { return test.param == MembraneModel::StVK ? "StVK" : "NeoHookean"; });

TEST_P(MembraneTest, DerivativesAreThoseOfTheFormulaWrittenAnew) {
    std::mt19937 rng(1);
    for (const double strain : {1e-3, 0.1, 0.6}) {
        for (int i = 0; i < 50; ++i) {
            const Sample s = sample(GetParam(), rng, strain);
            const Dual<9> want = autodiff<3>([&](const auto& x) { return formula(s, x); }, s.x);
            // The formula itself loses digits in trace − log J: 1e-16 A0 μ.
            EXPECT_NEAR(energy(s, s.x), want.value, 1e-11 * std::fabs(want.value) + 1e-14 * s.law.area * mu);
            const double stiffness = want.curvature.cwiseAbs().maxCoeff();
            EXPECT_LT(relative_error(flat(gradient(s, s.x)), want.slope, 1e-5 * stiffness * 0.01), 1e-9);
            EXPECT_LT(relative_error(hessian(s, MembraneTangent::Exact), want.curvature), 1e-10);
        }
    }
}

TEST_P(MembraneTest, DerivativesAreThoseOfCentralDifferences) {
    std::mt19937 rng(2);
    for (int i = 0; i < 50; ++i) {
        const Sample s = sample(GetParam(), rng, 0.3);
        const double h = 1e-6;  // m, 1e-4 of the triangle
        const auto want_gradient = difference_gradient<3>([&](const Points<3>& x) { return energy(s, x); }, s.x, h);
        const auto want_hessian = difference_hessian<3>([&](const Points<3>& x) { return gradient(s, x); }, s.x, h);
        EXPECT_LT(relative_error(flat(gradient(s, s.x)), want_gradient), 1e-8);
        EXPECT_LT(relative_error(hessian(s, MembraneTangent::Exact), want_hessian), 1e-8);
    }
}

TEST_P(MembraneTest, GradientBesideTheHessianIsTheSame) {
    std::mt19937 rng(3);
    const Sample s = sample(GetParam(), rng, 0.3);
    Gradient<3> g;
    Hessian<3> h;
    s.law.derivatives(s.x[0], s.x[1], s.x[2], MembraneTangent::Projected, g, h);
    EXPECT_EQ(flat(g), flat(gradient(s, s.x)));
}

TEST_P(MembraneTest, EnergyIsUnchangedAndForcesTurnWithRigidMotion) {
    std::mt19937 rng(4);
    for (int i = 0; i < 50; ++i) {
        const Sample s = sample(GetParam(), rng, 0.3);
        const RigidMotion motion(rng);
        const Points<3> moved = motion(s.x);
        // Positions of 0.2 m are rounded to 3e-17 m, 3e-15 of the triangle; the force is stiffness times that.
        EXPECT_NEAR(energy(s, moved), energy(s, s.x), 1e-12 * energy(s, s.x));
        EXPECT_LT(relative_error(flat(gradient(s, moved)), flat(motion.turn(gradient(s, s.x)))), 1e-11);
    }
}

TEST_P(MembraneTest, ForcesAndMomentsAreInBalance) {
    std::mt19937 rng(5);
    const Sample s = sample(GetParam(), rng, 0.3);
    const Gradient<3> g = gradient(s, s.x);
    Vec3 force, moment;
    for (std::size_t i = 0; i < 3; ++i) {
        force += g.v[i];
        moment += cross(s.x[i] - s.x[0], g.v[i]);
    }
    const double size = flat(g).cwiseAbs().maxCoeff();
    EXPECT_LT(max_abs(force), 1e-14 * size);
    EXPECT_LT(max_abs(moment), 1e-14 * size);
}

TEST_P(MembraneTest, EveryTangentIsSymmetricAndHasNoRigidTranslation) {
    std::mt19937 rng(6);
    for (int i = 0; i < 50; ++i) {
        const Sample s = sample(GetParam(), rng, 0.6);
        for (const auto tangent : {MembraneTangent::Exact, MembraneTangent::Document, MembraneTangent::Projected}) {
            const Matrix<9> h = hessian(s, tangent);
            EXPECT_LT(symmetry_error(h), 1e-14);
            const Matrix<3> sum = h.block<3, 3>(3, 0) + h.block<3, 3>(3, 3) + h.block<3, 3>(3, 6);
            EXPECT_LT(sum.cwiseAbs().maxCoeff(), 1e-14 * h.cwiseAbs().maxCoeff());
        }
    }
}

TEST_P(MembraneTest, ProjectedTangentIsPositiveSemiDefinite) {
    std::mt19937 rng(7);
    int indefinite = 0;
    for (int i = 0; i < 400; ++i) {
        const Sample s = sample(GetParam(), rng, 0.95);
        indefinite += lowest_eigenvalue(hessian(s, MembraneTangent::Exact)) < -1e-6;
        EXPECT_GT(lowest_eigenvalue(hessian(s, MembraneTangent::Projected)), -1e-13);
    }
    EXPECT_GT(indefinite, 50);  // else this tests nothing
}

TEST_P(MembraneTest, ProjectionChangesNothingUnderTension) {
    std::mt19937 rng(8);
    Sample s = sample(GetParam(), rng, 0.01);
    const double blow = 1.1;  // J = 1.21, below the 1.84 at which the material part turns indefinite
    for (Vec3& p : s.x) p *= blow;
    EXPECT_LT(relative_error(hessian(s, MembraneTangent::Document), hessian(s, MembraneTangent::Exact)), 1e-15);
    EXPECT_LT(relative_error(hessian(s, MembraneTangent::Projected), hessian(s, MembraneTangent::Exact)), 1e-15);
}

TEST(Membrane, MaterialPartBeyondItsIndefinitenessIsProjectedAlone) {
    // λ log J > μ: for ν = 0.45 from J = 1.84 on (spec/readings.md, finding 4). Under pure tension S is positive, so that the
    // document's tangent is the exact one; the projection differs from it by a positive semi-definite part only.
    std::mt19937 rng(9);
    Sample s = sample(MembraneModel::NeoHookean, rng, 0.05);
    for (Vec3& p : s.x) p *= 1.5;
    const Matrix<9> exact = hessian(s, MembraneTangent::Exact), projected = hessian(s, MembraneTangent::Projected);
    EXPECT_LT(relative_error(hessian(s, MembraneTangent::Document), exact), 1e-15);
    EXPECT_GT(relative_error(projected, exact), 1e-3);
    EXPECT_GT(lowest_eigenvalue(Matrix<9>(projected - exact)), -1e-12);
}

TEST_P(MembraneTest, RestHasNoEnergyAndNoForce) {
    std::mt19937 rng(10);
    for (int i = 0; i < 20; ++i) {
        const Sample s = sample(GetParam(), rng, 0);
        // Strain of rounding size, 1e-14: energy 1e-28 A0 μ, force 1e-14 μ · 1 cm.
        EXPECT_LT(energy(s, s.x), 1e-26 * s.law.area * mu);
        EXPECT_GE(energy(s, s.x), 0);
        EXPECT_LT(flat(gradient(s, s.x)).cwiseAbs().maxCoeff(), 1e-12 * mu * 0.01);
    }
}

TEST(Membrane, NeoHookeanEnergyKeepsItsDigitsAtSmallStrain) {
    // One axis stretched by ε: e11 = ε + ε²/2, log J = log(1 + ε). At ε = 1e-7 the printed formula has no digit left.
    const Vec3 r0{}, r1{0.01, 0, 0}, r2{0, 0.01, 0};
    const Membrane m = make_membrane(MembraneModel::NeoHookean, r0, r1, r2, mu, lambda);
    for (const double stretch : {1e-9, 1e-7, 1e-5, 1e-3, 0.09, 0.11, 0.5, -1e-7, -1e-3, -0.09, -0.12, -0.5}) {
        const Vec3 x1{0.01 * (1 + stretch), 0, 0};
        const long double e = x1.x / 0.01L - 1;
        const long double log_j = std::log1p(e);
        // e − log(1+e) by its series where that is exact enough.
        const long double away = std::fabs(e) < 1e-2L
                                     ? e * e * (0.5L - e * (1.0L / 3 - e * (0.25L - e * (0.2L - e * (1.0L / 6 - e / 7)))))
                                     : e - log_j;
        const long double want = m.area * (mu * (away + 0.5L * e * e) + 0.5L * lambda * log_j * log_j);
        // ε is known to 1e-16, the energy goes with ε².
        const double rounding = 1e-15 / std::fabs(stretch);
        EXPECT_NEAR(m.energy(r0, x1, r2) / double(want), 1, 1e-12 + 4 * rounding) << "stretch " << stretch;
    }
}

TEST(Membrane, NeoHookeanEnergyIsInfiniteWithoutArea) {
    std::mt19937 rng(11);
    for (int i = 0; i < 20; ++i) {
        Sample s = sample(MembraneModel::NeoHookean, rng, 0.1);
        s.x[2] = s.x[0];
        EXPECT_TRUE(std::isinf(energy(s, s.x))) << "two equal vertices";
        s.x[2] = s.x[1];
        EXPECT_TRUE(std::isinf(energy(s, s.x))) << "two equal vertices";
        const RigidMotion motion(rng);
        const Vec3 direction = motion.turn({1, 0, 0});
        s.x = {Vec3{}, 0.01 * direction, -0.004 * direction};
        EXPECT_TRUE(std::isinf(energy(s, s.x))) << "on a line";
        const Membrane soft = make_membrane(MembraneModel::StVK, s.rest[0], s.rest[1], s.rest[2], mu, lambda);
        EXPECT_TRUE(std::isfinite(soft.energy(s.x[0], s.x[1], s.x[2])));
    }
}

TEST(Membrane, AlmostCollapsedAndHugelyStretchedTrianglesStayFinite) {
    const Vec3 r0{}, r1{0.01, 0, 0}, r2{0, 0.01, 0};
    const Membrane m = make_membrane(MembraneModel::NeoHookean, r0, r1, r2, mu, lambda);
    for (const double height : {1e-2, 1e-5, 1e-9, 1e-12, 1e3}) {
        const Vec3 x2{0.003, height, 0};
        EXPECT_TRUE(std::isfinite(m.energy(r0, r1, x2))) << height;
        for (const auto tangent : {MembraneTangent::Exact, MembraneTangent::Document, MembraneTangent::Projected}) {
            Gradient<3> g;
            Hessian<3> h;
            m.derivatives(r0, r1, x2, tangent, g, h);
            EXPECT_TRUE(flat(g).allFinite()) << height;
            EXPECT_TRUE(flat(h).allFinite()) << height;
        }
    }
    // The energy goes with −log of the height, not to a rounded constant.
    EXPECT_GT(m.energy(r0, r1, {0, 1e-12, 0}), m.energy(r0, r1, {0, 1e-9, 0}) + 1e-4 * m.area * mu);
}

TEST(Membrane, RestTriangleOnALineHasNoArea) {
    const auto area = [](const Vec3& a, const Vec3& b, const Vec3& c) {
        return make_membrane(MembraneModel::NeoHookean, a, b, c, 1, 1).area;
    };
    EXPECT_EQ(area({0, 0, 0}, {0.01, 0, 0}, {0.02, 0, 0}), 0);
    EXPECT_EQ(area({0, 0, 0}, {0, 0, 0}, {0.02, 0, 0}), 0);
    EXPECT_EQ(area({1, 1, 1}, {1, 1, 1}, {1, 1, 1}), 0);
    EXPECT_EQ(area({0, 0, 0}, {0.1, 0.1, 0.3}, {0.03, 0.03, 0.09}), 0);
    EXPECT_GT(area({0, 0, 0}, {0.01, 0, 0}, {0.005, 1e-9, 0}), 4e-12);
}

TEST(Membrane, CoefficientsAreThoseOfPlaneStress) {
    // A strip of E, h, ν under small uniaxial stress: force per width E h ε, contraction −ν ε.
    EXPECT_NEAR(mu, 3258.6206896551726, 1e-9);
    EXPECT_NEAR(lambda, 5332.288401253919, 1e-9);
    const double strain = 1e-6, across = -0.45 * strain;
    const double along_stress = 2 * mu * strain + lambda * (strain + across);
    const double across_stress = 2 * mu * across + lambda * (strain + across);
    EXPECT_NEAR(along_stress, 315e6 * 30e-6 * strain, 1e-12 * along_stress);
    EXPECT_NEAR(across_stress, 0, 1e-12 * along_stress);
}

}  // namespace
}  // namespace plica::test
