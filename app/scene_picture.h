// A frame of a scene as the renderer wants it: surfaces, spheres, colours by value, marks. The same for the window, for
// exported pictures and for the command line.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/scene/scene.h"
#include "engine/simulation/frame.h"
#include "engine/solver/model.h"
#include "render/view_frame.h"

namespace plica {

class Solver;

enum class ColorMode { Plain, Gap, Strain, Bending, Speed, Height, Memory };
inline constexpr int color_mode_count = 7;
inline constexpr const char* color_mode_names[color_mode_count] = {"plain", "gap",    "strain", "bending",
                                                                   "speed", "height", "memory"};

struct PictureOptions {
    ColorMode color = ColorMode::Plain;
    bool contacts = false;                                  // marks vertices with a gap below dhat
    bool intersections = true;                              // marks triangles that pierce each other
    const std::vector<ContactPair>* close_pairs = nullptr;  // marks their triangles too
    double dhat = 1e-3, min_gap = 30e-6;                    // m
    std::string controller;                                 // state of the controllers at the frame: colour by memory
    ContactSwitches switches;
    const std::set<int>* selected = nullptr;  // film vertices
    int selected_body = -1;                   // sphere or obstacle
    std::vector<std::uint8_t> hidden;         // (bodies) 1: not drawn; empty: all drawn
};

// What the picture knows of the scene: made once.
struct PictureSource {
    std::vector<Int3> triangles;  // all surfaces, particle indices
    int film_vertices = 0, film_triangles = 0, sphere_count = 0;
    std::vector<double> sphere_radius;
    struct Part {
        std::string name;
        int first = 0, count = 0;     // particles
        std::vector<Int3> triangles;  // part-local
        bool floor = false;           // flat and level: drawn as ground
    };
    std::vector<Part> obstacles;
    const Model* model = nullptr;  // for strain, bending and gaps; may be missing
};
PictureSource picture_source(const Scene& scene, const Model* model);

// The nearest other part of each film vertex, looked for within `reach`: gap [m] (distance minus offset), infinity beyond.
std::vector<float> vertex_gaps(const PictureSource& source, const State& state, double min_gap, double reach);

class ScenePicture {
public:
    explicit ScenePicture(PictureSource source);
    ~ScenePicture();

    // Fills frame() for a frame of the run. Numbers of contents rise by themselves.
    void update(const Frame& frame, const PictureOptions& options);
    ViewFrame& frame() { return view_; }
    const ViewFrame& frame() const { return view_; }
    const ColorScale& scale() const { return scale_; }
    const PictureSource& source() const { return source_; }
    const std::vector<float>& gaps() const { return gaps_; }  // of the last update with gaps or contacts; else empty
    // Particle index of a vertex of surface `surface`; triangles count within the surface.
    int particle(int surface, int vertex) const;
    // Body index (scene order: films, spheres, obstacles) of surface or sphere.
    int obstacle_of(int surface) const;

private:
    void color(const Frame& frame, const PictureOptions& options);
    void color_memory(const std::string& controller);
    void mark_close(const std::vector<ContactPair>& pairs);

    PictureSource source_;
    std::unique_ptr<Solver> solver_;  // finds pierced triangles; made when first needed
    ViewFrame view_;
    ColorScale scale_;
    std::vector<float> film_x_, sphere_x_, sphere_r_, scalars_, gaps_;
    std::vector<int> film_triangles_;
    std::vector<std::uint8_t> film_marks_, sphere_marks_;
    std::vector<std::vector<float>> obstacle_x_;
    std::vector<std::vector<int>> obstacle_triangles_;
    std::vector<std::vector<std::uint8_t>> obstacle_marks_;
};

}  // namespace plica
