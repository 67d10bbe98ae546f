// Barrier: keeps a gap g = distance − offset above 0, acts below dhat.                        spec/solver.md, "Contact"
//
//   a = g − dhat;  B = −κ a² log(g/dhat)                            plain distance in m, κ in N/m
//   B′ = −κ [2a log(g/dhat) + a²/g],  B″ = −κ [2 log(g/dhat) + 4a/g − (a/g)²]       (IPC 2020 has squared distances instead)
//
// From dhat on all three are 0. A gap <= 0 is no state: the energy there is +infinity, and the derivatives are ∓infinity so
// that using them is noticed.
#pragma once

#include "engine/core/types.h"

namespace plica {

struct Barrier {
    double dhat = 0;   // m
    double kappa = 0;  // N/m

    PLICA_HD double energy(double gap) const {
        if (gap >= dhat) return 0;
        if (!(gap > 0)) return HUGE_VAL;
        const double a = gap - dhat;
        return -kappa * a * a * log_ratio(gap);
    }
    PLICA_HD double first(double gap) const {  // [N], <= 0
        if (gap >= dhat) return 0;
        if (!(gap > 0)) return -HUGE_VAL;
        const double a = gap - dhat;
        return -kappa * (2 * a * log_ratio(gap) + a * a / gap);
    }
    PLICA_HD double second(double gap) const {  // [N/m], >= 0
        if (gap >= dhat) return 0;
        if (!(gap > 0)) return HUGE_VAL;
        const double a = gap - dhat, q = a / gap;
        return -kappa * (2 * log_ratio(gap) + 4 * q - q * q);
    }

private:
    // log(g/dhat): next to dhat from the difference, which is exact there, instead of from a quotient rounded to near 1.
    PLICA_HD double log_ratio(double gap) const { return gap > 0.5 * dhat ? log1p((gap - dhat) / dhat) : log(gap / dhat); }
};

}  // namespace plica
