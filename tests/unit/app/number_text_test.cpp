#include "app/number_text.h"

#include <clocale>
#include <cmath>

#include <gtest/gtest.h>

namespace plica {

TEST(NumberText, TypedNumbersAreReadWholeOrRefused) {
    EXPECT_EQ(typed_number("0.35"), 0.35);
    EXPECT_EQ(typed_number(" 1.5e-3 "), 1.5e-3);
    EXPECT_EQ(typed_number("+2"), 2.0);
    EXPECT_EQ(typed_number("1,5"), 1.5);
    EXPECT_EQ(typed_number("0.8 mm", "mm"), 0.8);
    for (const char* text : {"", "-", "1,234,5", "1.2,3", "1.5x", "0x10", "nan", "inf", "1e999", "1 2", "++1"})
        EXPECT_FALSE(typed_number(text).has_value()) << text;
}

TEST(NumberText, TheLocaleChangesNothing) {
    std::setlocale(LC_ALL, "de_DE.UTF-8");
    EXPECT_EQ(typed_number("1.5"), 1.5);
    EXPECT_EQ(format_number(1.5), "1.5");
    EXPECT_EQ(format_reading(12.345), "12.35");
    std::setlocale(LC_ALL, "C");
}

TEST(NumberText, ReadingsAreShort) {
    EXPECT_EQ(format_reading(0), "0");
    EXPECT_EQ(format_reading(0.0312), "0.0312");
    EXPECT_EQ(format_reading(1.2e-7), "1.20e-07");
    EXPECT_EQ(format_reading(std::nan("")), "–");
    EXPECT_EQ(fixed_reading(0.5, 3), "0.500");
}

}  // namespace plica
