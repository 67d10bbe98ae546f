// A scene as a value: what a .plica.toml file says, with every default filled in. SI units. Read by scene_file.h, turned
// into solver input by build_model.h and choreography.h.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/types.h"
#include "engine/scene/track.h"
#include "engine/solver/settings.h"

namespace plica {

struct Material {
    enum class Model { NeoHookean, StVK } model = Model::NeoHookean;
    double young = 315e6;                     // Pa
    double poisson = 0.45;                    // -, in [0, 0.5)
    double thickness = 30e-6;                 // m, mass and stiffness; contact has solver.min_gap
    double density = 925;                     // kg/m³ (area density = density * thickness)
    std::optional<double> bending_stiffness;  // N m, D; default E h³ / (12 (1 - ν²))
};

struct VertexGroup {
    std::string name;
    std::vector<int> vertices;  // indices within the film
};

struct Film {
    std::string name;
    std::string source;                // mesh file or generator, as in the file
    std::vector<Vec3> rest;            // (n) m, rest shape: edge lengths and rest angles
    std::vector<Vec3> start;           // (n) m, positions at t = 0
    std::vector<Vec3> start_velocity;  // (n) m/s or empty
    std::vector<Int3> triangles;
    Material material;
    bool rest_flat = false;           // rest angles 0 instead of those of the rest shape
    std::vector<VertexGroup> groups;  // from OBJ groups, generator rings and columns, or [[group]]
};

struct Sphere {
    std::string name;
    double radius = 0;     // m
    double density = 250;  // kg/m³
    Vec3 position, velocity;
    double drop_time = 0;  // s, gravity is cancelled until then
};

struct Obstacle {
    std::string name;
    std::string source;
    std::vector<Vec3> vertices;
    std::vector<Int3> triangles;
};

// Soft pins on film vertices whose targets move. For vertex i, at time t in [from, until):
//   offset:   target = reference_i + offset(t)
//   cylinder: target at angle_i (that of the vertex around `axis` at activation), with radius(t) and height(t) around the
//             axis point, blended from reference_i over `blend` seconds; `stagger` delays the k-th column by k * stagger.
//   drawstring: a closing ring: target on the circle of radius(t) nearest to where vertex i is at the start of the step, at its
//             height; no pull on vertices within the ring.
// reference_i is where the vertex is when the support becomes active (or at t = 0 with reference = "start").
struct SupportTrack {
    enum class Kind { Offset, Cylinder, Drawstring } kind = Kind::Offset;
    std::string name;
    std::string film;
    std::vector<int> vertices;
    std::string selection;          // as in the file, for the window
    double from = 0, until = 1e30;  // s
    ScalarTrack stiffness;          // N/m
    bool reference_start = false;
    VectorTrack offset;        // m
    std::optional<Vec3> axis;  // m, a point of the vertical axis; none: mean of `axis_group` at activation
    std::vector<int> axis_group;
    ScalarTrack radius, height;         // m
    double blend = 0, stagger = 0;      // s
    std::vector<double> radius_offset;  // m per vertex, or empty (in files also pleat = a: +a, -a, +a, ...)
};

struct TieSet {
    std::string name;
    std::string film;
    std::vector<Int2> pairs;
    double from = 0, until = 1e30;  // s
    double stiffness = 250;         // N/m
    ScalarTrack shortening;         // 0: length at activation, 1: target length
    std::vector<double> length;     // m, target length per pair
};

// A check that has to hold at a time; else the run stops there and says what failed.
struct Gate {
    std::string name;
    double time = 0;
    std::string check;  // "columns_up"
    std::string film;
};

// What a whole run is judged by at its end, besides what holds for every run (recording/verdict.h). Looks at the frames from
// `from` on, at the last frame alone by default.
struct SceneCheck {
    std::string name;     // or empty: that of what is measured
    std::string measure;  // a gauge, or one of recording/scene_checks.cpp
    double from = 1e30;   // s
    double last = 0;      // s, counted back from the end; below 0: `from` holds
    double at_least = -std::numeric_limits<double>::infinity(), at_most = std::numeric_limits<double>::infinity();  // SI
    int line = 0;  // in the file
};

// A named part of the timeline.
struct Phase {
    std::string name;
    double from = 0, until = 0;
};

// A solver setting that changes by itself at a time (tolerance after release).
struct SettingChange {
    double time = 0;
    std::string key;  // as in [solver]
    double value = 0;
};

struct Scene {
    std::string name = "untitled";
    std::string path;               // file it came from, or empty
    std::string text;               // TOML text, stored in recordings
    std::string length_unit = "m";  // unit the import was scaled from; recorded
    double duration = 1;            // s
    SolverSettings solver;
    ContactSwitches switches;
    std::vector<Film> films;
    std::vector<Sphere> spheres;
    std::vector<Obstacle> obstacles;
    std::vector<SupportTrack> supports;
    std::vector<TieSet> ties;
    std::vector<Gate> gates;
    std::vector<SceneCheck> checks;
    std::vector<Phase> phases;
    std::vector<SettingChange> changes;
};

}  // namespace plica
