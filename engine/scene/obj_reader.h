// OBJ text -> vertices, faces and groups, every dialect that programs write; nothing is judged here but the syntax. Internal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/types.h"
#include "engine/scene/mesh_import.h"

namespace plica {

struct ObjFace {
    std::vector<int> corners;  // vertex indices from 0
    int line = 0;
    int number = 0;  // counted from 1, as in the file
};

struct ObjGroup {
    std::string name;
    std::vector<int> faces;
};

struct ObjFile {
    std::vector<Vec3> vertices;  // file units
    std::vector<int> vertex_line;
    std::vector<ObjFace> faces;  // only those without an error
    std::vector<ObjGroup> groups;
    std::string unit;  // stated in a comment, or ""
    double unit_metres = 0;
    std::vector<ImportNote> errors, warnings;
};

// Understands corners i, i/, i/j, i//k, i/j/k, i//; negative indices; CRLF and CR line ends, byte order mark, tabs, lines
// continued by a backslash, w and vertex colours, groups and objects; a unit in a comment. All errors are collected.
ObjFile read_obj(std::string_view text);

// Cuts a simple polygon into triangles by its ears, seen along its mean normal. Empty if that fails (crossing sides, no area).
std::vector<Int3> cut_polygon(const std::vector<int>& corners, const std::vector<Vec3>& vertices);

}  // namespace plica
