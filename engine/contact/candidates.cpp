#include "engine/contact/candidates.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_geometry.h"

namespace plica {

namespace {

Vec3 min_of(const Vec3& a, const Vec3& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3 max_of(const Vec3& a, const Vec3& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

constexpr std::size_t query_chunk = 256;  // queries a task; fixed, so that results do not depend on the number of threads

}  // namespace

void CandidateSet::build(const Model& model, const Surface& surface, const ContactSwitches& switches, double min_gap, double reach,
                         double skin, const std::vector<Vec3>& x, const std::vector<Vec3>& x_end, const Workers& workers) {
    const std::size_t particles = x.size();
    lo_.resize(particles);
    hi_.resize(particles);
    middle_.resize(particles);
    spread_.resize(particles);
    for (std::size_t i = 0; i < particles; ++i) {
        const double room = model.fixed[i] ? 0.0 : 0.5 * skin;
        const Vec3 margin{room, room, room};
        lo_[i] = min_of(x[i], x_end[i]) - margin;
        hi_[i] = max_of(x[i], x_end[i]) + margin;
        middle_[i] = 0.5 * (lo_[i] + hi_[i]);
        spread_[i] = 0.5 * norm(hi_[i] - lo_[i]) * (1 + 1e-12);
    }

    const auto triangle_box = [&](const Int3& t) {
        return padded_box(min_of(min_of(lo_[t.a], lo_[t.b]), lo_[t.c]), max_of(max_of(hi_[t.a], hi_[t.b]), hi_[t.c]), 0);
    };
    const auto edge_box = [&](const Int2& e, double width) {
        return padded_box(min_of(lo_[e.a], lo_[e.b]), max_of(hi_[e.a], hi_[e.b]), width);
    };
    triangle_boxes_.resize(surface.triangles.size());
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) triangle_boxes_[t] = triangle_box(surface.triangles[t]);
    movable_triangles_.build(triangle_boxes_, surface.movable_triangles);
    fixed_triangles_.build(triangle_boxes_, surface.fixed_triangles);
    edge_boxes_.resize(surface.edges.size());
    for (std::size_t e = 0; e < surface.edges.size(); ++e) edge_boxes_[e] = edge_box(surface.edges[e], 0);
    movable_edges_.build(edge_boxes_, surface.movable_edges);
    fixed_edges_.build(edge_boxes_, surface.fixed_edges);

    list_.clear();
    counts_ = {};
    const auto gather = [&](CandidateKind kind) {
        for (const auto& found : found_) {
            list_.insert(list_.end(), found.begin(), found.end());
            counts_[std::size_t(kind)] += int(found.size());
        }
    };
    const auto chunks_for = [](std::size_t count) { return (count + query_chunk - 1) / query_chunk; };

    // Vertices and sphere centres against triangles.
    found_.resize(chunks_for(surface.vertices.size()));
    workers.for_chunks(surface.vertices.size(), query_chunk, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        auto& found = found_[chunk];
        found.clear();
        for (std::size_t q = begin; q < end; ++q) {
            const int v = surface.vertices[q];
            const double radius = model.radius[v];
            const double offset = radius > 0 ? radius + 0.5 * min_gap : min_gap;
            const std::size_t first = found.size();
            const auto consider = [&](int triangle) {
                const Int3& t = surface.triangles[triangle];
                if (t.a == v || t.b == v || t.c == v) return;
                if (!may_touch(model, switches, model.body[v], model.body[t.a])) return;
                const double middle = vertex_triangle_contact(middle_[v], middle_[t.a], middle_[t.b], middle_[t.c]).distance;
                const double bound = offset + reach + spread_[v] + std::max({spread_[t.a], spread_[t.b], spread_[t.c]});
                if (middle > bound) return;
                found.push_back({{v, t.a, t.b, t.c}, CandidateKind::VertexTriangle, contact_group(model.kind(v), model.kind(t.a)), offset, middle});
            };
            const Box box = padded_box(lo_[v], hi_[v], offset + reach);
            movable_triangles_.query(box, consider);
            if (!model.fixed[v]) fixed_triangles_.query(box, consider);  // two that never move need no contact
            std::sort(found.begin() + long(first), found.end(), [](const Candidate& a, const Candidate& b) { return a.p < b.p; });
        }
    });
    gather(CandidateKind::VertexTriangle);

    // Edges that move against all edges, each pair once.
    found_.resize(chunks_for(surface.movable_edges.size()));
    workers.for_chunks(surface.movable_edges.size(), query_chunk, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        auto& found = found_[chunk];
        found.clear();
        for (std::size_t q = begin; q < end; ++q) {
            const int edge = surface.movable_edges[q];
            const Int2& a = surface.edges[edge];
            const std::size_t first = found.size();
            const auto consider = [&](int other) {
                const Int2& b = surface.edges[other];
                if (a.a == b.a || a.a == b.b || a.b == b.a || a.b == b.b) return;
                if (!may_touch(model, switches, model.body[a.a], model.body[b.a])) return;
                const double middle = edge_edge_contact(middle_[a.a], middle_[a.b], middle_[b.a], middle_[b.b]).distance;
                const double bound = min_gap + reach + std::max(spread_[a.a], spread_[a.b]) + std::max(spread_[b.a], spread_[b.b]);
                if (middle > bound) return;
                found.push_back({{a.a, a.b, b.a, b.b}, CandidateKind::EdgeEdge, contact_group(model.kind(a.a), model.kind(b.a)), min_gap, middle});
            };
            const Box box = edge_box(a, min_gap + reach);
            movable_edges_.query(box, [&](int other) {
                if (other > edge) consider(other);
            });
            fixed_edges_.query(box, consider);
            std::sort(found.begin() + long(first), found.end(), [](const Candidate& c, const Candidate& d) { return c.p < d.p; });
        }
    });
    gather(CandidateKind::EdgeEdge);

    // All pairs of spheres.
    for (std::size_t i = 0; i < surface.spheres.size(); ++i) {
        for (std::size_t j = i + 1; j < surface.spheres.size(); ++j) {
            const int a = surface.spheres[i], b = surface.spheres[j];
            if (model.fixed[a] && model.fixed[b]) continue;
            if (!may_touch(model, switches, model.body[a], model.body[b])) continue;
            list_.push_back({{a, b, b, b}, CandidateKind::SphereSphere, ContactGroup::SphereSphere, model.radius[a] + model.radius[b],
                             norm(middle_[a] - middle_[b])});
            ++counts_[std::size_t(CandidateKind::SphereSphere)];
        }
    }
}

bool CandidateSet::covers(const std::vector<Vec3>& y) const {
    if (lo_.size() != y.size()) return false;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const Vec3 &a = lo_[i], &b = hi_[i], &p = y[i];
        if (!(a.x <= p.x && p.x <= b.x && a.y <= p.y && p.y <= b.y && a.z <= p.z && p.z <= b.z)) return false;
    }
    return true;
}

void CandidateSet::middle_offsets(const std::vector<Vec3>& y, std::vector<double>& r) const {
    r.resize(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) r[i] = norm(y[i] - middle_[i]);
}

}  // namespace plica
