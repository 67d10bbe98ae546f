// Penalty ("basic") contact: a spring that pushes a gap g = distance − offset below dhat back, and gives way.
//                                                                                     spec/paper.md, "Contact modes"
//
//   a = dhat − g;  P = ½ k a²,  P′ = −k a,  P″ = k                     k in N/m; from dhat on all three are 0
//
// The same reach as the barrier's, so that both see the same contacts; but finite at g <= 0: pushed harder than k dhat,
// surfaces come closer than their offset and go through one another. Distances have no sign: behind the other side it pushes
// onwards.
#pragma once

#include "engine/core/types.h"

namespace plica {

struct Penalty {
    double dhat = 0;       // m
    double stiffness = 0;  // N/m

    PLICA_HD double energy(double gap) const { return gap < dhat ? 0.5 * stiffness * (dhat - gap) * (dhat - gap) : 0; }
    PLICA_HD double first(double gap) const { return gap < dhat ? -stiffness * (dhat - gap) : 0; }  // [N], <= 0
    PLICA_HD double second(double gap) const { return gap < dhat ? stiffness : 0; }                 // [N/m]
};

}  // namespace plica
