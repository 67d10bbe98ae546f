// Numbers to text and back, the same under every locale.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace plica {

// Shortest text that reads back as the same number; "nan", "inf", "-inf".
template <class Real>
std::string shortest_text(Real value) {
    if (std::isnan(value)) return "nan";
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    return std::string(buffer, end.ptr);
}

// `digits` significant digits, for people: 0.0123457.
inline std::string digits_text(double value, int digits) {
    if (std::isnan(value)) return "nan";
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
    return std::string(buffer, end.ptr);
}

// `decimals` digits behind the point: 12.30.
inline std::string fixed_text(double value, int decimals) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    char buffer[400];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
    return std::string(buffer, end.ptr);
}

// The whole of `text` as a number (leading + allowed), or nothing: "1,5" and "1.5x" are nothing.
inline std::optional<double> parse_number(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

}  // namespace plica
