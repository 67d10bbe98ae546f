#include "app/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace plica {

namespace {

std::string_view trim(std::string_view text) {
    const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && space(text.front())) text.remove_prefix(1);
    while (!text.empty() && space(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

std::optional<double> typed_number(std::string_view text, std::string_view unit) {
    text = trim(text);
    if (!unit.empty() && text.size() > unit.size() && text.substr(text.size() - unit.size()) == unit)
        text = trim(text.substr(0, text.size() - unit.size()));
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    if (text.empty()) return std::nullopt;
    std::string plain(text);
    const auto commas = std::count(plain.begin(), plain.end(), ',');
    if (commas > 1 || (commas == 1 && plain.find('.') != std::string::npos)) return std::nullopt;
    std::replace(plain.begin(), plain.end(), ',', '.');
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::string format_number(double value, int digits) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
    return {buffer, result.ptr};
}

std::string format_reading(double value) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    const double size = std::fabs(value);
    char buffer[64];
    std::to_chars_result result{};
    if (value == std::floor(value) && size < 1e6)
        result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 0);
    else if (size >= 1e6 || size < 1e-3)
        result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, 2);
    else
        result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed,
                               size >= 100   ? 1
                               : size >= 10  ? 2
                               : size >= 0.1 ? 3
                                             : 4);
    return {buffer, result.ptr};
}

std::string fixed_reading(double value, int decimals) {
    if (!std::isfinite(value)) return format_number(value);
    char buffer[400];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
    return {buffer, result.ptr};
}

}  // namespace plica
