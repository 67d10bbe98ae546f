// Multifrontal Cholesky factorization L Lᵀ of a sparse matrix of 3 x 3 blocks, one thread, the same bits on every run.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/core/types.h"
#include "engine/solver/cpu/block_matrix.h"
#include "engine/solver/cpu/panel_kernels.h"
#include "engine/solver/cpu/supernodal_symbolic.h"

namespace plica {

class SupernodalCholesky {
public:
    explicit SupernodalCholesky(const PanelKernels& kernels = panel_kernels()) : kernels_(&kernels) {}

    // Plans and takes memory (std::bad_alloc); after it nothing is allocated.
    void analyze(const BlockPattern& pattern);

    // L Lᵀ = D H D + shift I. `blocks` by slot of the pattern (upper half of diagonal blocks is not read), `scale`: D by scalar
    // row. False: a pivot is not positive or not finite.
    bool factorize(const std::vector<Mat3>& blocks, const std::vector<double>& scale, double shift);

    // In place, right-hand side to solution, by scalar row. After a successful factorize.
    void solve(std::vector<double>& x);

    const SupernodalSymbolic& symbolic() const { return symbolic_; }

private:
    // Storage that starts at a cache line: panels are read by whole lines.
    struct Free {
        void operator()(double* p) const;
    };
    using Storage = std::unique_ptr<double[], Free>;
    static Storage allocate(std::size_t count);

    void assemble(const Supernode& node, const std::vector<Mat3>& blocks, const std::vector<double>& scale, double shift);
    void extend(const Supernode& node, const Supernode& child);

    const PanelKernels* kernels_;
    SupernodalSymbolic symbolic_;
    Storage factor_, stacks_[2];
    std::vector<double> inverse_pivots_;                  // (width) of all supernodes, one after another
    std::vector<std::size_t> pivots_begin_;               // (supernodes)
    std::vector<std::ptrdiff_t> row_front_, row_update_;  // places of a child's rows in the parent's front and update matrix
    std::vector<std::ptrdiff_t> column_;
    std::vector<double> y_, front_vector_;
};

}  // namespace plica
