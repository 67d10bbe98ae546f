#include "engine/gauge/containment.h"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "engine/scene/build_model.h"

namespace plica {
namespace {

// Signed solid angle of a triangle seen from the origin [sr] (Van Oosterom and Strackee 1983).
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double la = norm(a), lb = norm(b), lc = norm(c);
    const double volume = dot(a, cross(b, c));
    return 2.0 * std::atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

// Winding number about `p` of all triangles whose vertices are <= last, closed by a fan from the middle of the ring that ends
// them.
double winding(const Film& film, const std::vector<Vec3>& x, const std::vector<int>& ring, int last, const Vec3& p) {
    double angle = 0;
    for (const Int3& t : film.triangles)
        if (t.a <= last && t.b <= last && t.c <= last)
            angle += solid_angle(x[std::size_t(t.a)] - p, x[std::size_t(t.b)] - p, x[std::size_t(t.c)] - p);
    Vec3 middle;
    for (const int v : ring) middle += x[std::size_t(v)];
    middle *= 1.0 / double(ring.size());
    for (std::size_t j = 0; j < ring.size(); ++j)
        angle += solid_angle(middle - p, x[std::size_t(ring[j])] - p, x[std::size_t(ring[(j + 1) % ring.size()])] - p);
    return angle / (4.0 * std::numbers::pi);
}

}  // namespace

Containment spheres_in_bag(const Film& film, int first, int sphere_first, int sphere_count, const State& state) {
    Containment result;
    const VertexGroup* neck = find_group(film, "neck");
    if (!neck || neck->vertices.empty()) return result;
    std::vector<Vec3> x;
    for (std::size_t i = 0; i < film.start.size(); ++i) x.push_back(to_double(state.x[std::size_t(first) + i]));

    const VertexGroup* mouth = neck;
    double mouth_z = -1e300;
    for (int ring = 1;; ++ring) {
        const VertexGroup* group = find_group(film, "ring " + std::to_string(ring));
        if (!group || group->vertices.empty() || group->vertices.back() > neck->vertices.back()) break;
        double z = 0;
        for (const int v : group->vertices) z += x[std::size_t(v)].z;
        z /= double(group->vertices.size());
        if (z > mouth_z) {
            mouth_z = z;
            mouth = group;
        }
    }
    for (int i = 0; i < sphere_count; ++i) {
        const Vec3 p = to_double(state.x[std::size_t(sphere_first + i)]);
        bool inside = std::abs(winding(film, x, mouth->vertices, mouth->vertices.back(), p)) > 0.5;
        if (!inside && mouth != neck) inside = std::abs(winding(film, x, neck->vertices, neck->vertices.back(), p)) > 0.5;
        if (inside)
            ++result.inside;
        else if (p.z <= mouth_z)
            ++result.through;
    }
    return result;
}

}  // namespace plica
