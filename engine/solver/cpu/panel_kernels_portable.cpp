// For any processor: vectors of two numbers, as every x86-64 and ARM64 has them.
#include "engine/solver/cpu/panel_kernels.h"

namespace plica {

namespace {

constexpr int lanes = 2, tile_panels = 1, tile_columns = 2;
using Vector = double __attribute__((vector_size(16)));
[[gnu::always_inline]] inline Vector subtract_product(Vector c, Vector a, Vector b) { return c - a * b; }

#include "engine/solver/cpu/panel_kernels_body.h"

constexpr PanelKernels kernels{factor, update, multiply, multiply_transposed, "portable"};

}  // namespace

const PanelKernels* panel_kernels_portable() { return &kernels; }

}  // namespace plica
