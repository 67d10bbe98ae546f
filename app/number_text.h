// Numbers as people type and read them, whatever the locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plica {

// What a person typed: "0.35", "1.5e-3", " 12 ", "1,5" (a single comma is a decimal point). Anything else, also "1,234,5",
// "1.2,3" or trailing letters other than `unit`: nothing.
std::optional<double> typed_number(std::string_view text, std::string_view unit = {});

// Shortest text with at most `digits` significant digits, decimal point whatever the locale: "0.35", "4.1667", "1e-06".
std::string format_number(double value, int digits = 6);

// For gauges: about four significant digits in little room, "–" for undefined: "0.0312", "12.40", "1.20e-07".
std::string format_reading(double value);

// Always `decimals` digits behind the point.
std::string fixed_reading(double value, int decimals);

}  // namespace plica
