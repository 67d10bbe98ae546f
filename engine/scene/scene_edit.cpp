// Changing single values of a scene by changing its text.
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>

#include <toml++/toml.h>

#include "engine/core/error.h"
#include "engine/scene/scene_file.h"
#include "engine/scene/setting_table.h"

namespace plica {
namespace {

// Byte offset of a position, whose column counts code points from 1.
std::size_t offset_of(const std::string& text, const toml::source_position& position) {
    std::size_t at = 0;
    for (toml::source_index line = 1; line < position.line; ++line) {
        at = text.find('\n', at);
        if (at == std::string::npos) return text.size();
        ++at;
    }
    for (toml::source_index column = 1; column < position.column && at < text.size(); ++column) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    }
    return at;
}

std::size_t line_end(const std::string& text, std::size_t at) {
    const std::size_t end = text.find('\n', at);
    return end == std::string::npos ? text.size() : end;
}

// The value as TOML: as given if it is some, else as a text in quotes.
std::string toml_value(const std::string& key, const std::string& value) {
    if (value.find_first_of("\r\n") != std::string::npos) throw InputError("--set " + key + ": the value must be on one line");
    try {
        if (toml::parse("x = " + value).size() == 1) return value;
    } catch (const toml::parse_error&) {
    }
    std::string quoted = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    quoted += '"';
    try {
        if (toml::parse("x = " + quoted).size() == 1) return quoted;
    } catch (const toml::parse_error&) {
    }
    throw InputError("--set " + key + ": the value holds characters that no text may have");
}

// A key split into table ("solver", "film"), element of an array of tables ("bag", "2") and the last word.
struct KeyPath {
    std::string table, element, last;
};

KeyPath split_key(const std::string& key) {
    const auto first = key.find('.');
    if (first == std::string::npos) return {find_setting(key) || key == "gravity" ? "solver" : "", "", key};
    const auto last = key.rfind('.');
    return {key.substr(0, first), last > first ? key.substr(first + 1, last - first - 1) : "", key.substr(last + 1)};
}

bool is_bare_key(const std::string& word) {
    for (const char c : word)
        if (!(c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
    return !word.empty();
}

// The table of an array that is called `element`, or is the element-th (from 1).
const toml::table* element_of(const toml::array& list, const std::string& element) {
    for (const toml::node& node : list)
        if (const toml::table* table = node.as_table(); table && (*table)["name"].value_or(std::string()) == element)
            return table;
    std::size_t number = 0;
    const auto result = std::from_chars(element.data(), element.data() + element.size(), number);
    if (result.ec != std::errc() || result.ptr != element.data() + element.size() || number < 1 || number > list.size())
        return nullptr;
    return list[number - 1].as_table();
}

std::string names_of(const toml::array& list) {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const toml::table* table = list[i].as_table();
        const std::string name = table ? (*table)["name"].value_or(std::string()) : std::string();
        text += (i ? ", " : "") + (name.empty() ? std::to_string(i + 1) : "\"" + name + "\"");
    }
    return text;
}

// The table that holds the key; null if the text has none yet.
const toml::table* find_table(const toml::table& root, const KeyPath& path, const std::string& key) {
    if (path.table.empty()) return &root;
    const toml::node* node = root.get(path.table);
    if (!node) {
        if (path.table == "solver" || path.table == "contact") return nullptr;
        throw InputError("--set " + key + ": the scene has no [[" + path.table + "]]");
    }
    if (const toml::table* table = node->as_table()) {
        if (!path.element.empty()) throw InputError("--set " + key + ": write " + path.table + "." + path.last);
        return table;
    }
    const toml::array* list = node->as_array();
    if (!list) throw InputError("--set " + key + ": \"" + path.table + "\" is not a table; write " + path.table + " alone");
    if (path.element.empty() && list->size() == 1) return (*list)[0].as_table();
    const toml::table* table = element_of(*list, path.element);
    if (!table)
        throw InputError("--set " + key + ": there is no " + path.table + " \"" + path.element + "\"; write " + path.table +
                         ".NAME." + path.last + " with NAME of: " + names_of(*list));
    return table;
}

std::string patched(const std::string& text, const std::string& key, const std::string& value) {
    const KeyPath path = split_key(key);
    if (!is_bare_key(path.last) || (!path.table.empty() && !is_bare_key(path.table)))
        throw InputError("--set " + key + ": a key is made of words with points between, for example solver.friction_mu");
    const toml::table root = toml::parse(text);
    const toml::table* table = find_table(root, path, key);
    const std::string assignment = path.last + " = " + value;
    if (!table)
        return text + (text.empty() || text.back() == '\n' ? "" : "\n") + "\n[" + path.table + "]\n" + assignment + "\n";
    if (const toml::node* node = table->get(path.last)) {
        if (node->is_table() || node->is_array_of_tables())
            throw InputError("--set " + key + " is a table; give the value of one of its keys");
        const std::size_t begin = offset_of(text, node->source().begin), end = offset_of(text, node->source().end);
        return text.substr(0, begin) + value + text.substr(end);
    }
    if (table == &root) return assignment + "\n" + text;
    if (table->is_inline()) {
        const std::size_t at = offset_of(text, table->source().begin) + 1;
        return text.substr(0, at) + " " + assignment + (table->empty() ? " " : ",") + text.substr(at);
    }
    const std::size_t at = line_end(text, offset_of(text, table->source().begin));
    return text.substr(0, at) + "\n" + assignment + text.substr(at);
}

}  // namespace

void set_value(Scene& scene, const std::string& key, const std::string& value) {
    const std::string as_toml = toml_value(key, value);
    std::string text;
    try {
        text = patched(scene.text, key, as_toml);
    } catch (const toml::parse_error& e) {
        throw InputError(scene.path, int(e.source().begin.line), "is not valid TOML: " + std::string(e.description()));
    }
    const std::string name = scene.path.empty() ? "--set " + key : scene.path;
    Scene changed = parse_scene(text, name, std::filesystem::path(scene.path).parent_path().string());
    changed.path = scene.path;
    scene = std::move(changed);
}

}  // namespace plica
