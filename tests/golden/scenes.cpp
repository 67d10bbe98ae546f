// 10 tiny scenes stepped by the solver, 13 refusal of a bad start.
//
// The state is FP32 between steps, so positions and velocities are held to 2e-7 m and 1e-4 m/s (the files' own note), or to the
// file's tolerance where that is wider. Counts of contacts may differ by the pairs whose gap lies that close to dhat.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/contact_geometry.h"
#include "engine/geometry/triangle_triangle.h"
#include "engine/solver/solver.h"
#include "tests/golden/check.h"

namespace plica::golden {

namespace {

constexpr double fp32_x_atol = 2e-7;        // m
constexpr double fp32_v_atol = 1e-4;        // m/s
constexpr double newton_tolerance = 1e-11;  // m

std::vector<int> integers(const Json& list) { return list.get<std::vector<int>>(); }

Int3 triangle(const Json& list) {
    const std::vector<int> v = integers(list);
    return {v.at(0), v.at(1), v.at(2)};
}

std::vector<Vec3> widen(const std::vector<Vec3f>& a) {
    std::vector<Vec3> out;
    for (const Vec3f& v : a) out.push_back(to_double(v));
    return out;
}

std::vector<double> flat(const std::vector<Vec3>& a) {
    std::vector<double> out;
    for (const Vec3& v : a) out.insert(out.end(), {v.x, v.y, v.z});
    return out;
}

State state_of(const std::vector<Vec3>& x, const std::vector<Vec3>& v) {
    State s;
    for (const Vec3& p : x) s.x.push_back(to_float(p));
    for (const Vec3& p : v) s.v.push_back(to_float(p));
    return s;
}

// Film (body 0), obstacle (body 1) and one body for each sphere.
Model bodies_of(const std::vector<double>& radius, const std::vector<Int3>& film, const std::vector<Int3>& obstacle) {
    Model model;
    model.bodies = {{"film", BodyKind::Film}, {"obstacle", BodyKind::Obstacle}};
    model.body.assign(radius.size(), 0);
    model.radius = radius;
    model.triangles = film;
    model.triangles.insert(model.triangles.end(), obstacle.begin(), obstacle.end());
    for (const Int3& t : obstacle)
        for (int i = 0; i < 3; ++i) model.body.at(std::size_t(t[i])) = 1;
    for (std::size_t i = 0; i < radius.size(); ++i) {
        if (radius[i] <= 0) continue;
        model.body[i] = int(model.bodies.size());
        model.bodies.push_back({"sphere", BodyKind::Sphere});
    }
    return model;
}

// Gaps of all pairs of a small model by brute force, as the files define candidates.
std::vector<double> all_gaps(const Model& model, const std::vector<Vec3>& x, double min_gap) {
    std::vector<double> gaps;
    const auto all_fixed = [&](std::initializer_list<int> particles) {
        return std::all_of(particles.begin(), particles.end(), [&](int p) { return model.fixed[std::size_t(p)] != 0; });
    };
    const int n = model.particle_count();
    std::vector<Int2> edges;
    for (const Int3& t : model.triangles) {
        for (int i = 0; i < 3; ++i) edges.push_back({std::min(t[i], t[(i + 1) % 3]), std::max(t[i], t[(i + 1) % 3])});
        for (int p = 0; p < n; ++p) {
            if (p == t.a || p == t.b || p == t.c || all_fixed({p, t.a, t.b, t.c})) continue;
            const double offset = model.radius[p] > 0 ? model.radius[p] + 0.5 * min_gap : min_gap;
            gaps.push_back(vertex_triangle_contact(x[p], x[t.a], x[t.b], x[t.c]).distance - offset);
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        for (std::size_t j = i + 1; j < edges.size(); ++j) {
            const Int2 a = edges[i], b = edges[j];
            if (a.a == b.a || a.a == b.b || a.b == b.a || a.b == b.b || all_fixed({a.a, a.b, b.a, b.b})) continue;
            gaps.push_back(edge_edge_contact(x[a.a], x[a.b], x[b.a], x[b.b]).distance - min_gap);
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n; ++j) {
            if (model.radius[i] <= 0 || model.radius[j] <= 0 || all_fixed({i, j})) continue;
            gaps.push_back(sphere_sphere_contact(x[i], x[j]).distance - model.radius[i] - model.radius[j]);
        }
    }
    return gaps;
}

struct SmallScene {
    Model model;
    State state;
    StepInputs inputs;
    SolverSettings settings;
    int steps = 0;
};

SmallScene read_scene(const Case& c) {
    SmallScene scene;
    std::vector<Int3> film, obstacle;
    for (const Json& t : c.in("film_triangles")) film.push_back(triangle(t));
    for (const Json& t : c.in("obstacle_triangles")) obstacle.push_back(triangle(t));
    Model& model = scene.model = bodies_of(c.in("radius").get<std::vector<double>>(), film, obstacle);
    model.mass = c.in("mass").get<std::vector<double>>();
    for (const bool fixed : c.in("fixed").get<std::vector<bool>>()) model.fixed.push_back(fixed ? 1 : 0);

    const std::vector<Vec3> rest = points(c.in("rest"));
    const auto name = c.in("model").get<std::string>();
    if (name != "NH" && name != "StVK") throw std::runtime_error("model " + name + " is not known");
    for (const Int3& t : film) {
        model.membranes.push_back(
            {t, make_membrane(name == "NH" ? MembraneModel::NeoHookean : MembraneModel::StVK, rest.at(std::size_t(t.a)),
                              rest.at(std::size_t(t.b)), rest.at(std::size_t(t.c)), c.in("mu").get<double>(),
                              c.in("lambda_").get<double>())});
    }
    for (const Json& h : c.in("hinges")) {
        const std::vector<int> v = integers(h.at("abcd"));
        model.hinges.push_back(
            {v.at(0), v.at(1), v.at(2), v.at(3), {h.at("k_theta").get<double>(), h.at("theta0").get<double>()}});
    }
    for (const Json& s : c.in("supports"))
        scene.inputs.supports.push_back({s.at("i").get<int>(), {s.at("k").get<double>(), point(s.at("target"))}, 0});
    scene.inputs.support_group_count = scene.inputs.supports.empty() ? 0 : 1;
    for (const Json& t : c.in("ties"))
        scene.inputs.ties.push_back(
            {t.at("i").get<int>(), t.at("j").get<int>(), {t.at("k").get<double>(), t.at("L").get<double>()}});
    scene.inputs.force = points(c.in("force"));

    scene.state = state_of(points(c.in("x")), points(c.in("v")));
    SolverSettings& s = scene.settings;
    s.dt = c.in("dt").get<double>();
    s.dhat = c.in("dhat").get<double>();
    s.min_gap = c.in("min_gap").get<double>();
    s.kappa = c.in("barrier_k").get<double>();
    s.friction_mu = c.in("friction_mu").get<double>();
    s.film_damping = c.in("film_damping").get<double>();
    s.gravity = point(c.in("gravity"));
    s.tolerance = newton_tolerance;
    s.max_iterations = 1000;  // the tolerance is a millionth of the usual one
    scene.steps = c.in("steps").get<int>();
    return scene;
}

// Energies by term and gradient of the first step's potential at a given point.
void check_probe(Case& c, Solver& solver, const SmallScene& scene, const Json& probe) {
    const std::vector<Vec3> x = points(probe.at("x"));
    std::vector<Vec3> gradient;
    const Energies e = solver.potential(scene.state, scene.inputs, scene.settings, {}, x, &gradient);
    const double rtol = c.tolerance("probe_rtol", 0), phi = probe.at("phi").get<double>();
    // Terms are sums of elements that nearly cancel in places: their rounding is that of the largest, phi.
    const double atol = 1e-13 * std::fabs(phi);
    const Json& energies = probe.at("energies");
    const std::pair<const char*, double> terms[] = {{"inertia", e.inertia}, {"membrane", e.membrane}, {"bending", e.bending},
                                                    {"barrier", e.barrier}, {"friction", e.friction}, {"support", e.support},
                                                    {"tie", e.tie}};
    for (const auto& [key, got] : terms) c.compare(std::string("probe ") + key, {got}, energies.at(key), rtol, atol);
    c.compare("probe phi", {e.total()}, probe.at("phi"), rtol, atol);
    c.compare("probe gradient", flat(gradient), probe.at("grad_free_rows"), rtol, 0);
}

void scene(Case& c) {
    SmallScene s = read_scene(c);
    Solver solver(s.model);
    if (c.expects("probe")) check_probe(c, solver, s, c.expected().at("probe"));

    const double x_atol = std::max(c.tolerance("x_atol", 0), fp32_x_atol),
                 v_atol = std::max(c.tolerance("v_atol", 0), fp32_v_atol);
    const auto close_to_dhat = [&](const std::vector<double>& gaps) {
        return std::count_if(gaps.begin(), gaps.end(), [&](double g) { return std::fabs(g - s.settings.dhat) <= 2 * x_atol; });
    };
    const Json& expected = c.expected();
    State state = s.state;
    std::vector<double> gaps = all_gaps(s.model, widen(state.x), s.settings.min_gap);
    for (int k = 0; k < s.steps; ++k) {
        const std::string step = " of step " + std::to_string(k + 1);
        State next;
        const StepResult result = solver.solve(state, s.inputs, s.settings, {}, next);
        c.require(result.ok(), "no result" + step + ": " + (result.error ? result.error->message : "cancelled"));
        if (!result.ok()) return;
        const auto slack_before = close_to_dhat(gaps);
        state = next;
        const std::vector<Vec3> x = widen(state.x);
        gaps = all_gaps(s.model, x, s.settings.min_gap);
        const auto at = std::size_t(k);
        c.compare("x" + step, flat(x), expected.at("x").at(at), 0, x_atol);
        c.compare("v" + step, flat(widen(state.v)), expected.at("v").at(at), 0, v_atol);
        if (c.expects("active_contacts"))
            c.compare("active contacts" + step, {double(result.report.active_contacts)}, expected.at("active_contacts").at(at),
                      0, double(close_to_dhat(gaps)));
        if (c.expects("friction_contacts"))
            c.compare("friction contacts" + step, {double(result.report.friction_contacts)},
                      expected.at("friction_contacts").at(at), 0, double(slack_before));
        if (c.expects("min_gap") && !expected.at("min_gap").at(at).is_null() && !gaps.empty()) {
            const double smallest = *std::min_element(gaps.begin(), gaps.end());
            c.compare("smallest gap" + step, {smallest}, expected.at("min_gap").at(at), 0, 2 * x_atol);
            // The solver's own account of it.
            const ContactCensus census = solver.census(state, s.settings, smallest + s.settings.dhat);
            const double told = *std::min_element(census.min_gap.begin(), census.min_gap.end());
            c.require(std::fabs(told - smallest) <= 1e-12, "the solver's smallest gap" + step + " is not that of all pairs");
            c.require(census.overlap_count == 0 && census.intersecting.empty(), "overlap after an accepted step");
        }
        if (c.expects("hinge_angles")) {
            const std::vector<double> want = numbers(expected.at("hinge_angles").at(at));
            c.require(want.size() == s.model.hinges.size(), "another number of hinge angles");
            for (std::size_t h = 0; h < s.model.hinges.size() && h < want.size(); ++h) {
                const HingeElement& e = s.model.hinges[h];
                double theta, slope = 0;
                for (const Vec3& v : hinge_angle_gradient(x[e.a], x[e.b], x[e.c], x[e.d], &theta).v) slope += norm(v);
                c.require(std::fabs(wrap_angle(theta - want[h])) <= slope * x_atol, "hinge angle" + step + " is another");
            }
        }
    }
}

void start_check(Case& c) {
    const std::vector<Vec3> x = points(c.in("x"));
    std::vector<Int3> film;
    for (const Json& t : c.in("triangles")) film.push_back(triangle(t));
    Model model = bodies_of(c.in("radius").get<std::vector<double>>(), film, {});
    model.mass.assign(x.size(), 1e-6);  // kg
    model.fixed.assign(x.size(), 0);
    SolverSettings settings;
    settings.min_gap = c.in("min_gap").get<double>();
    settings.gravity = {};

    // The doubles of the file themselves, by brute force.
    const std::vector<double> gaps = all_gaps(model, x, settings.min_gap);
    if (!gaps.empty()) c.value("smallest_gap", *std::min_element(gaps.begin(), gaps.end()));
    std::vector<Int2> pierced;
    for (int i = 0; i < int(film.size()); ++i) {
        for (int j = i + 1; j < int(film.size()); ++j) {
            const Int3 &a = film[std::size_t(i)], &b = film[std::size_t(j)];
            bool shared = false;
            for (int k = 0; k < 9; ++k) shared = shared || a[k / 3] == b[k % 3];
            if (!shared && triangles_intersect(x[a.a], x[a.b], x[a.c], x[b.a], x[b.b], x[b.c])) pierced.push_back({i, j});
        }
    }
    std::vector<double> pairs;
    for (const Int2& p : pierced) pairs.insert(pairs.end(), {double(p.a), double(p.b)});
    c.value("pierced_pairs", pairs, 0, 0);

    // The solver, whose output has to stay as it was when it refuses.
    Solver solver(model);
    const State start = state_of(x, std::vector<Vec3>(x.size()));
    c.require(solver.census(start, settings, settings.dhat).intersecting == pierced,
              "the solver's census has other intersecting pairs");
    const State untouched = state_of(std::vector<Vec3>(x.size(), {1, 2, 3}), std::vector<Vec3>(x.size(), {4, 5, 6}));
    State out = untouched;
    const StepResult result = solver.solve(start, {}, settings, {}, out);
    const bool refused = result.error && (result.error->reason == StepFailure::InitialOverlap ||
                                          result.error->reason == StepFailure::InitialIntersection);
    c.word("decision", refused ? "reject" : result.ok() ? "accept" : "fail");
    if (refused) {
        c.require(out == untouched, "the output was touched");
        c.require(result.error->pair_count > 0, "the error names no pair");
        if (!pierced.empty() && !gaps.empty() && *std::min_element(gaps.begin(), gaps.end()) > 0)
            c.require(result.error->reason == StepFailure::InitialIntersection, "the reason is not an intersection");
    } else {
        c.require(!(out == untouched), "no output was written");
    }
}

}  // namespace

std::vector<Kind> scene_kinds() { return {{"10_scene_", scene}, {"13_", start_check}}; }

}  // namespace plica::golden
