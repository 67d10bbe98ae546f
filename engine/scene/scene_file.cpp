#include "engine/scene/scene_file.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/scene/build_model.h"
#include "engine/scene/fold_layout.h"
#include "engine/scene/generators.h"
#include "engine/scene/mesh_import.h"
#include "engine/scene/mesh_topology.h"
#include "engine/scene/selection.h"
#include "engine/scene/setting_table.h"
#include "engine/scene/tie_pattern.h"
#include "engine/scene/toml_reader.h"

namespace plica {
namespace {

namespace fs = std::filesystem;

constexpr int largest_mesh = 5'000'000;  // vertices of a generator: above, a typing error is likelier than a wish

const Range any_length{-1e3, 1e3, false, false, "m", ""};
const Range positive_length{0, 1e3, true, false, "m", ""};
const Range any_time{0, 1e6, false, false, "s", ""};
const Range tie_length{0, 1e3, false, false, "m", "0.005"};
const Range support_stiffness{0, 1e9, false, false, "N/m", "50"};

// Reads the tables of one file in order of dependency: films and groups before what selects their vertices.
class SceneParser {
public:
    SceneParser(const toml::table& root, std::string file, std::string base)
        : file_(std::move(file)), base_(std::move(base)), root_(file_, "", root, 1) {}

    Scene parse();

private:
    // Calls f for each table of an array of tables; its place is "film \"bag\"" once named.
    void each(const char* key, const std::function<void(TomlTable&, int index)>& f);
    std::string read_name(TomlTable& table, const char* kind, int index);
    std::string resolve(const std::string& path) const;
    void read_solver();
    void read_contact();
    void read_film(TomlTable& table, int index);
    ShapeMesh film_shape(TomlTable& table, Film& film);
    ShapeMesh read_bag_shape(TomlTable& table);
    ShapeMesh read_sheet_shape(TomlTable& table);
    ShapeMesh read_mesh(TomlTable& table, Film& film);
    void read_material(TomlTable& table, Material& material);
    void check_film(TomlTable& table, const Film& film);
    void read_group(TomlTable& table);
    void read_sphere(TomlTable& table, int index);
    void read_obstacle(TomlTable& table, int index);
    void read_support(TomlTable& table, int index);
    void read_tie(TomlTable& table, int index);
    void read_tie_pairs(TomlTable& table, const Film& film, TieSet& tie);
    void read_tie_pattern(TomlTable& table, const Film& film, const std::string& pattern, TieSet& tie);
    void read_press();
    void read_gate(TomlTable& table, int index);
    void read_check(TomlTable& table);
    void read_phase(TomlTable& table, int index);
    void read_change(TomlTable& table);
    const Film& film_of(TomlTable& table, std::string& name);
    std::vector<int> select(TomlTable& table, const char* key, const Film& film, std::string* as_text = nullptr);
    std::vector<int> select_nodes(TomlTable& table, const char* key, const toml::node& node, const Film& film,
                                  std::string* as_text);
    // Each entry of a list on its own.
    std::vector<std::vector<int>> select_each(TomlTable& table, const char* key, const Film& film);
    void read_interval(TomlTable& table, double& from, double& until);

    std::string file_, base_;
    TomlTable root_;
    Scene scene_;
    std::set<std::string> body_names_;
};

void SceneParser::each(const char* key, const std::function<void(TomlTable&, int)>& f) {
    const toml::node* node = root_.node(key);
    if (!node) return;
    const toml::array* list = node->as_array();
    if (!list || !std::all_of(list->begin(), list->end(), [](const toml::node& n) { return n.is_table(); }))
        root_.fail(key, "is " + found_text(*node) + "; allowed: tables that begin with [[" + key + "]]");
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::table& entry = *(*list)[i].as_table();
        TomlTable table(file_, key, entry, line_of(entry, root_.line_of(key)));
        f(table, int(i));
        table.finish();
    }
}

std::string SceneParser::read_name(TomlTable& table, const char* kind, int index) {
    std::string name = table.text("name", "");
    if (table.has("name") && name.empty()) table.fail("name", "is empty; give a name in quotes, or leave the key out");
    if (name.empty()) name = std::string(kind) + " " + std::to_string(index + 1);
    if (!body_names_.insert(name).second)
        table.fail("name", "\"" + name + "\" is taken; films, spheres and obstacles need names of their own");
    return name;
}

std::string SceneParser::resolve(const std::string& path) const {
    const fs::path p(path);
    return p.is_absolute() || base_.empty() ? path : (fs::path(base_) / p).lexically_normal().string();
}

Scene SceneParser::parse() {
    scene_.name = root_.text("name", scene_.name);
    root_.text("description", "");
    scene_.duration = root_.number("duration", scene_.duration, {0, 1e5, true, false, "s", "2.0"});
    read_solver();
    each("film", [&](TomlTable& t, int i) { read_film(t, i); });
    each("group", [&](TomlTable& t, int) { read_group(t); });
    each("sphere", [&](TomlTable& t, int i) { read_sphere(t, i); });
    each("obstacle", [&](TomlTable& t, int i) { read_obstacle(t, i); });
    read_contact();
    each("support", [&](TomlTable& t, int i) { read_support(t, i); });
    read_press();
    each("tie", [&](TomlTable& t, int i) { read_tie(t, i); });
    each("gate", [&](TomlTable& t, int i) { read_gate(t, i); });
    each("check", [&](TomlTable& t, int) { read_check(t); });
    each("phase", [&](TomlTable& t, int i) { read_phase(t, i); });
    each("change", [&](TomlTable& t, int) { read_change(t); });
    root_.finish();
    if (scene_.films.empty() && scene_.spheres.empty())
        throw InputError(file_, 0, "has nothing that moves; give a [[film]] or a [[sphere]]");
    return std::move(scene_);
}

void SceneParser::read_solver() {
    const toml::node* node = root_.node("solver");
    if (!node) return;
    const toml::table* entry = node->as_table();
    if (!entry) root_.fail("solver", "is " + found_text(*node) + "; allowed: a table [solver]");
    TomlTable table(file_, "solver", *entry, line_of(*entry, 1));
    for (const SettingSpec& spec : setting_specs()) {
        const toml::node* value = table.node(spec.key);
        if (!value) continue;
        const Range range{spec.lowest, spec.highest, spec.above_lowest, false, spec.unit, spec.example};
        const double number = table.number_of(*value, table.full(spec.key), range);
        if (const std::string why = set_setting(scene_.solver, spec.key, number); !why.empty())
            table.fail_at(line_of(*value, table.line()), "solver." + why);
    }
    scene_.solver.gravity = table.vec3("gravity", scene_.solver.gravity, "m/s²");
    table.finish();
}

void SceneParser::read_contact() {
    scene_.switches.body_off.clear();
    const toml::node* node = root_.node("contact");
    if (!node) return;
    const toml::table* entry = node->as_table();
    if (!entry) root_.fail("contact", "is " + found_text(*node) + "; allowed: a table [contact]");
    TomlTable table(file_, "contact", *entry, line_of(*entry, 1));
    const std::string mode = table.choice("mode", contact_mode_names[0], {"ipc", "guarded", "basic"});
    scene_.switches.mode =
        ContactMode(std::find(contact_mode_names.begin(), contact_mode_names.end(), mode) - contact_mode_names.begin());
    scene_.switches.barrier = table.boolean("barrier", true);
    scene_.switches.self_contact = table.boolean("self_contact", true);
    scene_.switches.friction = table.boolean("friction", true);
    scene_.switches.motion_cap = table.boolean("motion_cap", true);
    if (const toml::array* off = table.array("off")) {
        std::vector<std::string> names;
        for (const Film& film : scene_.films) names.push_back(film.name);
        for (const Sphere& sphere : scene_.spheres) names.push_back(sphere.name);
        for (const Obstacle& obstacle : scene_.obstacles) names.push_back(obstacle.name);
        for (const toml::node& value : *off) {
            const auto* word = value.as_string();
            const auto found = word ? std::find(names.begin(), names.end(), word->get()) : names.end();
            if (found == names.end())
                table.fail_at(line_of(value, table.line()), "contact.off holds " + found_text(value) +
                                                                "; allowed: names of films, spheres and obstacles" +
                                                                (word ? suggestion(word->get(), names) : ""));
            scene_.switches.body_off.resize(names.size());
            scene_.switches.body_off[std::size_t(found - names.begin())] = true;
        }
    }
    table.finish();
}

void SceneParser::read_film(TomlTable& table, int index) {
    Film film;
    film.name = read_name(table, "film", index);
    ShapeMesh shape = film_shape(table, film);
    film.triangles = std::move(shape.triangles);
    film.groups = std::move(shape.groups);
    film.rest = std::move(shape.rest);
    film.start = std::move(shape.start);
    const Vec3 position = table.vec3("position", {}, "m");
    for (Vec3& p : film.start) p += position;
    if (table.has("velocity")) film.start_velocity.assign(film.start.size(), table.vec3("velocity", {}, "m/s"));
    read_material(table, film.material);
    film.rest_flat = table.choice("rest_angles", "shape", {"shape", "flat"}) == "flat";
    check_film(table, film);
    scene_.films.push_back(std::move(film));
}

ShapeMesh SceneParser::film_shape(TomlTable& table, Film& film) {
    const bool has_mesh = table.has("mesh"), has_generator = table.has("generator");
    if (has_mesh == has_generator) {
        table.node("mesh");
        table.node("generator");
        table.fail_at(table.line(), "film \"" + film.name +
                                        "\" needs either mesh = \"file.obj\" or generator = \"bag\" | \"sheet\"" +
                                        (has_mesh ? ", not both" : ""));
    }
    if (has_mesh) return read_mesh(table, film);
    const std::string generator = table.choice("generator", "", {"bag", "sheet"});
    film.source = generator;
    return generator == "bag" ? read_bag_shape(table) : read_sheet_shape(table);
}

// profile = [[r, z] or { r = , edge = }, ...]; the first is the centre.
ShapeMesh SceneParser::read_bag_shape(TomlTable& table) {
    BagShape shape = default_bag_shape();
    shape.columns = table.whole("columns", shape.columns, 3, 4096);
    shape.lift = table.number("lift", shape.lift, any_length);
    shape.alternate = table.choice("diagonals", "same", {"same", "alternating"}) == "alternating";
    if (const toml::array* profile = table.array("profile")) {
        shape.profile.clear();
        for (std::size_t i = 0; i < profile->size(); ++i) {
            const toml::node& node = (*profile)[i];
            const std::string name = table.full("profile") + "[" + std::to_string(i) + "]";
            const int line = line_of(node, table.line_of("profile"));
            ProfilePoint point;
            const double r_before = shape.profile.empty() ? 0 : shape.profile.back().r;
            const double z_before = shape.profile.empty() ? 0 : shape.profile.back().z;
            if (const toml::table* entry = node.as_table()) {
                TomlTable inner(file_, name, *entry, line);
                point.r = inner.required_number("r", positive_length);
                point.edge = inner.required_number("edge", {-1e3, 1e3, false, false, "m", "0.0075, or negative to lead down"});
                inner.finish();
                if (!(std::abs(point.edge) > std::abs(point.r - r_before)))
                    table.fail_at(line, name + ".edge is " + number_text(point.edge) +
                                            "; its length must be above the step in radius, " +
                                            number_text(std::abs(point.r - r_before)) + " m");
                const double dr = point.r - r_before;
                point.z = z_before + std::copysign(std::sqrt(point.edge * point.edge - dr * dr), point.edge);
            } else {
                const toml::array* pair = node.as_array();
                if (!pair || pair->size() != 2)
                    table.fail_at(line,
                                  name + " is " + found_text(node) + "; allowed: [r, z] or { r = r, edge = length } in m");
                point.r = table.number_of((*pair)[0], name + " r", {0, 1e3, shape.profile.size() > 0, false, "m", ""});
                point.z = table.number_of((*pair)[1], name + " z", any_length);
            }
            if (i == 0 && point.r != 0)
                table.fail_at(line, name + " r is " + number_text(point.r) + "; the first point is the centre, r = 0");
            if (i > 0 && point.r == r_before && point.z == z_before)
                table.fail_at(line, name + " is the same point as the one before; rings need a distance");
            shape.profile.push_back(point);
        }
        if (shape.profile.size() < 2) table.fail("profile", "has fewer than two points; give the centre and at least one ring");
        if (double(shape.profile.size()) * shape.columns > largest_mesh) table.fail("profile", "gives too many vertices");
    }
    const int rings = int(shape.profile.size()) - 1;
    shape.neck_ring = table.whole("neck_ring", std::min(shape.neck_ring, rings), 1, rings);
    return make_bag(shape);
}

ShapeMesh SceneParser::read_sheet_shape(TomlTable& table) {
    SheetShape shape;
    shape.nx = table.whole("nx", shape.nx, 1, 2000);
    shape.ny = table.whole("ny", shape.ny, 1, 2000);
    if (table.has("size")) {
        if (table.has("spacing")) table.fail("spacing", "and size are both given; give one of them");
        const std::vector<double> size = table.numbers("size", positive_length);
        if (size.size() != 2)
            table.fail("size", "has " + std::to_string(size.size()) + " numbers; allowed: [width, depth] in m");
        shape.dx = size[0] / shape.nx;
        shape.dy = size[1] / shape.ny;
    } else {
        shape.dx = shape.dy = table.number("spacing", shape.dx, positive_length);
    }
    table.node("spacing");
    table.node("size");
    shape.origin = table.vec3("origin", shape.origin, "m");
    for (const auto& [key, direction] : {std::pair<const char*, Vec3*>{"u", &shape.u}, {"v", &shape.v}}) {
        *direction = table.vec3(key, *direction, "");
        const double length = norm(*direction);
        if (!(length > 1e-9)) table.fail(key, "has no direction; give a vector that is not zero");
        *direction *= 1.0 / length;
    }
    if (!(norm(cross(shape.u, shape.v)) > 1e-3)) table.fail("v", "is parallel to u; the sheet would have no area");
    const std::string diagonals = table.choice("diagonals", "alternating", {"same", "opposite", "alternating"});
    shape.alternate = diagonals == "alternating";
    shape.opposite = diagonals == "opposite";
    return make_sheet(shape);
}

ShapeMesh SceneParser::read_mesh(TomlTable& table, Film& film) {
    film.source = table.required_text("mesh");
    ImportOptions options;
    options.unit = table.text("unit", "");
    if (!options.unit.empty() && !length_unit(options.unit))
        table.fail("unit", "is \"" + options.unit + "\"; allowed: m, cm, mm, um, in, ft");
    const auto load = [&](const std::string& path, const char* key) {
        const std::string file = resolve(path);
        std::error_code none;
        if (!fs::is_regular_file(file, none))
            table.fail(key, "names \"" + path + "\", but there is no such file (looked for " + file + ")");
        return load_mesh(file, options);
    };
    ImportResult rest = load(film.source, "mesh");
    scene_.length_unit = rest.report.used_unit;
    ShapeMesh shape;
    shape.rest = rest.mesh.vertices;
    shape.start = rest.mesh.vertices;
    shape.triangles = std::move(rest.mesh.triangles);
    shape.groups = std::move(rest.mesh.groups);
    if (table.has("start_mesh")) {
        const std::string path = table.required_text("start_mesh");
        const ImportResult start = load(path, "start_mesh");
        if (start.mesh.vertices.size() != shape.rest.size() || start.mesh.triangles != shape.triangles)
            table.fail("start_mesh", "names \"" + path + "\", whose triangles are not those of \"" + film.source + "\"");
        shape.start = start.mesh.vertices;
    }
    return shape;
}

void SceneParser::read_material(TomlTable& table, Material& material) {
    material.model = table.choice("model", "neo-hookean", {"neo-hookean", "stvk"}) == "stvk" ? Material::Model::StVK
                                                                                             : Material::Model::NeoHookean;
    material.young = table.number("young", material.young, {0, 1e13, true, false, "Pa", "315e6 (polyethylene film)"});
    material.poisson = table.number("poisson", material.poisson, {0, 0.5, false, true, "", "0.45"});
    material.thickness = table.number("thickness", material.thickness, {0, 0.1, true, false, "m", "3e-5 (30 µm)"});
    material.density = table.number("density", material.density, {0, 1e5, true, false, "kg/m³", "925"});
    if (table.has("bending_stiffness"))
        material.bending_stiffness = table.number("bending_stiffness", 0, {0, 1e6, false, false, "N m", "8.9e-7"});
}

void SceneParser::check_film(TomlTable& table, const Film& film) {
    for (std::size_t f = 0; f < film.triangles.size(); ++f) {
        const Int3& t = film.triangles[f];
        const auto corner = [&](const std::vector<Vec3>& x, int k) { return x[std::size_t(t[k])]; };
        for (const std::vector<Vec3>* x : {&film.rest, &film.start})
            if (!(triangle_shape(corner(*x, 0), corner(*x, 1), corner(*x, 2)) > degenerate_shape))
                table.fail_at(table.line(), "film \"" + film.name + "\": triangle " + std::to_string(f) + " (vertices " +
                                                std::to_string(t.a) + ", " + std::to_string(t.b) + ", " + std::to_string(t.c) +
                                                ") has no area " + (x == &film.rest ? "at rest" : "at the start") +
                                                "; every triangle needs one");
    }
}

void SceneParser::read_group(TomlTable& table) {
    std::string film_name;
    const Film& film = film_of(table, film_name);
    VertexGroup group;
    group.name = table.required_text("name");
    if (find_group(film, group.name))
        table.fail("name", "\"" + group.name + "\" is already a group of film \"" + film.name + "\"");
    group.vertices = select(table, "vertices", film);
    scene_.films[std::size_t(film_index(scene_, film_name))].groups.push_back(std::move(group));
}

void SceneParser::read_sphere(TomlTable& table, int index) {
    Sphere sphere;
    sphere.name = read_name(table, "sphere", index);
    sphere.radius = table.required_number("radius", {0, 10, true, false, "m", "0.026"});
    sphere.density = table.number("density", sphere.density, {0, 1e5, true, false, "kg/m³", "250"});
    if (!table.has("position")) table.fail("position", "is missing; give [x, y, z] in m");
    sphere.position = table.vec3("position", {}, "m");
    sphere.velocity = table.vec3("velocity", {}, "m/s");
    sphere.drop_time = table.number("drop_time", 0, any_time);
    sphere.rolls = table.boolean("rolls", false);
    scene_.spheres.push_back(std::move(sphere));
}

void SceneParser::read_obstacle(TomlTable& table, int index) {
    Obstacle obstacle;
    obstacle.name = read_name(table, "obstacle", index);
    const bool has_mesh = table.has("mesh"), has_generator = table.has("generator");
    if (has_mesh == has_generator) {
        table.node("mesh");
        table.node("generator");
        table.fail_at(table.line(), "obstacle \"" + obstacle.name +
                                        "\" needs either mesh = \"file.obj\" or generator = \"floor\" | \"bin\" | \"ball\"" +
                                        (has_mesh ? ", not both" : ""));
    }
    ShapeMesh shape;
    if (has_mesh) {
        Film as_film;
        const std::string unit_before = scene_.length_unit;
        shape = read_mesh(table, as_film);
        scene_.length_unit = unit_before;
        obstacle.source = as_film.source;
    } else {
        obstacle.source = table.choice("generator", "", {"floor", "bin", "ball"});
        if (obstacle.source == "floor") {
            FloorShape floor;
            const auto range = [&](const char* key, double& low, double& high) {
                if (!table.has(key)) return;
                const std::vector<double> ends = table.numbers(key, any_length);
                if (ends.size() != 2 || !(ends[0] < ends[1])) table.fail(key, "must be two rising numbers [from, to] in m");
                low = ends[0];
                high = ends[1];
            };
            table.node("x");
            table.node("y");
            range("x", floor.x_min, floor.x_max);
            range("y", floor.y_min, floor.y_max);
            floor.z = table.number("z", floor.z, any_length);
            shape = make_floor(floor);
        } else if (obstacle.source == "bin") {
            BinShape bin;
            bin.sides = table.whole("sides", bin.sides, 3, 4096);
            bin.inner_radius = table.number("inner_radius", bin.inner_radius, positive_length);
            bin.outer_radius = table.number("outer_radius", bin.outer_radius, positive_length);
            bin.height = table.number("height", bin.height, positive_length);
            bin.floor_height = table.number("floor_height", bin.floor_height, positive_length);
            if (!(bin.outer_radius > bin.inner_radius)) table.fail("outer_radius", "must be above inner_radius");
            if (!(bin.height > bin.floor_height)) table.fail("height", "must be above floor_height");
            shape = make_bin(bin);
        } else {
            BallShape ball;
            ball.radius = table.number("radius", ball.radius, positive_length);
            ball.level = table.whole("level", ball.level, 0, 6);
            shape = make_ball(ball);
        }
    }
    const Vec3 position = table.vec3("position", {}, "m");
    for (Vec3& p : shape.start) p += position;
    obstacle.vertices = std::move(shape.start);
    obstacle.triangles = std::move(shape.triangles);
    scene_.obstacles.push_back(std::move(obstacle));
}

const Film& SceneParser::film_of(TomlTable& table, std::string& name) {
    std::vector<std::string> names;
    for (const Film& film : scene_.films) names.push_back(film.name);
    if (names.empty()) table.fail_at(table.line(), table.place() + " needs a film, but the scene has none");
    name = table.text("film", names.size() == 1 ? names[0] : "");
    const int index = film_index(scene_, name);
    if (index >= 0) return scene_.films[std::size_t(index)];
    if (!table.has("film")) table.fail("film", "is missing; the scene has several films");
    table.fail("film", "is \"" + name + "\", but there is no such film" + suggestion(name, names));
}

std::vector<int> SceneParser::select(TomlTable& table, const char* key, const Film& film, std::string* as_text) {
    const toml::node* node = table.node(key);
    if (!node)
        table.fail(key,
                   "is missing; give a group as \"neck\", \"ring 9\" or \"0..31\", or a list of them and of vertex numbers");
    return select_nodes(table, key, *node, film, as_text);
}

std::vector<std::vector<int>> SceneParser::select_each(TomlTable& table, const char* key, const Film& film) {
    const toml::array* list = table.array(key);
    if (!list || list->empty())
        table.fail(key,
                   std::string(list ? "is empty" : "is missing") + "; give a list of groups, as [\"ring 11\", \"ring 12\"]");
    std::vector<std::vector<int>> groups;
    for (const toml::node& entry : *list) groups.push_back(select_nodes(table, key, entry, film, nullptr));
    return groups;
}

std::vector<int> SceneParser::select_nodes(TomlTable& table, const char* key, const toml::node& node, const Film& film,
                                           std::string* as_text) {
    std::vector<int> vertices;
    std::string text;
    const auto add = [&](const toml::node& part) {
        const int line = line_of(part, table.line_of(key));
        std::string word;
        if (const auto* v = part.as_integer())
            word = std::to_string(v->get());
        else if (const auto* w = part.as_string())
            word = w->get();
        else
            table.fail_at(line,
                          table.full(key) + " holds " + found_text(part) + "; allowed: vertex numbers and names of groups");
        if (const std::string why = select_vertices(film, word, vertices); !why.empty())
            table.fail_at(line, table.full(key) + " " + why);
        text += (text.empty() ? "" : ", ") + word;
    };
    if (const toml::array* list = node.as_array())
        for (const toml::node& part : *list) add(part);
    else
        add(node);
    if (vertices.empty()) table.fail(key, "selects no vertex");
    std::vector<int> sorted = vertices;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        table.fail(key, "selects vertex " + std::to_string(*twice) + " twice");
    if (as_text) *as_text = text;
    return vertices;
}

void SceneParser::read_interval(TomlTable& table, double& from, double& until) {
    from = table.number("from", from, any_time);
    until = table.number("until", until, {0, 1e30, false, false, "s", ""});
    if (!(until > from)) table.fail("until", "is " + number_text(until) + "; it must be after from = " + number_text(from));
}

void SceneParser::read_support(TomlTable& table, int index) {
    SupportTrack support;
    support.name = table.text("name", "support " + std::to_string(index + 1));
    const Film& film = film_of(table, support.film);
    support.vertices = select(table, "vertices", film, &support.selection);
    read_interval(table, support.from, support.until);
    support.stiffness = table.scalar_track("stiffness", 50, support_stiffness);
    support.reference_start = table.choice("reference", "activation", {"activation", "start"}) == "start";
    support.limit = table.number("limit", 0, {0, 1e6, false, false, "N", "0.45"});
    const std::string kind = table.choice("kind", "offset", {"offset", "cylinder", "turn", "drawstring"});
    if (kind == "turn") {
        support.kind = SupportTrack::Kind::Turn;
        for (const char* key : {"axis", "direction", "angle"})
            if (!table.has(key))
                table.fail(key, "is missing; a turn needs axis = [x, y, z], direction = [x, y, z] and angle in rad");
        support.axis = table.vec3("axis", {}, "m");
        support.direction = table.vec3("direction", {}, "");
        const double length = norm(support.direction);
        if (!(length > 1e-9)) table.fail("direction", "has no direction; give a vector that is not zero");
        support.direction *= 1.0 / length;
        support.angle = table.scalar_track("angle", 0, {-100, 100, false, false, "rad", "3.1415927 (half a turn)"});
    }
    if (kind == "cylinder" || kind == "drawstring") {
        support.kind = kind == "cylinder" ? SupportTrack::Kind::Cylinder : SupportTrack::Kind::Drawstring;
        if (table.has("axis") == table.has("axis_group")) {
            table.node("axis");
            table.node("axis_group");
            table.fail_at(table.line(),
                          "support \"" + support.name + "\" needs either axis = [x, y, z] or axis_group = \"ring 3\"");
        }
        if (table.has("axis"))
            support.axis = table.vec3("axis", {}, "m");
        else
            support.axis_group = select(table, "axis_group", film);
        if (!table.has("radius")) table.fail("radius", "is missing; a " + kind + " support needs it");
        support.radius = table.scalar_track("radius", 0, {0, 1e3, false, false, "m", "0.074"});
    }
    if (kind == "cylinder") {
        if (!table.has("height")) table.fail("height", "is missing; a cylinder support needs radius and height");
        support.height = table.scalar_track("height", 0, any_length);
        support.blend = table.number("blend", 0, any_time);
        support.stagger = table.number("stagger", 0, any_time);
        support.radius_offset = table.numbers("radius_offset", any_length);
        if (table.has("pleat")) {
            if (table.has("radius_offset")) table.fail("pleat", "and radius_offset are both given; give one of them");
            const double pleat = table.number("pleat", 0, any_length);
            if (support.vertices.size() % 2 != 0)
                table.fail("pleat", "leads every second vertex out and the others in, so their number must be even; it is " +
                                        std::to_string(support.vertices.size()));
            for (std::size_t k = 0; k < support.vertices.size(); ++k)
                support.radius_offset.push_back(k % 2 == 0 ? pleat : -pleat);
        }
        if (!support.radius_offset.empty() && support.radius_offset.size() != support.vertices.size())
            table.fail("radius_offset", "has " + std::to_string(support.radius_offset.size()) + " numbers for " +
                                            std::to_string(support.vertices.size()) + " vertices; give one each");
    }
    if (kind == "offset") support.offset = table.vector_track("offset", "m");
    scene_.supports.push_back(std::move(support));
}

void SceneParser::read_tie_pairs(TomlTable& table, const Film& film, TieSet& tie) {
    const toml::array* pairs = table.array("pairs");
    if (!pairs || pairs->empty())
        table.fail("pairs", table.has("pairs") ? "is empty; give [[i, j], ...]"
                                               : "is missing; give [[i, j], ...] or pattern = \"ring\" | \"columns\"");
    for (std::size_t k = 0; k < pairs->size(); ++k) {
        const toml::node& node = (*pairs)[k];
        const toml::array* pair = node.as_array();
        const int count = int(film.start.size());
        const auto end = [&](std::size_t i) {
            return pair && pair->size() == 2 ? (*pair)[i].value<std::int64_t>().value_or(-1) : -1;
        };
        if (end(0) < 0 || end(1) < 0 || end(0) >= count || end(1) >= count || end(0) == end(1))
            table.fail_at(line_of(node, table.line_of("pairs")), table.full("pairs") + "[" + std::to_string(k) +
                                                                     "] must be two different vertices [i, j] from 0 to " +
                                                                     std::to_string(count - 1));
        tie.pairs.push_back({int(end(0)), int(end(1))});
    }
    const Range& length = tie_length;
    if (const toml::node* node = table.node("length"); !node)
        table.fail("length", "is missing; give one target length in m for all pairs or a list of one each");
    else if (node->is_array())
        tie.length = table.numbers("length", length);
    else
        tie.length.assign(tie.pairs.size(), table.number_of(*node, table.full("length"), length));
    if (tie.length.size() != tie.pairs.size())
        table.fail("length", "has " + std::to_string(tie.length.size()) + " numbers for " + std::to_string(tie.pairs.size()) +
                                 " pairs; give one each");
}

// pattern = "ring": across each of `groups`; pattern = "columns": from each of `groups` to the next, vertex by vertex.
void SceneParser::read_tie_pattern(TomlTable& table, const Film& film, const std::string& pattern, TieSet& tie) {
    const auto refuse = [&](const char* key, const char* instead) {
        if (table.has(key)) table.fail(key, "has no place beside pattern = \"" + pattern + "\"; " + instead);
    };
    refuse("pairs", "pairs follow from groups");
    const std::vector<std::vector<int>> groups = select_each(table, "groups", film);
    const auto size_text = [](std::size_t n) { return std::to_string(n) + " vertices"; };
    if (pattern == "columns") {
        refuse("steps", "it ties vertex by vertex");
        refuse("radius", "give length");
        refuse("pleat", "give length");
        const double length = table.required_number("length", tie_length);
        if (groups.size() < 2)
            table.fail("groups", "has one entry; columns need two groups or more, as [\"ring 11\", \"ring 12\"]");
        for (std::size_t g = 1; g < groups.size(); ++g) {
            if (groups[g].size() != groups[0].size())
                table.fail("groups", "has entries of " + size_text(groups[0].size()) + " and " + size_text(groups[g].size()) +
                                         "; columns need as many in each");
            for (std::size_t k = 0; k < groups[g].size(); ++k)
                if (groups[g][k] == groups[g - 1][k])
                    table.fail("groups",
                               "would tie vertex " + std::to_string(groups[g][k]) + " to itself; give different groups");
            tie_columns(tie, groups[g - 1], groups[g], length);
        }
        return;
    }
    refuse("length", "lengths follow from radius and pleat");
    const double radius = table.required_number("radius", tie_length);
    const double pleat = table.number("pleat", 0, {-radius, radius, false, false, "m", "0.006, at most the radius"});
    std::vector<int> steps;
    for (const double step : table.numbers("steps", {1, largest_mesh, false, false, "", "2"})) {
        const int whole = int(step);
        if (whole != step || std::find(steps.begin(), steps.end(), whole) != steps.end())
            table.fail("steps",
                       "holds " + number_text(step) + (whole != step ? "; give whole numbers" : " twice; give each once"));
        steps.push_back(whole);
    }
    if (steps.empty())
        table.fail("steps", table.has("steps") ? "is empty; give [1, 2, 4]"
                                               : "is missing; give [1, 2, 4]: which neighbour each vertex is tied to");
    for (const std::vector<int>& ring : groups) {
        for (const int step : steps)
            if (2 * std::size_t(step) > ring.size())
                table.fail("steps",
                           "holds " + std::to_string(step) + ", more than half of a ring of " + size_text(ring.size()));
        if (pleat != 0 && ring.size() % 2 != 0)
            table.fail("pleat", "needs a ring with an even number of vertices; this one has " + std::to_string(ring.size()));
        tie_ring(tie, ring, steps, radius, pleat);
    }
}

void SceneParser::read_tie(TomlTable& table, int index) {
    TieSet tie;
    tie.name = table.text("name", "tie " + std::to_string(index + 1));
    const Film& film = film_of(table, tie.film);
    read_interval(table, tie.from, tie.until);
    tie.stiffness = table.number("stiffness", tie.stiffness, {0, 1e9, false, false, "N/m", "250"});
    tie.shortening = table.scalar_track("shortening", 0, {0, 1, false, false, "", ""});
    const std::string pattern = table.has("pattern") ? table.choice("pattern", "", {"ring", "columns"}) : "";
    if (pattern.empty())
        read_tie_pairs(table, film, tie);
    else
        read_tie_pattern(table, film, pattern, tie);
    scene_.ties.push_back(std::move(tie));
}

void SceneParser::read_press() {
    const toml::node* node = root_.node("press");
    if (!node) return;
    const toml::table* entry = node->as_table();
    if (!entry) root_.fail("press", "is " + found_text(*node) + "; allowed: a table [press]");
    TomlTable table(file_, "press", *entry, line_of(*entry, 1));
    PressSpec press;
    const Film& film = film_of(table, press.film);
    const auto name_of = [&](const char* key, const char* kind, const auto& bodies) {
        std::vector<std::string> names;
        for (const auto& body : bodies) names.push_back(body.name);
        const std::string name = table.text(key, names.size() == 1 ? names[0] : "");
        if (name.empty() && !table.has(key)) table.fail(key, std::string("is missing; give the name of ") + kind);
        if (std::find(names.begin(), names.end(), name) == names.end())
            table.fail(key, "is \"" + name + "\"; it must name " + kind + suggestion(name, names));
        return name;
    };
    press.tool = name_of("tool", "a sphere", scene_.spheres);
    press.table = name_of("table", "an obstacle", scene_.obstacles);
    press.fold = select(table, "fold", film);
    if (const std::string why = fold_fault(film, press.fold); !why.empty()) table.fail("fold", why);
    press.from = table.number("from", press.from, any_time);
    press.load = table.number("load", press.load, {0, 1e3, true, false, "N", "1"});
    press.stiffness = table.number("stiffness", press.stiffness, {0, 1e7, true, false, "N/m", "2000"});
    press.gain = table.number("gain", press.gain, {0, 10, true, false, "m/s per N", "0.02"});
    const Range speed{0, 10, true, false, "m/s", "0.04"};
    press.approach_speed = table.number("approach_speed", press.approach_speed, speed);
    press.descent_speed = table.number("descent_speed", press.descent_speed, speed);
    press.roll_speed = table.number("roll_speed", press.roll_speed, speed);
    press.depth = table.number("depth", press.depth, {0, 3.1415926535897932, false, false, "rad", "1.57 (90°)"});
    press.inset = table.number("inset", press.inset, {0, 1, false, false, "m", "4e-3"});
    press.roll_inset = table.number("roll_inset", press.inset, {0, 1, false, false, "m", "5e-3"});
    press.first = table.number("first", press.first, {0, 1, false, false, "", "0.5 (the middle of the fold)"});
    if (table.has("grips")) press.grips = select(table, "grips", film);
    press.grip_stiffness = table.number("grip_stiffness", press.grip_stiffness, {0, 1e7, true, false, "N/m", "800"});
    press.grip_limit = table.number("grip_limit", press.grip_limit, {0, 1e6, true, false, "N", "0.45"});
    press.grip_ramp = table.number("grip_ramp", press.grip_ramp, {0, 1e3, true, false, "s", "0.2"});
    for (const auto& [key, list] : {std::pair{"handed_over", &press.handed_over}, std::pair{"released", &press.released}}) {
        const toml::array* names = table.array(key);
        if (!names) continue;
        std::vector<std::string> known;
        for (const SupportTrack& support : scene_.supports) known.push_back(support.name);
        for (const toml::node& name : *names) {
            const auto* word = name.as_string();
            if (!word || std::find(known.begin(), known.end(), word->get()) == known.end())
                table.fail_at(line_of(name, table.line()), table.full(key) + " holds " + found_text(name) +
                                                               "; allowed: names of supports" +
                                                               (word ? suggestion(word->get(), known) : ""));
            list->push_back(word->get());
        }
    }
    table.finish();
    scene_.press = std::move(press);
}

void SceneParser::read_gate(TomlTable& table, int index) {
    Gate gate;
    gate.name = table.text("name", "gate " + std::to_string(index + 1));
    gate.time = table.required_number("time", any_time);
    gate.check = table.choice("check", "", {"columns_up"});
    const Film& film = film_of(table, gate.film);
    if (!find_group(film, "neck") || !find_group(film, "end"))
        table.fail("check", "is \"" + gate.check + "\", which needs a film with the groups \"neck\" and \"end\"; \"" +
                                film.name + "\" has none");
    scene_.gates.push_back(std::move(gate));
}

// gauge = "neck_width_x" | measure = "momentum", with at_least, at_most or neither; at the end, from = t or over the last = s.
void SceneParser::read_check(TomlTable& table) {
    SceneCheck check;
    check.line = table.line();
    check.name = table.text("name", "");
    if (table.has("gauge") == table.has("measure")) {
        table.node("gauge");
        table.node("measure");
        table.fail_at(table.line(), std::string("check needs ") + (table.has("gauge")
                                                                       ? "gauge or measure, not both"
                                                                       : "gauge = \"neck_width_x\" or measure = \"momentum\""));
    }
    if (table.has("gauge")) {
        check.line = table.line_of("gauge");
        check.measure = table.required_text("gauge");
    } else {
        check.measure = table.choice(
            "measure", "",
            {"sphere_height_range", "sphere_speed", "sphere_displacement", "support_force", "momentum", "internal_force"});
    }
    if (table.has("from") && table.has("last")) table.fail("last", "and from are both given; give one of them");
    check.total = table.boolean("total", false);
    check.last = table.number("last", 0, any_time);
    if (table.has("from")) {
        check.from = table.required_number("from", any_time);
        check.last = -1;
    }
    check.at_least = table.number("at_least", check.at_least, {});
    check.at_most = table.number("at_most", check.at_most, {});
    if (check.at_most < check.at_least)
        table.fail("at_most", "is " + number_text(check.at_most) + ", below at_least = " + number_text(check.at_least));
    scene_.checks.push_back(std::move(check));
}

void SceneParser::read_phase(TomlTable& table, int index) {
    Phase phase;
    phase.name = table.text("name", "phase " + std::to_string(index + 1));
    phase.from = table.required_number("from", any_time);
    phase.until = table.required_number("until", any_time);
    if (!(phase.until > phase.from))
        table.fail("until", "is " + number_text(phase.until) + "; it must be after from = " + number_text(phase.from));
    scene_.phases.push_back(std::move(phase));
}

void SceneParser::read_change(TomlTable& table) {
    SettingChange change;
    change.time = table.required_number("time", any_time);
    change.key = table.required_text("key");
    change.value = table.required_number("value", {});
    SolverSettings trial;
    if (const std::string why = set_setting(trial, change.key, change.value); !why.empty())
        table.fail_at(table.line_of(find_setting(change.key) ? "value" : "key"), "change: " + why);
    if (change.key == "dt") table.fail("key", "is \"dt\"; the time step of a scene cannot change by itself");
    scene_.changes.push_back(change);
}

}  // namespace

Scene parse_scene(const std::string& text, const std::string& name_for_messages, const std::string& base_folder) {
    toml::table root;
    try {
        root = toml::parse(text, std::string_view(name_for_messages));
    } catch (const toml::parse_error& e) {
        throw InputError(name_for_messages, int(e.source().begin.line), "is not valid TOML: " + std::string(e.description()));
    }
    Scene scene = SceneParser(root, name_for_messages, base_folder).parse();
    scene.text = text;
    return scene;
}

}  // namespace plica
