// Membrane: a constant-strain triangle in plane stress.                                        spec/solver.md, "Film"
//
//   F = X B (3 x 2),  C = FᵀF,  ε = (C − I)/2,  J = √det C = area now / area at rest
//   Neo-Hookean   E = A0 [μ (tr ε − log J) + λ/2 (log J)²]      S = μ I + (λ log J − μ) C⁻¹
//   StVK          E = A0 [μ ‖ε‖² + λ/2 (tr ε)²]                 S = 2 μ ε + λ tr ε I
//   ∂E/∂x_i = A0 F S b_i,  b_i = row i of B
//
// Both second derivatives have one form. With K = C⁻¹, c = μ − λ log J (Neo-Hookean) or K = I, c = μ (StVK):
//   δ²E = A0 [ λ (K:δε)² + 2 c tr(K δε K δε)  +  Σ_ab S_ab δf_a·δf_b ],   f_a = column a of F
//               material part                    geometric part
// In the metric of K the material part is (λ + c) tr² + 2 c dev²: its only eigenvalues, so that clamping these two numbers at 0
// makes it positive semi-definite. The geometric part is so when S is: S+ keeps the positive eigenvalues of the 2 x 2 matrix.
#pragma once

#include "engine/core/types.h"

namespace plica {

enum class MembraneModel : unsigned char { NeoHookean, StVK };

enum class MembraneTangent {
    Exact,      // second derivative of the energy
    Document,   // material part exact, geometric part with S+
    Projected,  // both parts positive semi-definite
};

// Plane-stress coefficients [N/m] of Young's modulus [Pa], thickness [m] and Poisson's ratio.
PLICA_HD inline double lame_mu(double young, double thickness, double poisson) {
    return young * thickness / (2 * (1 + poisson));
}
PLICA_HD inline double lame_lambda(double young, double thickness, double poisson) {
    return young * thickness * poisson / (1 - poisson * poisson);
}

// s - log(1 + s), at least as exact as s² is: the plain difference loses all digits of a small strain, and with them the line
// search its direction (spec/readings.md, finding 1). For |s| <= 0.2, from log(1+s) = 2 atanh(w), w = s/(2+s).
PLICA_HD inline double minus_log1p(double s) {
    const double w = s / (2 + s), w2 = w * w;
    double series = 1.0 / 19;
    for (int k = 17; k >= 3; k -= 2) series = series * w2 + 1.0 / k;
    return w * (s - 2 * w2 * series);
}

// Sine of the angle at vertex 0 below which three points lie on a line as far as doubles can tell.
inline constexpr double no_area_sine = 1e-14;

struct Membrane {
    MembraneModel model = MembraneModel::NeoHookean;
    double area = 0;                      // A0 [m²] at rest, > 0
    double b[3][2] = {};                  // B [1/m]
    double lame_mu = 0, lame_lambda = 0;  // [N/m]

    // [J]; +infinity for a Neo-Hookean triangle without area.
    PLICA_HD double energy(const Vec3& x0, const Vec3& x1, const Vec3& x2) const {
        const Strain s = strain(x0, x1, x2);
        if (model == MembraneModel::StVK) {
            const double trace = s.e11 + s.e22;
            return area * (lame_mu * (s.e11 * s.e11 + s.e22 * s.e22 + 2 * s.e12 * s.e12) + 0.5 * lame_lambda * trace * trace);
        }
        if (!(s.det > 0)) return HUGE_VAL;
        // tr ε − log J with det C = 1 + u, u = 2 tr ε + 4 det ε.
        const double det_strain = s.e11 * s.e22 - s.e12 * s.e12;
        return area * (lame_mu * (0.5 * s.u_minus_log - 2 * det_strain) + 0.5 * lame_lambda * s.log_j * s.log_j);
    }

    // [N]
    PLICA_HD Gradient<3> gradient(const Vec3& x0, const Vec3& x1, const Vec3& x2) const {
        const Strain s = strain(x0, x1, x2);
        return gradient_of(s, stress(s));
    }

    // Gradient [N] and Hessian [N/m]; the triangle has an area.
    PLICA_HD void derivatives(const Vec3& x0, const Vec3& x1, const Vec3& x2, MembraneTangent tangent, Gradient<3>& g,
                              Hessian<3>& h) const {
        const Strain s = strain(x0, x1, x2);
        Symmetric2 st = stress(s);
        g = gradient_of(s, st);

        double lambda = lame_lambda, c = lame_mu;
        double k11 = 1, k12 = 0, k22 = 1;
        if (model == MembraneModel::NeoHookean) {
            c = lame_mu - lame_lambda * s.log_j;
            k11 = s.c22 / s.det, k12 = -s.c12 / s.det, k22 = s.c11 / s.det;
        }
        if (tangent != MembraneTangent::Exact) st = positive_part(st);
        if (tangent == MembraneTangent::Projected && c < 0) {
            lambda = fmax(lambda + c, 0.0);
            c = 0;
        }

        // Material part over (δε11, δε22, 2 δε12), times A0.
        const double al = area * lambda, ac = 2 * area * c;
        const double d11 = (al + ac) * k11 * k11, d22 = (al + ac) * k22 * k22;
        const double d12 = al * k11 * k22 + ac * k12 * k12;
        const double d13 = (al + ac) * k11 * k12, d23 = (al + ac) * k22 * k12;
        const double d33 = al * k12 * k12 + 0.5 * ac * (k12 * k12 + k11 * k22);
        const double s11 = area * st.a11, s12 = area * st.a12, s22 = area * st.a22;

        // Over (f1, f2): δε11 = f1·δf1, δε22 = f2·δf2, 2 δε12 = f1·δf2 + f2·δf1.
        //   H11 = f1 (d11 f1 + d13 f2)ᵀ + f2 (d13 f1 + d33 f2)ᵀ + s11 I,  H12 = f1 (d13 f1 + d12 f2)ᵀ + f2 (d33 f1 + d23 f2)ᵀ +
        //   s12 I, H22 = f1 (d33 f1 + d23 f2)ᵀ + f2 (d23 f1 + d22 f2)ᵀ + s22 I
        // Vertices 1 and 2, from B; vertex 0 moves against both, so its blocks are minus their sums. For vertices i, j:
        //   block = f1 (α f1 + β f2)ᵀ + f2 (γ f1 + δ f2)ᵀ + σ I
        const double p1 = b[1][0], q1 = b[1][1], p2 = b[2][0], q2 = b[2][1];
        const auto mix = [](double m11, double m12, double m21, double m22, double pi, double qi, double pj, double qj) {
            return pi * (m11 * pj + m12 * qj) + qi * (m21 * pj + m22 * qj);
        };
        const auto fill = [&](Mat3& out, double pi, double qi, double pj, double qj) {
            const double f11 = mix(d11, d13, d13, d33, pi, qi, pj, qj), f12 = mix(d13, d12, d33, d23, pi, qi, pj, qj);
            const double f21 = mix(d13, d33, d12, d23, pi, qi, pj, qj), f22 = mix(d33, d23, d23, d22, pi, qi, pj, qj);
            const double sigma = mix(s11, s12, s12, s22, pi, qi, pj, qj);
            const Vec3 u = f11 * s.f1 + f12 * s.f2, v = f21 * s.f1 + f22 * s.f2;
            out = {{s.f1.x * u.x + s.f2.x * v.x + sigma, s.f1.x * u.y + s.f2.x * v.y, s.f1.x * u.z + s.f2.x * v.z,
                    s.f1.y * u.x + s.f2.y * v.x, s.f1.y * u.y + s.f2.y * v.y + sigma, s.f1.y * u.z + s.f2.y * v.z,
                    s.f1.z * u.x + s.f2.z * v.x, s.f1.z * u.y + s.f2.z * v.y, s.f1.z * u.z + s.f2.z * v.z + sigma}};
        };
        fill(h.block[1][1], p1, q1, p1, q1);
        fill(h.block[1][2], p1, q1, p2, q2);
        fill(h.block[2][2], p2, q2, p2, q2);
        for (int r = 0; r < 3; ++r) {
            for (int k = 0; k < 3; ++k) h.block[2][1](r, k) = h.block[1][2](k, r);
        }
        for (int k = 0; k < 9; ++k) {
            h.block[1][0].m[k] = -(h.block[1][1].m[k] + h.block[1][2].m[k]);
            h.block[2][0].m[k] = -(h.block[2][1].m[k] + h.block[2][2].m[k]);
            h.block[0][1].m[k] = -(h.block[1][1].m[k] + h.block[2][1].m[k]);
            h.block[0][2].m[k] = -(h.block[1][2].m[k] + h.block[2][2].m[k]);
            h.block[0][0].m[k] = -(h.block[0][1].m[k] + h.block[0][2].m[k]);
        }
    }

private:
    struct Symmetric2 {
        double a11, a12, a22;
    };
    struct Strain {
        Vec3 f1, f2;           // columns of F
        double c11, c12, c22;  // C
        double e11, e12, e22;  // ε
        double det;            // det C; the following only for Neo-Hookean
        double log_j;          // log J
        double u_minus_log;    // u − log(1 + u), u = det C − 1
    };

    PLICA_HD Strain strain(const Vec3& x0, const Vec3& x1, const Vec3& x2) const {
        Strain s;
        const Vec3 edge1 = x1 - x0, edge2 = x2 - x0;
        s.f1 = b[1][0] * edge1 + b[2][0] * edge2;
        s.f2 = b[1][1] * edge1 + b[2][1] * edge2;
        s.c11 = dot(s.f1, s.f1), s.c12 = dot(s.f1, s.f2), s.c22 = dot(s.f2, s.f2);
        s.e11 = 0.5 * (s.c11 - 1), s.e12 = 0.5 * s.c12, s.e22 = 0.5 * (s.c22 - 1);
        s.det = 0, s.log_j = 0, s.u_minus_log = 0;
        if (model != MembraneModel::NeoHookean) return s;

        const double u = 2 * (s.e11 + s.e22) + 4 * (s.e11 * s.e22 - s.e12 * s.e12);
        if (fabs(u) <= 0.2) {
            s.det = 1 + u;
            s.u_minus_log = minus_log1p(u);
            s.log_j = 0.5 * (u - s.u_minus_log);
        } else {
            // From the area, which keeps its digits where c11 c22 − c12² has none left; an area of rounding size is none.
            const Vec3 n = cross(edge1, edge2);
            const double size = dot(n, n);
            s.det = size > no_area_sine * no_area_sine * dot(edge1, edge1) * dot(edge2, edge2) ? size / (4 * area * area) : 0;
            s.log_j = 0.5 * log(s.det);
            s.u_minus_log = u - 2 * s.log_j;
        }
        return s;
    }

    PLICA_HD Symmetric2 stress(const Strain& s) const {
        if (model == MembraneModel::StVK) {
            const double pressure = lame_lambda * (s.e11 + s.e22);
            return {2 * lame_mu * s.e11 + pressure, 2 * lame_mu * s.e12, 2 * lame_mu * s.e22 + pressure};
        }
        // μ I + (λ log J − μ) C⁻¹ = C⁻¹ (2 μ ε + λ log J I), without the cancellation of the first form at small strain.
        const double m11 = 2 * lame_mu * s.e11 + lame_lambda * s.log_j, m12 = 2 * lame_mu * s.e12;
        const double m22 = 2 * lame_mu * s.e22 + lame_lambda * s.log_j;
        return {(s.c22 * m11 - s.c12 * m12) / s.det, (s.c22 * m12 - s.c12 * m22) / s.det, (s.c11 * m22 - s.c12 * m12) / s.det};
    }

    PLICA_HD Gradient<3> gradient_of(const Strain& s, const Symmetric2& st) const {
        const Vec3 p1 = area * (st.a11 * s.f1 + st.a12 * s.f2), p2 = area * (st.a12 * s.f1 + st.a22 * s.f2);
        Gradient<3> g;
        g.v[1] = b[1][0] * p1 + b[1][1] * p2;
        g.v[2] = b[2][0] * p1 + b[2][1] * p2;
        g.v[0] = -(g.v[1] + g.v[2]);
        return g;
    }

    // Positive-eigenvalue part of a symmetric 2 x 2 matrix: eigenvalues mean ± radius.
    PLICA_HD static Symmetric2 positive_part(const Symmetric2& a) {
        const double mean = 0.5 * (a.a11 + a.a22), half = 0.5 * (a.a11 - a.a22);
        const double radius = sqrt(half * half + a.a12 * a.a12);
        if (mean >= radius) return a;
        if (mean <= -radius) return {0, 0, 0};
        const double top = 0.5 * (mean + radius), ratio = top / radius;
        return {top + ratio * half, ratio * a.a12, top - ratio * half};
    }
};

// Rest shape from three points in space. Check area > 0 before use: points on a line give area 0 and B = 0.
PLICA_HD inline Membrane make_membrane(MembraneModel model, const Vec3& rest0, const Vec3& rest1, const Vec3& rest2, double mu,
                                       double lambda) {
    const Vec3 edge1 = rest1 - rest0, edge2 = rest2 - rest0;
    const double length = norm(edge1), twice_area = norm(cross(edge1, edge2));
    Membrane m;
    m.model = model;
    m.lame_mu = mu;
    m.lame_lambda = lambda;
    if (!(twice_area > no_area_sine * length * norm(edge2))) return m;
    m.area = 0.5 * twice_area;
    // In the plane: edge1 = (length, 0), edge2 = (along, height).
    const double along = dot(edge1, edge2) / length, height = twice_area / length;
    m.b[1][0] = 1 / length;
    m.b[1][1] = -along / twice_area;
    m.b[2][0] = 0;
    m.b[2][1] = 1 / height;
    m.b[0][0] = -m.b[1][0] - m.b[2][0];
    m.b[0][1] = -m.b[1][1] - m.b[2][1];
    return m;
}

}  // namespace plica
