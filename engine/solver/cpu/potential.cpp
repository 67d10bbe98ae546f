#include "engine/solver/cpu/potential.h"

#include <algorithm>
#include <cmath>

namespace plica {

namespace {

constexpr std::size_t element_grain = 128;
constexpr std::size_t contact_grain = 512;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The ten pairs (i >= j) of four local vertices; the first six are those of three.
constexpr int pair_i[10] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3};
constexpr int pair_j[10] = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3};
constexpr int pair_count(int points) { return points * (points + 1) / 2; }

ContactGeometry geometry_of(const Candidate& c, const std::vector<Vec3>& x) {
    switch (c.kind) {
        case CandidateKind::VertexTriangle: return vertex_triangle_contact(x[c.p[0]], x[c.p[1]], x[c.p[2]], x[c.p[3]]);
        case CandidateKind::EdgeEdge: return edge_edge_contact(x[c.p[0]], x[c.p[1]], x[c.p[2]], x[c.p[3]]);
        default: return sphere_sphere_contact(x[c.p[0]], x[c.p[1]]);
    }
}

int points_of(const Candidate& c) { return c.kind == CandidateKind::SphereSphere ? 2 : 4; }

// Largest of a per-particle bound over each side of a pair, added: no point of either side moves more than its share.
double pair_bound(const Candidate& c, const std::vector<double>& r) {
    switch (c.kind) {
        case CandidateKind::VertexTriangle: return r[c.p[0]] + std::max({r[c.p[1]], r[c.p[2]], r[c.p[3]]});
        case CandidateKind::EdgeEdge: return std::max(r[c.p[0]], r[c.p[1]]) + std::max(r[c.p[2]], r[c.p[3]]);
        default: return r[c.p[0]] + r[c.p[1]];
    }
}

// Relative motion of a lagged contact since the start of the step, r = sum w0 (x − x0).
Vec3 slip(const FrictionContact& f, const std::vector<Vec3>& x, const std::vector<Vec3>& x0) {
    Vec3 r;
    for (int i = 0; i < f.points; ++i) r += f.law.weight[i] * (x[f.p[std::size_t(i)]] - x0[f.p[std::size_t(i)]]);
    return r;
}

}  // namespace

void contacts_of(const CandidateSet& candidates, const std::vector<Vec3>& x, double limit, const Workers& workers,
                 std::vector<Contact>& out) {
    out.clear();
    const auto& list = candidates.list();
    std::vector<double> offsets;
    candidates.middle_offsets(x, offsets);
    std::vector<std::vector<Contact>> found((list.size() + contact_grain - 1) / contact_grain);
    workers.for_chunks(list.size(), contact_grain, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Candidate& c = list[k];
            if (c.middle_distance - pair_bound(c, offsets) > c.offset + limit) continue;
            const ContactGeometry geometry = geometry_of(c, x);
            const double gap = geometry.distance - c.offset;
            if (gap < limit) found[chunk].push_back({int(k), geometry, gap});
        }
    });
    for (const auto& part : found) out.insert(out.end(), part.begin(), part.end());
}

Potential::Potential(const Model& model, const Surface& surface, const Workers& workers)
    : model_(model), surface_(surface), workers_(workers) {
    free_index_.assign(std::size_t(model.particle_count()), -1);
    for (int i = 0; i < model.particle_count(); ++i) {
        if (model.fixed[i]) continue;
        free_index_[i] = int(free_particles_.size());
        free_particles_.push_back(i);
    }
    for (int i = 0; i < int(free_particles_.size()); ++i) elastic_keys_.push_back(block_key(i, i));
    for (const auto& m : model.membranes) add_pair_keys({m.vertices.a, m.vertices.b, m.vertices.c, -1}, 3, elastic_keys_);
    for (const auto& h : model.hinges) add_pair_keys({h.a, h.b, h.c, h.d}, 4, elastic_keys_);
    std::sort(elastic_keys_.begin(), elastic_keys_.end());
    elastic_keys_.erase(std::unique(elastic_keys_.begin(), elastic_keys_.end()), elastic_keys_.end());
    elastic_pattern_.assign(int(free_particles_.size()), elastic_keys_);
    for (const auto& m : model.membranes)
        membrane_slots_.push_back(element_slots<3>({m.vertices.a, m.vertices.b, m.vertices.c}));
    for (const auto& h : model.hinges) hinge_slots_.push_back(element_slots<4>({h.a, h.b, h.c, h.d}));
    membrane_gradients_.resize(model.membranes.size());
    membrane_hessians_.resize(model.membranes.size());
    hinge_gradients_.resize(model.hinges.size());
    hinge_moments_.resize(model.hinges.size());
}

template <int N>
Potential::ElementSlots Potential::element_slots(const std::array<int, N>& vertices) const {
    ElementSlots s{};
    for (int k = 0; k < pair_count(N); ++k) {
        const int i = free_index_[vertices[std::size_t(pair_i[k])]], j = free_index_[vertices[std::size_t(pair_j[k])]];
        s.slot[k] = i < 0 || j < 0 ? -1 : elastic_pattern_.find(i, j);
        s.swapped[k] = i < j;
    }
    return s;
}

void Potential::add_pair_keys(const std::array<int, 4>& p, int points, std::vector<BlockKey>& keys) const {
    for (int k = 0; k < pair_count(points); ++k) {
        const int i = free_index_[p[std::size_t(pair_i[k])]], j = free_index_[p[std::size_t(pair_j[k])]];
        if (i >= 0 && j >= 0 && i != j) keys.push_back(block_key(i, j));
    }
}

void Potential::begin(const std::vector<Vec3>& x0, const std::vector<Vec3>& v0, const StepInputs& inputs,
                      const SolverSettings& settings, const ContactSwitches& switches) {
    settings_ = settings;
    switches_ = switches;
    inputs_ = &inputs;
    law_ = {{settings.dhat, settings.kappa}, {}};
    if (switches.mode != ContactMode::Ipc) law_.penalty = Penalty{settings.dhat, settings.penalty};
    x0_ = x0;
    friction_.clear();
    pattern_valid_ = false;  // a step's bits must not depend on the contacts of the step before
    const double dt = settings.dt;
    x_tilde_.resize(x0.size());
    for (std::size_t i = 0; i < x0.size(); ++i) {
        x_tilde_[i] = x0[i];
        if (model_.fixed[i]) continue;
        Vec3 a = settings.gravity;
        if (!inputs.force.empty()) a += (1 / model_.mass[i]) * inputs.force[i];
        if (model_.kind(int(i)) == BodyKind::Film) a -= settings.film_damping * v0[i];
        x_tilde_[i] += dt * v0[i] + dt * dt * a;
    }
    candidates_.clear();
    if (!switches.barrier) return;
    // Where free flight would lead, so that a moving film needs no second build; what is fast beyond reason is left to it.
    constexpr double far = 0.02;  // m
    std::vector<Vec3> ahead = x_tilde_;
    for (std::size_t i = 0; i < x0.size(); ++i)
        if (const double length = norm(ahead[i] - x0[i]); length > far) ahead[i] = x0[i] + (far / length) * (ahead[i] - x0[i]);
    candidates_.build(model_, surface_, switches, settings.min_gap, settings.dhat, settings.skin, x0, ahead, workers_);
}

void Potential::lag_friction() {
    friction_.clear();
    if (!switches_.barrier || !switches_.friction || settings_.friction_mu <= 0) return;
    std::vector<Contact> near;
    contacts(x0_, settings_.dhat, near);
    for (const Contact& c : near) {
        if (c.gap >= settings_.dhat) continue;
        const Candidate& candidate = candidates_.list()[c.candidate];
        if (model_.bodies[std::size_t(model_.body[std::size_t(candidate.p[0])])].rolls) continue;  // spheres come first
        FrictionContact f{candidate.p, points_of(candidate), {}};
        f.law.load = -settings_.friction_mu * law_.first(c.gap);
        f.law.normal = c.geometry.normal;
        std::copy(std::begin(c.geometry.weight), std::end(c.geometry.weight), std::begin(f.law.weight));
        f.law.eps = settings_.dt * settings_.eps_v;
        friction_.push_back(f);
    }
}

bool Potential::cover(const std::vector<Vec3>& x, const std::vector<Vec3>& x_end) {
    if (!switches_.barrier || (candidates_.covers(x) && candidates_.covers(x_end))) return false;
    candidates_.build(model_, surface_, switches_, settings_.min_gap, settings_.dhat, settings_.skin, x, x_end, workers_);
    return true;
}

Energies Potential::energy(const std::vector<Vec3>& x) const {
    Energies e;
    const double dt2 = settings_.dt * settings_.dt;
    e.inertia = workers_.sum(free_particles_.size(), 1024, [&](std::size_t k) {
        const int i = free_particles_[k];
        const Vec3 d = x[i] - x_tilde_[i];
        return 0.5 * model_.mass[i] / dt2 * dot(d, d);
    });
    e.membrane = workers_.sum(model_.membranes.size(), element_grain, [&](std::size_t k) {
        const auto& m = model_.membranes[k];
        return m.law.energy(x[m.vertices.a], x[m.vertices.b], x[m.vertices.c]);
    });
    e.bending = workers_.sum(model_.hinges.size(), element_grain, [&](std::size_t k) {
        const auto& h = model_.hinges[k];
        return h.law.energy(x[h.a], x[h.b], x[h.c], x[h.d]);
    });
    if (switches_.barrier) {
        const auto& list = candidates_.list();
        candidates_.middle_offsets(x, offsets_);
        e.barrier = workers_.sum(list.size(), contact_grain, [&](std::size_t k) {
            const Candidate& c = list[k];
            if (c.middle_distance - pair_bound(c, offsets_) > c.offset + settings_.dhat) return 0.0;
            return law_.energy(geometry_of(c, x).distance - c.offset);
        });
    }
    for (const FrictionContact& f : friction_) {
        e.friction += f.law.energy(slip(f, x, x0_));
    }
    for (const SupportPoint& s : inputs_->supports) e.support += s.law.energy(x[s.vertex]);
    for (const GripPoint& g : inputs_->grips) e.grip += g.law.energy(x[g.vertex]);
    for (const TieElement& t : inputs_->ties) e.tie += t.law.energy(x[t.i], x[t.j]);
    return e;
}

void Potential::gradient(const std::vector<Vec3>& x, std::vector<Vec3>& g) {
    g.assign(x.size(), Vec3{});
    const double dt2 = settings_.dt * settings_.dt;
    for (const int i : free_particles_) g[i] = (model_.mass[i] / dt2) * (x[i] - x_tilde_[i]);

    // Elements in parallel …
    workers_.for_chunks(model_.membranes.size(), element_grain, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const auto& m = model_.membranes[k];
            membrane_gradients_[k] = m.law.gradient(x[m.vertices.a], x[m.vertices.b], x[m.vertices.c]);
        }
    });
    workers_.for_chunks(model_.hinges.size(), element_grain, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const auto& h = model_.hinges[k];
            double theta = 0;
            hinge_gradients_[k] = hinge_angle_gradient(x[h.a], x[h.b], x[h.c], x[h.d], &theta);
            hinge_moments_[k] = h.law.stiffness * wrap_angle(theta - h.law.rest_angle);
        }
    });
    // … and added in their order.
    for (std::size_t k = 0; k < model_.membranes.size(); ++k) {
        const auto& m = model_.membranes[k];
        for (int i = 0; i < 3; ++i) g[m.vertices[i]] += membrane_gradients_[k].v[i];
    }
    for (std::size_t k = 0; k < model_.hinges.size(); ++k) {
        const auto& h = model_.hinges[k];
        const int v[4] = {h.a, h.b, h.c, h.d};
        for (int i = 0; i < 4; ++i) g[v[i]] += hinge_moments_[k] * hinge_gradients_[k].v[i];
    }

    active_.clear();
    if (switches_.barrier) {
        contacts(x, settings_.dhat, active_);
        for (const Contact& c : active_) {
            const Candidate& candidate = candidates_.list()[c.candidate];
            const Vec3 push = law_.first(c.gap) * c.geometry.normal;
            for (int i = 0; i < points_of(candidate); ++i) g[candidate.p[std::size_t(i)]] += c.geometry.weight[i] * push;
        }
    }
    for (const FrictionContact& f : friction_) {
        const Vec3 rub = friction_force(f, x);
        for (int i = 0; i < f.points; ++i) g[f.p[std::size_t(i)]] += f.law.weight[i] * rub;
    }
    for (const SupportPoint& s : inputs_->supports) g[s.vertex] += s.law.gradient(x[s.vertex]);
    for (const GripPoint& p : inputs_->grips) g[p.vertex] += p.law.gradient(x[p.vertex]);
    for (const TieElement& t : inputs_->ties) {
        const Vec3 pull = t.law.gradient(x[t.i], x[t.j]);
        g[t.i] += pull;
        g[t.j] -= pull;
    }
    for (std::size_t i = 0; i < g.size(); ++i)
        if (model_.fixed[i]) g[i] = {};
}

bool Potential::update_pattern(const std::vector<Vec3>& x, double wide) {
    const auto has_place = [&](const std::array<int, 4>& p, int points) {
        for (int k = 0; k < pair_count(points); ++k) {
            const int i = free_index_[p[std::size_t(pair_i[k])]], j = free_index_[p[std::size_t(pair_j[k])]];
            if (i >= 0 && j >= 0 && pattern_.find(i, j) < 0) return false;
        }
        return true;
    };
    if (pattern_valid_) {
        bool all = true;
        for (const Contact& c : active_) {
            const Candidate& candidate = candidates_.list()[c.candidate];
            if (!(all = has_place(candidate.p, points_of(candidate)))) break;
        }
        if (all) return false;
    }
    std::vector<BlockKey> keys;
    std::vector<Contact> near;
    if (switches_.barrier) contacts(x, std::max(wide, settings_.dhat), near);
    for (const Contact& c : near) {
        const Candidate& candidate = candidates_.list()[c.candidate];
        add_pair_keys(candidate.p, points_of(candidate), keys);
    }
    for (const FrictionContact& f : friction_) add_pair_keys(f.p, f.points, keys);
    for (const TieElement& t : inputs_->ties) add_pair_keys({t.i, t.j, -1, -1}, 2, keys);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<BlockKey> merged;
    merged.reserve(elastic_keys_.size() + keys.size());
    std::set_union(elastic_keys_.begin(), elastic_keys_.end(), keys.begin(), keys.end(), std::back_inserter(merged));
    pattern_valid_ = true;
    if (merged == pattern_keys_) return false;  // the same pattern gives the same analysis
    pattern_keys_ = merged;
    pattern_.assign(int(free_particles_.size()), merged);
    elastic_to_pattern_.resize(elastic_keys_.size());
    for (std::size_t e = 0, k = 0; e < elastic_keys_.size(); ++e, ++k) {
        while (merged[k] != elastic_keys_[e]) ++k;
        elastic_to_pattern_[e] = int(k);
    }
    return true;
}

void Potential::hessian(const std::vector<Vec3>& x, MembraneTangent tangent, std::vector<Mat3>& blocks) {
    blocks.assign(std::size_t(pattern_.block_count()), Mat3{});
    workers_.for_chunks(model_.membranes.size(), element_grain, [&](std::size_t, std::size_t begin, std::size_t end) {
        Gradient<3> unused;
        for (std::size_t k = begin; k < end; ++k) {
            const auto& m = model_.membranes[k];
            m.law.derivatives(x[m.vertices.a], x[m.vertices.b], x[m.vertices.c], tangent, unused, membrane_hessians_[k]);
        }
    });
    const double dt2 = settings_.dt * settings_.dt;
    for (std::size_t k = 0; k < free_particles_.size(); ++k) {
        const double inertia = model_.mass[free_particles_[k]] / dt2;
        Mat3& d = blocks[pattern_.diagonal(int(k))];
        for (int i = 0; i < 3; ++i) d(i, i) += inertia;
    }
    for (std::size_t e = 0; e < model_.membranes.size(); ++e) {
        const ElementSlots& s = membrane_slots_[e];
        const Hessian<3>& h = membrane_hessians_[e];
        for (int k = 0; k < 6; ++k) {
            if (s.slot[k] < 0) continue;
            blocks[elastic_to_pattern_[s.slot[k]]] +=
                s.swapped[k] ? h.block[pair_j[k]][pair_i[k]] : h.block[pair_i[k]][pair_j[k]];
        }
    }
    for (std::size_t e = 0; e < model_.hinges.size(); ++e) {
        const ElementSlots& s = hinge_slots_[e];
        const double stiffness = model_.hinges[e].law.stiffness;
        const Gradient<4>& g = hinge_gradients_[e];
        for (int k = 0; k < 10; ++k) {
            if (s.slot[k] < 0) continue;
            const Vec3 &a = g.v[s.swapped[k] ? pair_j[k] : pair_i[k]], &b = g.v[s.swapped[k] ? pair_i[k] : pair_j[k]];
            blocks[elastic_to_pattern_[s.slot[k]]] += outer(stiffness * a, b);
        }
    }

    // A rank-limited pair term: block (i, j) = w_i w_j M with symmetric M.
    const auto add_weighted = [&](const std::array<int, 4>& p, int points, const double* weight, const Mat3& m) {
        for (int k = 0; k < pair_count(points); ++k) {
            const int a = pair_i[k], b = pair_j[k];
            const int i = free_index_[p[std::size_t(a)]], j = free_index_[p[std::size_t(b)]];
            const double w = weight[a] * weight[b];
            if (i < 0 || j < 0 || w == 0) continue;
            blocks[pattern_.find(i, j)] += w * m;
        }
    };
    for (const Contact& c : active_) {
        const Candidate& candidate = candidates_.list()[c.candidate];
        const double curvature = std::max(0.0, law_.second(c.gap));
        add_weighted(candidate.p, points_of(candidate), c.geometry.weight,
                     outer(curvature * c.geometry.normal, c.geometry.normal));
    }
    for (const FrictionContact& f : friction_) {
        add_weighted(f.p, f.points, f.law.weight, f.law.hessian(slip(f, x, x0_)));
    }
    const auto add_diagonal = [&](int vertex, const Mat3& m) {
        if (free_index_[vertex] >= 0) blocks[pattern_.diagonal(free_index_[vertex])] += m;
    };
    for (const SupportPoint& s : inputs_->supports) add_diagonal(s.vertex, s.law.hessian(x[s.vertex]));
    for (const GripPoint& g : inputs_->grips) add_diagonal(g.vertex, g.law.hessian(x[g.vertex]));
    const double opposite[2] = {1, -1};
    for (const TieElement& t : inputs_->ties) add_weighted({t.i, t.j, -1, -1}, 2, opposite, t.law.hessian(x[t.i], x[t.j]));
}

Vec3 Potential::friction_force(const FrictionContact& f, const std::vector<Vec3>& x) const {
    return f.law.gradient(slip(f, x, x0_));
}

double Potential::motion_cap(const std::vector<Vec3>& x, const std::vector<Vec3>& dx) const {
    if (!switches_.barrier || law_.penalty) return 1;
    const auto& list = candidates_.list();
    candidates_.middle_offsets(x, offsets_);
    std::vector<double> motion(dx.size());
    for (std::size_t i = 0; i < dx.size(); ++i) motion[i] = norm(dx[i]);
    std::vector<double> smallest((list.size() + contact_grain - 1) / contact_grain, infinity);
    workers_.for_chunks(list.size(), contact_grain, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        double ratio = infinity;
        for (std::size_t k = begin; k < end; ++k) {
            const Candidate& c = list[k];
            if (c.middle_distance - pair_bound(c, offsets_) - c.offset > pair_bound(c, motion)) continue;
            const ContactGeometry geometry = geometry_of(c, x);
            const double speed = approach(c.kind, geometry.normal, dx[c.p[0]], dx[c.p[1]], dx[c.p[2]], dx[c.p[3]]);
            if (speed > 0) ratio = std::min(ratio, (geometry.distance - c.offset) / speed);
        }
        smallest[chunk] = ratio;
    });
    const double ratio = smallest.empty() ? infinity : *std::min_element(smallest.begin(), smallest.end());
    return ratio <= 1 ? 0.9 * ratio : 1;
}

}  // namespace plica
