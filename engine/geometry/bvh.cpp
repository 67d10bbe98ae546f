#include "engine/geometry/bvh.h"

namespace plica {

namespace {

// Spreads the lowest 21 bits so that two empty bits follow each.
std::uint64_t spread_bits(std::uint64_t v) {
    v &= 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffffULL;
    v = (v | v << 16) & 0x1f0000ff0000ffULL;
    v = (v | v << 8) & 0x100f00f00f00f00fULL;
    v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
    v = (v | v << 2) & 0x1249249249249249ULL;
    return v;
}

}  // namespace

void Bvh::build(const std::vector<Box>& boxes, const std::vector<int>& indices) {
    const int count = int(indices.size());
    nodes_.clear();
    order_.resize(indices.size());
    leaf_boxes_.resize(indices.size());
    if (count == 0) return;

    Box all;
    for (const int i : indices) all.grow(boxes[i]);
    keys_.resize(indices.size());
    for (int k = 0; k < count; ++k) {
        const Box& box = boxes[indices[k]];
        std::uint64_t code = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double centre = 0.5 * (double(box.lo[axis]) + double(box.hi[axis]));
            const double size = double(all.hi[axis]) - double(all.lo[axis]);
            const double unit = size > 0 ? std::clamp((centre - double(all.lo[axis])) / size, 0.0, 1.0) : 0.0;
            code |= spread_bits(std::uint64_t(unit * 0x1fffff)) << axis;
        }
        keys_[k] = {code, indices[k]};
    }
    std::sort(keys_.begin(), keys_.end());
    for (int k = 0; k < count; ++k) {
        order_[k] = keys_[k].second;
        leaf_boxes_[k] = boxes[order_[k]];
    }

    nodes_.push_back({{}, 0, count, -1});
    for (std::size_t n = 0; n < nodes_.size(); ++n) {  // breadth first: children come after their parent
        const int begin = nodes_[n].begin, end = nodes_[n].end;
        if (end - begin <= leaf_size) continue;
        const int middle = begin + (end - begin) / 2;
        nodes_[n].child = int(nodes_.size());
        nodes_.push_back({{}, begin, middle, -1});
        nodes_.push_back({{}, middle, end, -1});
    }
    for (std::size_t n = nodes_.size(); n-- > 0;) {
        Node& node = nodes_[n];
        if (node.child < 0) {
            for (int i = node.begin; i < node.end; ++i) node.box.grow(leaf_boxes_[std::size_t(i)]);
        } else {
            node.box.grow(nodes_[std::size_t(node.child)].box);
            node.box.grow(nodes_[std::size_t(node.child) + 1].box);
        }
    }
}

}  // namespace plica
