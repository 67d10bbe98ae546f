// engine/core/types.h
#include "engine/core/types.h"

#include <gtest/gtest.h>

#include <vector>

namespace plica {
namespace {

__attribute__((noinline)) Vec3 there_and_back(const Vec3& a) { return to_double(to_float(a)); }

__attribute__((noinline)) void store(const std::vector<Vec3>& x, std::vector<Vec3f>& stored, std::vector<Vec3>& rounded) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        stored[i] = to_float(x[i]);
        rounded[i] = to_double(stored[i]);
    }
}

double rounded_by_memory(double value) {
    volatile float stored = float(value);
    return double(stored);
}

// An optimizer that leaves out the rounding makes the check of rounded gaps see other positions than those that are kept.
TEST(types, rounding_to_single_precision_is_never_left_out) {
    const Vec3 a{9.002, 9.0000003, 0.1};
    const Vec3 expected{rounded_by_memory(a.x), rounded_by_memory(a.y), rounded_by_memory(a.z)};
    EXPECT_EQ(there_and_back(a), expected);
    std::vector<Vec3f> stored(8);
    std::vector<Vec3> rounded(8);
    store(std::vector<Vec3>(8, a), stored, rounded);
    for (const Vec3& r : rounded) EXPECT_EQ(r, expected);
}

}  // namespace
}  // namespace plica
