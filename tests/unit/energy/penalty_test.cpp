#include "engine/energy/penalty.h"

#include <gtest/gtest.h>

namespace plica {
namespace {

constexpr double dhat = 1e-3;  // m
const Penalty penalty{dhat, 500};

TEST(Penalty, is_a_spring_that_is_at_rest_at_dhat) {
    EXPECT_DOUBLE_EQ(penalty.energy(0.25e-3), 0.5 * 500 * 0.75e-3 * 0.75e-3);
    EXPECT_DOUBLE_EQ(penalty.first(0.25e-3), -500 * 0.75e-3);
    EXPECT_EQ(penalty.second(0.25e-3), 500);
    for (const double gap : {dhat, 2 * dhat, 1.0}) {
        EXPECT_EQ(penalty.energy(gap), 0);
        EXPECT_EQ(penalty.first(gap), 0);
        EXPECT_EQ(penalty.second(gap), 0);
    }
}

TEST(Penalty, derivatives_are_those_of_central_differences_on_either_side_of_touching) {
    for (const double gap : {-2e-3, -1e-6, 0.0, 1e-6, 0.9e-3}) {
        const double h = 1e-6;
        EXPECT_NEAR(penalty.first(gap), (penalty.energy(gap + h) - penalty.energy(gap - h)) / (2 * h), 1e-9) << gap;
        EXPECT_NEAR(penalty.second(gap), (penalty.first(gap + h) - penalty.first(gap - h)) / (2 * h), 1e-6) << gap;
    }
}

TEST(Penalty, gives_way_where_a_barrier_would_not) {
    EXPECT_LT(penalty.energy(-1e-3), 1e-2);
    EXPECT_GT(penalty.energy(-1e-3), penalty.energy(0.0));
}

}  // namespace
}  // namespace plica
