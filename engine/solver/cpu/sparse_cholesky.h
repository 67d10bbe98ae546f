// Sparse Cholesky factorization of an equilibrated block matrix: (D H D) z = -D g, dx = D z with D = diag(H)^(-1/2).
#pragma once

#include <memory>
#include <vector>

#include "engine/solver/cpu/block_matrix.h"

namespace plica {

class SparseCholesky {
public:
    SparseCholesky();
    ~SparseCholesky();

    // Symbolic work for a pattern; the result depends on the pattern alone. False when memory ran out.
    bool analyze(const BlockPattern& pattern);

    // Numeric work; `values` by slot of the analyzed pattern (upper half of diagonal blocks is not read), `shift` is added to
    // the unit diagonal of D H D. False: not positive definite.
    bool factorize(const BlockPattern& pattern, const std::vector<Mat3>& values, double shift);

    // dx with H dx = -gradient (block rows). After a successful factorize.
    void solve(const std::vector<Vec3>& gradient, std::vector<Vec3>& dx);

    // Instruction set of the kernels in use, chosen by this processor.
    static const char* name();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace plica
