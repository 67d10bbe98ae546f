// Dense kernels of the supernodal Cholesky factorization, in versions for what the processor can do, chosen at run time.
//
// Storage. A matrix is cut into panels of 8 rows; a panel stands in memory column after column, 8 numbers each. Entry (i, j) of
// a matrix with w columns: 8 * w * (i / 8) + 8 * j + i % 8. Every inner loop then reads two or three contiguous streams, so
// nothing is packed and nothing depends on a leading dimension.
//
//   front of a supernode            w = columns, width = w rounded up to 8, r = rows below
//   +--------+
//   | L11    |  width / 8 panels    rows and columns w .. width - 1 are those of the identity
//   +--------+
//   | L21    |  r / 8 panels, rounded up; the last rows are zero
//   +--------+
//
//   update matrix C (r x r, lower): panel p has 8 (p + 1) columns and starts at 64 * p (p + 1) / 2
#pragma once

namespace plica {

struct PanelKernels {
    // L11 L11ᵀ = A11 and L21 L11ᵀ = A21 in place. `panels` counts those of L11 and L21; `inverse_pivots` (width) gets 1 / L(j,
    // j). False: a pivot is not positive or not finite.
    bool (*factor)(double* front, int width, int panels, double* inverse_pivots);
    // C -= L21 L21ᵀ; `below` starts at L21 and has `panels` panels of `width` columns, of which the first w are not zero.
    void (*update)(const double* below, int width, int w, int panels, double* c);
    // y -= L x for panels of L: y (8 * panels), x (w).
    void (*multiply)(const double* l, int width, int w, int panels, const double* x, double* y);
    // x -= Lᵀ y.
    void (*multiply_transposed)(const double* l, int width, int w, int panels, const double* y, double* x);
    const char* name;
};

// The fastest that runs here. All with fused multiply-add give the same bits, so that a run is the same on every processor that
// has it; those of the portable version differ where the processor has none: fused multiply-add rounds once.
const PanelKernels& panel_kernels();

// Null when not compiled in or not supported by this processor.
const PanelKernels* panel_kernels_portable();
const PanelKernels* panel_kernels_avx2();
const PanelKernels* panel_kernels_avx512();

}  // namespace plica
