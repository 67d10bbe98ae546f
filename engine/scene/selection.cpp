#include "engine/scene/selection.h"

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

#include "engine/scene/build_model.h"
#include "engine/scene/setting_table.h"

namespace plica {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

// "ring 1..3" or "4..7": the text before the numbers, and the two ends.
struct NumberRange {
    std::string prefix;
    int from = 0, to = 0;
};
std::optional<NumberRange> number_range(std::string_view text) {
    const auto dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    const auto space = text.rfind(' ', dots);
    const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
    const auto from = whole_number(trimmed(text.substr(begin, dots - begin))),
               to = whole_number(trimmed(text.substr(dots + 2)));
    if (!from || !to) return std::nullopt;
    return NumberRange{std::string(text.substr(0, begin)), *from, *to};
}

std::string unknown_group(const Film& film, const std::string& name) {
    std::vector<std::string> names;
    for (const VertexGroup& group : film.groups) names.push_back(group.name);
    std::string text = "selects \"" + name + "\", but film \"" + film.name + "\" has no such group" + suggestion(name, names);
    if (names.empty()) return text + "; it has no groups, give vertex numbers";
    text += "; groups: ";
    for (std::size_t i = 0; i < names.size() && i < 6; ++i) text += (i ? ", " : "") + names[i];
    return names.size() > 6 ? text + ", ... (" + std::to_string(names.size()) + " in all)" : text;
}

}  // namespace

std::string select_vertices(const Film& film, const std::string& selection, std::vector<int>& vertices) {
    const int count = int(film.start.size());
    const auto add_vertex = [&](int v) -> std::string {
        if (v < 0 || v >= count)
            return "selects vertex " + std::to_string(v) + "; allowed: 0 to " + std::to_string(count - 1) + " of film \"" +
                   film.name + "\"";
        vertices.push_back(v);
        return {};
    };
    std::string_view rest = selection;
    while (true) {
        const auto comma = rest.find(',');
        const std::string_view part = trimmed(rest.substr(0, comma));
        if (part.empty()) return "holds an empty selection; give a group or a vertex number";
        if (const VertexGroup* group = find_group(film, std::string(part))) {
            vertices.insert(vertices.end(), group->vertices.begin(), group->vertices.end());
        } else if (const auto vertex = whole_number(part)) {
            if (std::string why = add_vertex(*vertex); !why.empty()) return why;
        } else if (part == "all") {
            for (int v = 0; v < count; ++v) vertices.push_back(v);
        } else if (const auto range = number_range(part)) {
            if (range->to < range->from) return "selects \"" + std::string(part) + "\", a range that does not rise";
            for (int i = range->from; i <= range->to; ++i) {
                if (range->prefix.empty()) {
                    if (std::string why = add_vertex(i); !why.empty()) return why;
                    continue;
                }
                const std::string name = range->prefix + std::to_string(i);
                const VertexGroup* numbered = find_group(film, name);
                if (!numbered) return unknown_group(film, name);
                vertices.insert(vertices.end(), numbered->vertices.begin(), numbered->vertices.end());
            }
        } else {
            return unknown_group(film, std::string(part));
        }
        if (comma == std::string_view::npos) return {};
        rest = rest.substr(comma + 1);
    }
}

}  // namespace plica
