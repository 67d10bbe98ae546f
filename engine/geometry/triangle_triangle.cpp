#include "engine/geometry/triangle_triangle.h"

#include <cmath>

namespace plica {

namespace {

// A number as the exact sum of doubles that do not overlap, in order of growing size (Shewchuk 1997, "Adaptive precision
// floating-point arithmetic and fast robust geometric predicates", grow-expansion with zero elimination).
class Expansion {
public:
    void add(double value) {
        int kept = 0;
        for (int i = 0; i < count_; ++i) {
            const double sum = value + term_[i];
            const double part = sum - value;
            const double lost = (value - (sum - part)) + (term_[i] - part);
            value = sum;
            if (lost != 0) term_[kept++] = lost;
        }
        if (value != 0) term_[kept++] = value;
        count_ = kept;
    }

    // Adds a b c.
    void add_product(double a, double b, double c) {
        if (a == 0 || b == 0 || c == 0) return;
        const double ab = a * b, ab_lost = std::fma(a, b, -ab);
        const double abc = ab * c;
        add(std::fma(ab, c, -abc));
        add(abc);
        if (ab_lost == 0) return;
        const double rest = ab_lost * c;
        add(std::fma(ab_lost, c, -rest));
        add(rest);
    }

    int sign() const { return count_ == 0 ? 0 : term_[count_ - 1] > 0 ? 1 : -1; }

private:
    double term_[192];  // 6 products of three two-term numbers: 6 x 8 x 4 terms
    int count_ = 0;
};

// x - y = high + low, exactly.
struct Difference {
    double part[2];  // high, low

    Difference(double x, double y) {
        const double high = x - y;
        const double back = x - high;
        part[0] = high;
        part[1] = (x - (high + back)) + (back - y);
    }
};

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Difference u[3] = {{b.x, a.x}, {b.y, a.y}, {b.z, a.z}};
    const Difference v[3] = {{c.x, a.x}, {c.y, a.y}, {c.z, a.z}};
    const Difference w[3] = {{d.x, a.x}, {d.y, a.y}, {d.z, a.z}};
    Expansion volume;
    for (int axis = 0; axis < 3; ++axis) {
        const Difference &p = u[(axis + 1) % 3], &q = v[(axis + 2) % 3];  // (u x v)_axis = p q − r s
        const Difference &r = u[(axis + 2) % 3], &s = v[(axis + 1) % 3];
        for (int i = 0; i < 8; ++i) {
            const double t = w[axis].part[i & 1];
            volume.add_product(p.part[i >> 1 & 1], q.part[i >> 2], t);
            volume.add_product(-r.part[i >> 1 & 1], s.part[i >> 2], t);
        }
    }
    return volume.sign();
}

// Whether the line through p and q, which cross the triangle's plane, passes through the triangle.
bool line_hits(const Vec3& p, const Vec3& q, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
    const int s0 = orientation(p, q, t0, t1);
    const int s1 = orientation(p, q, t1, t2);
    if (s0 * s1 < 0) return false;
    const int s2 = orientation(p, q, t2, t0);
    return s0 * s2 >= 0 && s1 * s2 >= 0;
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 u = b - a, v = c - a, w = d - a;
    const double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    const double volume = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    const double size = (std::fabs(yz) + std::fabs(zy)) * std::fabs(w.x) + (std::fabs(zx) + std::fabs(xz)) * std::fabs(w.y) +
                        (std::fabs(xy) + std::fabs(yx)) * std::fabs(w.z);
    // Rounding of the lines above (Shewchuk 1997, bound A of orient3d).
    constexpr double half_ulp = 0x1p-53, bound = (7 + 56 * half_ulp) * half_ulp;
    if (volume > bound * size) return 1;
    if (volume < -bound * size) return -1;
    return exact_orientation(a, b, c, d);
}

bool triangles_intersect(const Vec3& a0, const Vec3& a1, const Vec3& a2, const Vec3& b0, const Vec3& b1, const Vec3& b2) {
    const Vec3* const a[3] = {&a0, &a1, &a2};
    const Vec3* const b[3] = {&b0, &b1, &b2};
    int side[3];
    for (int i = 0; i < 3; ++i) side[i] = orientation(b0, b1, b2, *a[i]);
    if (side[0] != 0 && side[0] == side[1] && side[1] == side[2]) return false;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (side[i] * side[j] < 0 && line_hits(*a[i], *a[j], b0, b1, b2)) return true;
    }
    for (int i = 0; i < 3; ++i) side[i] = orientation(a0, a1, a2, *b[i]);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (side[i] * side[j] < 0 && line_hits(*b[i], *b[j], a0, a1, a2)) return true;
    }
    return false;
}

}  // namespace plica
