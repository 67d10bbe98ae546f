#include "engine/solver/cpu/supernodal_symbolic.h"

#include <algorithm>
#include <numeric>

#include "engine/solver/cpu/fill_order.h"

namespace plica {

namespace {

// Neighbours of every vertex, both ways, without itself.
struct Graph {
    std::vector<int> start, neighbour;

    explicit Graph(const BlockPattern& pattern) : start(std::size_t(pattern.size) + 1) {
        for (int j = 0; j < pattern.size; ++j)
            for (int p = pattern.column_start[j] + 1; p < pattern.column_start[j + 1]; ++p) {
                ++start[pattern.rows[p] + 1];
                ++start[j + 1];
            }
        std::partial_sum(start.begin(), start.end(), start.begin());
        neighbour.resize(start.back());
        std::vector<int> next(start.begin(), start.end() - 1);
        for (int j = 0; j < pattern.size; ++j)
            for (int p = pattern.column_start[j] + 1; p < pattern.column_start[j + 1]; ++p) {
                const int i = pattern.rows[p];
                neighbour[next[i]++] = j;
                neighbour[next[j]++] = i;
            }
    }
};

// Estimated cycles for a supernode, fitted to AVX-512 and good for the others: multiply-adds at 8 a cycle, tiles that are
// loaded and stored, numbers of the update matrix that are cleared and added to the parent, and a fixed part. The optimum is
// flat.
double cost(int vertices, int rows) {
    const double q = (3 * vertices + 7) / 8, r = (3 * rows + 7) / 8, w = 3 * vertices;
    const double factor_tiles = q * (q + 1) / 2 + q * r, update_tiles = r * (r + 1) / 2;
    const double factor_steps = 8 * (q * (q - 1) * (q + 1) / 6 + r * q * (q - 1) / 2);
    return 600 + 250 * q + 70 * factor_tiles + 8 * factor_steps + update_tiles * (20 + 8 * w) + 1.5 * 32 * r * (r + 1);
}

}  // namespace

void SupernodalSymbolic::analyze(const BlockPattern& pattern) {
    size = pattern.size;
    const Graph graph(pattern);
    const std::vector<int> order = fill_order(size, graph.start, graph.neighbour);  // vertex by order
    std::vector<int> position(size);
    for (int k = 0; k < size; ++k) position[order[k]] = k;

    // Rows of every column of the factor, and the elimination tree: a column's first row is its parent.
    std::vector<int> tree_rows, rows_start(std::size_t(size) + 1), parent(size, -1), mark(size, -1);
    std::vector<int> first_child(size, -1), next_sibling(size, -1);
    tree_rows.reserve(pattern.rows.size() * 6);
    for (int j = 0; j < size; ++j) {
        rows_start[j] = int(tree_rows.size());
        mark[j] = j;
        const auto add = [&](int row) {
            if (row > j && mark[row] != j) {
                mark[row] = j;
                tree_rows.push_back(row);
                if (parent[j] < 0 || row < parent[j]) parent[j] = row;
            }
        };
        for (int p = graph.start[order[j]]; p < graph.start[order[j] + 1]; ++p) add(position[graph.neighbour[p]]);
        for (int c = first_child[j]; c >= 0; c = next_sibling[c])
            for (int p = rows_start[c], end = rows_start[c + 1]; p < end; ++p) add(tree_rows[p]);
        rows_start[j + 1] = int(tree_rows.size());
        if (parent[j] >= 0) {
            next_sibling[j] = first_child[parent[j]];
            first_child[parent[j]] = j;
        }
    }

    // Join children to parents, from the leaves up. A supernode is named by its last vertex and owns a chain of the others.
    std::vector<int> count(size, 1), last_member(size), next_member(size, -1), node_first_child(size, -1),
        node_next_sibling(size, -1);
    std::vector<char> joined(size, 0);
    std::iota(last_member.begin(), last_member.end(), 0);
    const auto row_count = [&](int j) { return rows_start[j + 1] - rows_start[j]; };
    std::vector<int> candidates, kept;
    for (int j = 0; j < size; ++j) {
        candidates.clear();
        for (int c = first_child[j]; c >= 0; c = next_sibling[c]) candidates.push_back(c);
        std::sort(candidates.begin(), candidates.end(),
                  [&](int a, int b) { return row_count(a) != row_count(b) ? row_count(a) > row_count(b) : a > b; });
        kept.clear();
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            const int c = candidates[k];
            const double apart = cost(count[c], row_count(c)) + cost(count[j], row_count(j));
            if (cost(count[c] + count[j], row_count(j)) > apart) {
                kept.push_back(c);
                continue;
            }
            joined[c] = 1;
            count[j] += count[c];
            next_member[last_member[j]] = c;
            last_member[j] = last_member[c];
            for (int g = node_first_child[c]; g >= 0; g = node_next_sibling[g]) candidates.push_back(g);
        }
        for (int c : kept) {
            node_next_sibling[c] = node_first_child[j];
            node_first_child[j] = c;
        }
    }

    // Postorder of the supernodes; numbers of vertices in order of elimination.
    nodes.clear();
    children.clear();
    rows.clear();
    vertex_of.clear();
    std::vector<int> new_number(size), node_of(size), names, stack, visited_child(node_first_child), members;
    for (int root = 0; root < size; ++root) {
        if (joined[root] || parent[root] >= 0) continue;
        stack.push_back(root);
        while (!stack.empty()) {
            const int j = stack.back();
            if (const int c = visited_child[j]; c >= 0) {
                visited_child[j] = node_next_sibling[c];
                stack.push_back(c);
                continue;
            }
            stack.pop_back();
            members.clear();
            for (int m = j; m >= 0; m = next_member[m]) members.push_back(m);
            std::sort(members.begin(), members.end());
            Supernode node;
            node.first = int(vertex_of.size());
            node.vertices = int(members.size());
            for (int m : members) {
                new_number[m] = int(vertex_of.size());
                node_of[m] = int(nodes.size());
                vertex_of.push_back(order[m]);
            }
            names.push_back(j);
            nodes.push_back(node);
        }
    }
    const int node_count = int(nodes.size());
    std::vector<int> child_count(std::size_t(node_count) + 1);
    for (int s = 0; s < node_count; ++s) {
        const int name = names[s];
        nodes[s].rows_begin = int(rows.size());
        nodes[s].rows = row_count(name);
        for (int p = rows_start[name]; p < rows_start[name + 1]; ++p) rows.push_back(new_number[tree_rows[p]]);
        std::sort(rows.begin() + nodes[s].rows_begin, rows.end());
        if (parent[name] >= 0) {
            nodes[s].parent = node_of[parent[name]];
            ++child_count[nodes[s].parent];
        }
    }
    children.resize(node_count);
    for (int s = 0, at = 0; s < node_count; ++s) {
        nodes[s].children_begin = nodes[s].children_end = at;
        at += child_count[s];
    }
    for (int s = 0; s < node_count; ++s)
        if (nodes[s].parent >= 0) children[nodes[nodes[s].parent].children_end++] = s;

    // Where a child's rows are in its parent's front.
    row_in_parent.assign(rows.size(), 0);
    for (const Supernode& node : nodes) {
        if (node.parent < 0) continue;
        const Supernode& up = nodes[node.parent];
        for (int p = node.rows_begin, at = up.rows_begin; p < node.rows_begin + node.rows; ++p) {
            if (rows[p] < up.first + up.vertices) {
                row_in_parent[p] = rows[p] - up.first;
                continue;
            }
            while (rows[at] != rows[p]) ++at;
            row_in_parent[p] = up.vertices + at - up.rows_begin;
        }
    }

    // Storage. Update matrices of one generation are freed before their parents' siblings are made, so that two stacks, one for
    // even and one for odd depth, never have a hole.
    factor_size = stack_size[0] = stack_size[1] = 0;
    most_panels = most_rows = 0;
    flops = 0;
    for (int s = node_count - 1; s >= 0; --s) nodes[s].stack = nodes[s].parent < 0 ? 0 : 1 - nodes[nodes[s].parent].stack;
    std::int64_t top[2] = {};
    for (Supernode& node : nodes) {
        node.front = factor_size;
        factor_size += node.front_size();
        for (int c = node.children_begin; c < node.children_end; ++c) top[1 - node.stack] -= nodes[children[c]].update_size();
        node.update = top[node.stack];
        top[node.stack] += node.update_size();
        stack_size[node.stack] = std::max(stack_size[node.stack], top[node.stack]);
        most_panels = std::max(most_panels, node.panels());
        most_rows = std::max(most_rows, 3 * node.rows);
        const double w = node.columns(), r = 3 * node.rows;
        flops += w * w * w / 3 + w * w * r + w * r * r;
    }

    // Blocks of the matrix by front: that of the vertex that is eliminated first.
    std::vector<int> number(size), front_of(size), slot_count(node_count);
    for (int s = 0; s < node_count; ++s)
        for (int v = nodes[s].first; v < nodes[s].first + nodes[s].vertices; ++v) {
            number[vertex_of[v]] = v;
            front_of[v] = s;
        }
    for (int j = 0; j < size; ++j)
        for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
            ++slot_count[front_of[std::min(number[j], number[pattern.rows[p]])]];
    for (int s = 0, at = 0; s < node_count; ++s) {
        nodes[s].slots_begin = nodes[s].slots_end = at;
        at += slot_count[s];
    }
    slots.resize(pattern.rows.size());
    for (int j = 0; j < size; ++j)
        for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
            const int i = pattern.rows[p];
            const int column = std::min(number[i], number[j]), row = std::max(number[i], number[j]);
            Supernode& node = nodes[front_of[column]];
            Slot& slot = slots[node.slots_end++];
            slot.slot = p;
            slot.row = i;
            slot.column = j;
            slot.transposed = number[i] < number[j];
            int local = row - node.first;
            if (local >= node.vertices) {
                const auto begin = rows.begin() + node.rows_begin;
                local = node.vertices + int(std::lower_bound(begin, begin + node.rows, row) - begin);
            }
            for (int k = 0; k < 3; ++k)
                slot.place[k] = node.front + node.row_place(3 * local + k) + 24 * std::int64_t(column - node.first);
        }
}

}  // namespace plica
