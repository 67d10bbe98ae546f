// printf into a string, for messages with numbers.
#pragma once

#include <cstdio>
#include <string>

namespace plica {

template <class... Values>
std::string format(const char* text, Values... values) {
    const int length = std::snprintf(nullptr, 0, text, values...);
    std::string out(std::size_t(length > 0 ? length : 0), '\0');
    std::snprintf(out.data(), out.size() + 1, text, values...);
    return out;
}

}  // namespace plica
