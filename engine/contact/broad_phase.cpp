#include "engine/contact/broad_phase.h"

#include <algorithm>

namespace plica {

namespace {

constexpr std::size_t query_chunk = 256;  // queries a task; fixed, so that results do not depend on the number of threads
constexpr double room = 3e-3;             // m on each side: more means fewer builds and longer lists
constexpr double sphere_room = 20e-3;     // m: there are few spheres, and they fall
constexpr double motions_ahead = 4;

Vec3 min_of(const Vec3& a, const Vec3& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3 max_of(const Vec3& a, const Vec3& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

bool shares_vertex(const Int3& a, const Int3& b) {
    for (int k = 0; k < 3; ++k)
        if (b[k] == a.a || b[k] == a.b || b[k] == a.c) return true;
    return false;
}

// find(query, found) for each query in parallel; each chunk's pairs sorted, chunks in order.
template <class Find>
void gather(std::size_t queries, const Workers& workers, std::vector<Int2>& pairs, Find&& find) {
    std::vector<std::vector<Int2>> parts((queries + query_chunk - 1) / query_chunk);
    workers.for_chunks(queries, query_chunk, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t q = begin; q < end; ++q) find(q, parts[chunk]);
    });
    pairs.clear();
    for (const auto& part : parts) pairs.insert(pairs.end(), part.begin(), part.end());
    std::sort(pairs.begin(), pairs.end());
}

}  // namespace

Box ParticleBoxes::triangle(const Int3& t) const {
    return padded_box(min_of(min_of(lo[t.a], lo[t.b]), lo[t.c]), max_of(max_of(hi[t.a], hi[t.b]), hi[t.c]), 0);
}

Box ParticleBoxes::edge(const Int2& e, double width) const {
    return padded_box(min_of(lo[e.a], lo[e.b]), max_of(hi[e.a], hi[e.b]), width);
}

bool BroadPhase::covers(const ParticleBoxes& boxes, double min_gap, double reach) const {
    if (min_gap > min_gap_ || reach > reach_ || wide_.lo.size() != boxes.lo.size()) return false;
    for (std::size_t i = 0; i < boxes.lo.size(); ++i) {
        const Vec3 &a = wide_.lo[i], &b = wide_.hi[i], &lo = boxes.lo[i], &hi = boxes.hi[i];
        if (!(a.x <= lo.x && a.y <= lo.y && a.z <= lo.z && hi.x <= b.x && hi.y <= b.y && hi.z <= b.z)) return false;
    }
    return true;
}

void BroadPhase::update(const Model& model, const Surface& surface, const ParticleBoxes& boxes, const std::vector<Vec3>& motion,
                        double min_gap, double reach, const Workers& workers) {
    if (covers(boxes, min_gap, reach)) return;
    min_gap_ = min_gap;
    reach_ = reach;
    wide_ = boxes;
    for (std::size_t i = 0; i < boxes.lo.size(); ++i) {
        if (model.fixed[i]) continue;
        const double r = model.radius[i] > 0 ? sphere_room : room;
        const Vec3 ahead = motion.empty() ? Vec3{} : motions_ahead * motion[i];
        wide_.lo[i] = wide_.lo[i] - Vec3{r, r, r} + min_of(ahead, {});
        wide_.hi[i] = wide_.hi[i] + Vec3{r, r, r} + max_of(ahead, {});
    }
    triangle_boxes_.resize(surface.triangles.size());
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) triangle_boxes_[t] = wide_.triangle(surface.triangles[t]);
    movable_triangles_.build(triangle_boxes_, surface.movable_triangles);
    fixed_triangles_.build(triangle_boxes_, surface.fixed_triangles);
    edge_boxes_.resize(surface.edges.size());
    for (std::size_t e = 0; e < surface.edges.size(); ++e) edge_boxes_[e] = wide_.edge(surface.edges[e], 0);
    movable_edges_.build(edge_boxes_, surface.movable_edges);
    fixed_edges_.build(edge_boxes_, surface.fixed_edges);

    gather(surface.vertices.size(), workers, vertex_triangle_, [&](std::size_t q, std::vector<Int2>& found) {
        const int v = surface.vertices[q];
        const Box box = wide_.vertex(v, contact_offset(model, v, min_gap) + reach);
        const auto consider = [&](int triangle) {
            const Int3& t = surface.triangles[triangle];
            if (t.a != v && t.b != v && t.c != v) found.push_back({v, triangle});
        };
        movable_triangles_.query(box, consider);
        if (!model.fixed[v]) fixed_triangles_.query(box, consider);
    });
    gather(surface.movable_edges.size(), workers, edge_edge_, [&](std::size_t q, std::vector<Int2>& found) {
        const int edge = surface.movable_edges[q];
        const Int2& a = surface.edges[edge];
        const Box box = wide_.edge(a, min_gap + reach);
        const auto consider = [&](int other) {
            const Int2& b = surface.edges[other];
            if (a.a != b.a && a.a != b.b && a.b != b.a && a.b != b.b)
                found.push_back({std::min(edge, other), std::max(edge, other)});
        };
        movable_edges_.query(box, [&](int other) {
            if (other > edge) consider(other);
        });
        fixed_edges_.query(box, consider);
    });
    gather(surface.movable_triangles.size(), workers, triangle_triangle_, [&](std::size_t q, std::vector<Int2>& found) {
        const int triangle = surface.movable_triangles[q];
        const Int3& a = surface.triangles[triangle];
        const auto consider = [&](int other) {
            if (!shares_vertex(a, surface.triangles[other]))
                found.push_back({std::min(triangle, other), std::max(triangle, other)});
        };
        movable_triangles_.query(triangle_boxes_[triangle], [&](int other) {
            if (other > triangle) consider(other);
        });
        fixed_triangles_.query(triangle_boxes_[triangle], consider);
    });
}

}  // namespace plica
