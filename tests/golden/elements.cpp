// 01 barrier, 04 membrane, 05 hinge, 07 springs, 14 constants of the material.
#include <cmath>

#include "engine/energy/barrier.h"
#include "engine/energy/hinge.h"
#include "engine/energy/membrane.h"
#include "engine/energy/support.h"
#include "engine/energy/tie.h"
#include "tests/golden/check.h"

namespace plica::golden {

namespace {

const char* barrier_state(double gap, double dhat) { return gap <= 0 ? "infeasible" : gap < dhat ? "active" : "inactive"; }

void barrier(Case& c) {
    const double g = c.in("g").get<double>();
    const Barrier b{c.in("dhat").get<double>(), c.in("k").get<double>()};
    c.word("state", barrier_state(g, b.dhat));
    c.value("B", b.energy(g));
    c.value("dB", b.first(g));
    c.value("ddB", b.second(g));
    if (!(g > 0)) c.require(std::isinf(b.energy(g)), "energy of a gap that is not admissible is finite");
}

// The 1-D wall has the same barrier.
void wall_barrier(Case& c) {
    const double d = c.in("d").get<double>();
    const Barrier b{c.in("dhat").get<double>(), c.in("kappa").get<double>()};
    c.word("state", barrier_state(d, b.dhat));
    c.value("b", b.energy(d));
    c.value("db", b.first(d));
    c.value("d2b", b.second(d));
    if (!(d > 0)) c.require(std::isinf(b.energy(d)), "energy of a distance that is not admissible is finite");
}

// The material part alone: what is left of the exact tangent without A0 B S Bᵀ x I3.
std::vector<double> material_part(const Membrane& m, std::vector<double> exact, const Json& stress_energy_x) {
    const std::vector<Vec3> x = points(stress_energy_x);
    // S from its definition through the gradient: A0 F S b_i = g_i for i = 1, 2, and F has full rank.
    const Vec3 edge1 = x[1] - x[0], edge2 = x[2] - x[0];
    const Vec3 f1 = m.b[1][0] * edge1 + m.b[2][0] * edge2, f2 = m.b[1][1] * edge1 + m.b[2][1] * edge2;
    const Gradient<3> g = m.gradient(x[0], x[1], x[2]);
    const double det_b = m.b[1][0] * m.b[2][1] - m.b[1][1] * m.b[2][0];
    const Vec3 p1 = (1 / (m.area * det_b)) * (m.b[2][1] * g.v[1] - m.b[1][1] * g.v[2]);
    const Vec3 p2 = (1 / (m.area * det_b)) * (m.b[1][0] * g.v[2] - m.b[2][0] * g.v[1]);
    const double c11 = dot(f1, f1), c12 = dot(f1, f2), c22 = dot(f2, f2), det = c11 * c22 - c12 * c12;
    const double s11 = (c22 * dot(f1, p1) - c12 * dot(f2, p1)) / det;
    const double s12 = (c22 * dot(f1, p2) - c12 * dot(f2, p2)) / det;
    const double s22 = (c11 * dot(f2, p2) - c12 * dot(f1, p2)) / det;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double *bi = m.b[i], *bj = m.b[j];
            const double geometric = m.area * (bi[0] * (s11 * bj[0] + s12 * bj[1]) + bi[1] * (s12 * bj[0] + s22 * bj[1]));
            for (int k = 0; k < 3; ++k) exact[std::size_t(9 * (3 * i + k) + 3 * j + k)] -= geometric;
        }
    }
    return exact;
}

void membrane(Case& c) {
    const auto name = c.in("model").get<std::string>();
    const std::vector<Vec3> rest = points(c.in("rest"));
    double mu = 1, lambda = 1;
    if (c.has_in("E")) {
        const double young = c.in("E").get<double>(), thickness = c.in("h").get<double>(), poisson = c.in("nu").get<double>();
        mu = lame_mu(young, thickness, poisson);
        lambda = lame_lambda(young, thickness, poisson);
    }
    if (c.has_in("mu")) c.compare("mu", {mu}, c.in("mu"), 1e-12, 0);
    if (c.has_in("lambda_")) c.compare("lambda", {lambda}, c.in("lambda_"), 1e-12, 0);
    if (name != "NH" && name != "StVK" && name != "any") throw std::runtime_error("model " + name + " is not known");
    const auto model = name == "StVK" ? MembraneModel::StVK : MembraneModel::NeoHookean;
    const Membrane m = make_membrane(model, rest.at(0), rest.at(1), rest.at(2), mu, lambda);
    if (c.expects("error")) {
        c.require(m.area == 0, "rest triangle without area is accepted");
        return;
    }
    const std::vector<Vec3> x = points(c.in("x"));
    c.value("A0", m.area);
    c.value("energy", m.energy(x.at(0), x.at(1), x.at(2)));
    if (!c.expects("grad")) return;
    c.value("grad", flat(m.gradient(x[0], x[1], x[2])), "grad");
    Gradient<3> g;
    Hessian<3> h;
    m.derivatives(x[0], x[1], x[2], MembraneTangent::Exact, g, h);
    c.value("grad", flat(g), "grad");
    c.value("hess_exact", flat(h), "hess");
    c.value("hess_material", material_part(m, flat(h), c.in("x")), "hess");
    m.derivatives(x[0], x[1], x[2], MembraneTangent::Document, g, h);
    c.value("hess_document", flat(h), "hess");
}

void hinge(Case& c) {
    const Vec3 p[4] = {point(c.in("a")), point(c.in("b")), point(c.in("c")), point(c.in("d"))};
    const std::vector<Vec3> rest = points(c.in("rest"));
    const double length = norm(rest.at(3) - rest.at(2));
    const double area1 = 0.5 * norm(cross(rest[2] - rest.at(0), rest[3] - rest[0]));
    const double area2 = 0.5 * norm(cross(rest[3] - rest.at(1), rest[2] - rest[1]));
    const double bending = c.in("D").get<double>();
    const Hinge h{hinge_stiffness(bending, length, area1, area2), c.in("theta0").get<double>()};
    c.value("rest_length", length);
    c.value("rest_area_1", area1);
    c.value("rest_area_2", area2);
    c.value("k_theta", h.stiffness);
    c.value("edge_ke", h.stiffness / length);

    double theta;
    const Gradient<4> slope = hinge_angle_gradient(p[0], p[1], p[2], p[3], &theta);
    const double wrapped = wrap_angle(theta - h.rest_angle), theta_atol = c.tolerance("theta_atol", 0);
    c.require(theta == hinge_angle(p[0], p[1], p[2], p[3]), "the angle and the one beside the gradient differ");
    c.value("theta", {theta}, 0, theta_atol);
    c.value("theta_abs", {std::fabs(theta)}, 0, theta_atol);
    c.value("wrapped", {wrapped}, 0, theta_atol);
    c.value("moment", {h.stiffness * wrapped}, c.tolerance("rtol", 0), h.stiffness * theta_atol);
    c.value("dtheta", flat(slope), "dtheta");
    c.value("energy", h.energy(p[0], p[1], p[2], p[3]));
    c.value("grad", flat(h.gradient(p[0], p[1], p[2], p[3])), "grad");
    c.value("hess_gauss", flat(h.hessian(p[0], p[1], p[2], p[3])), "hess");
    c.value("hess_exact", flat(h.hessian_exact(p[0], p[1], p[2], p[3])), "hess");
}

void spring(Case& c) {
    const auto kind = c.in("kind").get<std::string>();
    const double stiffness = c.in("k").get<double>();
    if (kind == "support") {
        const Support s{stiffness, point(c.in("target"))};
        const Vec3 x = point(c.in("x"));
        c.value("energy", s.energy(x));
        c.value("grad", flat(s.gradient(x)), "grad");
        c.value("hess", flat(s.hessian(x)), "hess");
        return;
    }
    if (kind != "tie") throw std::runtime_error("spring of kind " + kind + " is not known");
    const Tie tie{stiffness, c.in("L").get<double>()};
    const Vec3 xi = point(c.in("xi")), xj = point(c.in("xj"));
    const Vec3 pull = tie.gradient(xi, xj);
    const Mat3 block = tie.hessian(xi, xj);
    Gradient<2> g{{pull, -pull}};
    Hessian<2> h;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) h.block[i][j] = (i == j ? 1.0 : -1.0) * block;
    c.value("length", norm(xi - xj));
    c.value("energy", tie.energy(xi, xj));
    c.value("grad", flat(g), "grad");
    c.value("hess_psd", flat(h), "hess");
    bool finite = std::isfinite(tie.energy(xi, xj));
    for (const double v : flat(g)) finite = finite && std::isfinite(v);
    for (const double v : flat(h)) finite = finite && std::isfinite(v);
    c.require(finite, "energy, gradient or Hessian is not finite");
}

}  // namespace

std::vector<Kind> element_kinds() {
    return {{"01_barrier", barrier}, {"01_wall_barrier", wall_barrier}, {"04_", membrane}, {"05_", hinge}, {"07_", spring}};
}

}  // namespace plica::golden
