#include "engine/scene/mesh_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "engine/core/number_text.h"
#include "engine/scene/mesh_topology.h"

namespace plica {
namespace {

constexpr int named_elements = 5;      // so many are told by number and line, the rest by count
constexpr double sliver_shape = 0.02;  // height below 2 % of the longest side

// Points or boxes in cells of one size, by hashed cell; a hash clash only costs time.
class Grid {
public:
    explicit Grid(double cell) : inverse_(1.0 / cell) {}

    template <typename F>
    void each_cell(const Vec3& low, const Vec3& high, F&& f) const {
        const auto a = cell(low), b = cell(high);
        for (std::int64_t x = a[0]; x <= b[0]; ++x)
            for (std::int64_t y = a[1]; y <= b[1]; ++y)
                for (std::int64_t z = a[2]; z <= b[2]; ++z) f(key(x, y, z));
    }
    void add(const Vec3& low, const Vec3& high, int item) {
        each_cell(low, high, [&](std::uint64_t k) { cells_[k].push_back(item); });
    }
    template <typename F>
    void near(const Vec3& low, const Vec3& high, F&& f) const {
        each_cell(low, high, [&](std::uint64_t k) {
            if (const auto found = cells_.find(k); found != cells_.end())
                for (const int item : found->second) f(item);
        });
    }

private:
    std::array<std::int64_t, 3> cell(const Vec3& p) const {
        return {std::int64_t(std::floor(p.x * inverse_)), std::int64_t(std::floor(p.y * inverse_)),
                std::int64_t(std::floor(p.z * inverse_))};
    }
    static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
        return std::uint64_t(x) * 73856093u ^ std::uint64_t(y) * 19349663u * 0x9E3779B97F4A7C15u ^ std::uint64_t(z) * 83492791u;
    }
    double inverse_;
    std::unordered_map<std::uint64_t, std::vector<int>> cells_;
};

Vec3 grown(const Vec3& p, double by) { return p + Vec3{by, by, by}; }
Vec3 low_of(const Vec3& a, const Vec3& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3 high_of(const Vec3& a, const Vec3& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }
Vec3 rounded(const Vec3& p) { return to_double(to_float(p)); }

// Collects elements of one kind and tells the first few of them.
struct Finding {
    int count = 0;
    int first_line = 0;
    std::string examples;
    std::vector<int> vertices, triangles;
    void add(int line, const std::string& example) {
        if (count++ == 0) first_line = line;
        if (count <= named_elements) examples += (examples.empty() ? "" : "; ") + example;
        if (count == named_elements + 1) examples += "; ...";
    }
    void into(std::vector<ImportNote>& notes, const std::string& what) const {
        if (count > 0) notes.push_back({first_line, std::to_string(count) + " " + what + ": " + examples, vertices, triangles});
    }
};

class MeshCheck {
public:
    MeshCheck(const Mesh& mesh, double thickness, ImportReport& report) : mesh_(mesh), thickness_(thickness), report_(report) {}
    void run();

private:
    const Vec3& at(int v) const { return mesh_.vertices[std::size_t(v)]; }
    std::string vertex_name(int v) const {
        return std::to_string(v + 1) + " (line " + std::to_string(mesh_.vertex_line[std::size_t(v)]) + ")";
    }
    std::string triangle_name(std::size_t f) const {
        const Int3& t = mesh_.triangles[f];
        return "line " + std::to_string(mesh_.triangle_line[f]) + ", vertices " + std::to_string(t.a + 1) + " " +
               std::to_string(t.b + 1) + " " + std::to_string(t.c + 1);
    }
    void check_triangles();
    void check_edges();
    void check_vertices();
    void check_t_junctions();

    const Mesh& mesh_;
    double thickness_;
    ImportReport& report_;
    std::vector<MeshEdge> edges_;
    std::vector<char> used_;
};

void MeshCheck::check_triangles() {
    Finding flat, sliver, twice;
    report_.smallest_area = std::numeric_limits<double>::infinity();
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> seen;
    for (std::size_t f = 0; f < mesh_.triangles.size(); ++f) {
        const Int3& t = mesh_.triangles[f];
        const double shape = triangle_shape(at(t.a), at(t.b), at(t.c));
        const double shape_stored = triangle_shape(rounded(at(t.a)), rounded(at(t.b)), rounded(at(t.c)));
        report_.smallest_area = std::min(report_.smallest_area, 0.5 * norm(triangle_normal(at(t.a), at(t.b), at(t.c))));
        if (!(shape > degenerate_shape)) {
            flat.add(mesh_.triangle_line[f], triangle_name(f));
            flat.triangles.push_back(int(f));
        } else if (!(shape_stored > degenerate_shape)) {
            flat.add(mesh_.triangle_line[f], triangle_name(f) + ", after rounding to single precision");
            flat.triangles.push_back(int(f));
        } else if (shape < sliver_shape) {
            sliver.add(mesh_.triangle_line[f], triangle_name(f));
            sliver.triangles.push_back(int(f));
        }
        std::array<int, 3> corners{t.a, t.b, t.c};
        std::sort(corners.begin(), corners.end());
        const std::uint64_t key =
            (std::uint64_t(corners[0]) * 2654435761u) ^ (std::uint64_t(corners[1]) << 21) ^ (std::uint64_t(corners[2]) << 42);
        for (const std::size_t other : seen[key]) {
            const Int3& o = mesh_.triangles[other];
            std::array<int, 3> theirs{o.a, o.b, o.c};
            std::sort(theirs.begin(), theirs.end());
            if (theirs != corners) continue;
            twice.add(mesh_.triangle_line[f], "line " + std::to_string(mesh_.triangle_line[f]) + " repeats line " +
                                                  std::to_string(mesh_.triangle_line[other]));
            twice.triangles.push_back(int(f));
            break;
        }
        seen[key].push_back(f);
    }
    report_.zero_area_triangles = flat.count;
    report_.slivers = sliver.count;
    report_.duplicate_faces = twice.count;
    flat.into(report_.errors, "triangles without area");
    twice.into(report_.warnings, "triangles given twice (stiffness and weight count double there, no bending)");
    sliver.into(report_.warnings, "thin triangles, height below 2 % of the longest side");
}

void MeshCheck::check_edges() {
    edges_ = mesh_edges(mesh_.triangles);
    Finding fans, flipped;
    report_.shortest_edge = std::numeric_limits<double>::infinity();
    for (const MeshEdge& edge : edges_) {
        const double length = norm(at(edge.d) - at(edge.c));
        report_.shortest_edge = std::min(report_.shortest_edge, length);
        report_.longest_edge = std::max(report_.longest_edge, length);
        const int line = mesh_.triangle_line[std::size_t(edge.first_triangle)];
        const std::string name = "edge " + std::to_string(edge.c + 1) + "-" + std::to_string(edge.d + 1);
        if (edge.triangle_count == 1) ++report_.boundary_edges;
        if (edge.triangle_count > 2) {
            fans.add(line, name + " in " + std::to_string(edge.triangle_count) + " triangles (line " + std::to_string(line) +
                               " first)");
            fans.vertices.insert(fans.vertices.end(), {edge.c, edge.d});
        } else if (edge.triangle_count == 2 && !edge.consistent) {
            flipped.add(line, name + " (lines " + std::to_string(line) + " and " +
                                  std::to_string(mesh_.triangle_line[std::size_t(edge.second_triangle)]) + ")");
            flipped.vertices.insert(flipped.vertices.end(), {edge.c, edge.d});
        }
    }
    report_.non_manifold_edges = fans.count;
    report_.flipped_edges = flipped.count;
    fans.into(report_.warnings, "edges in more than two triangles (simulated, without bending there)");
    flipped.into(report_.warnings, "edges whose two triangles face opposite ways (simulated, without bending there)");
}

void MeshCheck::check_vertices() {
    used_.assign(mesh_.vertices.size(), 0);
    for (const Int3& t : mesh_.triangles)
        for (int k = 0; k < 3; ++k) used_[std::size_t(t[k])] = 1;
    Finding loose;
    for (std::size_t v = 0; v < used_.size(); ++v) {
        if (used_[v]) continue;
        loose.add(mesh_.vertex_line[v], vertex_name(int(v)));
        loose.vertices.push_back(int(v));
    }
    report_.loose_vertices = loose.count;
    loose.into(report_.warnings, "vertices in no triangle (they stay where they are and touch nothing)");

    // Pairs nearer than the film is thick, apart from the ends of one edge.
    std::unordered_set<std::uint64_t> neighbours;
    const auto pair_key = [](int a, int b) {
        return std::uint64_t(std::uint32_t(std::min(a, b))) << 32 | std::uint32_t(std::max(a, b));
    };
    for (const MeshEdge& edge : edges_) neighbours.insert(pair_key(edge.c, edge.d));
    const double reach = std::max(thickness_, 1e-9);
    Grid grid(reach * 1.001);
    Finding same, close;
    for (std::size_t i = 0; i < used_.size(); ++i) {
        if (!used_[i]) continue;
        const Vec3& p = mesh_.vertices[i];
        const int v = int(i);
        int told = 0;  // a heap of coincident points is told once, not squared
        grid.near(grown(p, -reach), grown(p, reach), [&](int other) {
            if (told >= 8) return;
            const double distance = norm(at(other) - p);
            if (distance >= reach || neighbours.contains(pair_key(v, other))) return;
            ++told;
            Finding& finding = distance == 0 ? same : close;
            finding.add(mesh_.vertex_line[i], std::to_string(other + 1) + " and " + std::to_string(v + 1) + " (lines " +
                                                  std::to_string(mesh_.vertex_line[std::size_t(other)]) + " and " +
                                                  std::to_string(mesh_.vertex_line[i]) +
                                                  (distance == 0 ? ")" : ", " + digits_text(distance * 1e6, 4) + " µm)"));
            finding.vertices.insert(finding.vertices.end(), {other, v});
        });
        grid.add(p, p, v);
    }
    report_.duplicate_vertices = same.count;
    report_.close_pairs = close.count + same.count;
    same.into(report_.warnings, "pairs of vertices at one place (a seam that is not joined, or two films in contact)");
    close.into(report_.warnings,
               "pairs of vertices closer than the film is thick, " + digits_text(thickness_ * 1e6, 4) + " µm");
}

void MeshCheck::check_t_junctions() {
    if (!(report_.longest_edge > 0)) return;
    const double mean = [&] {
        double sum = 0;
        for (const MeshEdge& edge : edges_) sum += norm(at(edge.d) - at(edge.c));
        return sum / double(edges_.size());
    }();
    // An edge is cut into pieces of a cell, so that a long diagonal does not fill a cube of cells.
    Grid grid(std::max(mean, report_.longest_edge * 1e-3));
    const double cell = std::max(mean, report_.longest_edge * 1e-3);
    const auto tolerance = [](double length) { return 1e-6 * length; };
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        const Vec3 &a = at(edges_[e].c), &b = at(edges_[e].d);
        const double length = norm(b - a);
        const int pieces = std::max(1, int(std::ceil(length / cell)));
        for (int k = 0; k < pieces; ++k) {
            const Vec3 p = a + (double(k) / pieces) * (b - a), q = a + (double(k + 1) / pieces) * (b - a);
            grid.add(grown(low_of(p, q), -tolerance(length)), grown(high_of(p, q), tolerance(length)), int(e));
        }
    }
    Finding junctions;
    for (std::size_t i = 0; i < used_.size(); ++i) {
        if (!used_[i]) continue;
        const int v = int(i);
        const Vec3& p = mesh_.vertices[i];
        int found = -1;
        grid.near(p, p, [&](int e) {
            const MeshEdge& edge = edges_[std::size_t(e)];
            if (found >= 0 || edge.c == v || edge.d == v) return;
            const Vec3 along = at(edge.d) - at(edge.c);
            const double length = norm(along);
            if (!(length > 0)) return;
            const double s = dot(p - at(edge.c), along) / (length * length);
            if (s <= 1e-6 || s >= 1 - 1e-6) return;
            if (norm(p - (at(edge.c) + s * along)) <= tolerance(length)) found = e;
        });
        if (found < 0) continue;
        const MeshEdge& edge = edges_[std::size_t(found)];
        junctions.add(mesh_.vertex_line[i],
                      "vertex " + vertex_name(v) + " on edge " + std::to_string(edge.c + 1) + "-" + std::to_string(edge.d + 1));
        junctions.vertices.push_back(v);
    }
    report_.t_junctions = junctions.count;
    junctions.into(report_.warnings,
                   "vertices in the middle of an edge that does not use them (T-junctions: the film is not joined there)");
}

void MeshCheck::run() {
    check_triangles();
    check_edges();
    check_vertices();
    check_t_junctions();
}

}  // namespace

void check_mesh(const Mesh& mesh, double thickness, ImportReport& report) { MeshCheck(mesh, thickness, report).run(); }

}  // namespace plica
