// Reading one TOML table with messages that name file, line, key, what was found and what is allowed. Internal to engine/scene.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "engine/core/error.h"
#include "engine/core/types.h"
#include "engine/scene/track.h"

namespace plica {

// Allowed values of a number.
struct Range {
    double lowest = -std::numeric_limits<double>::infinity();
    double highest = std::numeric_limits<double>::infinity();
    bool above_lowest = false;   // lowest itself is not allowed
    bool below_highest = false;  // highest itself is not allowed
    std::string unit, example;
};

// A view of a table; every key that is asked for counts as known, and finish() refuses the rest.
class TomlTable {
public:
    // `place` is how messages call it: "film" gives "film.thickness".
    TomlTable(const std::string& file, std::string place, const toml::table& table, int line)
        : file_(file), place_(std::move(place)), table_(table), line_(line) {}

    bool has(std::string_view key) const;
    int line() const { return line_; }
    int line_of(std::string_view key) const;       // that of the value, or of the table
    const toml::node* node(std::string_view key);  // null if absent
    const std::string& place() const { return place_; }
    void rename(std::string place) { place_ = std::move(place); }

    double number(std::string_view key, double otherwise, const Range& range);
    double required_number(std::string_view key, const Range& range);
    int whole(std::string_view key, int otherwise, int lowest, int highest);
    bool boolean(std::string_view key, bool otherwise);
    std::string text(std::string_view key, const std::string& otherwise);
    std::string required_text(std::string_view key);
    std::string choice(std::string_view key, const std::string& otherwise, const std::vector<std::string>& allowed);
    Vec3 vec3(std::string_view key, const Vec3& otherwise, const std::string& unit);
    std::vector<double> numbers(std::string_view key, const Range& range);
    const toml::array* array(std::string_view key);

    // A track: a number, [[time, value], ...], or { keys = [[time, value], ...], ease = "smooth" | "linear" | "step" }.
    ScalarTrack scalar_track(std::string_view key, double otherwise, const Range& range);
    // The same with [x, y, z] and [[time, x, y, z], ...].
    VectorTrack vector_track(std::string_view key, const std::string& unit);

    // Throws for the first key that nobody asked for.
    void finish() const;

    [[noreturn]] void fail(std::string_view key, const std::string& what) const;
    [[noreturn]] void fail_at(int line, const std::string& what) const { throw InputError(file_, line, what); }
    std::string full(std::string_view key) const;

    // A finite number of a node, in range; `name` as in messages.
    double number_of(const toml::node& node, const std::string& name, const Range& range) const;
    Vec3 vec3_of(const toml::node& node, const std::string& name, const std::string& unit) const;

private:
    const toml::array& track_keys(const toml::node& node, const std::string& name, std::size_t length, Ease& ease);

    const std::string& file_;
    std::string place_;
    const toml::table& table_;
    int line_;
    std::vector<std::string> known_;
};

// "the text \"abc\"", "nan", "an array" and the like, of a node for messages.
std::string found_text(const toml::node& node);
int line_of(const toml::node& node, int otherwise);

}  // namespace plica
