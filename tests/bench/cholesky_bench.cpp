// Times of the sparse Cholesky factorization, in one run: ours, with each set of kernels, against Eigen and, where it is found,
// CHOLMOD.
//   plica_bench_cholesky [REPEATS]
// Matrices as the solver makes them: a film with bending (neighbours of neighbours) and contacts between parts that lie on each
// other.
#include <Eigen/Sparse>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "engine/solver/cpu/supernodal_cholesky.h"

#ifdef PLICA_BENCH_CHOLMOD
#include <cholmod.h>
extern "C" void openblas_set_num_threads(int);
#endif

using namespace plica;

namespace {

struct System {
    const char* name;
    BlockPattern pattern;
    std::vector<Mat3> blocks;
};

// rows x columns of vertices; `closed`: column 0 follows the last, as in the bag.
System film(const char* name, int rows, int columns, bool closed, int contacts) {
    const auto id = [&](int k, int i) { return columns * k + (closed ? (i + columns) % columns : i); };
    std::vector<BlockKey> keys;
    const auto couple = [&](int k, int i, int l, int j) {
        if (l < 0 || l >= rows || (!closed && (j < 0 || j >= columns))) return;
        keys.push_back(block_key(id(k, i), id(l, j)));
    };
    for (int k = 0; k < rows; ++k)
        for (int i = 0; i < columns; ++i) {
            keys.push_back(block_key(id(k, i), id(k, i)));
            for (const auto& [dk, di] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}, {1, 2}, {2, 1}})
                couple(k, i, k + dk, i + di);
        }
    std::mt19937 random(1);
    for (int c = 0; c < contacts; ++c) {
        const int k = rows * 3 / 5 + int(random() % std::uint32_t(rows / 3)), i = int(random() % std::uint32_t(columns - 8)),
                  j = i + 2 + int(random() % 4);
        const int v[4] = {id(k, i), id(k, j), id(k, j + 1), id(std::min(k + 1, rows - 1), j + 1)};
        for (int a : v)
            for (int b : v) keys.push_back(block_key(a, b));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    System s{name, {}, {}};
    s.pattern.assign(rows * columns, keys);
    std::uniform_real_distribution<double> entry(-1, 1);
    std::vector<double> sum(std::size_t(3 * rows * columns), 1.0);
    s.blocks.resize(s.pattern.rows.size());
    for (int j = 0; j < s.pattern.size; ++j)
        for (int p = s.pattern.column_start[j] + 1; p < s.pattern.column_start[j + 1]; ++p)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) {
                    s.blocks[p](r, c) = entry(random);
                    sum[3 * j + c] += std::abs(s.blocks[p](r, c));
                    sum[3 * s.pattern.rows[p] + r] += std::abs(s.blocks[p](r, c));
                }
    for (int j = 0; j < s.pattern.size; ++j)
        for (int c = 0; c < 3; ++c) s.blocks[s.pattern.column_start[j]](c, c) = sum[3 * j + c];
    return s;
}

// Shortest of several runs [ms].
double shortest(int repeats, const std::function<void()>& work) {
    double best = 1e300;
    for (int k = 0; k < repeats; ++k) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

struct Times {
    double analysis = 0, factor = 0, solve = 0, residual = 0;
};

void print(const char* name, const Times& t, const Times& own) {
    std::printf("  %-22s analysis %8.2f ms   factor %8.2f ms (%5.2f x ours)   solve %6.2f ms   residual %.1e\n", name,
                t.analysis, t.factor, t.factor / own.factor, t.solve, t.residual);
}

double residual(const Eigen::SparseMatrix<double>& a, const Eigen::VectorXd& x, const Eigen::VectorXd& b) {
    return (a.selfadjointView<Eigen::Lower>() * x - b).norm() / b.norm();
}

void measure(const System& s, int repeats) {
    const int n = 3 * s.pattern.size;
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < s.pattern.size; ++j)
        for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p)
            for (int c = 0; c < 3; ++c)
                for (int r = p == s.pattern.column_start[j] ? c : 0; r < 3; ++r)
                    entries.emplace_back(3 * s.pattern.rows[p] + r, 3 * j + c, s.blocks[p](r, c));
    Eigen::SparseMatrix<double> a(n, n);
    a.setFromTriplets(entries.begin(), entries.end());
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, -1, 1);
    const std::vector<double> scale(std::size_t(n), 1.0);

    Times own;
    bool first = true;
    for (const PanelKernels* kernels : {panel_kernels_avx512(), panel_kernels_avx2(), panel_kernels_portable()}) {
        if (!kernels) continue;
        SupernodalCholesky cholesky(*kernels);
        Times t;
        std::vector<double> x;
        t.analysis = shortest(std::min(repeats, 20), [&] { cholesky.analyze(s.pattern); });
        t.factor = shortest(repeats, [&] {
            if (!cholesky.factorize(s.blocks, scale, 0)) std::abort();
        });
        t.solve = shortest(repeats, [&] {
            x.assign(b.data(), b.data() + n);
            cholesky.solve(x);
        });
        t.residual = residual(a, Eigen::Map<Eigen::VectorXd>(x.data(), n), b);
        if (first) {
            const SupernodalSymbolic& plan = cholesky.symbolic();
            std::printf("%s: n = %d, %d blocks, factor %lld numbers, %zu supernodes, %.1f Mflop (%.1f Gflop/s)\n", s.name, n,
                        s.pattern.block_count(), static_cast<long long>(plan.factor_size), plan.nodes.size(), plan.flops * 1e-6,
                        plan.flops * 1e-6 / t.factor);
            own = t;
            first = false;
        }
        print(kernels->name, t, own);
    }
#ifdef PLICA_BENCH_CHOLMOD
    openblas_set_num_threads(1);
    cholmod_common common;
    cholmod_start(&common);
    for (const bool nested : {false, true}) {
        common.supernodal = CHOLMOD_SUPERNODAL;
        common.nmethods = 1;
        common.method[0].ordering = nested ? CHOLMOD_METIS : CHOLMOD_AMD;
        common.postorder = 1;
        // Larger supernodes than its own choice: a third off at the bag's size.
        const size_t columns[] = {32, 96, 192};
        const double zeros[] = {0.95, 0.5, 0.2};
        for (int k = 0; k < 3; ++k) {
            common.nrelax[k] = columns[k];
            common.zrelax[k] = zeros[k];
        }
        cholmod_sparse view{};
        view.nrow = view.ncol = size_t(n);
        view.nzmax = size_t(a.nonZeros());
        view.p = a.outerIndexPtr();
        view.i = a.innerIndexPtr();
        view.x = a.valuePtr();
        view.stype = -1;
        view.xtype = CHOLMOD_REAL;
        view.sorted = view.packed = 1;
        Times t;
        cholmod_factor* factor = nullptr;
        t.analysis = shortest(std::min(repeats, 20), [&] {
            cholmod_free_factor(&factor, &common);
            factor = cholmod_analyze(&view, &common);
        });
        t.factor = shortest(repeats, [&] { cholmod_factorize(&view, factor, &common); });
        cholmod_dense rhs{};
        rhs.nrow = rhs.d = rhs.nzmax = size_t(n);
        rhs.ncol = 1;
        rhs.x = const_cast<double*>(b.data());
        rhs.xtype = CHOLMOD_REAL;
        cholmod_dense *x = nullptr, *y = nullptr, *e = nullptr;
        t.solve = shortest(repeats, [&] { cholmod_solve2(CHOLMOD_A, factor, &rhs, nullptr, &x, nullptr, &y, &e, &common); });
        t.residual = residual(a, Eigen::Map<Eigen::VectorXd>(static_cast<double*>(x->x), n), b);
        print(nested ? "CHOLMOD METIS" : "CHOLMOD AMD", t, own);
        cholmod_free_dense(&x, &common);
        cholmod_free_dense(&y, &common);
        cholmod_free_dense(&e, &common);
        cholmod_free_factor(&factor, &common);
    }
    cholmod_finish(&common);
#endif
    if (n < 15000) {
        Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> llt;
        Times t;
        Eigen::VectorXd x;
        t.analysis = shortest(std::min(repeats, 20), [&] { llt.analyzePattern(a); });
        t.factor = shortest(std::min(repeats, 20), [&] { llt.factorize(a); });
        t.solve = shortest(repeats, [&] { x = llt.solve(b); });
        t.residual = residual(a, x, b);
        print("Eigen SimplicialLLT", t, own);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::max(1, std::atoi(argv[1])) : 100;
    measure(film("bag", 15, 32, true, 400), repeats);
    measure(film("cloth 32", 33, 33, false, 200), repeats);
    measure(film("cloth 64", 65, 65, false, 1000), std::max(3, repeats / 10));
    measure(film("cloth 128", 129, 129, false, 3000), std::max(2, repeats / 30));
}
