#include "engine/contact/intersection.h"

#include <algorithm>

#include "engine/geometry/bvh.h"
#include "engine/geometry/triangle_triangle.h"

namespace plica {

std::vector<Int2> intersecting_triangles(const Surface& surface, const std::vector<Vec3>& x, const Workers& workers) {
    constexpr std::size_t chunk_size = 256;
    std::vector<Box> boxes(surface.triangles.size());
    for (std::size_t t = 0; t < boxes.size(); ++t) {
        const Int3& v = surface.triangles[t];
        for (int k = 0; k < 3; ++k) boxes[t].grow(padded_box(x[v[k]], x[v[k]], 0));
    }
    Bvh movable, fixed;
    movable.build(boxes, surface.movable_triangles);
    fixed.build(boxes, surface.fixed_triangles);

    const std::size_t count = surface.movable_triangles.size();
    std::vector<std::vector<Int2>> found((count + chunk_size - 1) / chunk_size);
    workers.for_chunks(count, chunk_size, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t q = begin; q < end; ++q) {
            const int triangle = surface.movable_triangles[q];
            const Int3& a = surface.triangles[triangle];
            const auto consider = [&](int other) {
                const Int3& b = surface.triangles[other];
                for (int k = 0; k < 3; ++k)
                    if (b[k] == a.a || b[k] == a.b || b[k] == a.c) return;
                if (triangles_intersect(x[a.a], x[a.b], x[a.c], x[b.a], x[b.b], x[b.c]))
                    found[chunk].push_back({std::min(triangle, other), std::max(triangle, other)});
            };
            movable.query(boxes[triangle], [&](int other) {
                if (other > triangle) consider(other);
            });
            fixed.query(boxes[triangle], consider);
        }
    });
    std::vector<Int2> pairs;
    for (const auto& part : found) pairs.insert(pairs.end(), part.begin(), part.end());
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace plica
