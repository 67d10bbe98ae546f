// Triangle meshes from OBJ files, with a report of everything that is odd about them.
//
// Elements are told as in the file: by line, vertices by their number from 1. Inside the program vertices count from 0 in the
// same order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/types.h"
#include "engine/scene/scene.h"

namespace plica {

// A length unit that an import may be scaled from.
struct LengthUnit {
    std::string name;   // "mm"
    double metres = 1;  // 1 unit = so many metres
};
// "m", "cm", "mm", "um", "in", "ft" and their names; none if unknown.
std::optional<LengthUnit> length_unit(const std::string& name);

struct Mesh {
    std::string path;
    std::vector<Vec3> vertices;  // m, after scaling
    std::vector<Int3> triangles;
    std::vector<VertexGroup> groups;  // from `o` and `g`
    std::vector<int> vertex_line;     // (n) line of the vertex in the file
    std::vector<int> triangle_line;   // (F) line of the face that a triangle comes from
};

// Something about one place of the file.
struct ImportNote {
    int line = 0;  // 0: the whole file
    std::string text;
    std::vector<int> vertices;  // indices from 0, for the window to show
    std::vector<int> triangles;
};

struct ImportReport {
    std::string path;
    int vertex_count = 0, triangle_count = 0;
    int polygon_count = 0;        // faces of more than three corners that were cut into triangles
    std::string stated_unit;      // unit said by the file's header, or ""
    std::string used_unit = "m";  // that the coordinates were taken in
    std::string likely_unit;      // by size alone
    double scale = 1;             // metres of a file unit
    Vec3 size;                    // m, of the bounding box as used
    Vec3 raw_size;                // file units
    int zero_area_triangles = 0, duplicate_vertices = 0, duplicate_faces = 0, t_junctions = 0, non_manifold_edges = 0;
    int boundary_edges = 0, flipped_edges = 0, loose_vertices = 0, close_pairs = 0, slivers = 0;
    double shortest_edge = 0, longest_edge = 0, smallest_area = 0;  // m, m, m²
    std::vector<ImportNote> errors;                                 // the mesh cannot be used
    std::vector<ImportNote> warnings;
    bool unit_needed = false;  // an error that stating the unit removes
    bool ok() const { return errors.empty(); }
    // All of it, several lines; sizes in mm, cm and m.
    std::string text() const;
};

struct ImportOptions {
    std::string unit;          // of the coordinates; "": what the file says, else metres if the size is plausible
    double thickness = 30e-6;  // m, vertices closer than this are counted
};

// Reads and looks at a mesh. Everything wrong with its content is in the report; throws InputError only if the file cannot be
// read or the unit is unknown.
struct ImportResult {
    Mesh mesh;
    ImportReport report;
};
ImportResult inspect_mesh(const std::string& path, const ImportOptions& options = {});
ImportResult inspect_mesh_text(std::string_view text, const std::string& name, const ImportOptions& options = {});

// As inspect_mesh, with errors as one InputError that lists all of them.
ImportResult load_mesh(const std::string& path, const ImportOptions& options = {});

struct MeshSceneOptions {
    double thickness = 30e-6;  // m
    std::string unit;
    std::vector<int> pins;  // vertices from 0, held where they are
    double duration = 1;    // s
};

// A scene of one film as in the file: bag material, gravity, no floor (decision 11). Its text names the file, so that it can be
// read again. Throws InputError.
Scene scene_from_mesh(const std::string& path, const MeshSceneOptions& options = {});

}  // namespace plica
