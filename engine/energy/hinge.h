// Hinge: bending across an edge c -> d of two triangles with opposite vertices a and b.          spec/solver.md, "Film"
//
//            d             n1 = (c − a) x (d − a),  n2 = (d − b) x (c − b),  e = (d − c)/‖d − c‖
//          / | \           θ  = atan2((n1 x n2)·e, n1·n2): 0 flat, > 0 when b lies on the side that n1 points away from
//         a  |  b          E  = ½ kθ wrap(θ − θ0)²,  kθ = 6 D ℓ²/(A1 + A2)
//          \ | /
//            c             Gauss Hessian kθ ∇θ ∇θᵀ; exact: + kθ wrap(θ − θ0) ∇²θ
//
// Each wing has its own frame: unit normal m, e, and u from the edge to the opposite vertex, at height h above the edge and at
// fraction t along it. With y = δa − (1−t) δc − t δd and z = δd − δc, l the edge length:
//   δθ  = −Σ_wings (m·y)/h
//   δ²θ =  Σ_wings [2 (u·y)(m·y)/h² + 2 (e·y)(m·z)/(h l) + (m·z)(u·z)/l²]
#pragma once

#include "engine/core/types.h"

namespace plica {

// Same angle in [-π, π]: atan2(sin, cos).
PLICA_HD inline double wrap_angle(double angle) {
    if (fabs(angle) <= 3.141592653589793) return angle;
    return atan2(sin(angle), cos(angle));
}

// D [N m] = E h³/(12 (1 − ν²)).
PLICA_HD inline double bending_stiffness(double young, double thickness, double poisson) {
    return young * thickness * thickness * thickness / (12 * (1 - poisson * poisson));
}

// kθ [N m] from D [N m], rest length of the edge [m] and rest areas of its triangles [m²].
PLICA_HD inline double hinge_stiffness(double bending, double length, double area1, double area2) {
    return 6 * bending * length * length / (area1 + area2);
}

// θ [rad] in [-π, π]; 0 if a triangle has no area.
PLICA_HD inline double hinge_angle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 edge = d - c;
    const Vec3 n1 = cross(edge, a - c), n2 = cross(b - c, edge);  // the same normals, from c
    return atan2(dot(cross(n1, n2), edge), dot(n1, n2) * norm(edge));
}

// One wing of a hinge. A wing without area has inverse_height 0: it then gives no derivatives instead of infinite ones.
struct HingeWing {
    Vec3 normal;                // m, unit
    double inverse_height = 0;  // 1/h [1/m]
    double fraction = 0;        // t

    PLICA_HD HingeWing(const Vec3& area_normal, const Vec3& from_c, const Vec3& edge, double length) {
        const double size = norm(area_normal);
        if (!(size > 1e-50)) return;  // m²; keeps 1/h² finite
        normal = (1 / size) * area_normal;
        inverse_height = length / size;
        fraction = dot(from_c, edge) / (length * length);
    }
};

// ∇θ [1/m] for a, b, c, d; theta may be null.
PLICA_HD inline Gradient<4> hinge_angle_gradient(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double* theta) {
    const Vec3 edge = d - c, to_a = a - c, to_b = b - c;
    const double length = norm(edge);
    const Vec3 n1 = cross(edge, to_a), n2 = cross(to_b, edge);
    if (theta) *theta = atan2(dot(cross(n1, n2), edge), dot(n1, n2) * length);
    const HingeWing wing1(n1, to_a, edge, length), wing2(n2, to_b, edge, length);
    Gradient<4> g;
    g.v[0] = -wing1.inverse_height * wing1.normal;
    g.v[1] = -wing2.inverse_height * wing2.normal;
    g.v[3] = -(wing1.fraction * g.v[0] + wing2.fraction * g.v[1]);
    g.v[2] = -(g.v[0] + g.v[1] + g.v[3]);
    return g;
}

// ∇²θ [1/m²] for a, b, c, d.
PLICA_HD inline Hessian<4> hinge_angle_hessian(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 edge = d - c;
    const double length = norm(edge);
    Hessian<4> h;
    const auto add_wing = [&](int opposite, const HingeWing& wing, const Vec3& from_c) {
        if (!(wing.inverse_height > 0)) return;
        const Vec3 e = (1 / length) * edge, m = wing.normal;
        const Vec3 u = wing.inverse_height * (from_c - wing.fraction * edge);
        const double s = wing.inverse_height * wing.inverse_height, r = wing.inverse_height / length,
                     z = 0.5 / (length * length);
        const Mat3 um = outer(u, m), mu = outer(m, u), em = outer(e, m), me = outer(m, e);
        const int vertex[3] = {opposite, 2, 3};
        const double weight_y[3] = {1, wing.fraction - 1, -wing.fraction}, weight_z[3] = {0, -1, 1};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const double yy = s * weight_y[i] * weight_y[j] + z * weight_z[i] * weight_z[j];
                const double yz = r * weight_y[i] * weight_z[j], zy = r * weight_z[i] * weight_y[j];
                Mat3& block = h.block[vertex[i]][vertex[j]];
                for (int k = 0; k < 9; ++k) block.m[k] += yy * (um.m[k] + mu.m[k]) + yz * em.m[k] + zy * me.m[k];
            }
        }
    };
    const Vec3 to_a = a - c, to_b = b - c;
    add_wing(0, HingeWing(cross(edge, to_a), to_a, edge, length), to_a);
    add_wing(1, HingeWing(cross(to_b, edge), to_b, edge, length), to_b);
    return h;
}

struct Hinge {
    double stiffness = 0;   // kθ [N m]
    double rest_angle = 0;  // θ0 [rad]

    // [J]
    PLICA_HD double energy(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) const {
        const double away = wrap_angle(hinge_angle(a, b, c, d) - rest_angle);
        return 0.5 * stiffness * away * away;
    }

    // [N]
    PLICA_HD Gradient<4> gradient(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) const {
        double theta;
        Gradient<4> g = hinge_angle_gradient(a, b, c, d, &theta);
        const double moment = stiffness * wrap_angle(theta - rest_angle);
        for (Vec3& v : g.v) v *= moment;
        return g;
    }

    // Gauss: positive semi-definite, the one the solver uses [N/m].
    PLICA_HD Hessian<4> hessian(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) const {
        const Gradient<4> g = hinge_angle_gradient(a, b, c, d, nullptr);
        Hessian<4> h;
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) h.block[i][j] = outer(stiffness * g.v[i], g.v[j]);
        }
        return h;
    }

    // Second derivative of the energy [N/m]; indefinite away from the rest angle.
    PLICA_HD Hessian<4> hessian_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) const {
        const double moment = stiffness * wrap_angle(hinge_angle(a, b, c, d) - rest_angle);
        const Hessian<4> curvature = hinge_angle_hessian(a, b, c, d);
        Hessian<4> h = hessian(a, b, c, d);
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) h.block[i][j] += moment * curvature.block[i][j];
        }
        return h;
    }
};

}  // namespace plica
