// Which columns of a sparse Cholesky factor are worked on together, and where every number goes. From the pattern alone.
//
// Elimination is planned on block rows ("vertices", 3 scalar rows each). A supernode is a set of vertices that share one dense
// front (panel_kernels.h); neighbours in the elimination tree are joined when the model of the running time says that the zeros
// they then share cost less than handling them apart.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/solver/cpu/block_matrix.h"

namespace plica {

struct Supernode {
    int first = 0, vertices = 0;               // its vertices, numbered in order of elimination
    int rows_begin = 0, rows = 0;              // vertices below, in SupernodalSymbolic::rows
    int parent = -1;                           // supernode of the first row below, -1: none
    int slots_begin = 0, slots_end = 0;        // matrix blocks that belong to the front, in SupernodalSymbolic::slots
    int children_begin = 0, children_end = 0;  // in SupernodalSymbolic::children
    int stack = 0;            // which of the two stacks holds the update matrix (depth in the tree, even or odd)
    std::int64_t front = 0;   // place in the factor's storage
    std::int64_t update = 0;  // place on the stack

    int columns() const { return 3 * vertices; }
    int width() const { return (columns() + 7) & ~7; }
    int below_panels() const { return (3 * rows + 7) / 8; }
    int panels() const { return width() / 8 + below_panels(); }
    std::int64_t front_size() const { return std::int64_t(8) * panels() * width(); }
    std::int64_t update_size() const { return std::int64_t(32) * below_panels() * (below_panels() + 1); }
    // Place in a front of scalar row r of the front (pads left out of the count) and column 0.
    std::int64_t row_place(int r) const {
        if (r >= columns()) r += width() - columns();
        return std::int64_t(r / 8) * 8 * width() + r % 8;
    }
};

struct SupernodalSymbolic {
    // A block of the matrix and the places in the factor of the first entries of its rows (of its columns where `transposed`).
    struct Slot {
        int slot, row, column;  // block of the pattern, its vertices in the pattern's numbers
        bool transposed;
        std::int64_t place[3];
    };

    int size = 0;                    // vertices
    std::vector<int> vertex_of;      // (size) vertex of the pattern by order of elimination
    std::vector<Supernode> nodes;    // children before parents
    std::vector<int> rows;           // vertices below, ascending
    std::vector<int> row_in_parent;  // beside `rows`: which vertex of the parent's front it is
    std::vector<int> children;
    std::vector<Slot> slots;       // by supernode
    std::int64_t factor_size = 0;  // numbers
    std::int64_t stack_size[2] = {};
    int most_panels = 0, most_rows = 0;  // of a supernode: panels of a front, scalar rows below
    double flops = 0;                    // of one factorization, joined zeros included

    void analyze(const BlockPattern& pattern);
};

}  // namespace plica
