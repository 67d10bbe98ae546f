// Order of elimination that keeps the Cholesky factor small.
#pragma once

#include <vector>

namespace plica {

// Graph without loops: neighbours of v are neighbour[start[v]] … neighbour[start[v + 1] - 1], both ways. Returns vertices by
// order.
std::vector<int> fill_order(int size, const std::vector<int>& start, const std::vector<int>& neighbour);

}  // namespace plica
