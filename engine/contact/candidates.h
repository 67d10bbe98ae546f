// Candidate pairs: all that can come within reach while every particle stays inside its covered box.
//
//   build(x, x_end)    each particle's covered box holds x and x_end, and skin/2 around both. A pair becomes a candidate if
//                      its sides, anywhere in their covered boxes, can come closer than offset + reach.
//   covers(y)          true while y lies in the covered boxes: the list is then complete for y and for all positions
//                      between two covered ones (boxes are convex).
//
// The list is in canonical order (kind, first side, second side), whatever the number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/contact/broad_phase.h"

namespace plica {

struct Candidate {
    std::array<int, 4> p{};  // VT: vertex, triangle; EE: edge, edge; SS: i, j, j, j
    CandidateKind kind = CandidateKind::VertexTriangle;
    ContactGroup group = ContactGroup::FilmFilm;
    double offset = 0;           // m, c of spec/solver.md "Contact"
    double middle_distance = 0;  // m, distance at the middles of the covered boxes: bounds the distance elsewhere
};

class CandidateSet {
public:
    // reach: dhat of the barrier [m]; skin: room for reuse [m].
    void build(const Model& model, const Surface& surface, const ContactSwitches& switches, double min_gap, double reach,
               double skin, const std::vector<Vec3>& x, const std::vector<Vec3>& x_end, const Workers& workers);
    void clear() {
        list_.clear();
        covered_.lo.clear();
        covered_.hi.clear();
        counts_ = {};
    }

    bool covers(const std::vector<Vec3>& y) const;
    const std::vector<Candidate>& list() const { return list_; }
    BroadPhase& broad() { return broad_; }  // shared with the intersection check
    int count(CandidateKind kind) const { return counts_[std::size_t(kind)]; }

    // Distance of each particle from the middle of its covered box, for quick bounds: r[i] = ‖y_i − middle_i‖.
    void middle_offsets(const std::vector<Vec3>& y, std::vector<double>& r) const;

private:
    std::vector<Candidate> list_;
    std::array<int, 3> counts_{};
    ParticleBoxes covered_;
    std::vector<Vec3> middle_, motion_;  // of the covered boxes; x to x_end
    std::vector<double> spread_;         // half diagonals
    std::vector<Box> triangle_boxes_, edge_boxes_;
    BroadPhase broad_;
    std::vector<std::vector<Candidate>> found_;  // per chunk
};

}  // namespace plica
