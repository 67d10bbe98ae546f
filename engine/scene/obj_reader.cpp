#include "engine/scene/obj_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include "engine/scene/setting_table.h"

namespace plica {
namespace {

using Words = std::vector<std::string_view>;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

Words split(std::string_view line) {
    Words words;
    std::size_t i = 0;
    while (i < line.size()) {
        while (i < line.size() && is_blank(line[i])) ++i;
        const std::size_t begin = i;
        while (i < line.size() && !is_blank(line[i])) ++i;
        if (i > begin) words.push_back(line.substr(begin, i - begin));
    }
    return words;
}

template <typename Number>
std::optional<Number> read_number(std::string_view word) {
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    Number value{};
    const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || result.ptr != word.data() + word.size()) return std::nullopt;
    if (result.ec == std::errc::result_out_of_range) return std::numeric_limits<Number>::max();
    if (result.ec != std::errc()) return std::nullopt;
    return value;
}

std::string quoted(std::string_view word) {
    std::string text = "\"";
    for (const char c : word.substr(0, 40)) text += static_cast<unsigned char>(c) < 32 ? '?' : c;
    return text + (word.size() > 40 ? "...\"" : "\"");
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

// "1 unit = 1.000000 mm", "units: cm", "File units = meters": the word "unit" or "units", then = or :, an optional factor, a
// unit.
void find_unit(std::string_view comment, ObjFile& out) {
    const std::string text = lower(comment);
    for (std::size_t at = text.find("unit"); at != std::string::npos && out.unit.empty(); at = text.find("unit", at + 1)) {
        std::size_t i = at + 4;
        if (i < text.size() && text[i] == 's') ++i;
        while (i < text.size() && is_blank(text[i])) ++i;
        if (i >= text.size() || (text[i] != '=' && text[i] != ':')) continue;
        const Words words = split(std::string_view(text).substr(i + 1));
        if (words.empty()) continue;
        double factor = 1;
        std::size_t word = 0;
        if (const auto number = read_number<double>(words[0]); number && words.size() > 1) {
            factor = *number;
            word = 1;
        }
        std::string name(words[word]);
        while (!name.empty() && (name.back() < 'a' || name.back() > 'z')) name.pop_back();
        const auto unit = length_unit(name);
        if (!unit || !(factor > 0) || !std::isfinite(factor)) continue;
        out.unit = factor == 1 ? unit->name : number_text(factor) + " " + unit->name;
        out.unit_metres = factor * unit->metres;
    }
}

class ObjParser {
public:
    ObjFile read(std::string_view text);

private:
    void statement(const Words& words, int line);
    void vertex(const Words& words, int line);
    void face(const Words& words, int line);
    void group(const Words& words, bool object);
    std::optional<int> corner(std::string_view word, int line);
    void error(int line, std::string what) { out_.errors.push_back({line, std::move(what), {}, {}}); }
    void check_indices();

    ObjFile out_;
    std::string object_;
    std::vector<std::string> groups_;
    std::map<std::string, std::size_t, std::less<>> group_index_;
    std::map<std::string, int, std::less<>> unknown_;
    int face_number_ = 0;
};

ObjFile ObjParser::read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        error(1, "is UTF-16 text; save it as UTF-8 or ASCII");
        return std::move(out_);
    }
    if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
        error(1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(zero), '\n')),
              "holds zero bytes; this is not an OBJ text file");
        return std::move(out_);
    }
    int line = 0, first_line = 0;
    std::string joined;  // a statement continued over several lines
    bool continued = false;
    while (!text.empty()) {
        const auto end = text.find_first_of("\r\n");
        std::string_view row = text.substr(0, end);
        std::size_t skip = end == std::string_view::npos ? text.size() : end + 1;
        if (end != std::string_view::npos && text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n') ++skip;
        text.remove_prefix(skip);
        ++line;
        if (!continued) first_line = line;
        if (const auto hash = row.find('#'); hash != std::string_view::npos) {
            if (out_.vertices.empty()) find_unit(row.substr(hash + 1), out_);
            row = row.substr(0, hash);
        }
        std::string_view tail = row;
        while (!tail.empty() && is_blank(tail.back())) tail.remove_suffix(1);
        const bool goes_on = !tail.empty() && tail.back() == '\\' && !text.empty();
        if (!tail.empty() && tail.back() == '\\') tail.remove_suffix(1);
        if (continued || goes_on) {
            joined.append(tail).push_back(' ');
            continued = goes_on;
            if (goes_on) continue;
            statement(split(joined), first_line);
            joined.clear();
        } else {
            statement(split(tail), line);
        }
    }
    check_indices();
    for (const auto& [word, first] : unknown_)
        out_.warnings.push_back({first, "statement " + quoted(word) + " is not known and was passed over", {}, {}});
    return std::move(out_);
}

void ObjParser::statement(const Words& words, int line) {
    if (words.empty()) return;
    const std::string_view key = words[0];
    if (key == "v") return vertex(words, line);
    if (key == "f" || key == "fo") return face(words, line);
    if (key == "g") return group(words, false);
    if (key == "o") return group(words, true);
    static constexpr std::array<std::string_view, 16> ignored{"vt",       "vn",     "vp",     "s",         "usemtl", "mtllib",
                                                              "l",        "p",      "mg",     "lod",       "bevel",  "c_interp",
                                                              "d_interp", "usemap", "maplib", "shadow_obj"};
    if (std::find(ignored.begin(), ignored.end(), key) != ignored.end()) return;
    if (unknown_.size() < 20) unknown_.try_emplace(std::string(key.substr(0, 40)), line);
}

void ObjParser::vertex(const Words& words, int line) {
    const std::size_t count = words.size() - 1;
    Vec3 p;
    bool good = true;
    if (count != 3 && count != 4 && count != 6 && count != 7) {
        error(line, "vertex has " + std::to_string(count) + " numbers; allowed: x y z, x y z w or x y z r g b");
        good = false;
    }
    for (std::size_t i = 0; i < count && good; ++i) {
        const std::string_view word = words[i + 1];
        const auto value = read_number<double>(word);
        if (!value) {
            error(line, "vertex has " + quoted(word) + " where a number is expected" +
                            (word.find(',') != std::string_view::npos ? "; the decimal mark is a point" : ""));
            good = false;
        } else if (!std::isfinite(*value) || std::abs(*value) > 1e30) {
            error(line, "vertex has " + quoted(word) + "; coordinates must be finite");
            good = false;
        } else if (i < 3) {
            p[int(i)] = *value;
        }
    }
    // A bad vertex keeps its number, so that later messages are right.
    out_.vertices.push_back(p);
    out_.vertex_line.push_back(line);
}

// Index from 0 of a corner; forward references are allowed and checked at the end. Negative ones count back from here.
std::optional<int> ObjParser::corner(std::string_view word, int line) {
    const auto slash = word.find('/');
    const auto index = read_number<std::int64_t>(word.substr(0, slash));
    bool good = index.has_value();
    int parts = 0;
    for (auto at = slash; good && at != std::string_view::npos; ++parts) {
        const auto next = word.find('/', at + 1);
        const std::string_view part = word.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
        good = parts < 2 && (part.empty() || read_number<std::int64_t>(part).has_value());
        at = next;
    }
    if (!good) {
        error(line, "face has the corner " + quoted(word) + "; allowed: 1, 1/2, 1//3, 1/2/3");
        return std::nullopt;
    }
    const auto count = std::int64_t(out_.vertices.size());
    if (*index == 0 || *index < -count || *index > std::numeric_limits<std::int32_t>::max()) {
        error(line,
              "face has the corner " + quoted(word) + ", but " +
                  (*index == 0 ? "vertices count from 1" : "only " + std::to_string(count) + " vertices stand before it"));
        return std::nullopt;
    }
    return int(*index > 0 ? *index - 1 : count + *index);
}

void ObjParser::face(const Words& words, int line) {
    ++face_number_;
    ObjFace face;
    face.line = line;
    face.number = face_number_;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto vertex = corner(words[i], line);
        if (!vertex) return;
        face.corners.push_back(*vertex);
    }
    if (face.corners.size() < 3)
        return error(line, "face " + std::to_string(face_number_) + " has " + std::to_string(face.corners.size()) +
                               " corners; a face needs three or more");
    std::vector<int> sorted = face.corners;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        return error(line, "face " + std::to_string(face_number_) + " uses vertex " + std::to_string(*twice + 1) +
                               " twice; it has no area there");
    const auto into = [&](const std::string& name) {
        if (name.empty()) return;
        const auto [entry, added] = group_index_.try_emplace(name, out_.groups.size());
        if (added) out_.groups.push_back({name, {}});
        std::vector<int>& faces = out_.groups[entry->second].faces;
        if (faces.empty() || faces.back() != int(out_.faces.size())) faces.push_back(int(out_.faces.size()));
    };
    into(object_);
    for (const std::string& name : groups_) into(name);
    out_.faces.push_back(std::move(face));
}

void ObjParser::group(const Words& words, bool object) {
    if (object) {
        object_.clear();
        for (std::size_t i = 1; i < words.size(); ++i) object_.append(i > 1 ? " " : "").append(words[i]);
        return;
    }
    groups_.assign(words.begin() + 1, words.end());
}

void ObjParser::check_indices() {
    const int count = int(out_.vertices.size());
    for (ObjFace& face : out_.faces) {
        const auto bad = std::find_if(face.corners.begin(), face.corners.end(), [&](int v) { return v >= count; });
        if (bad == face.corners.end()) continue;
        error(face.line, "face " + std::to_string(face.number) + " uses vertex " + std::to_string(*bad + 1) +
                             ", but the file has " + std::to_string(count));
        face.corners.clear();
    }
    std::stable_sort(out_.errors.begin(), out_.errors.end(),
                     [](const ImportNote& a, const ImportNote& b) { return a.line < b.line; });
}

}  // namespace

ObjFile read_obj(std::string_view text) { return ObjParser().read(text); }

std::vector<Int3> cut_polygon(const std::vector<int>& corners, const std::vector<Vec3>& vertices) {
    const auto at = [&](int v) { return vertices[std::size_t(v)]; };
    std::vector<Int3> triangles;
    if (corners.size() == 3) return {{corners[0], corners[1], corners[2]}};
    Vec3 normal;  // of the whole polygon (Newell), seen from corner 0
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
        normal += cross(at(corners[i]) - at(corners[0]), at(corners[i + 1]) - at(corners[0]));
    const double size = norm(normal);
    if (!(size > 0)) return {};
    normal *= 1.0 / size;
    const auto area = [&](int a, int b, int c) { return dot(cross(at(b) - at(a), at(c) - at(a)), normal); };
    const double smallest = 1e-12 * size;

    std::vector<int> rest = corners;
    while (rest.size() > 3) {
        // The ear with the best shape: convex, and no other corner in it.
        std::size_t best = rest.size();
        double best_quality = 0;
        const std::size_t n = rest.size();
        for (std::size_t i = 0; i < n; ++i) {
            const int a = rest[(i + n - 1) % n], b = rest[i], c = rest[(i + 1) % n];
            const double ear = area(a, b, c);
            if (!(ear > smallest)) continue;
            bool free = true;
            for (const int v : rest)
                if (v != a && v != b && v != c)
                    free = free && !(area(a, b, v) >= -smallest && area(b, c, v) >= -smallest && area(c, a, v) >= -smallest);
            if (!free) continue;
            const double longest = std::max({norm(at(b) - at(a)), norm(at(c) - at(b)), norm(at(a) - at(c))});
            const double quality = ear / (longest * longest);
            if (quality > best_quality * (1 + 1e-9)) {
                best_quality = quality;
                best = i;
            }
        }
        if (best == rest.size()) return {};
        triangles.push_back({rest[(best + n - 1) % n], rest[best], rest[(best + 1) % n]});
        rest.erase(rest.begin() + std::ptrdiff_t(best));
    }
    if (!(area(rest[0], rest[1], rest[2]) > smallest)) return {};
    triangles.push_back({rest[0], rest[1], rest[2]});
    return triangles;
}

}  // namespace plica
