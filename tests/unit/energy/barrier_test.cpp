#include "engine/energy/barrier.h"

#include <limits>

#include "tests/unit/energy/battery.h"

namespace plica::test {
namespace {

constexpr double dhat = 1e-3;  // m
const Barrier barrier{dhat, 1000};

long double exact(long double g) { return -1000.0L * (g - dhat) * (g - dhat) * std::log(g / dhat); }

TEST(Barrier, EnergyIsTheFormulaUpToItsLastDigits) {
    for (const double g : {1e-15, 1e-9, 3e-5, 4.999e-4, 5.001e-4, 9e-4, dhat * (1 - 1e-6), dhat * (1 - 1e-12)}) {
        const long double a = static_cast<long double>(g) - dhat;
        const long double want =
            -1000.0L * a * a * (g > 0.5 * dhat ? std::log1p(a / dhat) : std::log(g / static_cast<long double>(dhat)));
        EXPECT_NEAR(barrier.energy(g) / double(want), 1, 1e-14) << g;
    }
    EXPECT_NEAR(barrier.energy(3e-5), double(exact(3e-5L)), 1e-14 * double(exact(3e-5L)));
}

TEST(Barrier, DerivativesAreThoseOfCentralDifferences) {
    for (const double g : {1e-7, 3e-5, 4.9e-4, 5.1e-4, 9e-4, 9.99e-4}) {
        const long double h = 1e-4L * std::min(g, dhat - g);
        const auto e = [](long double x) { return exact(x); };
        const long double first = (8 * (e(g + h) - e(g - h)) - (e(g + 2 * h) - e(g - 2 * h))) / (12 * h);
        const long double second = (16 * (e(g + h) + e(g - h)) - (e(g + 2 * h) + e(g - 2 * h)) - 30 * e(g)) / (12 * h * h);
        EXPECT_NEAR(barrier.first(g), double(first), 1e-9 * std::fabs(double(first))) << g;
        EXPECT_NEAR(barrier.second(g), double(second), 1e-7 * std::fabs(double(second))) << g;
    }
}

TEST(Barrier, PushesApartAndIsConvex) {
    double last = std::numeric_limits<double>::infinity();
    for (double g = 1e-12; g < dhat; g *= 1.1) {
        EXPECT_GT(barrier.energy(g), 0);
        EXPECT_LT(barrier.energy(g), last);
        EXPECT_LT(barrier.first(g), 0);
        EXPECT_GT(barrier.second(g), 0);
        last = barrier.energy(g);
    }
}

TEST(Barrier, VanishesSmoothlyAtDhat) {
    for (const double g : {dhat, 1.001 * dhat, 1.0, std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(barrier.energy(g), 0);
        EXPECT_EQ(barrier.first(g), 0);
        EXPECT_EQ(barrier.second(g), 0);
    }
    // Next to dhat: B ~ κ e³/dhat, B′ ~ −3 κ e²/dhat, B″ ~ 6 κ e/dhat with e = dhat − g.
    const double g = dhat * (1 - 1e-9), e = dhat - g;
    EXPECT_NEAR(barrier.energy(g), 1000 * e * e * e / dhat, 1e-8 * barrier.energy(g));
    EXPECT_NEAR(barrier.first(g), -3000 * e * e / dhat, 1e-8 * -barrier.first(g));
    EXPECT_NEAR(barrier.second(g), 6000 * e / dhat, 1e-8 * barrier.second(g));
}

TEST(Barrier, GapsThatAreNoStateHaveInfiniteEnergy) {
    for (const double g :
         {0.0, -0.0, -1e-300, -1e-3, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_EQ(barrier.energy(g), std::numeric_limits<double>::infinity()) << g;
        EXPECT_FALSE(std::isfinite(barrier.first(g))) << g;
        EXPECT_FALSE(std::isfinite(barrier.second(g))) << g;
    }
    EXPECT_TRUE(std::isfinite(barrier.energy(1e-300)));
}

}  // namespace
}  // namespace plica::test
