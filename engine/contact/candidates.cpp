#include "engine/contact/candidates.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_geometry.h"

namespace plica {

namespace {

constexpr std::size_t pair_chunk = 1024;  // pairs a task; fixed, so that results do not depend on the number of threads

}  // namespace

void CandidateSet::build(const Model& model, const Surface& surface, const ContactSwitches& switches, double min_gap,
                         double reach, double skin, const std::vector<Vec3>& x, const std::vector<Vec3>& x_end,
                         const Workers& workers) {
    const std::size_t particles = x.size();
    covered_.lo.resize(particles);
    covered_.hi.resize(particles);
    middle_.resize(particles);
    spread_.resize(particles);
    motion_.resize(particles);
    for (std::size_t i = 0; i < particles; ++i) {
        const double margin = model.fixed[i] ? 0.0 : 0.5 * skin;
        for (int k = 0; k < 3; ++k) {
            covered_.lo[i][k] = std::min(x[i][k], x_end[i][k]) - margin;
            covered_.hi[i][k] = std::max(x[i][k], x_end[i][k]) + margin;
        }
        motion_[i] = x_end[i] - x[i];
        middle_[i] = 0.5 * (covered_.lo[i] + covered_.hi[i]);
        spread_[i] = 0.5 * norm(covered_.hi[i] - covered_.lo[i]) * (1 + 1e-12);
    }
    broad_.update(model, surface, covered_, motion_, min_gap, reach, workers);
    triangle_boxes_.resize(surface.triangles.size());
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) triangle_boxes_[t] = covered_.triangle(surface.triangles[t]);
    edge_boxes_.resize(surface.edges.size());
    for (std::size_t e = 0; e < surface.edges.size(); ++e) edge_boxes_[e] = covered_.edge(surface.edges[e], 0);

    list_.clear();
    counts_ = {};
    // test(pair, found) for each pair in parallel, in canonical order.
    const auto filter = [&](const std::vector<Int2>& pairs, CandidateKind kind, const auto& test) {
        found_.resize((pairs.size() + pair_chunk - 1) / pair_chunk);
        workers.for_chunks(pairs.size(), pair_chunk, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            found_[chunk].clear();
            for (std::size_t k = begin; k < end; ++k) test(pairs[k], found_[chunk]);
        });
        for (const auto& found : found_) {
            list_.insert(list_.end(), found.begin(), found.end());
            counts_[std::size_t(kind)] += int(found.size());
        }
    };
    filter(broad_.vertex_triangle(), CandidateKind::VertexTriangle, [&](const Int2& pair, std::vector<Candidate>& found) {
        const int v = pair.a;
        const double offset = contact_offset(model, v, min_gap);
        if (!covered_.vertex(v, offset + reach).overlaps(triangle_boxes_[pair.b])) return;
        const Int3& t = surface.triangles[pair.b];
        if (!may_touch(model, switches, model.body[v], model.body[t.a])) return;
        const double middle = vertex_triangle_contact(middle_[v], middle_[t.a], middle_[t.b], middle_[t.c]).distance;
        if (middle > offset + reach + spread_[v] + std::max({spread_[t.a], spread_[t.b], spread_[t.c]})) return;
        found.push_back(
            {{v, t.a, t.b, t.c}, CandidateKind::VertexTriangle, contact_group(model.kind(v), model.kind(t.a)), offset, middle});
    });
    filter(broad_.edge_edge(), CandidateKind::EdgeEdge, [&](const Int2& pair, std::vector<Candidate>& found) {
        const Int2 &a = surface.edges[pair.a], &b = surface.edges[pair.b];
        if (!covered_.edge(a, min_gap + reach).overlaps(edge_boxes_[pair.b])) return;
        if (!may_touch(model, switches, model.body[a.a], model.body[b.a])) return;
        const double middle = edge_edge_contact(middle_[a.a], middle_[a.b], middle_[b.a], middle_[b.b]).distance;
        if (middle > min_gap + reach + std::max(spread_[a.a], spread_[a.b]) + std::max(spread_[b.a], spread_[b.b])) return;
        found.push_back(
            {{a.a, a.b, b.a, b.b}, CandidateKind::EdgeEdge, contact_group(model.kind(a.a), model.kind(b.a)), min_gap, middle});
    });

    // All pairs of spheres.
    for (std::size_t i = 0; i < surface.spheres.size(); ++i) {
        for (std::size_t j = i + 1; j < surface.spheres.size(); ++j) {
            const int a = surface.spheres[i], b = surface.spheres[j];
            if (model.fixed[a] && model.fixed[b]) continue;
            if (!may_touch(model, switches, model.body[a], model.body[b])) continue;
            list_.push_back({{a, b, b, b},
                             CandidateKind::SphereSphere,
                             ContactGroup::SphereSphere,
                             model.radius[a] + model.radius[b],
                             norm(middle_[a] - middle_[b])});
            ++counts_[std::size_t(CandidateKind::SphereSphere)];
        }
    }
}

bool CandidateSet::covers(const std::vector<Vec3>& y) const {
    if (covered_.lo.size() != y.size()) return false;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const Vec3 &a = covered_.lo[i], &b = covered_.hi[i], &p = y[i];
        if (!(a.x <= p.x && p.x <= b.x && a.y <= p.y && p.y <= b.y && a.z <= p.z && p.z <= b.z)) return false;
    }
    return true;
}

void CandidateSet::middle_offsets(const std::vector<Vec3>& y, std::vector<double>& r) const {
    r.resize(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) r[i] = norm(y[i] - middle_[i]);
}

}  // namespace plica
