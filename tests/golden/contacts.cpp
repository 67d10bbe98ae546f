// 02 closest points, 03 contact, 06 friction, 08 motion cap.
#include <cmath>
#include <limits>

#include "engine/contact/contact_geometry.h"
#include "engine/energy/barrier.h"
#include "engine/energy/friction.h"
#include "tests/golden/check.h"

namespace plica::golden {

namespace {

CandidateKind kind_of(const Json& kind) {
    const auto name = kind.get<std::string>();
    if (name == "VT" || name == "sphere-face") return CandidateKind::VertexTriangle;
    if (name == "EE") return CandidateKind::EdgeEdge;
    if (name == "SS") return CandidateKind::SphereSphere;
    throw std::runtime_error("contact of kind " + name + " is not known");
}

ContactGeometry contact_of(CandidateKind kind, const std::vector<Vec3>& x) {
    switch (kind) {
        case CandidateKind::VertexTriangle: return vertex_triangle_contact(x.at(0), x.at(1), x.at(2), x.at(3));
        case CandidateKind::EdgeEdge: return edge_edge_contact(x.at(0), x.at(1), x.at(2), x.at(3));
        default: return sphere_sphere_contact(x.at(0), x.at(1));
    }
}

std::string triangle_region(const double (&weight)[3]) {
    const bool on[3] = {weight[0] > 0, weight[1] > 0, weight[2] > 0};
    if (on[0] && on[1] && on[2]) return "face";
    if (on[0] && on[1]) return "e01";
    if (on[1] && on[2]) return "e12";
    if (on[2] && on[0]) return "e20";
    return on[0] ? "v0" : on[1] ? "v1" : "v2";
}

char end_letter(double fraction) { return fraction <= 0 ? '0' : fraction >= 1 ? '1' : 'i'; }

std::string region_of(CandidateKind kind, const ContactGeometry& g) {
    if (kind == CandidateKind::SphereSphere) return "ss";
    if (kind == CandidateKind::EdgeEdge) return {end_letter(g.weight[1]), end_letter(-g.weight[3])};
    return triangle_region({-g.weight[1], -g.weight[2], -g.weight[3]});
}

void point_triangle(Case& c) {
    const Vec3 p = point(c.in("p")), t[3] = {point(c.in("a")), point(c.in("b")), point(c.in("c"))};
    const PointTriangle got = closest_point_triangle(p, t[0], t[1], t[2]);
    c.value("distance", got.distance);
    c.value("bary", {got.weight[0], got.weight[1], got.weight[2]}, 0, c.tolerance("bary_atol", 0));
    c.word("region", triangle_region(got.weight));
    // Unique or not: the weights are those of a point of the triangle at that distance.
    const double size = std::fmax(max_abs(p), std::fmax(max_abs(t[0]), std::fmax(max_abs(t[1]), max_abs(t[2]))));
    const Vec3 r = p - (got.weight[0] * t[0] + got.weight[1] * t[1] + got.weight[2] * t[2]);
    c.require(got.weight[0] >= 0 && got.weight[1] >= 0 && got.weight[2] >= 0, "a weight is negative");
    c.require(norm(r - got.separation) <= 1e-15 * size, "the weights do not give the separation");
}

void edge_edge(Case& c) {
    const Vec3 p0 = point(c.in("p0")), p1 = point(c.in("p1")), q0 = point(c.in("q0")), q1 = point(c.in("q1"));
    const EdgeEdge got = closest_edge_edge(p0, p1, q0, q1);
    c.value("distance", got.distance);
    c.value("s", {got.s}, 0, c.tolerance("st_atol", 0));
    c.value("t", {got.t}, 0, c.tolerance("st_atol", 0));
    c.word("region", {end_letter(got.s), end_letter(got.t)});
    const double size = std::fmax(std::fmax(max_abs(p0), max_abs(p1)), std::fmax(max_abs(q0), max_abs(q1)));
    const Vec3 r = p0 + got.s * (p1 - p0) - q0 - got.t * (q1 - q0);
    c.require(got.s >= 0 && got.s <= 1 && got.t >= 0 && got.t <= 1, "a fraction is outside [0, 1]");
    c.require(norm(r - got.separation) <= 1e-15 * size, "the fractions do not give the separation");
}

// n, a scalar factor and weights as 3 points numbers: factor w_i n.
std::vector<double> weighted(const ContactGeometry& g, int points, double factor) {
    std::vector<double> out;
    for (int i = 0; i < points; ++i) {
        const Vec3 v = factor * g.weight[i] * g.normal;
        out.insert(out.end(), {v.x, v.y, v.z});
    }
    return out;
}

void contact_gap(Case& c) {
    const CandidateKind kind = kind_of(c.in("kind"));
    const int count = kind == CandidateKind::SphereSphere ? 2 : 4;
    const ContactGeometry g = contact_of(kind, points(c.in("x")));
    const Barrier b{c.in("dhat").get<double>(), c.in("k").get<double>()};
    const double gap = g.distance - c.in("c").get<double>();
    c.word("state", gap <= 0 ? "infeasible" : gap < b.dhat ? "active" : "inactive");
    c.word("region", region_of(kind, g));
    c.value("w", {g.weight, g.weight + count}, "w");
    c.value("n", flat(g.normal), "n");
    c.value("distance", {g.distance}, c.tolerance("rtol", 0), c.tolerance("gap_atol", 0));
    c.value("gap", gap);
    c.value("B", b.energy(gap));
    c.value("dB", b.first(gap));
    c.value("ddB", b.second(gap));
    const std::vector<double> j = weighted(g, count, 1);
    c.value("j", j, "j");
    c.value("grad", weighted(g, count, b.first(gap)), "grad");
    std::vector<double> hessian;
    for (const double row : j)
        for (const double col : j) hessian.push_back(b.second(gap) * row * col);
    c.value("hess_gauss", hessian, "hess");
}

void friction(Case& c) {
    const CandidateKind kind = kind_of(c.in("kind"));
    const int count = kind == CandidateKind::SphereSphere ? 2 : 4;
    const std::vector<Vec3> x0 = points(c.in("x0")), x = points(c.in("x"));
    const ContactGeometry g = contact_of(kind, x0);
    const Barrier b{c.in("dhat").get<double>(), c.in("k").get<double>()};
    const double gap = g.distance - c.in("c").get<double>();
    Friction f;
    f.load = gap > 0 ? -c.in("mu").get<double>() * b.first(gap) : 0;
    f.normal = g.normal;
    std::copy(std::begin(g.weight), std::end(g.weight), std::begin(f.weight));
    f.eps = c.in("dt").get<double>() * 1e-3;  // eps_v of the files
    Vec3 r;
    for (int i = 0; i < count; ++i) r += g.weight[i] * (x.at(std::size_t(i)) - x0[std::size_t(i)]);

    c.value("load", f.load);
    c.value("w0", {g.weight, g.weight + count}, "w0");
    c.value("n0", flat(g.normal), "n0");
    c.value("eps", f.eps);
    c.value("t", flat(f.tangential(r)), "t");
    c.value("energy", f.energy(r));
    const Vec3 force = f.gradient(r);
    const Mat3 block = f.hessian(r);
    std::vector<double> gradient, hessian;
    for (int i = 0; i < 3 * count; ++i) {
        gradient.push_back(f.weight[i / 3] * force[i % 3]);
        for (int j = 0; j < 3 * count; ++j) hessian.push_back(f.weight[i / 3] * f.weight[j / 3] * block(i % 3, j % 3));
    }
    c.value("grad", gradient, "grad");
    c.value("hess", hessian, "hess");
}

struct Cap {
    double gap = 0, speed = 0, ratio = std::numeric_limits<double>::infinity();
    ContactGeometry geometry;
};

Cap cap_of(CandidateKind kind, const std::vector<Vec3>& x, std::vector<Vec3> dx, double offset) {
    dx.resize(4);
    Cap cap;
    cap.geometry = contact_of(kind, x);
    cap.gap = cap.geometry.distance - offset;
    cap.speed = approach(kind, cap.geometry.normal, dx[0], dx[1], dx[2], dx[3]);
    if (cap.speed > 0) cap.ratio = cap.gap / cap.speed;
    return cap;
}

void motion_cap(Case& c) {
    const CandidateKind kind = kind_of(c.in("kind"));
    const std::vector<Vec3> x = points(c.in("x")), dx = points(c.in("dx"));
    const double offset = c.in("c").get<double>();
    const Cap cap = cap_of(kind, x, dx, offset);
    const double alpha = capped_fraction(cap.ratio), rtol = c.tolerance("rtol", 0);
    double reach = 0;
    for (const Vec3& d : dx) reach = std::fmax(reach, norm(d));
    c.value("gap", cap.gap);
    c.value("n", flat(cap.geometry.normal), "n");
    const double rounding = 1e-14 * reach;
    c.value("approach", {cap.speed}, rtol, rounding);
    if (c.expects("ratio") && c.expected().at("ratio").is_null()) {
        c.require(!(cap.speed > rounding), "a pair that does not approach is limited");
    }
    c.value("ratio", cap.ratio);
    c.value("alpha", alpha);
    // The property the cap is there for, and the times of contact themselves against our distance.
    for (const auto& [key, distance] : {std::pair{"toi_midsurface", 0.0}, std::pair{"toi_gap", offset}}) {
        if (!c.expects(key) || c.expected().at(key).is_null()) continue;
        const double toi = c.expected().at(key).get<double>();
        c.require(alpha < toi, std::string("alpha reaches ") + key);
        std::vector<Vec3> moved = x;
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += toi * dx.at(i);
        c.require(
            std::fabs(contact_of(kind, moved).distance - distance) <= 2 * c.tolerance("toi_rtol", 0) * toi * reach + 1e-15,
            std::string("the distance at ") + key + " is another");
    }
}

void motion_cap_group(Case& c) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const Json& item : c.in("candidates")) {
        const Cap cap =
            cap_of(kind_of(item.at("kind")), points(item.at("x")), points(item.at("dx")), item.at("c").get<double>());
        smallest = std::fmin(smallest, cap.ratio);
    }
    c.value("min_ratio", smallest);
    c.value("alpha", capped_fraction(smallest));
}

}  // namespace

std::vector<Kind> contact_kinds() {
    return {{"02_point_triangle", point_triangle},      {"02_edge_edge", edge_edge}, {"03_", contact_gap}, {"06_", friction},
            {"08_motion_cap_groups", motion_cap_group}, {"08_", motion_cap}};
}

}  // namespace plica::golden
