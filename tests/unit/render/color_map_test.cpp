#include "render/color_map.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "render/theme.h"

namespace plica {
namespace {

TEST(ColorMap, amounts_become_lighter_in_even_steps) {
    for (const ColorMap map : {ColorMap::Lagoon, ColorMap::Ember}) {
        const float range = lightness(color_at(map, 1)) - lightness(color_at(map, 0));
        EXPECT_GT(range, 0.6f);
        for (int i = 0; i < 20; ++i) {
            const float step = lightness(color_at(map, float(i + 1) / 20)) - lightness(color_at(map, float(i) / 20));
            EXPECT_NEAR(step, range / 20, 0.012f) << "map " << int(map) << " step " << i;  // clipping to sRGB bends a little
        }
    }
}

TEST(ColorMap, signed_values_are_lightest_in_the_middle_and_equally_dark_at_both_ends) {
    EXPECT_NEAR(lightness(color_at(ColorMap::Balance, 0)), lightness(color_at(ColorMap::Balance, 1)), 0.05f);
    EXPECT_GT(lightness(color_at(ColorMap::Balance, 0.5f)), lightness(color_at(ColorMap::Balance, 0)) + 0.3f);
}

TEST(ColorMap, small_gaps_are_red_and_large_ones_blue) {
    const glm::vec3 low = color_at(ColorMap::Alarm, 0), high = color_at(ColorMap::Alarm, 1);
    EXPECT_GT(low.x, low.z + 0.3f);
    EXPECT_GT(high.z, high.x + 0.2f);
}

TEST(ColorMap, values_outside_and_undefined_ones_are_clamped) {
    EXPECT_EQ(color_at(ColorMap::Lagoon, -5), color_at(ColorMap::Lagoon, 0));
    EXPECT_EQ(color_at(ColorMap::Lagoon, 5), color_at(ColorMap::Lagoon, 1));
    EXPECT_EQ(color_at(ColorMap::Lagoon, std::numeric_limits<float>::quiet_NaN()), color_at(ColorMap::Lagoon, 0));
    const auto table = color_table(ColorMap::Ember);
    EXPECT_EQ(table[3], 255);
    EXPECT_EQ(table[4 * 255], std::lround(255 * color_at(ColorMap::Ember, 1).x));
}

TEST(ColorScale, fractions_are_linear_or_logarithmic_and_never_divide_by_zero) {
    ColorScale scale;
    scale.low = 1e-5f;
    scale.high = 1e-3f;
    scale.logarithmic = true;
    EXPECT_NEAR(scale.fraction(1e-4f), 0.5f, 1e-5f);
    EXPECT_EQ(scale.fraction(0), 0);
    EXPECT_EQ(scale.fraction(std::numeric_limits<float>::infinity()), 1);
    scale.logarithmic = false;
    EXPECT_NEAR(scale.fraction(0.5f * (scale.low + scale.high)), 0.5f, 1e-5f);
    scale.high = scale.low;
    EXPECT_EQ(scale.fraction(3), 0.5f);
    EXPECT_TRUE(std::isnan(scale.fraction(std::nanf(""))));
}

TEST(Theme, names_are_read_back) {
    for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Light, ThemeKind::Print}) {
        ThemeKind read = ThemeKind::Dark;
        EXPECT_TRUE(theme_from_name(theme_name(kind), read));
        EXPECT_EQ(read, kind);
    }
    ThemeKind kind = ThemeKind::Light;
    EXPECT_FALSE(theme_from_name("sepia", kind));
    EXPECT_EQ(kind, ThemeKind::Light);
}

}  // namespace
}  // namespace plica
