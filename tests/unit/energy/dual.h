// A number with its first and second derivatives in N variables: formulas written with it come out with gradient and Hessian.
// Every operation is the second-order chain rule, f(u)″ = f′ u″ + f″ u′u′ᵀ; nothing of the engine is used.
#pragma once

#include <cmath>

#include <Eigen/Dense>

namespace plica::test {

template <int N>
struct Dual {
    double value = 0;
    Eigen::Matrix<double, N, 1> slope = Eigen::Matrix<double, N, 1>::Zero();
    Eigen::Matrix<double, N, N> curvature = Eigen::Matrix<double, N, N>::Zero();

    Dual() = default;
    Dual(double constant) : value(constant) {}  // implicit: constants mix with variables
    static Dual variable(double at, int index) {
        Dual v(at);
        v.slope[index] = 1;
        return v;
    }

    // f(u) of one number with f, f′, f″ at its value.
    Dual chain(double f, double first, double second) const {
        Dual out(f);
        out.slope = first * slope;
        out.curvature = first * curvature + second * slope * slope.transpose();
        return out;
    }

    friend Dual operator+(const Dual& a, const Dual& b) {
        Dual out(a.value + b.value);
        out.slope = a.slope + b.slope;
        out.curvature = a.curvature + b.curvature;
        return out;
    }
    friend Dual operator-(const Dual& a) { return a.chain(-a.value, -1, 0); }
    friend Dual operator-(const Dual& a, const Dual& b) { return a + (-b); }
    friend Dual operator*(const Dual& a, const Dual& b) {
        Dual out(a.value * b.value);
        out.slope = a.value * b.slope + b.value * a.slope;
        out.curvature =
            a.value * b.curvature + b.value * a.curvature + a.slope * b.slope.transpose() + b.slope * a.slope.transpose();
        return out;
    }
    friend Dual operator/(const Dual& a, const Dual& b) {
        const double inverse = 1 / b.value;
        return a * b.chain(inverse, -inverse * inverse, 2 * inverse * inverse * inverse);
    }
    friend Dual sqrt(const Dual& a) {
        const double root = std::sqrt(a.value);
        return a.chain(root, 0.5 / root, -0.25 / (root * a.value));
    }
    friend Dual log(const Dual& a) { return a.chain(std::log(a.value), 1 / a.value, -1 / (a.value * a.value)); }
    // With r² = y² + x²: d = (x dy − y dx)/r².
    friend Dual atan2(const Dual& y, const Dual& x) {
        const double square = y.value * y.value + x.value * x.value;
        const double fy = x.value / square, fx = -y.value / square;
        const double fyy = 2 * fy * fx, fxx = -fyy, fxy = (y.value * y.value - x.value * x.value) / (square * square);
        Dual out(std::atan2(y.value, x.value));
        out.slope = fy * y.slope + fx * x.slope;
        out.curvature = fy * y.curvature + fx * x.curvature + fyy * y.slope * y.slope.transpose() +
                        fxx * x.slope * x.slope.transpose() +
                        fxy * (y.slope * x.slope.transpose() + x.slope * y.slope.transpose());
        return out;
    }
};

// Three of them: a point in space.
template <int N>
struct DualVec {
    Dual<N> x, y, z;

    friend DualVec operator+(const DualVec& a, const DualVec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend DualVec operator-(const DualVec& a, const DualVec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend DualVec operator*(const Dual<N>& s, const DualVec& a) { return {s * a.x, s * a.y, s * a.z}; }
    friend Dual<N> dot(const DualVec& a, const DualVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    friend DualVec cross(const DualVec& a, const DualVec& b) {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
};

}  // namespace plica::test
