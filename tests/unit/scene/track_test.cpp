// engine/scene/track.h
#include "engine/scene/track.h"

#include <gtest/gtest.h>

namespace plica {
namespace {

TEST(track, is_constant_outside_its_keys) {
    const ScalarTrack track{{{1, 5}, {2, 7}}, Ease::Linear};
    EXPECT_EQ(track.at(0), 5);
    EXPECT_EQ(track.at(1), 5);
    EXPECT_EQ(track.at(2), 7);
    EXPECT_EQ(track.at(99), 7);
}

TEST(track, eases_between_keys) {
    const std::vector<ScalarKey> keys{{0, 0}, {2, 10}};
    EXPECT_DOUBLE_EQ((ScalarTrack{keys, Ease::Linear}.at(0.5)), 2.5);
    EXPECT_DOUBLE_EQ((ScalarTrack{keys, Ease::Smooth}.at(0.5)), 10 * (3 * 0.0625 - 2 * 0.015625));
    EXPECT_DOUBLE_EQ((ScalarTrack{keys, Ease::Smooth}.at(1.0)), 5);
    EXPECT_DOUBLE_EQ((ScalarTrack{keys, Ease::Step}.at(1.999)), 0);
    EXPECT_DOUBLE_EQ((ScalarTrack{keys, Ease::Step}.at(2)), 10);
}

TEST(track, of_one_key_is_that_value) { EXPECT_EQ((ScalarTrack{{{3, 4}}, Ease::Smooth}.at(-1)), 4); }

TEST(track, of_vectors_goes_straight) {
    const VectorTrack track{{{0, {0, 0, 0}}, {1, {1, -2, 4}}}, Ease::Smooth};
    EXPECT_EQ(track.at(0.5), (Vec3{0.5, -1, 2}));
}

}  // namespace
}  // namespace plica
