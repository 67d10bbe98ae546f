#include "engine/gauge/gauge.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <span>

#include "engine/gauge/bag_metrics.h"
#include "engine/gauge/containment.h"
#include "engine/scene/build_model.h"

namespace plica {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double degrees = 180 / std::numbers::pi;

// The film that neck and end belong to; -1 if there is none.
int bag_film(const Scene& scene) {
    for (std::size_t i = 0; i < scene.films.size(); ++i)
        if (find_group(scene.films[i], "neck") && find_group(scene.films[i], "end")) return int(i);
    return -1;
}

double finite_or_nan(double value) { return std::isfinite(value) ? value : nan; }

double gap_of(const StepReport& report, ContactGroup group) {
    // Before the first step nothing was measured: an all-zero report.
    if (report.solves == 0) return nan;
    return finite_or_nan(report.min_gap[std::size_t(group)]);
}

// Largest principal stretch of all membranes minus 1: the square root of the larger eigenvalue of C = FᵀF.
double largest_strain(const Model& model, const State& state) {
    if (model.membranes.empty()) return nan;
    double largest = -1;
    for (const MembraneElement& element : model.membranes) {
        const auto x = [&](int k) { return to_double(state.x[std::size_t(element.vertices[k])]); };
        const Vec3 x0 = x(0), edge1 = x(1) - x0, edge2 = x(2) - x0;
        const auto& b = element.law.b;
        const Vec3 f1 = b[1][0] * edge1 + b[2][0] * edge2, f2 = b[1][1] * edge1 + b[2][1] * edge2;
        const double c11 = dot(f1, f1), c12 = dot(f1, f2), c22 = dot(f2, f2);
        const double mean = 0.5 * (c11 + c22), half = 0.5 * (c11 - c22);
        largest = std::max(largest, mean + std::sqrt(half * half + c12 * c12));
    }
    return std::sqrt(largest) - 1.0;
}

double kinetic_energy(const Model& model, const State& state) {
    double energy = 0;
    for (std::size_t i = 0; i < state.v.size(); ++i) {
        const Vec3 v = to_double(state.v[i]);
        energy += 0.5 * model.mass[i] * dot(v, v);
    }
    return energy;
}

double largest_speed(const State& state, int begin, int end) {
    if (begin == end) return nan;
    double largest = 0;
    for (int i = begin; i < end; ++i) {
        const Vec3 v = to_double(state.v[std::size_t(i)]);
        largest = std::max(largest, dot(v, v));
    }
    return std::sqrt(largest);
}

// Where penalty steps may be taken back.
bool has_resolves(const Scene& scene) { return scene.press || scene.switches.mode == ContactMode::Guarded; }

}  // namespace

std::vector<GaugeSpec> gauge_specs(const Scene& scene) {
    std::vector<GaugeSpec> specs;
    const auto add = [&](const char* name, const char* label, const char* unit, const char* show_unit, double scale,
                         bool log = false, double lower = -infinity, double upper = infinity) {
        specs.push_back({name, label, unit, show_unit, scale, log, lower, upper});
    };
    if (!scene.films.empty()) add("min_gap_film_film", "gap film-film", "m", "mm", 1e3, true, 0.0);
    if (!scene.films.empty() && !scene.obstacles.empty())
        add("min_gap_film_obstacle", "gap film-obstacle", "m", "mm", 1e3, true, 0.0);
    if (!scene.films.empty() && !scene.spheres.empty())
        add("min_gap_film_sphere", "gap film-sphere", "m", "mm", 1e3, true, 0.0);
    if (!scene.spheres.empty() && !scene.obstacles.empty())
        add("min_gap_sphere_obstacle", "gap sphere-obstacle", "m", "mm", 1e3, true, 0.0);
    if (scene.spheres.size() > 1) add("min_gap_sphere_sphere", "gap sphere-sphere", "m", "mm", 1e3, true, 0.0);
    add("intersecting_pairs", "intersecting pairs", "1", "", 1, false, -infinity, 0);
    if (bag_film(scene) >= 0) {
        add("neck_width_x", "neck width x", "m", "mm", 1e3);
        add("neck_width_y", "neck width y", "m", "mm", 1e3);
        add("skirt_height", "skirt height", "m", "mm", 1e3);
        if (!scene.spheres.empty()) {
            add("spheres_inside", "spheres inside", "1", "", 1);
            add("spheres_through", "spheres outside below the mouth", "1", "", 1, false, -infinity, 0);
        }
    }
    if (!scene.films.empty()) {
        add("max_strain", "largest strain", "1", "%", 100);
        add("max_film_speed", "largest film speed", "m/s", "m/s", 1);
    }
    if (!scene.spheres.empty()) add("max_sphere_speed", "largest sphere speed", "m/s", "m/s", 1);
    add("iterations", "Newton iterations", "1", "", 1);
    add("halvings", "halvings", "1", "", 1);
    if (has_resolves(scene)) add("ipc_resolves", "IPC re-solves", "1", "", 1);
    add("active_contacts", "active contacts", "1", "", 1);
    add("step_time", "step time", "s", "ms", 1e3);
    add("energy_kinetic", "kinetic energy", "J", "mJ", 1e3);
    add("energy_membrane", "membrane energy", "J", "mJ", 1e3);
    add("energy_bending", "bending energy", "J", "mJ", 1e3);
    add("energy_barrier", "barrier energy", "J", "mJ", 1e3);
    add("energy_friction", "friction energy", "J", "mJ", 1e3);
    add("energy_support", "support energy", "J", "mJ", 1e3);
    if (!scene.ties.empty()) add("energy_tie", "tie energy", "J", "mJ", 1e3);
    if (scene.press) {
        // Measured by scenario/fold_gauges.h.
        add("fold_angle", "fold angle", "rad", "°", degrees);
        add("crease_angle", "angle of the crease, median", "rad", "°", degrees);
        add("memory_angle", "remembered angle, median", "rad", "°", degrees);
        add("bulge", "bulge of the upper sheet", "m", "mm", 1e3);
        add("section_height", "section height", "m", "mm", 1e3);
        add("layer_gap", "layer gap", "m", "mm", 1e3, true, 0.0);
        add("layer_gap_inner", "layer gap beside the fold", "m", "mm", 1e3, true, 0.0);
        add("layers_flipped", "layers that changed places", "1", "", 1, false, -infinity, 0);
        add("tool_force", "tool force", "N", "N", 1);
        add("tool_under", "tool under the upper sheet", "1", "", 1, false, -infinity, 0);
        add("tool_travel", "supported travel of the tool", "m", "mm", 1e3);
        add("grip_weight", "weight of the grips", "1", "", 1);
        add("hold_force", "force of grips and hold-downs", "N", "N", 1);
        add("creases", "pressed edges", "1", "", 1);
        add("segments_pressed", "pressed segments of the fold", "1", "", 1);
        add("ends_pressed", "pressed ends of the fold", "1", "", 1);
        add("creases_off_path", "pressed edges off the fold", "1", "", 1, false, -infinity, 0);
        add("memory_change", "change of memory since release", "rad", "°", degrees);
        add("free_time", "time since release", "s", "s", 1);
    }
    return specs;
}

std::vector<double> measure(const Scene& scene, const Model& model, const State& state, const StepReport& report) {
    const ParticleLayout layout = particle_layout(scene);
    const int spheres = int(scene.spheres.size());
    const bool stepped = report.solves > 0;
    const auto of_step = [&](double value) { return stepped ? value : nan; };
    std::vector<double> values;

    // In the order of gauge_specs.
    if (!scene.films.empty()) values.push_back(gap_of(report, ContactGroup::FilmFilm));
    if (!scene.films.empty() && !scene.obstacles.empty()) values.push_back(gap_of(report, ContactGroup::FilmObstacle));
    if (!scene.films.empty() && spheres > 0) values.push_back(gap_of(report, ContactGroup::FilmSphere));
    if (spheres > 0 && !scene.obstacles.empty()) values.push_back(gap_of(report, ContactGroup::SphereObstacle));
    if (spheres > 1) values.push_back(gap_of(report, ContactGroup::SphereSphere));
    values.push_back(report.intersecting_pairs);
    if (const int bag = bag_film(scene); bag >= 0) {
        const Film& film = scene.films[std::size_t(bag)];
        const int first = layout.film_first[std::size_t(bag)];
        const std::span<const Vec3f> x(state.x.data() + first, film.start.size());
        const BagMetrics metrics = bag_metrics<Vec3f>(x, find_group(film, "neck")->vertices, find_group(film, "end")->vertices);
        values.insert(values.end(), {metrics.neck_width_x, metrics.neck_width_y, metrics.skirt_height});
        if (spheres > 0) {
            const Containment bagged = spheres_in_bag(film, first, layout.sphere_first, spheres, state);
            values.insert(values.end(), {double(bagged.inside), double(bagged.through)});
        }
    }
    if (!scene.films.empty()) {
        values.push_back(largest_strain(model, state));
        values.push_back(largest_speed(state, 0, layout.film_vertex_count));
    }
    if (spheres > 0) values.push_back(largest_speed(state, layout.sphere_first, layout.sphere_first + spheres));
    values.push_back(of_step(report.iterations));
    values.push_back(of_step(report.halvings));
    if (has_resolves(scene)) values.push_back(report.ipc_resolves);
    values.push_back(of_step(report.active_contacts));
    values.push_back(of_step(report.seconds.total));
    values.push_back(kinetic_energy(model, state));
    for (const double energy :
         {report.energy.membrane, report.energy.bending, report.energy.barrier, report.energy.friction, report.energy.support})
        values.push_back(of_step(energy));
    if (!scene.ties.empty()) values.push_back(of_step(report.energy.tie));
    return values;
}

}  // namespace plica
