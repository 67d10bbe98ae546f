// What one step has to say: read alike by panel, controller, recording, benchmark and error message.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/contact/candidate_kind.h"
#include "engine/core/types.h"

namespace plica {

enum class ContactGroup { FilmFilm, FilmObstacle, FilmSphere, SphereObstacle, SphereSphere };
inline constexpr int contact_group_count = 5;
inline constexpr std::array<const char*, contact_group_count> contact_group_names{"film_film", "film_obstacle", "film_sphere",
                                                                                  "sphere_obstacle", "sphere_sphere"};

// A pair at fault or the closest pair, by particle indices.
struct ContactPair {
    CandidateKind kind = CandidateKind::VertexTriangle;
    std::array<int, 4> particles{-1, -1, -1, -1};
    double gap = 0;     // m, distance minus offset
    double offset = 0;  // m, what the distance has to exceed
    Vec3 position;      // m, middle of the two closest points
    ContactGroup group = ContactGroup::FilmFilm;
};

// What a film feels of a sphere or obstacle: the barrier's force of one contact.
struct ContactForce {
    CandidateKind kind = CandidateKind::VertexTriangle;
    std::array<int, 4> particles{-1, -1, -1, -1};
    ContactGroup group = ContactGroup::FilmSphere;
    double force = 0;  // N, along normal
    Vec3 normal;       // unit, from the second side (triangle, second edge) to the first
    Vec3 position;     // m, middle of the two closest points
};

enum class StepFailure {
    InitialOverlap,       // a gap <= 0 at the start of the step
    InitialIntersection,  // an edge goes through a face at the start of the step
    FactorizationFailed,  // Hessian not positive definite even after projection and shift
    LineSearchExhausted,
    IterationLimit,
    RoundingLostGap,  // the FP32 result has a gap <= 0
    NotFinite,        // input, energy, gradient or direction
};

struct StepError {
    StepFailure reason = StepFailure::NotFinite;
    std::string message;               // one sentence with numbers and what to do
    std::vector<ContactPair> pairs;    // worst first, at most ten
    std::vector<Int2> triangle_pairs;  // intersecting triangles, at most ten
    int pair_count = 0;                // how many there are in all
    int particle = -1;                 // where a value is not finite or the motion is largest; -1 none
};

struct Energies {  // J
    double inertia = 0, membrane = 0, bending = 0, barrier = 0, friction = 0, support = 0, grip = 0, tie = 0;
    double total() const { return inertia + membrane + bending + barrier + friction + support + grip + tie; }
};

struct StageSeconds {
    double start_check = 0, candidates = 0, assembly = 0, factorization = 0, cap = 0, line_search = 0, total = 0;
    StageSeconds& operator+=(const StageSeconds& b) {
        start_check += b.start_check;
        candidates += b.candidates;
        assembly += b.assembly;
        factorization += b.factorization;
        cap += b.cap;
        line_search += b.line_search;
        total += b.total;
        return *this;
    }
};

// One Newton iteration, for the convergence plot.
struct IterationRecord {
    double max_dx = 0;    // m, before the line search
    double alpha = 0;     // fraction taken
    double max_step = 0;  // what the motion cap allowed
    double energy = 0;    // J, after
};

struct StepReport {
    double dt = 0;         // s
    int iterations = 0;    // Newton iterations in all solves of this step, failed ones included
    int chord_steps = 0;   // further steps with the factorization of the last iteration
    int solves = 0;        // 1 + those of the retries
    int halvings = 0;      // deepest level of halving
    int ipc_resolves = 0;  // penalty solves taken back and solved again with IPC (mode guarded)
    double achieved = 0;   // m, max|dx| at the end
    int candidates_vt = 0, candidates_ee = 0, candidates_ss = 0;
    int active_contacts = 0;  // at the end of the step, gap < dhat
    int friction_contacts = 0;
    int projections = 0;  // factorizations that needed the projected Hessian
    int analyses = 0;     // symbolic analyses
    int candidate_builds = 0;
    std::array<double, contact_group_count> min_gap{};  // m, infinity where there is no candidate
    std::array<int, contact_group_count> active{};
    std::optional<ContactPair> closest;
    int intersecting_pairs = 0;  // triangle pairs of the accepted positions
    Energies energy;
    StageSeconds seconds;
    std::vector<IterationRecord> history;  // of the last solve
    std::vector<Vec3> body_reaction;       // (bodies) N, contact and friction force on each body at the end
    std::vector<ContactForce>
        contact_forces;               // film against spheres and obstacles at the end, in candidate order; not recorded
    std::vector<Vec3> support_force;  // (support groups) N, force of the support on its vertices
    std::vector<Vec3> grip_force;     // (grip groups) N
};

}  // namespace plica
