#include "engine/scene/mesh_topology.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace plica {

std::vector<MeshEdge> mesh_edges(std::span<const Int3> triangles) {
    std::vector<MeshEdge> edges;
    edges.reserve(triangles.size() * 3 / 2 + 16);
    std::unordered_map<std::uint64_t, std::size_t> index;
    index.reserve(triangles.size() * 2);
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Int3& t = triangles[f];
        for (int k = 0; k < 3; ++k) {
            const int from = t[k], to = t[(k + 1) % 3], opposite = t[(k + 2) % 3];
            const auto low = std::uint64_t(std::uint32_t(std::min(from, to)));
            const auto high = std::uint64_t(std::uint32_t(std::max(from, to)));
            const auto [entry, added] = index.try_emplace(high << 32 | low, edges.size());
            if (added) {
                edges.push_back({from, to, int(f), -1, opposite, -1, 1, true});
                continue;
            }
            MeshEdge& edge = edges[entry->second];
            if (++edge.triangle_count == 2) {
                edge.second_triangle = int(f);
                edge.b = opposite;
                edge.consistent = edge.c == to;
            }
        }
    }
    return edges;
}

Vec3 triangle_normal(const Vec3& p0, const Vec3& p1, const Vec3& p2) { return cross(p1 - p0, p2 - p0); }

double triangle_shape(const Vec3& p0, const Vec3& p1, const Vec3& p2) {
    const double longest = std::max({norm(p1 - p0), norm(p2 - p1), norm(p0 - p2)});
    return norm(triangle_normal(p0, p1, p2)) / (longest * longest);
}

}  // namespace plica
