#include "app/scene_picture.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/energy/hinge.h"
#include "engine/geometry/bvh.h"
#include "engine/geometry/closest.h"
#include "engine/scenario/fold_press.h"
#include "engine/scene/build_model.h"
#include "engine/solver/solver.h"

namespace plica {

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Never twice the same in a process, whichever thread asks: equal numbers promise equal contents.
std::uint64_t next_id() {
    static std::atomic<std::uint64_t> id{0};
    return ++id;
}

void copy_positions(const State& state, int first, int count, std::vector<float>& out) {
    out.resize(std::size_t(3 * count));
    for (int i = 0; i < count; ++i) {
        const Vec3f& x = state.x[std::size_t(first + i)];
        out[std::size_t(3 * i)] = x.x;
        out[std::size_t(3 * i + 1)] = x.y;
        out[std::size_t(3 * i + 2)] = x.z;
    }
}

std::vector<int> flat(const std::vector<Int3>& triangles) {
    std::vector<int> out;
    out.reserve(3 * triangles.size());
    for (const Int3& t : triangles)
        for (int corner : {t.a, t.b, t.c}) out.push_back(corner);
    return out;
}

// Per vertex the mean over the elements around it.
class VertexMean {
public:
    explicit VertexMean(int count) : sum_(std::size_t(count), 0), weight_(std::size_t(count), 0) {}
    void add(int vertex, double value) {
        if (std::size_t(vertex) >= sum_.size()) return;
        sum_[std::size_t(vertex)] += value;
        weight_[std::size_t(vertex)] += 1;
    }
    void write(std::vector<float>& out) const {
        out.resize(sum_.size());
        for (std::size_t i = 0; i < sum_.size(); ++i) out[i] = weight_[i] > 0 ? float(sum_[i] / weight_[i]) : nan;
    }

private:
    std::vector<double> sum_, weight_;
};

// Largest principal stretch minus 1.
double strain_of(const MembraneElement& e, const State& state) {
    const auto x = [&](int k) { return to_double(state.x[std::size_t(e.vertices[k])]); };
    const Vec3 x0 = x(0), a = x(1) - x0, b = x(2) - x0;
    const auto& m = e.law.b;
    const Vec3 f1 = m[1][0] * a + m[2][0] * b, f2 = m[1][1] * a + m[2][1] * b;
    const double c11 = dot(f1, f1), c12 = dot(f1, f2), c22 = dot(f2, f2);
    const double half = 0.5 * (c11 - c22);
    return std::sqrt(std::max(0.0, 0.5 * (c11 + c22) + std::sqrt(half * half + c12 * c12))) - 1;
}

}  // namespace

PictureSource picture_source(const Scene& scene, const Model* model) {
    PictureSource s;
    s.model = model;
    const ParticleLayout layout = particle_layout(scene);
    s.film_vertices = layout.film_vertex_count;
    for (std::size_t f = 0; f < scene.films.size(); ++f) {
        const int first = layout.film_first[f];
        for (const Int3& t : scene.films[f].triangles) s.triangles.push_back({t.a + first, t.b + first, t.c + first});
    }
    s.film_triangles = int(s.triangles.size());
    s.sphere_count = int(scene.spheres.size());
    for (const Sphere& sphere : scene.spheres) s.sphere_radius.push_back(sphere.radius);
    for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
        const Obstacle& obstacle = scene.obstacles[o];
        PictureSource::Part part;
        part.name = obstacle.name;
        part.first = layout.obstacle_first[o];
        part.count = int(obstacle.vertices.size());
        part.triangles = obstacle.triangles;
        part.floor = !obstacle.vertices.empty();
        for (const Vec3& x : obstacle.vertices) part.floor &= x.z == obstacle.vertices.front().z;
        for (const Int3& t : obstacle.triangles) s.triangles.push_back({t.a + part.first, t.b + part.first, t.c + part.first});
        s.obstacles.push_back(std::move(part));
    }
    return s;
}

std::vector<float> vertex_gaps(const PictureSource& s, const State& state, double min_gap, double reach) {
    std::vector<float> gaps(std::size_t(s.film_vertices), std::numeric_limits<float>::infinity());
    const auto x = [&](int i) { return to_double(state.x[std::size_t(i)]); };
    const auto take = [&](int vertex, double gap) {
        gaps[std::size_t(vertex)] = std::min(gaps[std::size_t(vertex)], float(gap));
    };
    std::vector<Box> boxes;
    boxes.reserve(s.triangles.size());
    for (const Int3& t : s.triangles) {
        const Vec3 a = x(t.a), b = x(t.b), c = x(t.c);
        boxes.push_back(padded_box({std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
                                   {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})},
                                   reach + min_gap));
    }
    Bvh tree;
    std::vector<int> all(boxes.size());
    std::iota(all.begin(), all.end(), 0);
    tree.build(boxes, all);
    // Film vertices against all triangles, and obstacle vertices against the film, whose corners then are close.
    const int spheres = s.film_vertices, obstacles = spheres + s.sphere_count;
    for (int v = 0; v < int(state.x.size()); ++v) {
        if (v >= spheres && v < obstacles) continue;
        const Vec3 p = x(v);
        tree.query(padded_box(p, p, 0), [&](int t) {
            if (v >= obstacles && t >= s.film_triangles) return;
            const Int3& tri = s.triangles[std::size_t(t)];
            if (tri.a == v || tri.b == v || tri.c == v) return;
            const PointTriangle c = closest_point_triangle(p, x(tri.a), x(tri.b), x(tri.c));
            const double gap = c.distance - min_gap;
            if (gap > reach) return;
            if (v < s.film_vertices) take(v, gap);
            if (t < s.film_triangles)
                for (int k = 0; k < 3; ++k)
                    if (c.weight[k] > 0.2) take(tri[k], gap);
        });
    }
    for (int k = 0; k < s.sphere_count; ++k) {
        const Vec3 centre = x(s.film_vertices + k);
        const double radius = s.sphere_radius[std::size_t(k)];
        tree.query(padded_box(centre, centre, radius), [&](int t) {
            if (t >= s.film_triangles) return;
            const Int3& tri = s.triangles[std::size_t(t)];
            const PointTriangle c = closest_point_triangle(centre, x(tri.a), x(tri.b), x(tri.c));
            const double gap = c.distance - radius - min_gap / 2;
            if (gap > reach) return;
            for (int corner = 0; corner < 3; ++corner)
                if (c.weight[corner] > 0.2) take(tri[corner], gap);
        });
    }
    return gaps;
}

ScenePicture::~ScenePicture() = default;

ScenePicture::ScenePicture(PictureSource source) : source_(std::move(source)) {
    std::vector<Int3> film(source_.triangles.begin(), source_.triangles.begin() + source_.film_triangles);
    film_triangles_ = flat(film);
    for (double r : source_.sphere_radius) sphere_r_.push_back(float(r));
    for (const auto& part : source_.obstacles) obstacle_triangles_.push_back(flat(part.triangles));
    obstacle_x_.resize(source_.obstacles.size());
    obstacle_marks_.resize(source_.obstacles.size());
    view_.topology_id = next_id();
}

int ScenePicture::particle(int surface, int vertex) const {
    return surface == 0 ? vertex : source_.obstacles[std::size_t(surface - 1)].first + vertex;
}

int ScenePicture::obstacle_of(int surface) const { return surface > 0 ? surface - 1 : -1; }

void ScenePicture::color(const Frame& frame, const PictureOptions& options) {
    scalars_.clear();
    const State& state = frame.state;
    const int n = source_.film_vertices;
    scale_ = {};
    switch (options.color) {
        case ColorMode::Plain: return;
        case ColorMode::Gap:
            scalars_ = gaps_;
            for (float& g : scalars_) g = std::isfinite(g) ? std::max(g, 1e-9f) : nan;
            scale_ = {
                ColorMap::Alarm, float(std::max(options.dhat * 1e-2, 1e-8)), float(options.dhat * 4), true, "gap", "mm", 1e3f};
            return;
        case ColorMode::Strain: {
            VertexMean mean(n);
            if (source_.model)
                for (const MembraneElement& e : source_.model->membranes) {
                    const double strain = strain_of(e, state);
                    for (int k = 0; k < 3; ++k) mean.add(e.vertices[k], strain);
                }
            mean.write(scalars_);
            scale_ = {ColorMap::Lagoon, 0, 0.01f, false, "largest strain", "%", 100};
            return;
        }
        case ColorMode::Bending: {
            VertexMean mean(n);
            if (source_.model)
                for (const HingeElement& h : source_.model->hinges) {
                    const auto x = [&](int i) { return to_double(state.x[std::size_t(i)]); };
                    const double angle = std::fabs(hinge_angle(x(h.a), x(h.b), x(h.c), x(h.d)));
                    for (int v : {h.c, h.d}) mean.add(v, angle);
                }
            mean.write(scalars_);
            scale_ = {ColorMap::Lagoon, 0, 1.5f, false, "fold angle", "°", 57.29578f};
            return;
        }
        case ColorMode::Speed:
            scalars_.resize(std::size_t(n));
            for (int i = 0; i < n; ++i) scalars_[std::size_t(i)] = float(norm(to_double(state.v[std::size_t(i)])));
            scale_ = {ColorMap::Lagoon, 0, 1, false, "speed", "m/s", 1};
            return;
        case ColorMode::Height:
            scalars_.resize(std::size_t(n));
            for (int i = 0; i < n; ++i) scalars_[std::size_t(i)] = state.x[std::size_t(i)].z;
            scale_ = {ColorMap::Lagoon, 0, 0.3f, false, "height", "mm", 1e3f};
            return;
        case ColorMode::Memory: return color_memory(options.controller);
    }
}

// The angle that an edge remembers, at its ends: 0 where nothing is remembered.
void ScenePicture::color_memory(const std::string& controller) {
    scale_ = {ColorMap::Lagoon, 0, 3.1415927f, false, "remembered angle", "°", 57.29578f};
    scalars_.assign(std::size_t(source_.film_vertices), 0.0f);
    if (!source_.model) return;
    for (const RememberedEdge& edge : remembered_edges(controller)) {
        if (edge.hinge < 0 || std::size_t(edge.hinge) >= source_.model->hinges.size()) continue;
        const HingeElement& h = source_.model->hinges[std::size_t(edge.hinge)];
        for (const int v : {h.c, h.d})
            scalars_[std::size_t(v)] = std::max(scalars_[std::size_t(v)], float(std::fabs(edge.angle)));
    }
}

// Film triangles of pairs at fault: faces, and all triangles that have the vertex or edge.
void ScenePicture::mark_close(const std::vector<ContactPair>& pairs) {
    for (const ContactPair& pair : pairs) {
        const auto& p = pair.particles;
        // {vertex}, {face} or {edge}, {edge} or {sphere}, {face} or {sphere}
        const int split = pair.kind == CandidateKind::EdgeEdge ? 2 : 1;
        for (int t = 0; t < source_.film_triangles; ++t) {
            const Int3& tri = source_.triangles[std::size_t(t)];
            const auto has_all = [&](int first, int last) {
                bool any = false;
                for (int k = first; k < last; ++k) {
                    const int particle = p[std::size_t(k)];
                    if (particle < 0) continue;
                    any = true;
                    if (particle != tri.a && particle != tri.b && particle != tri.c) return false;
                }
                return any;
            };
            if (has_all(0, split) || has_all(split, 4)) film_marks_[std::size_t(t)] |= MarkIntersecting;
        }
    }
}

void ScenePicture::update(const Frame& frame, const PictureOptions& options) {
    const State& state = frame.state;
    copy_positions(state, 0, source_.film_vertices, film_x_);
    copy_positions(state, source_.film_vertices, source_.sphere_count, sphere_x_);
    for (std::size_t o = 0; o < source_.obstacles.size(); ++o)
        copy_positions(state, source_.obstacles[o].first, source_.obstacles[o].count, obstacle_x_[o]);
    gaps_.clear();
    if (options.contacts || options.color == ColorMode::Gap)
        gaps_ = vertex_gaps(source_, state, options.min_gap, options.dhat * 4);
    color(frame, options);

    film_marks_.assign(std::size_t(source_.film_triangles), 0);
    for (std::size_t o = 0; o < obstacle_marks_.size(); ++o)
        obstacle_marks_[o].assign(source_.obstacles[o].triangles.size(), 0);
    sphere_marks_.assign(std::size_t(source_.sphere_count), 0);
    if (options.intersections && frame.report.intersecting_pairs > 0 && source_.model) {
        const auto mark = [&](int t) {
            if (t < source_.film_triangles) {
                film_marks_[std::size_t(t)] |= MarkIntersecting;
                return;
            }
            int local = t - source_.film_triangles;
            for (std::size_t o = 0; o < obstacle_marks_.size(); ++o) {
                const int count = int(obstacle_marks_[o].size());
                if (local < count) {
                    obstacle_marks_[o][std::size_t(local)] |= MarkIntersecting;
                    return;
                }
                local -= count;
            }
        };
        if (!solver_) solver_ = std::make_unique<Solver>(*source_.model);
        SolverSettings settings;
        settings.min_gap = options.min_gap;
        for (const Int2& pair : solver_->census(state, settings, 0).intersecting) {
            mark(pair.a);
            mark(pair.b);
        }
    }
    if (options.close_pairs) mark_close(*options.close_pairs);
    view_.points.clear();
    view_.strokes.clear();
    const auto at = [&](int v) {
        return glm::vec3(film_x_[std::size_t(3 * v)], film_x_[std::size_t(3 * v + 1)], film_x_[std::size_t(3 * v + 2)]);
    };
    if (options.contacts)
        for (int v = 0; v < int(gaps_.size()); ++v)
            if (gaps_[std::size_t(v)] < float(options.dhat))
                view_.points.push_back(
                    {at(v), gaps_[std::size_t(v)] > 0 ? colors::contact : colors::alarm, 4, PointShape::Disc, false});
    if (options.selected)
        for (int v : *options.selected)
            if (v >= 0 && v < source_.film_vertices)
                view_.points.push_back({at(v), colors::selection, 7, PointShape::Disc, true});

    const int films =
        source_.model ? int(source_.model->bodies.size()) - source_.sphere_count - int(source_.obstacles.size()) : 1;
    const auto hidden = [&](int body) {
        return body >= 0 && std::size_t(body) < options.hidden.size() && options.hidden[std::size_t(body)];
    };
    if (options.selected_body >= films && options.selected_body < films + source_.sphere_count)
        sphere_marks_[std::size_t(options.selected_body - films)] |= MarkSelected;

    view_.surfaces.clear();
    SurfaceView film;
    film.kind = SurfaceKind::Film;
    film.positions = film_x_;
    film.triangles = film_triangles_;
    film.scalars = scalars_;
    film.marks = film_marks_;
    film.visible = !hidden(0);
    view_.surfaces.push_back(film);
    for (std::size_t o = 0; o < source_.obstacles.size(); ++o) {
        const int body = films + source_.sphere_count + int(o);
        if (options.selected_body == body && !source_.obstacles[o].floor)
            for (auto& m : obstacle_marks_[o]) m |= MarkSelected;
        SurfaceView surface;
        surface.kind = source_.obstacles[o].floor ? SurfaceKind::Floor : SurfaceKind::Obstacle;
        surface.positions = obstacle_x_[o];
        surface.triangles = obstacle_triangles_[o];
        surface.marks = obstacle_marks_[o];
        surface.visible = !hidden(body);
        view_.surfaces.push_back(surface);
    }
    view_.spheres.centres = sphere_x_;
    view_.spheres.radii = sphere_r_;
    view_.spheres.marks = sphere_marks_;
    view_.content_id = next_id();
}

}  // namespace plica
