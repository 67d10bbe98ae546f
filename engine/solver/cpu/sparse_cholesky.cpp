#include "engine/solver/cpu/sparse_cholesky.h"

#include <cmath>
#include <cstddef>
#include <new>

#include "engine/solver/cpu/supernodal_cholesky.h"

namespace plica {

struct SparseCholesky::Impl {
    SupernodalCholesky factor;
    std::vector<double> scale, rhs;
};

bool SparseCholesky::analyze(const BlockPattern& pattern) {
    try {
        impl_->factor.analyze(pattern);
        impl_->scale.resize(std::size_t(3 * pattern.size));
        impl_->rhs.resize(std::size_t(3 * pattern.size));
    } catch (const std::bad_alloc&) {
        impl_ = std::make_unique<Impl>();
        return false;
    }
    return true;
}

bool SparseCholesky::factorize(const BlockPattern& pattern, const std::vector<Mat3>& values, double shift) {
    std::vector<double>& scale = impl_->scale;
    for (int j = 0; j < pattern.size; ++j) {
        const Mat3& d = values[pattern.column_start[j]];
        for (int k = 0; k < 3; ++k) {
            if (!(d(k, k) > 0) || !std::isfinite(d(k, k))) return false;
            scale[3 * j + k] = 1 / std::sqrt(d(k, k));
        }
    }
    return impl_->factor.factorize(values, scale, shift);
}

void SparseCholesky::solve(const std::vector<Vec3>& gradient, std::vector<Vec3>& dx) {
    const std::vector<double>& scale = impl_->scale;
    std::vector<double>& z = impl_->rhs;
    const int count = int(gradient.size());
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) z[3 * i + k] = -gradient[i][k] * scale[3 * i + k];
    impl_->factor.solve(z);
    dx.resize(gradient.size());
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) dx[i][k] = z[3 * i + k] * scale[3 * i + k];
}

const char* SparseCholesky::name() { return panel_kernels().name; }

SparseCholesky::SparseCholesky() : impl_(std::make_unique<Impl>()) {}
SparseCholesky::~SparseCholesky() = default;

}  // namespace plica
