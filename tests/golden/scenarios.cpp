// 09 the 1-D wall, 11 fold metrics, 12 crease memory and grips of the paper.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/energy/hinge.h"
#include "engine/gauge/fold_metrics.h"
#include "engine/lab/wall.h"
#include "engine/scenario/paper_grip.h"
#include "engine/scenario/paper_memory.h"
#include "tests/golden/check.h"

namespace plica::golden {

namespace {

constexpr double degree = std::numbers::pi / 180;

WallLab wall_lab(const Case& c) {
    const auto mode = c.in("mode").get<std::string>();
    if (mode != "ipc" && mode != "pen") throw std::runtime_error("mode " + mode + " is not known");
    WallLab lab;
    lab.barrier = mode == "ipc";
    lab.mass = c.in("m").get<double>();
    lab.h = c.in("h").get<double>();
    lab.wall = c.in("wall").get<double>();
    lab.thickness = c.in("thickness").get<double>();
    lab.dhat = c.in("dhat").get<double>();
    lab.kappa = c.in("kappa").get<double>();
    lab.penalty_stiffness = c.in("k_pen").get<double>();
    return lab;
}

void wall_landscape(Case& c) {
    const WallLab lab = wall_lab(c);
    std::vector<double> energy;
    for (const double x : c.in("x").get<std::vector<double>>()) energy.push_back(lab.energy(x, c.in("xt").get<double>()));
    c.value("energy", energy, "energy");
}

void wall_run(Case& c) {
    WallLab lab = wall_lab(c);
    lab.steps = c.in("steps").get<int>();
    lab.newton_tolerance = c.in("newton_tol").get<double>();
    lab.newton_limit = c.in("newton_max_it").get<int>();
    const WallLab::Run run = lab.run(c.in("v0").get<double>());
    const double x_atol = c.tolerance("x_atol", 0), largest = run.largest_x - lab.wall;
    c.word("outcome", run.through ? "through" : "stopped");
    c.value("xmax_minus_wall", {largest}, 0, x_atol);
    c.value("gap", {-largest}, 0, x_atol);
    c.value("depth", {largest}, 0, x_atol);
    c.value("newton_max", {double(run.largest_iterations)}, 0, c.tolerance("newton", 0));
    c.value("steps_run", {double(run.x.size())}, 0, 0);
    c.value("x_last", {run.x.back()}, 0, x_atol);
    const auto part = [&](const char* key, bool tail) {
        if (!c.expects(key)) return;
        const auto count = std::min(run.x.size(), c.expected().at(key).size());
        const auto begin = tail ? run.x.end() - long(count) : run.x.begin();
        c.value(key, {begin, begin + long(count)}, 0, x_atol);
    };
    part("x_first_steps", false);
    part("x_tail", true);
}

void fold(Case& c) {
    const double angle_atol = c.tolerance("fold_angle_atol_deg", 0);
    if (c.has_in("hinges_abcd")) {
        std::vector<double> angles;
        for (const Json& h : c.in("hinges_abcd")) {
            const std::vector<Vec3> p = points(h);
            angles.push_back(std::fabs(hinge_angle(p.at(0), p.at(1), p.at(2), p.at(3))) / degree);
        }
        std::sort(angles.begin(), angles.end());
        const std::size_t n = angles.size();
        c.value("median_abs_angle_deg", {0.5 * (angles.at((n - 1) / 2) + angles.at(n / 2))}, 0, angle_atol);
        return;
    }
    const std::vector<Vec3> x = points(c.in("x"));
    std::vector<Int3> triangles;
    for (const Json& t : c.in("triangles")) triangles.push_back({t.at(0).get<int>(), t.at(1).get<int>(), t.at(2).get<int>()});
    const auto base = c.in("base_triangles").get<std::vector<int>>(), flap = c.in("flap_triangles").get<std::vector<int>>();
    c.value("fold_angle_deg", {fold_angle(x, triangles, base, flap) / degree}, 0, angle_atol);
    std::vector<double> bulges;
    for (const Json& s : c.in("flap_sections"))
        bulges.push_back(bulge_over_chord(x, s.get<std::vector<int>>(), point(c.in("up"))));
    // The file's alternative, peak to peak from a plane, is not one of our gauges (spec/readings.md, C2).
    c.value("bulge_chord_per_section", bulges, 0, c.tolerance("bulge_atol", 0));
    c.value("bulge_chord", {*std::max_element(bulges.begin(), bulges.end())}, 0, c.tolerance("bulge_atol", 0));
}

void grip(Case& c) {
    GripHandOver hand_over;
    hand_over.length = c.in("L").get<double>();
    hand_over.radius = c.in("R").get<double>();
    if (!c.has_in("steps")) {
        c.value("w", hand_over.weight_at(c.in("s").get<double>()));
        return;
    }
    std::vector<double> travel, weight;
    for (const Json& s : c.in("steps")) {
        hand_over.contact(s.at("supported").get<bool>(), s.at("position").get<double>(), s.at("deep_crease").get<bool>(),
                          s.at("end_pressed").get<bool>());
        travel.push_back(hand_over.travel());
        weight.push_back(hand_over.weight());
    }
    c.value("s", travel, "s");
    c.value("w", weight, "w");
}

void memory(Case& c) {
    const Json& steps = c.in("steps");
    const Json& after = c.expected().at("after");
    CreaseMemory crease;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Json& s = steps.at(i);
        const PressContact contact{s.at("aligned").get<bool>(), s.at("tool_force").get<double>(),
                                   s.at("table_force").get<double>(), s.at("table_distance").get<double>()};
        crease.press(s.at("angle").get<double>(), contact);
        const std::string step = " after step " + std::to_string(i + 1);
        c.require(contact.supported() == after.at(i).at("supported").get<bool>(), "another support" + step);
        c.require(crease.marked == after.at(i).at("marked").get<bool>(), "another mark" + step);
        c.compare("memory" + step, {crease.angle}, after.at(i).at("memory"), 0, c.tolerance("atol", 0));
    }
}

}  // namespace

std::vector<Kind> scenario_kinds() {
    return {{"09_wall_landscape", wall_landscape},
            {"09_wall_", wall_run},
            {"11_fold_metrics", fold},
            {"12_paper_grip", grip},
            {"12_paper_memory", memory}};
}

}  // namespace plica::golden
