#include "engine/contact/intersection.h"

#include "engine/geometry/triangle_triangle.h"

namespace plica {

std::vector<Int2> intersecting_triangles(const Model& model, const Surface& surface, BroadPhase& broad,
                                         const std::vector<Vec3>& x, const Workers& workers) {
    constexpr std::size_t chunk_size = 1024;
    const ParticleBoxes points{x, x};
    broad.update(model, surface, points, {}, 0, 0, workers);
    std::vector<Box> boxes(surface.triangles.size());
    for (std::size_t t = 0; t < boxes.size(); ++t) boxes[t] = points.triangle(surface.triangles[t]);

    const std::vector<Int2>& pairs = broad.triangle_triangle();
    std::vector<std::vector<Int2>> found((pairs.size() + chunk_size - 1) / chunk_size);
    workers.for_chunks(pairs.size(), chunk_size, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            if (!boxes[pairs[k].a].overlaps(boxes[pairs[k].b])) continue;
            const Int3 &a = surface.triangles[pairs[k].a], &b = surface.triangles[pairs[k].b];
            if (triangles_intersect(x[a.a], x[a.b], x[a.c], x[b.a], x[b.b], x[b.c])) found[chunk].push_back(pairs[k]);
        }
    });
    std::vector<Int2> all;
    for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::vector<Int2> intersecting_triangles(const Model& model, const std::vector<Vec3>& x, const Workers& workers) {
    BroadPhase broad;
    return intersecting_triangles(model, Surface(model), broad, x, workers);
}

}  // namespace plica
