// For processors with AVX2; compiled with the options for it (engine/CMakeLists.txt), so nothing but kernels may stand here.
#include "engine/solver/cpu/panel_kernels.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

namespace plica {

namespace {

constexpr int lanes = 4, tile_panels = 1, tile_columns = 4;
using Vector = double __attribute__((vector_size(32)));
[[gnu::always_inline]] inline Vector subtract_product(Vector c, Vector a, Vector b) { return _mm256_fnmadd_pd(a, b, c); }

#include "engine/solver/cpu/panel_kernels_body.h"

constexpr PanelKernels kernels{factor, update, multiply, multiply_transposed, "AVX2"};

}  // namespace

const PanelKernels* panel_kernels_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernels : nullptr;
}

}  // namespace plica

#else

namespace plica {
const PanelKernels* panel_kernels_avx2() { return nullptr; }
}  // namespace plica

#endif
