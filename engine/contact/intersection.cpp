#include "engine/contact/intersection.h"

#include <algorithm>

#include "engine/geometry/bvh.h"
#include "engine/geometry/triangle_triangle.h"

namespace plica {

std::vector<Int2> intersecting_triangles(const Model& model, const std::vector<Vec3>& x, const Workers& workers,
                                         const std::function<bool(int, int)>& wanted) {
    constexpr std::size_t chunk_size = 256;
    const std::size_t count = model.triangles.size();
    std::vector<Box> boxes(count);
    for (std::size_t t = 0; t < count; ++t) {
        const Int3& v = model.triangles[t];
        for (int k = 0; k < 3; ++k) boxes[t].grow(padded_box(x[v[k]], x[v[k]], 0));
    }
    Bvh tree;
    tree.build(boxes);

    std::vector<std::vector<Int2>> found((count + chunk_size - 1) / chunk_size);
    workers.for_chunks(count, chunk_size, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Int3& a = model.triangles[i];
            tree.query(boxes[i], [&](int other) {
                if (std::size_t(other) <= i) return;
                const Int3& b = model.triangles[std::size_t(other)];
                for (int k = 0; k < 3; ++k)
                    if (b[k] == a.a || b[k] == a.b || b[k] == a.c) return;
                if (model.fixed[a.a] && model.fixed[a.b] && model.fixed[a.c] && model.fixed[b.a] && model.fixed[b.b] && model.fixed[b.c])
                    return;
                if (wanted && !wanted(model.body[a.a], model.body[b.a])) return;
                if (triangles_intersect(x[a.a], x[a.b], x[a.c], x[b.a], x[b.b], x[b.c])) found[chunk].push_back({int(i), other});
            });
        }
        std::sort(found[chunk].begin(), found[chunk].end());
    });
    std::vector<Int2> pairs;
    for (const auto& part : found) pairs.insert(pairs.end(), part.begin(), part.end());
    return pairs;
}

}  // namespace plica
