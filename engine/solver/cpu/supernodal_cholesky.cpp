#include "engine/solver/cpu/supernodal_cholesky.h"

#include <algorithm>
#include <new>

namespace plica {

namespace {

constexpr std::align_val_t cache_line{64};

}  // namespace

void SupernodalCholesky::Free::operator()(double* p) const { ::operator delete[](p, cache_line); }

SupernodalCholesky::Storage SupernodalCholesky::allocate(std::size_t count) {
    return Storage(static_cast<double*>(::operator new[](std::max<std::size_t>(count, 1) * sizeof(double), cache_line)));
}

void SupernodalCholesky::analyze(const BlockPattern& pattern) {
    const std::int64_t had_factor = factor_ ? symbolic_.factor_size : -1;
    const std::int64_t had_stack[2] = {stacks_[0] ? symbolic_.stack_size[0] : -1, stacks_[1] ? symbolic_.stack_size[1] : -1};
    symbolic_.analyze(pattern);
    if (symbolic_.factor_size > had_factor) {
        factor_.reset();
        factor_ = allocate(std::size_t(symbolic_.factor_size));
    }
    for (int k = 0; k < 2; ++k)
        if (symbolic_.stack_size[k] > had_stack[k]) {
            stacks_[k].reset();
            stacks_[k] = allocate(std::size_t(symbolic_.stack_size[k]));
        }
    pivots_begin_.clear();
    std::size_t pivots = 0;
    for (const Supernode& node : symbolic_.nodes) {
        pivots_begin_.push_back(pivots);
        pivots += std::size_t(node.width());
    }
    inverse_pivots_.resize(pivots);
    row_front_.resize(std::size_t(symbolic_.most_rows));
    row_update_.resize(std::size_t(symbolic_.most_rows));
    column_.resize(std::size_t(symbolic_.most_rows));
    y_.resize(std::size_t(3 * symbolic_.size));
    front_vector_.resize(std::size_t(8 * symbolic_.most_panels));
}

// The matrix's own entries of a front; its padded columns are the identity's.
void SupernodalCholesky::assemble(const Supernode& node, const std::vector<Mat3>& blocks, const std::vector<double>& scale,
                                  double shift) {
    double* front = factor_.get() + node.front;
    std::fill_n(front, node.front_size(), 0.0);
    for (int c = node.columns(); c < node.width(); ++c) front[std::int64_t(8) * node.width() * (c / 8) + 8 * c + c % 8] = 1;
    for (int k = node.slots_begin; k < node.slots_end; ++k) {
        const SupernodalSymbolic::Slot& slot = symbolic_.slots[k];
        const Mat3& b = blocks[slot.slot];
        const double* dr = scale.data() + 3 * slot.row;
        const double* dc = scale.data() + 3 * slot.column;
        if (slot.row == slot.column) {
            for (int r = 0; r < 3; ++r) {
                double* out = factor_.get() + slot.place[r];
                for (int c = 0; c <= r; ++c) out[8 * c] = b(r, c) * dc[c] * dr[r] + (r == c ? shift : 0.0);
            }
        } else if (slot.transposed) {
            for (int c = 0; c < 3; ++c) {
                double* out = factor_.get() + slot.place[c];
                for (int r = 0; r < 3; ++r) out[8 * r] = b(r, c) * dc[c] * dr[r];
            }
        } else {
            for (int r = 0; r < 3; ++r) {
                double* out = factor_.get() + slot.place[r];
                for (int c = 0; c < 3; ++c) out[8 * c] = b(r, c) * dc[c] * dr[r];
            }
        }
    }
}

// Adds a child's update matrix to the front and the update matrix of its parent.
void SupernodalCholesky::extend(const Supernode& node, const Supernode& child) {
    const int count = 3 * child.rows, own = 3 * node.vertices;
    int front_columns = 0;
    for (int v = 0; v < child.rows; ++v)
        for (int k = 0; k < 3; ++k) {
            const int i = 3 * v + k, row = 3 * symbolic_.row_in_parent[child.rows_begin + v] + k, below = row - own;
            row_front_[i] = node.row_place(row);
            if (below < 0) {
                column_[i] = 8 * row;
                ++front_columns;
            } else {
                column_[i] = 8 * below;
                row_update_[i] = 32 * std::ptrdiff_t(below / 8) * (below / 8 + 1) + below % 8;
            }
        }
    double* front = factor_.get() + node.front;
    double* update = stacks_[node.stack].get() + node.update;
    const double* source = stacks_[child.stack].get() + child.update;
    for (int p = 0; 8 * p < count; ++p) {
        const int begin = 8 * p, end = std::min(begin + 8, count);
        const auto add = [&](double* to, const std::ptrdiff_t* place, int from_column, int to_column) {
            for (int j = from_column; j < to_column; ++j) {
                const double* in = source + 8 * j - begin;
                double* out = to + column_[j];
                for (int i = std::max(begin, j); i < end; ++i) out[place[i]] += in[i];
            }
        };
        add(front, row_front_.data(), 0, std::min(front_columns, end));
        add(update, row_update_.data(), front_columns, end);
        source += 64 * (p + 1);
    }
}

bool SupernodalCholesky::factorize(const std::vector<Mat3>& blocks, const std::vector<double>& scale, double shift) {
    for (std::size_t s = 0; s < symbolic_.nodes.size(); ++s) {
        const Supernode& node = symbolic_.nodes[s];
        double* front = factor_.get() + node.front;
        double* update = stacks_[node.stack].get() + node.update;
        assemble(node, blocks, scale, shift);
        std::fill_n(update, node.update_size(), 0.0);
        for (int c = node.children_begin; c < node.children_end; ++c) extend(node, symbolic_.nodes[symbolic_.children[c]]);
        if (!kernels_->factor(front, node.width(), node.panels(), inverse_pivots_.data() + pivots_begin_[s])) return false;
        kernels_->update(front + std::int64_t(8) * node.width() * (node.width() / 8), node.width(), node.columns(),
                         node.below_panels(), update);
    }
    return true;
}

void SupernodalCholesky::solve(std::vector<double>& x) {
    for (int v = 0; v < symbolic_.size; ++v)
        for (int k = 0; k < 3; ++k) y_[3 * v + k] = x[3 * symbolic_.vertex_of[v] + k];
    // L y = b, children first. A panel's rows within the diagonal block are taken one after another.
    for (std::size_t s = 0; s < symbolic_.nodes.size(); ++s) {
        const Supernode& node = symbolic_.nodes[s];
        const double* front = factor_.get() + node.front;
        const double* inverse = inverse_pivots_.data() + pivots_begin_[s];
        const int width = node.width(), columns = node.columns();
        double* z = front_vector_.data();
        std::copy_n(y_.data() + 3 * node.first, columns, z);
        std::fill(z + columns, z + 8 * node.panels(), 0.0);
        for (int q = 0; q < width; q += 8) {
            kernels_->multiply(front + std::int64_t(width) * q, width, q, 1, z, z + q);
            const double* block = front + std::int64_t(width) * q + 8 * q;
            for (int k = 0; k < 8; ++k) {
                z[q + k] *= inverse[q + k];
                for (int i = k + 1; i < 8; ++i) z[q + i] -= block[8 * k + i] * z[q + k];
            }
        }
        kernels_->multiply(front + std::int64_t(width) * width, width, columns, node.below_panels(), z, z + width);
        std::copy_n(z, columns, y_.data() + 3 * node.first);
        for (int v = 0; v < node.rows; ++v)
            for (int k = 0; k < 3; ++k) y_[3 * symbolic_.rows[node.rows_begin + v] + k] += z[width + 3 * v + k];
    }
    // Lᵀ x = y, parents first.
    for (std::size_t s = symbolic_.nodes.size(); s-- > 0;) {
        const Supernode& node = symbolic_.nodes[s];
        const double* front = factor_.get() + node.front;
        const double* inverse = inverse_pivots_.data() + pivots_begin_[s];
        const int width = node.width(), columns = node.columns();
        double* z = front_vector_.data();
        std::copy_n(y_.data() + 3 * node.first, columns, z);
        std::fill(z + columns, z + 8 * node.panels(), 0.0);
        for (int v = 0; v < node.rows; ++v)
            for (int k = 0; k < 3; ++k) z[width + 3 * v + k] = y_[3 * symbolic_.rows[node.rows_begin + v] + k];
        kernels_->multiply_transposed(front + std::int64_t(width) * width, width, columns, node.below_panels(), z + width, z);
        for (int q = width - 8; q >= 0; q -= 8) {
            const double* block = front + std::int64_t(width) * q + 8 * q;
            for (int k = 7; k >= 0; --k) {
                for (int i = k + 1; i < 8; ++i) z[q + k] -= block[8 * k + i] * z[q + i];
                z[q + k] *= inverse[q + k];
            }
            kernels_->multiply_transposed(front + std::int64_t(width) * q, width, q, 1, z + q, z);
        }
        std::copy_n(z, columns, y_.data() + 3 * node.first);
    }
    for (int v = 0; v < symbolic_.size; ++v)
        for (int k = 0; k < 3; ++k) x[3 * symbolic_.vertex_of[v] + k] = y_[3 * v + k];
}

}  // namespace plica
