// The kernels of panel_kernels.h for vectors of `lanes` numbers; included by one source file for each instruction set, with
// `lanes`, `tile_panels`, `tile_columns` and `Vector subtract_product(Vector c, Vector a, Vector b)` (c - a b) defined in its
// unnamed namespace. Such a file includes nothing that has inline functions: the linker could keep the version this processor
// cannot run.
//
// One register tile does all the work: tile_panels x 8 rows by tile_columns columns, minus a sum of outer products.

template <int value>
struct Index {
    static constexpr int v = value;
};

// f(Index<0>), f(Index<1>), … written out by the compiler, so that accumulators are registers.
template <int count, int from = 0, class F>
[[gnu::always_inline]] inline void repeat(const F& f) {
    if constexpr (from < count) {
        f(Index<from>{});
        repeat<count, from + 1>(f);
    }
}

constexpr int parts = 8 / lanes;  // vectors in 8 rows

struct Unaligned {
    Vector v;
} __attribute__((packed, may_alias, aligned(8)));
[[gnu::always_inline]] inline Vector load(const double* p) { return reinterpret_cast<const Unaligned*>(p)->v; }
[[gnu::always_inline]] inline void store(double* p, Vector v) { reinterpret_cast<Unaligned*>(p)->v = v; }
[[gnu::always_inline]] inline Vector broadcast(double s) { return s - Vector{}; }

template <int panels, int columns>
struct Tile {
    Vector v[panels * parts][columns];

    [[gnu::always_inline]] void read(const double* c, long stride) {
        repeat<panels * parts>([&](auto i) __attribute__((always_inline)) {
            repeat<columns>([&](auto j) __attribute__((always_inline)) {
                v[i.v][j.v] = load(c + (i.v / parts) * stride + 8 * j.v + (i.v % parts) * lanes);
            });
        });
    }
    [[gnu::always_inline]] void write(double* c, long stride) const {
        repeat<panels * parts>([&](auto i) __attribute__((always_inline)) {
            repeat<columns>([&](auto j) __attribute__((always_inline)) {
                store(c + (i.v / parts) * stride + 8 * j.v + (i.v % parts) * lanes, v[i.v][j.v]);
            });
        });
    }
    // Minus a bᵀ over k columns; a: `panels` panels `stride` apart, b: rows of one panel.
    [[gnu::always_inline]] void subtract(const double* a, long stride, const double* b, int k) {
        for (; k > 0; --k, a += 8, b += 8) {
            Vector row[panels * parts];
            repeat<panels * parts>([&](auto i) __attribute__((always_inline)) {
                row[i.v] = load(a + (i.v / parts) * stride + (i.v % parts) * lanes);
            });
            repeat<columns>([&](auto j) __attribute__((always_inline)) {
                const Vector s = broadcast(b[j.v]);
                repeat<panels * parts>([&](auto i) __attribute__((always_inline)) {
                    v[i.v][j.v] = subtract_product(v[i.v][j.v], row[i.v], s);
                });
            });
        }
    }
    // X Lᵀ = tile for the columns of the tile; l: their diagonal block, entry (j, k) at 8 k + j.
    [[gnu::always_inline]] void solve(const double* l, const double* inverse_pivots) {
        repeat<columns>([&](auto k) __attribute__((always_inline)) {
            const Vector s = broadcast(inverse_pivots[k.v]);
            repeat<panels * parts>([&](auto i) __attribute__((always_inline)) { v[i.v][k.v] *= s; });
            repeat<columns - 1 - k.v>([&](auto d) __attribute__((always_inline)) {
                const Vector b = broadcast(l[8 * k.v + k.v + 1 + d.v]);
                repeat<panels * parts>([&](auto i) __attribute__((always_inline)) {
                    v[i.v][k.v + 1 + d.v] = subtract_product(v[i.v][k.v + 1 + d.v], v[i.v][k.v], b);
                });
            });
        });
    }
};

// Rows of `count` panels from `rows` on, columns of one group, which starts at column `first`; columns before `done` are dealt
// with.
template <int count>
[[gnu::always_inline]] inline void solve_rows(double* rows, long stride, const double* pivot_rows, int done, int first,
                                              const double* inverse_pivots) {
    Tile<count, tile_columns> t;
    t.read(rows + 8 * first, stride);
    t.subtract(rows + 8 * done, stride, pivot_rows + 8 * done + first % 8, first - done);
    t.solve(pivot_rows + 8 * first + first % 8, inverse_pivots + first);
    t.write(rows + 8 * first, stride);
}

// The columns before `done` subtracted from the block of columns done … end - 1, whose first row panel is `done` / 8. A front
// that is wider than the caches is read once for each block, not once for each group of columns.
void catch_up(double* front, int width, int panels, int done, int end) {
    const long stride = 8L * width;
    int p = done / 8;
    const auto rows = [&](auto count) __attribute__((always_inline)) {
        double* a = front + p * stride;
        for (int first = done; first < end && first / 8 < p + count.v; first += tile_columns) {
            Tile<count.v, tile_columns> t;
            t.read(a + 8 * first, stride);
            t.subtract(a, stride, front + (first / 8) * stride + first % 8, done);
            t.write(a + 8 * first, stride);
        }
    };
    if (tile_panels > 1)
        for (; p + tile_panels <= panels; p += tile_panels) rows(Index<tile_panels>{});
    for (; p < panels; ++p) rows(Index<1>{});
}

// A panel of 8 columns at a time, however wide the tile is: each entry then sees the same operations in the same order in every
// version with fused multiply-add, and has the same bits.
bool factor(double* front, int width, int panels, double* inverse_pivots) {
    constexpr int block_columns = 64;
    const long stride = 8L * width;
    for (int first = 0, done = 0; first < width; first += 8) {
        if (first == done + block_columns) {
            done = first;
            catch_up(front, width, panels, done, done + block_columns < width ? done + block_columns : width);
        }
        const int q = first / 8;
        double* pivot_rows = front + q * stride;
        double* block = pivot_rows + 8 * first;
        for (int part = 0; part < 8; part += tile_columns) {
            Tile<1, tile_columns> t;
            t.read(block + 8 * part, 0);
            t.subtract(pivot_rows + 8 * done, stride, pivot_rows + 8 * done + part, first - done);
            t.write(block + 8 * part, 0);
        }
        // All 8 rows of the panel; those above the diagonal become zero.
        for (int k = 0; k < 8; ++k) {
            double* column = block + 8 * k;
            const double pivot = column[k];
            if (!(pivot > 0 && pivot < 1e300)) return false;
            const double inverse = 1 / __builtin_sqrt(pivot);
            inverse_pivots[first + k] = inverse;
            for (int i = 0; i < k; ++i) column[i] = 0;
            for (int i = k; i < 8; ++i) column[i] *= inverse;
            for (int j = k + 1; j < 8; ++j) {
                const double s = column[j];
                double* other = block + 8 * j;
                for (int i = 0; i < 8; ++i) other[i] -= column[i] * s;
            }
        }
        const auto rows = [&](auto count, int p) __attribute__((always_inline)) {
            for (int part = first; part < first + 8; part += tile_columns)
                solve_rows<count.v>(front + p * stride, stride, pivot_rows, done, part, inverse_pivots);
        };
        int p = q + 1;
        if (tile_panels > 1)
            for (; p + tile_panels <= panels; p += tile_panels) rows(Index<tile_panels>{}, p);
        for (; p < panels; ++p) rows(Index<1>{}, p);
    }
    return true;
}

template <int count>
[[gnu::always_inline]] inline void update_tile(const double* a, const double* b, long stride, int k, double* c, long c_stride) {
    for (int first = 0; first < 8; first += tile_columns) {
        Tile<count, tile_columns> t;
        t.read(c + 8 * first, c_stride);
        t.subtract(a, stride, b + first, k);
        t.write(c + 8 * first, c_stride);
    }
}

void update(const double* below, int width, int w, int panels, double* c) {
    constexpr int depth = 256, breadth = 16;  // columns and panels of b at a time: they stay in the second-level cache
    const long stride = 8L * width;
    for (int from = 0; from < w; from += depth) {
        const double* l = below + 8L * from;
        const int k = w - from < depth ? w - from : depth;
        for (int q_begin = 0; q_begin < panels; q_begin += breadth) {
            int p = q_begin;
            if (tile_panels == 2)
                for (; p + 2 <= panels; p += 2) {
                    double* row = c + 32L * p * (p + 1);
                    const long next = 64L * (p + 1);
                    for (int q = q_begin; q <= p && q < q_begin + breadth; ++q)
                        update_tile<2>(l + p * stride, l + q * stride, stride, k, row + 64L * q, next);
                    if (p + 1 < q_begin + breadth)
                        update_tile<1>(l + (p + 1) * stride, l + (p + 1) * stride, stride, k, row + next + 64L * (p + 1), 0);
                }
            for (; p < panels; ++p)
                for (int q = q_begin; q <= p && q < q_begin + breadth; ++q)
                    update_tile<1>(l + p * stride, l + q * stride, stride, k, c + 32L * p * (p + 1) + 64L * q, 0);
        }
    }
}

void multiply(const double* l, int width, int w, int panels, const double* x, double* y) {
    for (int p = 0; p < panels; ++p, y += 8) {
        const double* a = l + 8L * p * width;
        Vector sum[2][parts];  // two chains hide the latency
        repeat<parts>([&](auto i) __attribute__((always_inline)) {
            sum[0][i.v] = load(y + i.v * lanes);
            sum[1][i.v] = Vector{};
        });
        int k = 0;
        for (; k + 2 <= w; k += 2) {
            repeat<2>([&](auto c) __attribute__((always_inline)) {
                const Vector s = broadcast(x[k + c.v]);
                repeat<parts>([&](auto i) __attribute__((always_inline)) {
                    sum[c.v][i.v] = subtract_product(sum[c.v][i.v], load(a + 8 * (k + c.v) + i.v * lanes), s);
                });
            });
        }
        if (k < w)
            repeat<parts>([&](auto i) __attribute__((always_inline)) {
                sum[0][i.v] = subtract_product(sum[0][i.v], load(a + 8 * k + i.v * lanes), broadcast(x[k]));
            });
        repeat<parts>([&](auto i) __attribute__((always_inline)) { store(y + i.v * lanes, sum[0][i.v] + sum[1][i.v]); });
    }
}

void multiply_transposed(const double* l, int width, int w, int panels, const double* y, double* x) {
    constexpr int group = 4;  // width is a multiple of it; columns from w on are zero
    for (int first = 0; first < w; first += group) {
        Vector sum[group][parts];
        repeat<group>([&](auto c) __attribute__((always_inline)) {
            repeat<parts>([&](auto i) __attribute__((always_inline)) { sum[c.v][i.v] = Vector{}; });
        });
        for (int p = 0; p < panels; ++p) {
            const double* a = l + 8L * p * width + 8 * first;
            repeat<parts>([&](auto i) __attribute__((always_inline)) {
                const Vector row = load(y + 8 * p + i.v * lanes);
                repeat<group>([&](auto c) __attribute__((always_inline)) {
                    sum[c.v][i.v] = subtract_product(sum[c.v][i.v], load(a + 8 * c.v + i.v * lanes), row);
                });
            });
        }
        repeat<group>([&](auto c) __attribute__((always_inline)) {
            double s = 0;
            repeat<8>([&](auto i) __attribute__((always_inline)) { s += sum[c.v][i.v / lanes][i.v % lanes]; });
            if (first + c.v < w) x[first + c.v] += s;
        });
    }
}
