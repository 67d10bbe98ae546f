// For any processor: vectors of two numbers, as every x86-64 and ARM64 has them.
#include "engine/solver/cpu/panel_kernels.h"

namespace plica {

namespace {

constexpr int lanes = 2, tile_panels = 1, tile_columns = 2;
using Vector = double __attribute__((vector_size(16)));
#ifdef __FP_FAST_FMA  // ARM64: the bits of the other versions
[[gnu::always_inline]] inline Vector subtract_product(Vector c, Vector a, Vector b) {
    return Vector{__builtin_fma(-a[0], b[0], c[0]), __builtin_fma(-a[1], b[1], c[1])};
}
#else
[[gnu::always_inline]] inline Vector subtract_product(Vector c, Vector a, Vector b) { return c - a * b; }
#endif

#include "engine/solver/cpu/panel_kernels_body.h"

constexpr PanelKernels kernels{factor, update, multiply, multiply_transposed, "portable"};

}  // namespace

const PanelKernels* panel_kernels_portable() { return &kernels; }

}  // namespace plica
