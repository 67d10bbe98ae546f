// The incremental potential of one step and its derivatives (spec/solver.md, "Step"):
//
//   Phi(x) = sum m ‖x − x_tilde‖² / (2 dt²) + E_membrane + E_bending + E_barrier + E_friction + E_support + E_grip + E_tie
//
// Elements are evaluated in parallel into arrays of their own and added up in the order of elements, so that the bits do not
// depend on the number of threads.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "engine/contact/candidates.h"
#include "engine/contact/contact_geometry.h"
#include "engine/core/parallel.h"
#include "engine/energy/barrier.h"
#include "engine/energy/friction.h"
#include "engine/energy/penalty.h"
#include "engine/solver/cpu/block_matrix.h"
#include "engine/solver/model.h"
#include "engine/solver/state.h"
#include "engine/solver/step_inputs.h"
#include "engine/solver/step_report.h"

namespace plica {

// A candidate seen at some positions.
struct Contact {
    int candidate = 0;
    ContactGeometry geometry;
    double gap = 0;
};

// Energy of a gap [m] and its derivatives: the penalty's where there is one.
struct ContactLaw {
    Barrier barrier;
    std::optional<Penalty> penalty;

    double energy(double gap) const { return penalty ? penalty->energy(gap) : barrier.energy(gap); }
    double first(double gap) const { return penalty ? penalty->first(gap) : barrier.first(gap); }     // [N], <= 0
    double second(double gap) const { return penalty ? penalty->second(gap) : barrier.second(gap); }  // [N/m]
};

struct FrictionContact {
    std::array<int, 4> p{};
    int points = 4;  // 2 for spheres
    Friction law;
};

// Contacts of `candidates` at positions x with gap < limit, in candidate order.
void contacts_of(const CandidateSet& candidates, const std::vector<Vec3>& x, double limit, const Workers& workers,
                 std::vector<Contact>& out);

class Potential {
public:
    Potential(const Model& model, const Surface& surface, const Workers& workers);

    // Fixes what stays the same during the solve; candidates are built around x0.
    void begin(const std::vector<Vec3>& x0, const std::vector<Vec3>& v0, const StepInputs& inputs,
               const SolverSettings& settings, const ContactSwitches& switches);
    // Lags friction at x0 (after begin).
    void lag_friction();

    // Candidates for motions between x and x_end, kept while they cover.
    bool cover(const std::vector<Vec3>& x, const std::vector<Vec3>& x_end);
    bool covers(const std::vector<Vec3>& x) const { return !switches_.barrier || candidates_.covers(x); }
    const ContactLaw& law() const { return law_; }
    const CandidateSet& candidates() const { return candidates_; }
    BroadPhase& broad_phase() { return candidates_.broad(); }

    void contacts(const std::vector<Vec3>& x, double limit, std::vector<Contact>& out) const {
        contacts_of(candidates_, x, limit, workers_, out);
    }
    Vec3 friction_force(const FrictionContact& f, const std::vector<Vec3>& x) const;  // ∂E/∂r of one lagged contact

    // +infinity where x is not admissible (gap <= 0 with the barrier, collapsed triangle).
    Energies energy(const std::vector<Vec3>& x) const;

    // Gradient (N, fixed rows 0) and active contacts of x.
    void gradient(const std::vector<Vec3>& x, std::vector<Vec3>& g);
    // Blocks of the Hessian over free particles in pattern(); after gradient() at the same x.
    void hessian(const std::vector<Vec3>& x, MembraneTangent tangent, std::vector<Mat3>& blocks);
    // True when the pattern had to change (new symbolic analysis needed). `wide`: contacts up to this gap get a place too.
    bool update_pattern(const std::vector<Vec3>& x, double wide);
    const BlockPattern& pattern() const { return pattern_; }
    const std::vector<Contact>& active() const { return active_; }
    const std::vector<FrictionContact>& friction() const { return friction_; }
    const std::vector<int>& free_index() const { return free_index_; }  // (N) block row, -1 fixed
    const std::vector<int>& free_particles() const { return free_particles_; }

    // Largest admissible fraction of the motion dx and whether anything limits it (spec/solver.md, "Cap").
    double motion_cap(const std::vector<Vec3>& x, const std::vector<Vec3>& dx) const;

    const std::vector<Vec3>& x_tilde() const { return x_tilde_; }

private:
    struct ElementSlots {  // lower-triangle blocks of an element: slots in the elastic pattern, -1 where a vertex is fixed
        int slot[10];
        bool swapped[10];  // true: the block of the pair (i, j) is stored as (j, i)
    };
    template <int N>
    ElementSlots element_slots(const std::array<int, N>& vertices) const;
    void add_pair_keys(const std::array<int, 4>& p, int points, std::vector<BlockKey>& keys) const;

    const Model& model_;
    const Surface& surface_;
    const Workers& workers_;

    std::vector<int> free_index_, free_particles_;
    std::vector<BlockKey> elastic_keys_;
    BlockPattern elastic_pattern_;
    std::vector<ElementSlots> membrane_slots_, hinge_slots_;
    std::vector<int> elastic_to_pattern_;
    BlockPattern pattern_;
    std::vector<BlockKey> pattern_keys_;
    bool pattern_valid_ = false;

    SolverSettings settings_;
    ContactSwitches switches_;
    ContactLaw law_;
    const StepInputs* inputs_ = nullptr;
    std::vector<Vec3> x0_, x_tilde_;
    CandidateSet candidates_;
    std::vector<FrictionContact> friction_;
    std::vector<Contact> active_;

    mutable std::vector<double> offsets_;  // scratch
    std::vector<Gradient<3>> membrane_gradients_;
    std::vector<Hessian<3>> membrane_hessians_;
    std::vector<Gradient<4>> hinge_gradients_;  // ∇θ
    std::vector<double> hinge_moments_;         // kθ wrap(θ − θ0)
};

}  // namespace plica
