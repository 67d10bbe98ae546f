// Symmetric sparse matrix of 3 x 3 blocks, lower triangle, by columns; the diagonal block comes first in each column.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "engine/core/types.h"

namespace plica {

// A block's place as one sortable word: column in the high half, row (>= column) in the low.
using BlockKey = std::uint64_t;
inline BlockKey block_key(int i, int j) {
    const auto row = std::uint32_t(std::max(i, j)), column = std::uint32_t(std::min(i, j));
    return BlockKey(column) << 32 | row;
}

struct BlockPattern {
    int size = 0;                   // block rows
    std::vector<int> column_start;  // (size + 1)
    std::vector<int> rows;          // (blocks) ascending in each column, first = column

    // keys sorted and unique, with every diagonal block.
    void assign(int block_rows, const std::vector<BlockKey>& keys) {
        size = block_rows;
        column_start.assign(std::size_t(size) + 1, 0);
        rows.resize(keys.size());
        for (std::size_t k = 0; k < keys.size(); ++k) {
            ++column_start[std::size_t(keys[k] >> 32) + 1];
            rows[k] = int(keys[k] & 0xffffffffu);
        }
        for (int c = 0; c < size; ++c) column_start[c + 1] += column_start[c];
    }

    // Slot of block (i, j) in any order, -1 if it is not in the pattern.
    int find(int i, int j) const {
        const int row = std::max(i, j), column = std::min(i, j);
        const auto begin = rows.begin() + column_start[column], end = rows.begin() + column_start[column + 1];
        const auto it = std::lower_bound(begin, end, row);
        return it != end && *it == row ? int(it - rows.begin()) : -1;
    }
    int diagonal(int i) const { return column_start[i]; }
    int block_count() const { return int(rows.size()); }
};

}  // namespace plica
