// For processors with AVX-512; compiled with the options for it (engine/CMakeLists.txt), so nothing but kernels may stand here.
#include "engine/solver/cpu/panel_kernels.h"

#if defined(__AVX512F__)
#include <immintrin.h>

namespace plica {

namespace {

constexpr int lanes = 8, tile_panels = 2, tile_columns = 8;
using Vector = double __attribute__((vector_size(64)));
[[gnu::always_inline]] inline Vector subtract_product(Vector c, Vector a, Vector b) { return _mm512_fnmadd_pd(a, b, c); }

#include "engine/solver/cpu/panel_kernels_body.h"

constexpr PanelKernels kernels{factor, update, multiply, multiply_transposed, "AVX-512"};

}  // namespace

const PanelKernels* panel_kernels_avx512() { return __builtin_cpu_supports("avx512f") ? &kernels : nullptr; }

}  // namespace plica

#else

namespace plica {
const PanelKernels* panel_kernels_avx512() { return nullptr; }
}  // namespace plica

#endif
