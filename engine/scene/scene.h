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
    bool rolls = false;    // turns freely: no friction at its contacts
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
//   turn:     target = reference_i turned by angle(t) around the line through `axis` along `direction`
//   drawstring: a closing ring: target on the circle of radius(t) nearest to where vertex i is at the start of the step, at its
//             height; no pull on vertices within the ring.
// reference_i is where the vertex is when the support becomes active (or at t = 0 with reference = "start").
struct SupportTrack {
    enum class Kind { Offset, Cylinder, Turn, Drawstring } kind = Kind::Offset;
    std::string name;
    std::string film;
    std::vector<int> vertices;
    std::string selection;          // as in the file, for the window
    double from = 0, until = 1e30;  // s
    ScalarTrack stiffness;          // N/m
    double limit = 0;               // N per axis, of the force on a vertex (decision 6); 0: none
    bool reference_start = false;
    VectorTrack offset;        // m
    std::optional<Vec3> axis;  // m, a point of the vertical axis; none: mean of `axis_group` at activation
    std::vector<int> axis_group;
    ScalarTrack radius, height;         // m
    Vec3 direction{1, 0, 0};            // unit
    ScalarTrack angle;                  // rad
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
    int line = 0;        // in the file
    bool total = false;  // what is judged is the sum over the frames
};

// A fold that is pressed into a crease by a tool, a sphere that is led by what it feels (scenario/fold_press.h, spec/paper.md).
struct PressSpec {
    std::string film, tool, table;         // names: a film, a sphere, an obstacle
    std::vector<int> fold;                 // film vertices along the crease, from the end where the pressing starts
    double from = 0;                       // s, the press begins
    double load = 1;                       // N, wanted reaction of the tool
    double stiffness = 2000;               // N/m, of the tool's drive, on each axis
    double gain = 0.02;                    // m/s of height command per N of missing reaction
    double approach_speed = 0.1;           // m/s, in the air
    double descent_speed = 0.02;           // m/s, highest of the height command
    double roll_speed = 0.04;              // m/s, along the fold
    double depth = 1.5707963267948966;     // rad, that a segment has to remember before it counts as pressed
    double inset = 4e-3;                   // m, of the tool's way from the ridge towards the free edge
    double roll_inset = 5e-3;              // m, the same while it rolls
    double first = 0.5;                    // where the first crease is pressed, part of the fold's length
    std::vector<int> grips;                // film vertices of the flap that are held while it is pressed
    double grip_stiffness = 800;           // N/m per axis
    double grip_limit = 0.45;              // N per axis
    double grip_ramp = 0.2;                // s, in which their downward pull comes on after the first supported contact
    std::vector<std::string> handed_over;  // supports that weaken with the grips' weight
    std::vector<std::string> released;     // supports that let go when the press is done
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
    std::optional<PressSpec> press;
    std::vector<TieSet> ties;
    std::vector<Gate> gates;
    std::vector<SceneCheck> checks;
    std::vector<Phase> phases;
    std::vector<SettingChange> changes;
};

}  // namespace plica
