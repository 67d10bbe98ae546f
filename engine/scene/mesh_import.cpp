#include "engine/scene/mesh_import.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <system_error>

#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/scene/mesh_checks.h"
#include "engine/scene/obj_reader.h"
#include "engine/scene/scene_file.h"
#include "engine/scene/setting_table.h"

namespace plica {
namespace {

namespace fs = std::filesystem;

constexpr double smallest_plausible = 1e-3, largest_plausible = 10;  // m, largest side of a film
constexpr double usual_size = 0.3;                                   // m
constexpr int largest_polygon = 512;                                 // corners; cutting takes the cube of it
constexpr std::size_t listed_notes = 20;

double largest(const Vec3& size) { return std::max({size.x, size.y, size.z}); }

std::string size_text(const Vec3& size, double metres, const char* unit) {
    const Vec3 s = (1.0 / metres) * size;
    return digits_text(s.x, 4) + " x " + digits_text(s.y, 4) + " x " + digits_text(s.z, 4) + " " + unit;
}

std::string three_units(const Vec3& size) {
    return size_text(size, 1e-3, "mm") + " = " + size_text(size, 1e-2, "cm") + " = " + size_text(size, 1, "m");
}

// The unit of m, cm, mm in which the size comes nearest to that of ordinary films.
const char* likely_unit(const Vec3& raw) {
    const char* best = "m";
    double best_distance = std::numeric_limits<double>::infinity();
    for (const auto& [name, metres] : {std::pair<const char*, double>{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}}) {
        const double size = largest(raw) * metres;
        double distance = std::abs(std::log10(size / usual_size));
        if (size < smallest_plausible || size > largest_plausible) distance += 100;
        if (distance < best_distance) {
            best_distance = distance;
            best = name;
        }
    }
    return best;
}

Vec3 extent(const std::vector<Vec3>& points) {
    if (points.empty()) return {};
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    return high - low;
}

void take_faces(const ObjFile& obj, Mesh& mesh, ImportReport& report) {
    std::vector<std::vector<int>> triangles_of(obj.faces.size());
    for (std::size_t f = 0; f < obj.faces.size(); ++f) {
        const ObjFace& face = obj.faces[f];
        if (face.corners.empty()) continue;
        const std::string name =
            "face " + std::to_string(face.number) + " with " + std::to_string(face.corners.size()) + " corners ";
        if (face.corners.size() > std::size_t(largest_polygon)) {
            report.errors.push_back({face.line,
                                     name + "is too large to be cut into triangles; at most " + std::to_string(largest_polygon),
                                     {},
                                     {}});
            continue;
        }
        const std::vector<Int3> pieces = cut_polygon(face.corners, mesh.vertices);
        if (pieces.empty()) {
            report.errors.push_back(
                {face.line, name + "cannot be cut into triangles: it has no area or its sides cross", face.corners, {}});
            continue;
        }
        if (face.corners.size() > 3) ++report.polygon_count;
        for (const Int3& t : pieces) {
            triangles_of[f].push_back(int(mesh.triangles.size()));
            mesh.triangles.push_back(t);
            mesh.triangle_line.push_back(face.line);
        }
    }
    for (const ObjGroup& group : obj.groups) {
        VertexGroup out{group.name, {}};
        for (const int f : group.faces)
            out.vertices.insert(out.vertices.end(), obj.faces[std::size_t(f)].corners.begin(),
                                obj.faces[std::size_t(f)].corners.end());
        std::sort(out.vertices.begin(), out.vertices.end());
        out.vertices.erase(std::unique(out.vertices.begin(), out.vertices.end()), out.vertices.end());
        if (!out.vertices.empty()) mesh.groups.push_back(std::move(out));
    }
}

// Sets unit and scale: that of the options, that said by the file, or metres where the size allows it.
void choose_unit(const ObjFile& obj, const ImportOptions& options, ImportReport& report) {
    report.stated_unit = obj.unit;
    report.likely_unit = likely_unit(report.raw_size);
    const double raw = largest(report.raw_size);
    if (!options.unit.empty()) {
        const auto unit = length_unit(options.unit);
        if (!unit) throw InputError("unit is \"" + options.unit + "\"; allowed: m, cm, mm, um, in, ft");
        report.used_unit = unit->name;
        report.scale = unit->metres;
        if (!obj.unit.empty() && std::abs(obj.unit_metres / unit->metres - 1) > 1e-9)
            report.warnings.push_back(
                {0, "the file says its unit is " + obj.unit + ", but " + unit->name + " was asked for and is used", {}, {}});
    } else if (!obj.unit.empty()) {
        report.used_unit = obj.unit;
        report.scale = obj.unit_metres;
    } else if (raw > 0 && (raw < smallest_plausible || raw > largest_plausible)) {
        report.unit_needed = true;
        std::string what =
            "size " + size_text(report.raw_size, 1, "") + "as metres is " +
            (raw > largest_plausible ? "above 10 m" : "below 1 mm: " + size_text(report.raw_size, 1e-3, "mm") + ", really?");
        if (std::string(report.likely_unit) != "m") {
            const double metres = length_unit(report.likely_unit)->metres;
            what += "; likely " + std::string(report.likely_unit == "mm" ? "millimetres" : "centimetres") + " (" +
                    three_units(metres * report.raw_size) + "): add --unit " + report.likely_unit + ", or unit = \"" +
                    report.likely_unit + "\" in a scene";
        } else {
            what +=
                " A film of the usual size has 1 mm to 10 m. State the unit to take it so: --unit m, or unit = \"m\" in a "
                "scene";
        }
        report.errors.push_back({0, what, {}, {}});
    }
    const double size = raw * report.scale;
    if (!report.unit_needed && raw > 0 && (size < smallest_plausible || size > largest_plausible))
        report.warnings.push_back(
            {0, "the largest side is " + digits_text(size, 4) + " m; films of 1 mm to 10 m are usual", {}, {}});
    report.size = report.scale * report.raw_size;
}

std::string joined(const std::string& path, const std::vector<ImportNote>& notes) {
    std::string text;
    for (std::size_t i = 0; i < notes.size() && i < listed_notes; ++i) {
        text.append("\n  ").append(path);
        if (notes[i].line > 0) text.append(":").append(std::to_string(notes[i].line));
        text.append(": ").append(notes[i].text);
    }
    if (notes.size() > listed_notes) text += "\n  and " + std::to_string(notes.size() - listed_notes) + " more";
    return text;
}

}  // namespace

std::optional<LengthUnit> length_unit(const std::string& name) {
    struct Entry {
        const char* name;
        double metres;
        std::initializer_list<const char*> words;
    };
    static const Entry entries[] = {
        {"m", 1, {"m", "meter", "meters", "metre", "metres"}},
        {"cm", 1e-2, {"cm", "centimeter", "centimeters", "centimetre", "centimetres"}},
        {"mm", 1e-3, {"mm", "millimeter", "millimeters", "millimetre", "millimetres"}},
        {"um", 1e-6, {"um", "µm", "micrometer", "micrometers", "micrometre", "micrometres", "micron", "microns"}},
        {"in", 0.0254, {"in", "inch", "inches"}},
        {"ft", 0.3048, {"ft", "foot", "feet"}},
    };
    for (const Entry& entry : entries)
        for (const char* word : entry.words)
            if (name == word) return LengthUnit{entry.name, entry.metres};
    return std::nullopt;
}

ImportResult inspect_mesh_text(std::string_view text, const std::string& name, const ImportOptions& options) {
    ImportResult result;
    Mesh& mesh = result.mesh;
    ImportReport& report = result.report;
    ObjFile obj = read_obj(text);
    mesh.path = report.path = name;
    mesh.vertices = std::move(obj.vertices);
    mesh.vertex_line = std::move(obj.vertex_line);
    report.errors = std::move(obj.errors);
    report.warnings = std::move(obj.warnings);
    report.raw_size = extent(mesh.vertices);
    take_faces(obj, mesh, report);
    report.vertex_count = int(mesh.vertices.size());
    report.triangle_count = int(mesh.triangles.size());
    if (report.errors.empty() && mesh.triangles.empty())
        report.errors.push_back(
            {0,
             mesh.vertices.empty() ? "has no vertices; this is not an OBJ mesh" : "has no faces; a film needs triangles",
             {},
             {}});
    choose_unit(obj, options, report);
    for (Vec3& p : mesh.vertices) p *= report.scale;
    const bool syntax_good = report.errors.empty() || (report.unit_needed && report.errors.size() == 1);
    if (syntax_good) check_mesh(mesh, report.unit_needed ? 0 : options.thickness, report);
    return result;
}

ImportResult inspect_mesh(const std::string& path, const ImportOptions& options) {
    std::error_code none;
    if (!fs::exists(path, none)) throw InputError(path, 0, "no such file");
    if (!fs::is_regular_file(path, none)) throw InputError(path, 0, "is not a file");
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError(path, 0, "cannot be opened for reading");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) throw InputError(path, 0, "cannot be read");
    return inspect_mesh_text(text, path, options);
}

ImportResult load_mesh(const std::string& path, const ImportOptions& options) {
    ImportResult result = inspect_mesh(path, options);
    const std::vector<ImportNote>& errors = result.report.errors;
    if (errors.size() == 1) throw InputError(path, errors[0].line, errors[0].text);
    if (!errors.empty())
        throw InputError(path, errors[0].line,
                         "cannot be used, " + std::to_string(errors.size()) + " errors:" + joined(path, errors));
    return result;
}

std::string ImportReport::text() const {
    std::string out =
        path + ": " + std::to_string(vertex_count) + " vertices, " + std::to_string(triangle_count) + " triangles";
    if (polygon_count > 0) out += " (" + std::to_string(polygon_count) + " polygons cut into triangles)";
    out += "\n  size " + three_units(size) + "; unit " + used_unit +
           (stated_unit.empty() ? "" : " (the file says " + stated_unit + ")");
    if (triangle_count > 0 && longest_edge > 0)
        out += "\n  edges " + digits_text(shortest_edge * 1e3, 4) + " to " + digits_text(longest_edge * 1e3, 4) + " mm, " +
               std::to_string(boundary_edges) + " on the border";
    if (!errors.empty()) out += "\n  errors:" + joined(path, errors);
    if (!warnings.empty()) out += "\n  warnings:" + joined(path, warnings);
    return out;
}

Scene scene_from_mesh(const std::string& path, const MeshSceneOptions& options) {
    if (!(options.thickness > 0 && options.thickness <= 0.1))
        throw InputError("thickness is " + number_text(options.thickness) +
                         "; allowed: above 0 m, at most 0.1 m, for example 3e-5 (30 µm)");
    const ImportResult import = load_mesh(path, {options.unit, options.thickness});
    for (const int pin : options.pins)
        if (pin < 0 || pin >= import.report.vertex_count)
            throw InputError("pin is " + std::to_string(pin) + "; vertices of " + path + " count from 0 to " +
                             std::to_string(import.report.vertex_count - 1));

    // Neighbours within the activation distance would push each other apart at rest.
    const double dhat = std::min(1e-3, 0.25 * import.report.shortest_edge);
    const auto quoted = [](const std::string& text) {
        std::string out = "\"";
        for (const char c : text) {
            if (c == '"' || c == '\\') out += '\\';
            if (c == '\n') {
                out += "\\n";
                continue;
            }
            out += c;
        }
        return out + "\"";
    };
    const std::string absolute = fs::absolute(path).lexically_normal().string();
    std::string text = "# A film made of a mesh.\nname = " + quoted(fs::path(path).stem().string()) +
                       "\nduration = " + number_text(options.duration) + "\n\n[solver]\ndhat = " + number_text(dhat) +
                       "\nmin_gap = " + number_text(options.thickness) +
                       "\n\n[[film]]\nname = \"film\"\nmesh = " + quoted(absolute) +
                       "\nthickness = " + number_text(options.thickness) + "\n";
    if (!options.unit.empty()) text += "unit = " + quoted(options.unit) + "\n";
    if (!options.pins.empty()) {
        text += "\n[[support]]\nname = \"pins\"\nvertices = [";
        std::vector<int> pins = options.pins;
        std::sort(pins.begin(), pins.end());
        pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
        for (std::size_t i = 0; i < pins.size(); ++i) text += (i ? ", " : "") + std::to_string(pins[i]);
        text += "]\nstiffness = 1000\n";
    }
    Scene scene = parse_scene(text, path, {});
    scene.path = path;
    return scene;
}

}  // namespace plica
