#include "engine/scene/toml_reader.h"

#include <cmath>

#include "engine/scene/setting_table.h"

namespace plica {
namespace {

std::string key_list(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) text += (i ? ", \"" : "\"") + words[i] + "\"";
    return text;
}

}  // namespace

int line_of(const toml::node& node, int otherwise) {
    const int line = int(node.source().begin.line);
    return line > 0 ? line : otherwise;
}

std::string found_text(const toml::node& node) {
    if (const auto* v = node.as_string()) return "the text \"" + v->get() + "\"";
    if (const auto* v = node.as_integer()) return std::to_string(v->get());
    if (const auto* v = node.as_floating_point()) return number_text(v->get());
    if (const auto* v = node.as_boolean()) return v->get() ? "true" : "false";
    if (const auto* v = node.as_array()) return v->empty() ? "an empty list" : "a list of " + std::to_string(v->size());
    if (node.is_table()) return "a table";
    return "a date or time";
}

bool TomlTable::has(std::string_view key) const { return table_.get(key) != nullptr; }

int TomlTable::line_of(std::string_view key) const {
    const toml::node* value = table_.get(key);
    return value ? plica::line_of(*value, line_) : line_;
}

const toml::node* TomlTable::node(std::string_view key) {
    known_.emplace_back(key);
    return table_.get(key);
}

std::string TomlTable::full(std::string_view key) const {
    return place_.empty() ? std::string(key) : place_ + "." + std::string(key);
}

void TomlTable::fail(std::string_view key, const std::string& what) const {
    throw InputError(file_, line_of(key), full(key) + " " + what);
}

double TomlTable::number_of(const toml::node& node, const std::string& name, const Range& range) const {
    std::string allowed = allowed_text(range.lowest, range.highest, range.above_lowest, range.unit, range.example);
    if (range.below_highest) {
        const auto at = allowed.find("at most");
        if (at != std::string::npos) allowed.replace(at, 7, "below");
    }
    const auto refuse = [&] {
        fail_at(plica::line_of(node, line_), name + " is " + found_text(node) + "; allowed: " + allowed);
    };
    double value = 0;
    if (const auto* v = node.as_floating_point())
        value = v->get();
    else if (const auto* w = node.as_integer())
        value = double(w->get());
    else
        refuse();
    if (!std::isfinite(value) || value < range.lowest || value > range.highest ||
        (range.above_lowest && value <= range.lowest) || (range.below_highest && value >= range.highest))
        refuse();
    return value;
}

double TomlTable::number(std::string_view key, double otherwise, const Range& range) {
    const toml::node* value = node(key);
    return value ? number_of(*value, full(key), range) : otherwise;
}

double TomlTable::required_number(std::string_view key, const Range& range) {
    const toml::node* value = node(key);
    if (!value)
        fail(key,
             "is missing; give " + allowed_text(range.lowest, range.highest, range.above_lowest, range.unit, range.example));
    return number_of(*value, full(key), range);
}

int TomlTable::whole(std::string_view key, int otherwise, int lowest, int highest) {
    const toml::node* value = node(key);
    if (!value) return otherwise;
    const auto* v = value->as_integer();
    if (!v || v->get() < lowest || v->get() > highest)
        fail(key, "is " + found_text(*value) + "; allowed: whole numbers from " + std::to_string(lowest) + " to " +
                      std::to_string(highest));
    return int(v->get());
}

bool TomlTable::boolean(std::string_view key, bool otherwise) {
    const toml::node* value = node(key);
    if (!value) return otherwise;
    const auto* v = value->as_boolean();
    if (!v) fail(key, "is " + found_text(*value) + "; allowed: true or false");
    return v->get();
}

std::string TomlTable::text(std::string_view key, const std::string& otherwise) {
    const toml::node* value = node(key);
    if (!value) return otherwise;
    const auto* v = value->as_string();
    if (!v) fail(key, "is " + found_text(*value) + "; allowed: text in quotes");
    return v->get();
}

std::string TomlTable::required_text(std::string_view key) {
    if (!has(key)) {
        node(key);
        fail(key, "is missing; give a text in quotes");
    }
    std::string value = text(key, {});
    if (value.empty()) fail(key, "is empty; give a text in quotes");
    return value;
}

std::string TomlTable::choice(std::string_view key, const std::string& otherwise, const std::vector<std::string>& allowed) {
    const std::string value = text(key, otherwise);
    for (const std::string& word : allowed)
        if (value == word) return value;
    if (!has(key)) fail(key, "is missing; allowed: " + key_list(allowed));
    fail(key, "is \"" + value + "\"; allowed: " + key_list(allowed) + suggestion(value, allowed));
}

Vec3 TomlTable::vec3_of(const toml::node& value, const std::string& name, const std::string& unit) const {
    const toml::array* list = value.as_array();
    if (!list || list->size() != 3)
        fail_at(plica::line_of(value, line_),
                name + " is " + found_text(value) + "; allowed: three numbers [x, y, z]" + (unit.empty() ? "" : " in " + unit));
    Range range;
    range.unit = unit;
    range.lowest = -1e6;
    range.highest = 1e6;
    Vec3 v;
    for (int axis = 0; axis < 3; ++axis)
        v[axis] = number_of((*list)[std::size_t(axis)], name + "[" + std::to_string(axis) + "]", range);
    return v;
}

Vec3 TomlTable::vec3(std::string_view key, const Vec3& otherwise, const std::string& unit) {
    const toml::node* value = node(key);
    return value ? vec3_of(*value, full(key), unit) : otherwise;
}

std::vector<double> TomlTable::numbers(std::string_view key, const Range& range) {
    std::vector<double> values;
    const toml::array* list = array(key);
    if (!list) return values;
    for (std::size_t i = 0; i < list->size(); ++i)
        values.push_back(number_of((*list)[i], full(key) + "[" + std::to_string(i) + "]", range));
    return values;
}

const toml::array* TomlTable::array(std::string_view key) {
    const toml::node* value = node(key);
    if (!value) return nullptr;
    const toml::array* list = value->as_array();
    if (!list) fail(key, "is " + found_text(*value) + "; allowed: a list [...]");
    return list;
}

const toml::array& TomlTable::track_keys(const toml::node& value, const std::string& name, std::size_t length, Ease& ease) {
    const toml::array* keys = value.as_array();
    if (const toml::table* table = value.as_table()) {
        TomlTable inner(file_, name, *table, plica::line_of(value, line_));
        keys = inner.array("keys");
        const std::string word = inner.choice("ease", "smooth", {"smooth", "linear", "step"});
        ease = word == "linear" ? Ease::Linear : word == "step" ? Ease::Step : Ease::Smooth;
        inner.finish();
        if (!keys) inner.fail("keys", "is missing; give [[time, value], ...]");
    }
    const std::string shape = length == 2 ? "[time, value]" : "[time, x, y, z]";
    if (!keys)
        fail_at(plica::line_of(value, line_),
                name + " is " + found_text(value) + "; allowed: " + (length == 2 ? "a number" : "[x, y, z]") + ", [" + shape +
                    ", ...], or { keys = [" + shape + ", ...], ease = \"smooth\" | \"linear\" | \"step\" }");
    if (keys->empty()) fail_at(plica::line_of(value, line_), name + " is an empty track; give at least one key " + shape);
    double last = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < keys->size(); ++i) {
        const toml::node& entry = (*keys)[i];
        const toml::array* key = entry.as_array();
        const std::string key_name = name + "[" + std::to_string(i) + "]";
        const int line = plica::line_of(entry, line_);
        if (!key || key->size() != length) fail_at(line, key_name + " is " + found_text(entry) + "; allowed: " + shape);
        Range range;
        range.lowest = 0;
        range.highest = 1e6;
        range.unit = "s";
        const double time = number_of((*key)[0], key_name + " time", range);
        if (time <= last)
            fail_at(line, key_name + " has time " + number_text(time) + ", not after the key before it at " +
                              number_text(last) + "; keys must be in order of time");
        last = time;
    }
    return *keys;
}

ScalarTrack TomlTable::scalar_track(std::string_view key, double otherwise, const Range& range) {
    const toml::node* value = node(key);
    ScalarTrack track;
    if (!value) {
        track.keys = {{0, otherwise}};
        return track;
    }
    if (value->is_number()) {
        track.keys = {{0, number_of(*value, full(key), range)}};
        return track;
    }
    const toml::array& keys = track_keys(*value, full(key), 2, track.ease);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const toml::array& pair = *keys[i].as_array();
        const std::string name = full(key) + "[" + std::to_string(i) + "]";
        track.keys.push_back({number_of(pair[0], name, {}), number_of(pair[1], name + " value", range)});
    }
    return track;
}

VectorTrack TomlTable::vector_track(std::string_view key, const std::string& unit) {
    const toml::node* value = node(key);
    VectorTrack track;
    if (!value) {
        track.keys = {{0, Vec3{}}};
        return track;
    }
    if (const toml::array* list = value->as_array(); list && list->size() == 3 && list->get(0)->is_number()) {
        track.keys = {{0, vec3_of(*value, full(key), unit)}};
        return track;
    }
    const toml::array& keys = track_keys(*value, full(key), 4, track.ease);
    Range range;
    range.unit = unit;
    range.lowest = -1e6;
    range.highest = 1e6;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const toml::array& entry = *keys[i].as_array();
        const std::string name = full(key) + "[" + std::to_string(i) + "]";
        VectorKey out;
        out.time = number_of(entry[0], name, {});
        for (int axis = 0; axis < 3; ++axis) out.value[axis] = number_of(entry[std::size_t(axis) + 1], name + " value", range);
        track.keys.push_back(out);
    }
    return track;
}

void TomlTable::finish() const {
    for (const auto& [key, value] : table_) {
        const std::string name(key.str());
        bool known = false;
        for (const std::string& k : known_) known = known || k == name;
        if (known) continue;
        std::string list;
        for (const std::string& k : known_) list += (list.empty() ? "" : ", ") + k;
        const int line = key.source().begin.line > 0 ? int(key.source().begin.line) : plica::line_of(value, line_);
        fail_at(line, "unknown key " + full(name) + suggestion(name, known_) + "; known here: " + list);
    }
}

}  // namespace plica
