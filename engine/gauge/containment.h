// Which spheres are in a bag: by the generalized winding number of its film, closed by a fan over a ring.
#pragma once

#include "engine/scene/scene.h"
#include "engine/solver/state.h"

namespace plica {

struct Containment {
    int inside = 0;   // sphere centres in the bag below its mouth
    int through = 0;  // centres outside of it and not above its mouth: they went through the film or over the edge
};

// For a film with the groups "ring 1" …, "neck" whose vertices begin at particle `first`, spheres at `sphere_first`. The mouth
// is the ring up to the neck that lies highest (a cuff turned outwards hangs lower than the fold), or the neck itself.
Containment spheres_in_bag(const Film& film, int first, int sphere_first, int sphere_count, const State& state);

}  // namespace plica
