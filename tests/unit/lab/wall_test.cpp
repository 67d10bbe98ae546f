#include "engine/lab/wall.h"

#include <random>

#include <gtest/gtest.h>

namespace plica {
namespace {

WallLab lab(bool barrier, double k = 1e4) {
    WallLab out;
    out.barrier = barrier;
    out.penalty_stiffness = k;
    return out;
}

double log_uniform(std::mt19937& random, double low, double high) {
    return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random));
}

// A throw over the whole range of settings, all orders of magnitude alike, with as many steps as it needs to the wall and 20
// there.
struct Throw {
    WallLab lab;
    double v;
};
Throw random_throw(std::mt19937& random, bool barrier) {
    Throw out{lab(barrier, log_uniform(random, 1, 1e8)), log_uniform(random, 0.1, 1000)};
    out.lab.h = log_uniform(random, std::max(1e-5, 1e-4 / out.v), 0.1);
    out.lab.dhat = log_uniform(random, 1e-6, 0.1);
    out.lab.kappa = log_uniform(random, 1, 1e8);
    out.lab.steps = 20 + int(out.lab.wall / (out.v * out.lab.h));
    return out;
}

TEST(Wall, OneIterateAtATimeGivesTheRunBitForBit) {
    std::mt19937 random(1);
    for (int i = 0; i < 400; ++i) {
        const auto [setting, v] = random_throw(random, i % 2 == 0);
        const WallLab::Run run = setting.run(v);
        WallThrow ball(setting, v);
        int largest = 0;
        while (!ball.done()) {
            ball.advance();
            if (ball.step_done() && !ball.run().through) largest = std::max(largest, int(ball.iterates().size()));
        }
        ASSERT_EQ(ball.run().x, run.x);
        EXPECT_EQ(ball.run().through, run.through);
        EXPECT_EQ(largest, run.largest_iterations);
        EXPECT_EQ(ball.x(), run.x.back());
    }
}

TEST(Wall, EachIterateStartsWhereTheLastOneLedAndNeverRaisesTheEnergy) {
    std::mt19937 random(2);
    for (int i = 0; i < 200; ++i) {
        const auto [setting, v] = random_throw(random, i % 2 == 0);
        WallThrow ball(setting, v);
        while (!ball.done()) {
            ball.finish_step();
            const auto& iterates = ball.iterates();
            ASSERT_EQ(iterates.front().x, ball.x_start());
            for (std::size_t n = 0; n + 1 < iterates.size(); ++n) {
                ASSERT_EQ(iterates[n + 1].x, iterates[n].next());
                ASSERT_FALSE(iterates[n].converged);
                // Only a search that ran out of halvings may leave more energy than there was.
                if (iterates[n].alpha > 1e-12) {
                    ASSERT_LE(iterates[n + 1].energy, iterates[n].energy);
                }
            }
            if (iterates.back().converged) {
                ASSERT_LT(std::fabs(iterates.back().dx), ball.lab().newton_tolerance);
            }
        }
    }
}

TEST(Wall, CcdCutsToNineTenthsOfTheWayToTheWall) {
    WallThrow ball(lab(true), 5);
    while (ball.next_x_tilde() < 0.503) ball.finish_step();
    ball.finish_step();
    const auto& iterates = ball.iterates();
    ASSERT_EQ(iterates.size(), 7u);  // the step after it, from 30 µm, needs the 9 of the table
    EXPECT_NEAR(ball.x_start(), 0.5, 1e-12);
    EXPECT_NEAR(ball.x_tilde(), 0.55, 1e-12);
    int cuts = 0;
    for (const WallLab::Iterate& n : iterates) {
        EXPECT_LT(n.max_step == 1 ? n.x + n.max_step * n.dx : n.x, 0.503);
        if (n.max_step == 1) continue;
        ++cuts;
        EXPECT_NEAR(0.503 - (n.x + n.max_step * n.dx), 0.1 * (0.503 - n.x), 1e-15);
    }
    EXPECT_GE(cuts, 2);
    // The first one: 50 mm wanted, 3 mm to the wall.
    EXPECT_NEAR(iterates[0].dx, 0.05, 1e-12);
    EXPECT_NEAR(iterates[0].max_step, 0.9 * 0.003 / 0.05, 1e-12);
    // The penalty goes all the way in one step.
    WallThrow penalty(lab(false), 5);
    while (penalty.next_x_tilde() < 0.503) penalty.finish_step();
    penalty.finish_step();
    ASSERT_EQ(penalty.iterates().size(), 2u);
    EXPECT_EQ(penalty.iterates()[0].max_step, 1);
    EXPECT_NEAR(penalty.x(), 0.55, 1e-12);
    EXPECT_TRUE(penalty.done());
}

TEST(Wall, TheBarrierHoldsInTheWholeRangeOfSettings) {
    std::mt19937 random(3);
    for (int i = 0; i < 2000; ++i) {
        const auto [setting, v] = random_throw(random, true);
        const WallLab::Run run = setting.run(v);
        ASSERT_FALSE(run.through);
        for (const double x : run.x)
            ASSERT_LT(x, setting.wall) << "v " << v << " h " << setting.h << " dhat " << setting.dhat << " kappa "
                                       << setting.kappa;
    }
}

TEST(Wall, BehindTheWallTheLowestPenaltyMinimumIsThere_TheBarriersStaysInFront) {
    for (const double k : {1e4, 1e6, 1e8}) {
        const WallLab penalty = lab(false, k), ipc = lab(true);
        EXPECT_LT(penalty.minimum(0.505), 0.513);
        EXPECT_GT(penalty.minimum(0.522), 0.513);
        EXPECT_EQ(penalty.minimum(0.55), 0.55);  // no force there, no matter how stiff
        EXPECT_EQ(penalty.energy(penalty.minimum(0.55), 0.55), 0);
        for (const double x_tilde : {0.502, 0.505, 0.522, 0.55, 1.0, 100.0}) {
            ASSERT_EQ(ipc.minima(x_tilde).size(), 1u);
            EXPECT_LT(ipc.minimum(x_tilde), 0.503);
        }
    }
    // A stiff penalty keeps a second, higher minimum in front.
    const std::vector<double> both = lab(false, 1e6).minima(0.55);
    ASSERT_EQ(both.size(), 2u);
    EXPECT_GT(both[0], 0.503);
    EXPECT_LT(both[0], 0.513);
    EXPECT_EQ(both[1], 0.55);
}

// Every point of a fine grid that is lower than its neighbours lies next to a minimum, and the other way round.
TEST(Wall, MinimaAreThoseOfAFineGrid) {
    std::mt19937 random(4);
    for (int i = 0; i < 60; ++i) {
        const WallLab setting = random_throw(random, i % 2 == 0).lab;
        const double x_tilde = std::uniform_real_distribution<double>(0.45, 0.6)(random);
        const double low = 0.4, step = 1e-6, end = setting.barrier ? setting.wall : 0.65;
        std::vector<double> grid;
        for (double x = low; x < end; x += step) grid.push_back(setting.energy(x, x_tilde));
        std::vector<double> found;
        for (std::size_t n = 1; n < grid.size(); ++n) {
            const bool last = n + 1 == grid.size();
            if (grid[n] < grid[n - 1] && (last ? setting.barrier : grid[n] <= grid[n + 1]))
                found.push_back(low + double(n) * step);
        }
        const std::vector<double> minima = setting.minima(x_tilde);
        ASSERT_EQ(minima.size(), found.size())
            << "x_tilde " << x_tilde << " h " << setting.h << " k " << setting.penalty_stiffness;
        for (std::size_t n = 0; n < minima.size(); ++n) EXPECT_NEAR(minima[n], found[n], 1.01 * step);
    }
}

TEST(Wall, NewtonEndsAtTheBarriersMinimum) {
    for (const double v : {1, 2, 5, 10, 20, 50}) {
        WallThrow ball(lab(true), v);
        while (!ball.done()) {
            ball.finish_step();
            ASSERT_TRUE(ball.iterates().back().converged);
            // Newton stops within 1e-10 m of where it wants to go.
            ASSERT_NEAR(ball.x(), ball.lab().minimum(ball.x_tilde()), 1e-10);
        }
    }
}

}  // namespace
}  // namespace plica
