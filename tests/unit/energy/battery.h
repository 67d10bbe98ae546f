// What every energy has to pass: derivatives against central differences and against automatic differentiation of the formula
// written anew, rigid motion, symmetry, positive semi-definiteness.
#pragma once

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "engine/core/types.h"
#include "tests/unit/energy/dual.h"

namespace plica::test {

template <int N>
using Points = std::array<Vec3, N>;
template <int N>
using Vector = Eigen::Matrix<double, N, 1>;
template <int N>
using Matrix = Eigen::Matrix<double, N, N>;

inline Vec3 random_vec(std::mt19937& rng, double size = 1) {
    std::uniform_real_distribution<double> d(-size, size);
    const double x = d(rng), y = d(rng), z = d(rng);
    return {x, y, z};
}

template <int N>
Vector<3 * N> flat(const Gradient<N>& g) {
    Vector<3 * N> out;
    for (int i = 0; i < 3 * N; ++i) out[i] = g.v[i / 3][i % 3];
    return out;
}
template <int N>
Matrix<3 * N> flat(const Hessian<N>& h) {
    Matrix<3 * N> out;
    for (int i = 0; i < 3 * N; ++i)
        for (int j = 0; j < 3 * N; ++j) out(i, j) = h.block[i / 3][j / 3](i % 3, j % 3);
    return out;
}
inline Matrix<3> flat(const Mat3& m) {
    Matrix<3> out;
    for (int i = 0; i < 9; ++i) out(i / 3, i % 3) = m.m[i];
    return out;
}
inline Vector<3> flat(const Vec3& v) { return {v.x, v.y, v.z}; }

// Largest difference relative to the largest entry of `want` (or to `scale`, where that is larger).
template <class A, class B>
double relative_error(const A& got, const B& want, double scale = 0) {
    const double size = std::max(want.cwiseAbs().maxCoeff(), scale);
    const double off = (got - want).cwiseAbs().maxCoeff();
    return off == 0 ? 0 : off / size;
}

// Derivatives of f(points) -> double by central differences of fourth order with a step h [m]; error about h⁴ and 1e-16/h.
template <int N, class F>
Vector<3 * N> difference_gradient(const F& f, const Points<N>& x, double h) {
    Vector<3 * N> out;
    for (int i = 0; i < 3 * N; ++i) {
        const auto at = [&](double step) {
            Points<N> moved = x;
            moved[std::size_t(i / 3)][i % 3] += step;
            return f(moved);
        };
        out[i] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    }
    return out;
}
// The same of a gradient g(points) -> Gradient<N>.
template <int N, class G>
Matrix<3 * N> difference_hessian(const G& g, const Points<N>& x, double h) {
    Matrix<3 * N> out;
    for (int i = 0; i < 3 * N; ++i) {
        const auto at = [&](double step) {
            Points<N> moved = x;
            moved[std::size_t(i / 3)][i % 3] += step;
            return flat(g(moved));
        };
        out.col(i) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    }
    return out;
}

// f(points) with every coordinate a variable: f(const std::array<DualVec<3 N>, N>&) -> Dual<3 N>.
template <int N, class F>
Dual<3 * N> autodiff(const F& f, const Points<N>& x) {
    std::array<DualVec<3 * N>, N> p;
    for (int i = 0; i < N; ++i) {
        const Vec3& at = x[std::size_t(i)];
        using D = Dual<3 * N>;
        p[std::size_t(i)] = {D::variable(at.x, 3 * i), D::variable(at.y, 3 * i + 1), D::variable(at.z, 3 * i + 2)};
    }
    return f(p);
}

// A random rotation and translation.
struct RigidMotion {
    Matrix<3> rotation;
    Vec3 shift;

    explicit RigidMotion(std::mt19937& rng) {
        std::normal_distribution<double> d;
        const double w = d(rng), x = d(rng), y = d(rng), z = d(rng);
        rotation = Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
        shift = random_vec(rng, 0.1);
    }
    Vec3 turn(const Vec3& a) const {
        const Vector<3> r = rotation * flat(a);
        return {r[0], r[1], r[2]};
    }
    template <std::size_t N>
    std::array<Vec3, N> operator()(const std::array<Vec3, N>& x) const {
        std::array<Vec3, N> out;
        for (std::size_t i = 0; i < N; ++i) out[i] = turn(x[i]) + shift;
        return out;
    }
    template <int N>
    Gradient<N> turn(const Gradient<N>& g) const {
        Gradient<N> out;
        for (int i = 0; i < N; ++i) out.v[i] = turn(g.v[i]);
        return out;
    }
};

template <class M>
double symmetry_error(const M& m) {
    return relative_error(m, m.transpose().eval());
}

// Smallest eigenvalue relative to the largest in size.
template <class M>
double lowest_eigenvalue(const M& m) {
    const M symmetric = 0.5 * (m + m.transpose());
    const auto values = Eigen::SelfAdjointEigenSolver<M>(symmetric, Eigen::EigenvaluesOnly).eigenvalues().eval();
    const double size = values.cwiseAbs().maxCoeff();
    return size > 0 ? values.minCoeff() / size : 0;
}

}  // namespace plica::test
