// Settings of a step. All may change between two steps.
#pragma once

#include <array>
#include <vector>

#include "engine/core/types.h"

namespace plica {

struct SolverSettings {
    double dt = 1.0 / 240;      // s
    double dhat = 1e-3;         // m, the barrier acts below this gap
    double min_gap = 30e-6;     // m, offset of film–film and film–obstacle distances
    double kappa = 1000;        // N/m, barrier stiffness
    double penalty = 1000;      // N/m, stiffness of penalty contact (modes basic and guarded)
    double friction_mu = 0.35;  // -
    double eps_v = 1e-3;        // m/s, friction is smooth below this speed; eps = dt * eps_v
    double tolerance = 12e-6;   // m, Newton ends when max|dx| is below
    double film_damping = 12;   // 1/s, external force -film_damping m v on film vertices, from the velocity at step start
    Vec3 gravity{0, 0, -9.81};  // m/s²
    int max_iterations = 150;   // Newton iterations of one solve
    int max_halvings = 7;       // levels of retry by two half steps
    int max_line_search = 48;   // Armijo tests of one search
    double armijo = 1e-4;
    double skin = 1.5e-3;  // m, room for candidate reuse; not a thickness
    int threads = 1;       // results do not depend on it
};

// How contact is kept (spec/paper.md, "Contact modes").
enum class ContactMode {
    Ipc,      // barrier and motion cap: no state with a gap <= 0
    Guarded,  // penalty; a step that leaves a risk is taken back and solved again with IPC
    Basic     // penalty: surfaces can go through one another
};
inline constexpr std::array<const char*, 3> contact_mode_names{"ipc", "guarded", "basic"};

// Each may be thrown between two steps (design.md §3).
struct ContactSwitches {
    ContactMode mode = ContactMode::Ipc;
    bool barrier = true;       // off: no contact at all
    bool self_contact = true;  // film against film
    bool friction = true;
    bool motion_cap = true;
    std::vector<bool> body_off;  // (bodies) true: no contact with this body; empty: all on
};

}  // namespace plica
