#include "engine/solver/cpu/sparse_cholesky.h"

#include <cmath>
#include <stdexcept>

#ifdef PLICA_CHOLMOD
#include <cholmod.h>
#include <dlfcn.h>
#else
#include <Eigen/Sparse>
#endif

namespace plica {

namespace {

// Scalar lower triangle of a block pattern, column-compressed. Entry (r, c) of block p of block column j stands at a place
// that follows from the numbers alone, so filling needs no search.
struct ScalarMatrix {
    std::vector<int> column_start, rows;
    std::vector<double> values;

    void shape(const BlockPattern& pattern) {
        column_start.resize(std::size_t(3 * pattern.size) + 1);
        rows.clear();
        column_start[0] = 0;
        for (int j = 0; j < pattern.size; ++j) {
            for (int c = 0; c < 3; ++c) {
                for (int r = c; r < 3; ++r) rows.push_back(3 * j + r);
                for (int p = pattern.column_start[j] + 1; p < pattern.column_start[j + 1]; ++p)
                    for (int r = 0; r < 3; ++r) rows.push_back(3 * pattern.rows[p] + r);
                column_start[3 * j + c + 1] = int(rows.size());
            }
        }
        values.resize(rows.size());
    }

    void fill(const BlockPattern& pattern, const std::vector<Mat3>& blocks, const std::vector<double>& scale, double shift) {
        for (int j = 0; j < pattern.size; ++j) {
            for (int c = 0; c < 3; ++c) {
                const double dc = scale[3 * j + c];
                double* out = values.data() + column_start[3 * j + c];
                const Mat3& diagonal = blocks[pattern.column_start[j]];
                for (int r = c; r < 3; ++r) *out++ = diagonal(r, c) * dc * scale[3 * j + r] + (r == c ? shift : 0.0);
                for (int p = pattern.column_start[j] + 1; p < pattern.column_start[j + 1]; ++p) {
                    const double* dr = scale.data() + 3 * pattern.rows[p];
                    const Mat3& b = blocks[p];
                    for (int r = 0; r < 3; ++r) *out++ = b(r, c) * dc * dr[r];
                }
            }
        }
    }
};

// D = diag(H)^(-1/2); false when a diagonal entry is not positive.
bool equilibrate(const BlockPattern& pattern, const std::vector<Mat3>& blocks, std::vector<double>& scale) {
    scale.resize(std::size_t(3 * pattern.size));
    for (int j = 0; j < pattern.size; ++j) {
        const Mat3& d = blocks[pattern.column_start[j]];
        for (int k = 0; k < 3; ++k) {
            if (!(d(k, k) > 0)) return false;
            scale[3 * j + k] = 1 / std::sqrt(d(k, k));
        }
    }
    return true;
}

}  // namespace

#ifdef PLICA_CHOLMOD

struct SparseCholesky::Impl {
    cholmod_common common;
    cholmod_factor* factor = nullptr;
    cholmod_dense *solution = nullptr, *work_y = nullptr, *work_e = nullptr;
    ScalarMatrix matrix;
    std::vector<double> scale, rhs;
    std::vector<int> permutation, vertex_permutation;

    Impl() {
        // One BLAS thread: blocks are small, the window renders on the other core, and bits must not depend on the machine's load.
        using SetThreads = void (*)(int);
        if (auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) set(1);
        cholmod_start(&common);
        common.supernodal = CHOLMOD_SUPERNODAL;
        common.print = 0;
        common.quick_return_if_not_posdef = 1;
        common.nmethods = 1;
        common.method[0].ordering = CHOLMOD_GIVEN;
        common.postorder = 1;
        // Larger relaxed supernodes: a third off the factorization of the bag.
        common.nrelax[0] = 32;
        common.nrelax[1] = 96;
        common.nrelax[2] = 192;
        common.zrelax[0] = 0.95;
        common.zrelax[1] = 0.5;
        common.zrelax[2] = 0.2;
    }
    ~Impl() {
        cholmod_free_factor(&factor, &common);
        cholmod_free_dense(&solution, &common);
        cholmod_free_dense(&work_y, &common);
        cholmod_free_dense(&work_e, &common);
        cholmod_finish(&common);
    }

    cholmod_sparse view() {
        cholmod_sparse a{};
        a.nrow = a.ncol = matrix.column_start.size() - 1;
        a.nzmax = matrix.rows.size();
        a.p = matrix.column_start.data();
        a.i = matrix.rows.data();
        a.x = matrix.values.data();
        a.stype = -1;
        a.itype = CHOLMOD_INT;
        a.xtype = CHOLMOD_REAL;
        a.dtype = CHOLMOD_DOUBLE;
        a.sorted = 1;
        a.packed = 1;
        return a;
    }
};

bool SparseCholesky::analyze(const BlockPattern& pattern) {
    Impl& s = *impl_;
    // Fill-reducing order of the vertex graph, a third of the size of the matrix's and as good.
    cholmod_sparse graph{};
    graph.nrow = graph.ncol = std::size_t(pattern.size);
    graph.nzmax = pattern.rows.size();
    graph.p = const_cast<int*>(pattern.column_start.data());
    graph.i = const_cast<int*>(pattern.rows.data());
    graph.stype = -1;
    graph.itype = CHOLMOD_INT;
    graph.xtype = CHOLMOD_PATTERN;
    graph.dtype = CHOLMOD_DOUBLE;
    graph.sorted = 1;
    graph.packed = 1;
    s.vertex_permutation.resize(std::size_t(pattern.size));
    if (!cholmod_amd(&graph, nullptr, 0, s.vertex_permutation.data(), &s.common)) return false;
    s.permutation.resize(std::size_t(3 * pattern.size));
    for (int k = 0; k < pattern.size; ++k)
        for (int c = 0; c < 3; ++c) s.permutation[3 * k + c] = 3 * s.vertex_permutation[k] + c;

    s.matrix.shape(pattern);
    cholmod_free_factor(&s.factor, &s.common);
    cholmod_sparse a = s.view();
    s.factor = cholmod_analyze_p(&a, s.permutation.data(), nullptr, 0, &s.common);
    return s.factor != nullptr;
}

bool SparseCholesky::factorize(const BlockPattern& pattern, const std::vector<Mat3>& values, double shift) {
    Impl& s = *impl_;
    if (!equilibrate(pattern, values, s.scale)) return false;
    s.matrix.fill(pattern, values, s.scale, shift);
    cholmod_sparse a = s.view();
    cholmod_factorize(&a, s.factor, &s.common);
    return s.common.status == CHOLMOD_OK && s.factor->minor == s.factor->n;
}

void SparseCholesky::solve(const std::vector<Vec3>& gradient, std::vector<Vec3>& dx) {
    Impl& s = *impl_;
    s.rhs.resize(3 * gradient.size());
    for (std::size_t i = 0; i < gradient.size(); ++i)
        for (int k = 0; k < 3; ++k) s.rhs[3 * i + std::size_t(k)] = -gradient[i][k] * s.scale[3 * i + std::size_t(k)];
    cholmod_dense b{};
    b.nrow = b.d = b.nzmax = s.rhs.size();
    b.ncol = 1;
    b.x = s.rhs.data();
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_A, s.factor, &b, nullptr, &s.solution, nullptr, &s.work_y, &s.work_e, &s.common);
    const auto* z = static_cast<const double*>(s.solution->x);
    dx.resize(gradient.size());
    for (std::size_t i = 0; i < gradient.size(); ++i)
        for (int k = 0; k < 3; ++k) dx[i][k] = z[3 * i + std::size_t(k)] * s.scale[3 * i + std::size_t(k)];
}

const char* SparseCholesky::name() { return "CHOLMOD supernodal"; }

#else

struct SparseCholesky::Impl {
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> factor;
    ScalarMatrix matrix;
    std::vector<double> scale;
    Eigen::VectorXd rhs;

    Eigen::Map<const Eigen::SparseMatrix<double>> view() const {
        const auto n = Eigen::Index(matrix.column_start.size()) - 1;
        return {n, n, Eigen::Index(matrix.rows.size()), matrix.column_start.data(), matrix.rows.data(), matrix.values.data()};
    }
};

bool SparseCholesky::analyze(const BlockPattern& pattern) {
    impl_->matrix.shape(pattern);
    impl_->factor.analyzePattern(Eigen::SparseMatrix<double>(impl_->view()));
    return true;
}

bool SparseCholesky::factorize(const BlockPattern& pattern, const std::vector<Mat3>& values, double shift) {
    Impl& s = *impl_;
    if (!equilibrate(pattern, values, s.scale)) return false;
    s.matrix.fill(pattern, values, s.scale, shift);
    s.factor.factorize(Eigen::SparseMatrix<double>(s.view()));
    return s.factor.info() == Eigen::Success;
}

void SparseCholesky::solve(const std::vector<Vec3>& gradient, std::vector<Vec3>& dx) {
    Impl& s = *impl_;
    s.rhs.resize(Eigen::Index(3 * gradient.size()));
    for (std::size_t i = 0; i < gradient.size(); ++i)
        for (int k = 0; k < 3; ++k) s.rhs[Eigen::Index(3 * i) + k] = -gradient[i][k] * s.scale[3 * i + std::size_t(k)];
    const Eigen::VectorXd z = s.factor.solve(s.rhs);
    dx.resize(gradient.size());
    for (std::size_t i = 0; i < gradient.size(); ++i)
        for (int k = 0; k < 3; ++k) dx[i][k] = z[Eigen::Index(3 * i) + k] * s.scale[3 * i + std::size_t(k)];
}

const char* SparseCholesky::name() { return "Eigen SimplicialLLT"; }

#endif

SparseCholesky::SparseCholesky() : impl_(std::make_unique<Impl>()) {}
SparseCholesky::~SparseCholesky() = default;

}  // namespace plica
