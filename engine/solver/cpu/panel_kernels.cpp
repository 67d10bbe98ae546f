#include "engine/solver/cpu/panel_kernels.h"

namespace plica {

const PanelKernels& panel_kernels() {
    static const PanelKernels& best = []() -> const PanelKernels& {
        if (const PanelKernels* k = panel_kernels_avx512()) return *k;
        if (const PanelKernels* k = panel_kernels_avx2()) return *k;
        return *panel_kernels_portable();
    }();
    return best;
}

}  // namespace plica
