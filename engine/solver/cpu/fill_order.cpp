#include "engine/solver/cpu/fill_order.h"

#include <Eigen/Sparse>

namespace plica {

std::vector<int> fill_order(int size, const std::vector<int>& start, const std::vector<int>& neighbour) {
    // Approximate minimum degree. It wants the diagonal in the pattern, and room to work in.
    Eigen::SparseMatrix<char> pattern(size, size);
    pattern.resizeNonZeros(Eigen::Index(neighbour.size()) + size);
    for (int v = 0, at = 0; v < size; ++v) {
        pattern.outerIndexPtr()[v] = at;
        pattern.innerIndexPtr()[at++] = v;
        for (int p = start[v]; p < start[v + 1]; ++p) pattern.innerIndexPtr()[at++] = neighbour[p];
        pattern.outerIndexPtr()[v + 1] = at;
    }
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    if (size > 0) Eigen::internal::minimum_degree_ordering(pattern, permutation);
    return {permutation.indices().data(), permutation.indices().data() + size};
}

}  // namespace plica
