// The sparse Cholesky factorization against Eigen, on patterns from none to full, with every set of kernels that runs here.
#include <gtest/gtest.h>
#include <Eigen/Sparse>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/solver/cpu/sparse_cholesky.h"
#include "engine/solver/cpu/supernodal_cholesky.h"

using namespace plica;

namespace {

using Pairs = std::vector<std::pair<int, int>>;

struct System {
    BlockPattern pattern;
    std::vector<Mat3> blocks;
};

// Strictly diagonally dominant with a positive diagonal, hence positive definite. The upper half of diagonal blocks is
// poisoned.
System make(int size, const Pairs& pairs, unsigned seed) {
    std::set<BlockKey> keys;
    for (int i = 0; i < size; ++i) keys.insert(block_key(i, i));
    for (const auto& [i, j] : pairs) keys.insert(block_key(i, j));
    System s;
    s.pattern.assign(size, {keys.begin(), keys.end()});
    s.blocks.resize(s.pattern.rows.size());
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> entry(-1, 1);
    std::vector<double> sum(std::size_t(3 * size), 0.05);
    const auto set = [&](Mat3& b, int i, int r, int j, int c) {
        b(r, c) = entry(random);
        sum[3 * i + r] += std::abs(b(r, c));
        sum[3 * j + c] += std::abs(b(r, c));
    };
    for (int j = 0; j < size; ++j)
        for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p) {
            const int i = s.pattern.rows[p];
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) {
                    if (i != j || r > c)
                        set(s.blocks[p], i, r, j, c);
                    else
                        s.blocks[p](r, c) = std::numeric_limits<double>::quiet_NaN();
                }
        }
    for (int j = 0; j < size; ++j)
        for (int c = 0; c < 3; ++c) s.blocks[s.pattern.diagonal(j)](c, c) = sum[3 * j + c];
    return s;
}

Eigen::SparseMatrix<double> to_eigen(const System& s) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < s.pattern.size; ++j)
        for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    if (s.pattern.rows[p] != j || r >= c)
                        entries.emplace_back(3 * s.pattern.rows[p] + r, 3 * j + c, s.blocks[p](r, c));
    Eigen::SparseMatrix<double> a(3 * s.pattern.size, 3 * s.pattern.size);
    a.setFromTriplets(entries.begin(), entries.end());
    return a;
}

std::vector<double> right_side(int n) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> entry(-1, 1);
    std::vector<double> b(n);
    for (double& v : b) v = entry(random);
    return b;
}

Pairs grid(int rows, int columns, bool closed) {
    Pairs pairs;
    for (int k = 0; k < rows; ++k)
        for (int i = 0; i < columns; ++i)
            for (const auto& [dk, di] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}, {1, 2}, {2, 1}}) {
                const int l = k + dk, j = closed ? (i + di + columns) % columns : i + di;
                if (l < rows && j >= 0 && j < columns) pairs.emplace_back(columns * k + i, columns * l + j);
            }
    return pairs;
}

struct Case {
    std::string name;
    int size;
    Pairs pairs;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    std::mt19937 random(3);
    for (int size = 1; size <= 12; ++size) {
        all.push_back({"diagonal " + std::to_string(size), size, {}});
        Pairs dense;
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < i; ++j) dense.emplace_back(i, j);
        all.push_back({"dense " + std::to_string(size), size, dense});
    }
    Pairs dense, chain, arrow_first, arrow_last, islands;
    for (int i = 0; i < 97; ++i)
        for (int j = 0; j < i; ++j) dense.emplace_back(i, j);
    for (int i = 1; i < 200; ++i) {
        chain.emplace_back(i, i - 1);
        arrow_first.emplace_back(i, 0);
        arrow_last.emplace_back(199, i - 1);
        if (i % 7) islands.emplace_back(i, i - 1);
        if (i % 7 > 1) islands.emplace_back(i, i - 2);
    }
    all.push_back({"dense 97", 97, dense});
    all.push_back({"chain", 200, chain});
    all.push_back({"arrow, head first", 200, arrow_first});
    all.push_back({"arrow, head last", 200, arrow_last});
    all.push_back({"islands", 200, islands});
    all.push_back({"film", 20 * 30, grid(20, 30, false)});
    Pairs bag = grid(15, 32, true);
    for (int c = 0; c < 400; ++c) {
        const int i = 32 * (9 + int(random() % 5)) + int(random() % 32);
        bag.emplace_back(i, std::min(479, i + 2 + int(random() % 34)));
    }
    all.push_back({"bag", 480, bag});
    for (int density : {1, 2, 4, 8}) {
        Pairs pairs;
        for (int k = 0; k < 150 * density; ++k) pairs.emplace_back(int(random() % 150), int(random() % 150));
        all.push_back({"random " + std::to_string(density), 150, pairs});
    }
    // Two cliques of 300 columns that meet in a third: fronts wide and high enough for every loop of the kernels.
    Pairs wide;
    for (int i = 0; i < 260; ++i)
        for (int j = 0; j < i; ++j)
            if (i < 180 || j >= 100) wide.emplace_back(i, j);
    all.push_back({"two cliques", 260, wide});
    all.push_back({"large film", 70 * 70, grid(70, 70, false)});
    return all;
}

std::vector<const PanelKernels*> kernel_sets() {
    std::vector<const PanelKernels*> sets{panel_kernels_portable()};
    for (const PanelKernels* k : {panel_kernels_avx2(), panel_kernels_avx512()})
        if (k) sets.push_back(k);
    return sets;
}

// |A x - b| / (|A| |x| + |b|), with infinity norms: a few roundings for a backward stable method.
double backward_error(const Eigen::SparseMatrix<double>& a, const std::vector<double>& x, const std::vector<double>& b) {
    const Eigen::Map<const Eigen::VectorXd> xv(x.data(), Eigen::Index(x.size())), bv(b.data(), Eigen::Index(b.size()));
    const Eigen::SparseMatrix<double> full = a.selfadjointView<Eigen::Lower>();
    const double norm = (full.cwiseAbs() * Eigen::VectorXd::Ones(full.cols())).maxCoeff();
    return (full * xv - bv).lpNorm<Eigen::Infinity>() / (norm * xv.lpNorm<Eigen::Infinity>() + bv.lpNorm<Eigen::Infinity>());
}

}  // namespace

TEST(Cholesky, SolvesEveryPatternToRoundingWithEverySetOfKernels) {
    for (const PanelKernels* kernels : kernel_sets()) {
        SupernodalCholesky cholesky(*kernels);  // one for all: what it keeps between patterns must not show
        for (const Case& c : cases()) {
            const System s = make(c.size, c.pairs, 11);
            const Eigen::SparseMatrix<double> a = to_eigen(s);
            const std::vector<double> b = right_side(3 * c.size), ones(std::size_t(3 * c.size), 1.0);
            cholesky.analyze(s.pattern);
            ASSERT_TRUE(cholesky.factorize(s.blocks, ones, 0)) << kernels->name << ", " << c.name;
            std::vector<double> x = b;
            cholesky.solve(x);
            EXPECT_LT(backward_error(a, x, b), 1e-15) << kernels->name << ", " << c.name;
            if (c.size > 600) continue;
            Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> reference(a);
            const Eigen::VectorXd expected =
                reference.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), Eigen::Index(b.size())));
            const Eigen::Map<const Eigen::VectorXd> got(x.data(), Eigen::Index(x.size()));
            // Dominance by 0.05 in sums up to some hundred: condition below 1e5, times rounding.
            EXPECT_LT((got - expected).norm() / expected.norm(), 1e-11) << kernels->name << ", " << c.name;
        }
    }
}

TEST(Cholesky, TheSameBitsOnEveryProcessorWithFusedMultiplyAdd) {
    if (!panel_kernels_avx2() || !panel_kernels_avx512()) GTEST_SKIP() << "this processor has only one set of such kernels";
    SupernodalCholesky narrow(*panel_kernels_avx2()), wide(*panel_kernels_avx512());
    for (const Case& c : cases()) {
        const System s = make(c.size, c.pairs, 11);
        const std::vector<double> ones(std::size_t(3 * c.size), 1.0);
        std::vector<double> x = right_side(3 * c.size), y = x;
        narrow.analyze(s.pattern);
        wide.analyze(s.pattern);
        ASSERT_TRUE(narrow.factorize(s.blocks, ones, 0) && wide.factorize(s.blocks, ones, 0)) << c.name;
        narrow.solve(x);
        wide.solve(y);
        EXPECT_EQ(x, y) << c.name;
    }
}

TEST(Cholesky, RejectsWhatIsNotPositiveDefinite) {
    for (const PanelKernels* kernels : kernel_sets()) {
        for (const Case& c : cases()) {
            if (c.size > 600) continue;
            const System good = make(c.size, c.pairs, 5);
            const std::vector<double> ones(std::size_t(3 * c.size), 1.0);
            SupernodalCholesky cholesky(*kernels);
            cholesky.analyze(good.pattern);
            // A diagonal block with eigenvalue below zero under a positive diagonal, at the first, a middle and the last
            // vertex.
            for (int v : {0, c.size / 2, c.size - 1}) {
                System bad = good;
                Mat3& d = bad.blocks[bad.pattern.diagonal(v)];
                d(2, 0) = 1.001 * std::sqrt(d(0, 0) * d(2, 2));
                EXPECT_FALSE(cholesky.factorize(bad.blocks, ones, 0)) << kernels->name << ", " << c.name << ", vertex " << v;
                for (double value : {std::nan(""), double(INFINITY), -double(INFINITY)}) {
                    d = good.blocks[good.pattern.diagonal(v)];
                    d(1, 0) = value;
                    EXPECT_FALSE(cholesky.factorize(bad.blocks, ones, 0))
                        << kernels->name << ", " << c.name << ", vertex " << v;
                }
            }
            // A refusal leaves nothing behind.
            EXPECT_TRUE(cholesky.factorize(good.blocks, ones, 0)) << kernels->name << ", " << c.name;
        }
    }
}

TEST(Cholesky, IndefiniteAcrossBlocksIsRejectedAndAShiftCuresIt) {
    // Springs pushed from their length: [1 t; t 1] per axis between two vertices has the eigenvalue 1 - t.
    System s = make(2, {{0, 1}}, 1);
    for (int v : {0, 1}) s.blocks[s.pattern.diagonal(v)] = diagonal(4e6);
    s.blocks[1] = diagonal(1.5 * 4e6);
    SparseCholesky cholesky;
    ASSERT_TRUE(cholesky.analyze(s.pattern));
    EXPECT_FALSE(cholesky.factorize(s.pattern, s.blocks, 0));
    EXPECT_FALSE(cholesky.factorize(s.pattern, s.blocks, 0.499));
    ASSERT_TRUE(cholesky.factorize(s.pattern, s.blocks, 0.501));  // of the equilibrated diagonal, 1
    for (double value : {0.0, -1.0, std::nan(""), double(INFINITY)}) {
        s.blocks[s.pattern.diagonal(1)](2, 2) = value;
        EXPECT_FALSE(cholesky.factorize(s.pattern, s.blocks, 0.501)) << value;
    }
}

TEST(Cholesky, BadlyScaledDiagonalsLoseNoDigits) {
    for (const Case& c : cases()) {
        if (c.size > 600) continue;
        System s = make(c.size, c.pairs, 23);
        // S A S with S from 1e-8 to 1e8: exact powers of two, so that the solution is known from the unscaled system.
        std::mt19937 random(9);
        std::vector<double> scale(std::size_t(3 * c.size));
        for (double& v : scale) v = std::ldexp(1.0, int(random() % 54) - 27);
        SparseCholesky plain, scaled;
        ASSERT_TRUE(plain.analyze(s.pattern) && scaled.analyze(s.pattern));
        const std::vector<double> b = right_side(3 * c.size);
        std::vector<Vec3> g(c.size), gs(c.size), x, xs;
        for (int i = 0; i < 3 * c.size; ++i) {
            g[i / 3][i % 3] = b[i];
            gs[i / 3][i % 3] = b[i] * scale[i];
        }
        ASSERT_TRUE(plain.factorize(s.pattern, s.blocks, 0)) << c.name;
        for (int j = 0; j < c.size; ++j)
            for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p)
                for (int r = 0; r < 3; ++r)
                    for (int k = 0; k < 3; ++k) s.blocks[p](r, k) *= scale[3 * s.pattern.rows[p] + r] * scale[3 * j + k];
        ASSERT_TRUE(scaled.factorize(s.pattern, s.blocks, 0)) << c.name;
        plain.solve(g, x);
        scaled.solve(gs, xs);
        double largest = 0, error = 0;
        for (int i = 0; i < 3 * c.size; ++i) {
            largest = std::max(largest, std::abs(x[i / 3][i % 3]));
            error = std::max(error, std::abs(xs[i / 3][i % 3] * scale[i] - x[i / 3][i % 3]));
        }
        EXPECT_LT(error, 1e-12 * largest) << c.name;
    }
}

TEST(Cholesky, SolutionIsOfTheNegatedGradient) {
    System s = make(1, {}, 1);
    s.blocks[0] = diagonal(4);
    SparseCholesky cholesky;
    ASSERT_TRUE(cholesky.analyze(s.pattern) && cholesky.factorize(s.pattern, s.blocks, 0));
    std::vector<Vec3> dx;
    cholesky.solve({{4, -8, 12}}, dx);
    EXPECT_EQ(dx, (std::vector<Vec3>{{-1, 2, -3}}));
}

TEST(Cholesky, SameBitsOnRepeatAndWhateverWasFactorizedBefore) {
    const std::vector<Case> all = cases();
    SparseCholesky used;
    for (const Case& c : all) {
        const System s = make(c.size, c.pairs, 31);
        std::vector<Vec3> g(c.size), first, again, fresh;
        const std::vector<double> b = right_side(3 * c.size);
        for (int i = 0; i < 3 * c.size; ++i) g[i / 3][i % 3] = b[i];
        ASSERT_TRUE(used.analyze(s.pattern) && used.factorize(s.pattern, s.blocks, 0)) << c.name;
        used.solve(g, first);
        ASSERT_TRUE(used.factorize(s.pattern, s.blocks, 0)) << c.name;
        used.solve(g, again);
        SparseCholesky new_one;
        ASSERT_TRUE(new_one.analyze(s.pattern) && new_one.factorize(s.pattern, s.blocks, 0)) << c.name;
        new_one.solve(g, fresh);
        EXPECT_EQ(first, again) << c.name;
        EXPECT_EQ(first, fresh) << c.name;
    }
}

TEST(Cholesky, NoVerticesAreNoTrouble) {
    SparseCholesky cholesky;
    BlockPattern nothing;
    nothing.assign(0, {});
    std::vector<Vec3> dx;
    ASSERT_TRUE(cholesky.analyze(nothing) && cholesky.factorize(nothing, {}, 0));
    cholesky.solve({}, dx);
    EXPECT_TRUE(dx.empty());
}
