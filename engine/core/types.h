// The shared words of small linear algebra. Plain values, host and device, no allocation.
#pragma once

#include <cmath>

#if defined(__CUDACC__)
#define PLICA_HD __host__ __device__
#else
#define PLICA_HD
#endif

namespace plica {

struct Vec3 {
    double x = 0, y = 0, z = 0;

    PLICA_HD double& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    PLICA_HD double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    PLICA_HD Vec3& operator+=(const Vec3& b) {
        x += b.x;
        y += b.y;
        z += b.z;
        return *this;
    }
    PLICA_HD Vec3& operator-=(const Vec3& b) {
        x -= b.x;
        y -= b.y;
        z -= b.z;
        return *this;
    }
    PLICA_HD Vec3& operator*=(double s) {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
    friend bool operator==(const Vec3&, const Vec3&) = default;
};

PLICA_HD inline Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
PLICA_HD inline Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
PLICA_HD inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
PLICA_HD inline Vec3 operator*(Vec3 a, double s) { return a *= s; }
PLICA_HD inline Vec3 operator*(double s, Vec3 a) { return a *= s; }
PLICA_HD inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PLICA_HD inline Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
PLICA_HD inline double norm(const Vec3& a) { return sqrt(dot(a, a)); }
PLICA_HD inline double max_abs(const Vec3& a) { return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))); }
inline bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// Row-major 3 x 3.
struct Mat3 {
    double m[9] = {};

    PLICA_HD double& operator()(int row, int col) { return m[3 * row + col]; }
    PLICA_HD double operator()(int row, int col) const { return m[3 * row + col]; }
    PLICA_HD Mat3& operator+=(const Mat3& b) {
        for (int i = 0; i < 9; ++i) m[i] += b.m[i];
        return *this;
    }
};

PLICA_HD inline Mat3 operator+(Mat3 a, const Mat3& b) { return a += b; }
PLICA_HD inline Mat3 operator*(double s, Mat3 a) {
    for (double& v : a.m) v *= s;
    return a;
}
PLICA_HD inline Mat3 diagonal(double s) {
    Mat3 a;
    a(0, 0) = a(1, 1) = a(2, 2) = s;
    return a;
}
PLICA_HD inline Mat3 outer(const Vec3& a, const Vec3& b) {
    return {{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z}};
}
PLICA_HD inline Vec3 operator*(const Mat3& a, const Vec3& v) {
    return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
            a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}

// Derivatives of an element with N vertices: gradient as N vectors, Hessian as N x N blocks (block (i, j) = d2E/dxi dxj).
template <int N>
struct Gradient {
    Vec3 v[N];
};
template <int N>
struct Hessian {
    Mat3 block[N][N];
};

// Single-precision position or velocity as stored between steps, drawn and recorded.
struct Vec3f {
    float x = 0, y = 0, z = 0;
    friend bool operator==(const Vec3f&, const Vec3f&) = default;
};
inline Vec3 to_double(const Vec3f& a) { return {a.x, a.y, a.z}; }
// Rounds for good: to_double(to_float(a)) is the rounded value. GCC 12 at -O2 takes that pair for the identity where it packs x
// and y into one vector instruction, so the rounded number is hidden from it.
inline float round_to_float(double value) {
    float rounded = float(value);
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#if defined(__x86_64__)
    asm("" : "+x"(rounded));
#else
    asm("" : "+m"(rounded));
#endif
#endif
    return rounded;
}
inline Vec3f to_float(const Vec3& a) { return {round_to_float(a.x), round_to_float(a.y), round_to_float(a.z)}; }

struct Int2 {
    int a = 0, b = 0;
    friend bool operator==(const Int2&, const Int2&) = default;
    friend auto operator<=>(const Int2&, const Int2&) = default;
};
struct Int3 {
    int a = 0, b = 0, c = 0;
    int operator[](int i) const { return i == 0 ? a : i == 1 ? b : c; }
    friend bool operator==(const Int3&, const Int3&) = default;
};

}  // namespace plica
