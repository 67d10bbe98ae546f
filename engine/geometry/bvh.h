// Bounding volume tree over axis-aligned boxes in FP32, padded outward so that rounding never loses a pair.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/core/types.h"

namespace plica {

struct Box {
    float lo[3] = {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                   std::numeric_limits<float>::infinity()};
    float hi[3] = {-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                   -std::numeric_limits<float>::infinity()};

    void grow(const Box& b) {
        for (int k = 0; k < 3; ++k) {
            lo[k] = std::min(lo[k], b.lo[k]);
            hi[k] = std::max(hi[k], b.hi[k]);
        }
    }
    bool overlaps(const Box& b) const {
        return lo[0] <= b.hi[0] && b.lo[0] <= hi[0] && lo[1] <= b.hi[1] && b.lo[1] <= hi[1] && lo[2] <= b.hi[2] &&
               b.lo[2] <= hi[2];
    }
};

// Box of [lo - width, hi + width], outward by 4 eps32 (1 + |coordinate|) (spec/solver.md, "Candidates").
inline Box padded_box(const Vec3& lo, const Vec3& hi, double width) {
    constexpr double eps = 4 * double(std::numeric_limits<float>::epsilon());
    Box box;
    for (int k = 0; k < 3; ++k) {
        const double a = lo[k] - width, b = hi[k] + width;
        box.lo[k] = float(a - eps * (1 + std::abs(a)));
        box.hi[k] = float(b + eps * (1 + std::abs(b)));
    }
    return box;
}

// Leaves in Morton order of the box centres, inner nodes over equal halves: built in O(n log n), no parameters, the same
// tree for the same boxes.
class Bvh {
public:
    // Over boxes[i] for the given indices i, or all.
    void build(const std::vector<Box>& boxes, const std::vector<int>& indices);
    void build(const std::vector<Box>& boxes) {
        std::vector<int> all(boxes.size());
        std::iota(all.begin(), all.end(), 0);
        build(boxes, all);
    }

    // Calls f(index) for all boxes that overlap `query`; order depends on the tree: sort if order matters.
    template <class F>
    void query(const Box& query, F&& f) const {
        if (order_.empty()) return;
        int stack[64];
        int depth = 0;
        stack[depth++] = 0;
        while (depth > 0) {
            const Node& node = nodes_[std::size_t(stack[--depth])];
            if (!node.box.overlaps(query)) continue;
            if (node.child < 0) {
                for (int i = node.begin; i < node.end; ++i)
                    if (leaf_boxes_[std::size_t(i)].overlaps(query)) f(order_[std::size_t(i)]);
            } else {
                stack[depth++] = node.child;
                stack[depth++] = node.child + 1;
            }
        }
    }

private:
    struct Node {
        Box box;
        int begin = 0, end = 0;  // leaves
        int child = -1;          // first of two children, -1: leaf node
    };
    static constexpr int leaf_size = 4;
    std::vector<Node> nodes_;
    std::vector<int> order_;       // leaf position -> index of the box
    std::vector<Box> leaf_boxes_;  // in leaf order
    std::vector<std::pair<std::uint64_t, int>> keys_;
};

}  // namespace plica
