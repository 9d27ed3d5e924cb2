#include "spca/algebra/block_lanczos.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/algebra/dense_decompositions.h"
#include "spca/base/error.h"
#include "spca/base/random.h"

namespace spca {
namespace {

// What a product with a block of sparse data handles at once.
constexpr Index kTogether = 4;
// More vectors cost memory and orthogonalisation, fewer cost products.
constexpr Index kBlocksKept = 20;
constexpr int kMostSteps = 4000;
// Residual relative to lambda_1: the pairs are exact for a matrix that is nearer to S than this.
constexpr double kTolerance = 1e-12;
// What is left of a vector that lies in a span but for rounding.
constexpr double kInSpan = 1e-14;

Index block_size(Index count) { return (count + kTogether - 1) / kTogether * kTogether; }

class BlockLanczos {
 public:
  BlockLanczos(const Covariance& covariance, Index count)
      : covariance_(covariance),
        count_(count),
        block_(block_size(count)),
        basis_(covariance.variables(), block_lanczos_basis(count) + block_),
        projection_(Matrix::Zero(basis_.cols(), basis_.cols())) {}

  Eigenpairs run();

 private:
  void append(Matrix block, Matrix& coupling);
  bool has_converged(const SymmetricEigenpairs& ritz, const Matrix& coupling) const;
  void restart(const SymmetricEigenpairs& ritz);

  const Covariance& covariance_;
  Index count_;
  Index block_;
  Matrix basis_;       // orthonormal columns; `size_` are projected, `block_` more are next
  Matrix projection_;  // V'SV of the first size_
  Index size_ = 0;
  Random random_{1};
};

/// Makes the columns orthonormal, and orthogonal to the basis, behind which they are put;
/// block = basis * (..) + appended * coupling. A column that vanishes is replaced by a random one.
void BlockLanczos::append(Matrix block, Matrix& coupling) {
  coupling = Matrix::Zero(block_, block_);
  for (Index j = 0; j < block_; ++j) {
    auto column = basis_.col(size_ + j);
    column = block.col(j);
    double before = column.norm();
    bool is_random = false;
    for (;;) {
      const auto earlier = basis_.leftCols(size_ + j);
      for (int pass = 0; pass < 2; ++pass) {
        const Vector overlap = earlier.transpose() * column;
        column.noalias() -= earlier * overlap;
        if (!is_random) {
          coupling.col(j).head(j) += overlap.tail(j);
        }
      }
      const double after = column.norm();
      if (after > kInSpan * before && after > 0) {
        column /= after;
        coupling(j, j) = is_random ? 0 : after;
        break;
      }
      is_random = true;
      for (double& entry : column) {
        entry = random_.uniform() - 0.5;
      }
      before = column.norm();
    }
  }
}

bool BlockLanczos::has_converged(const SymmetricEigenpairs& ritz, const Matrix& coupling) const {
  const double accepted = kTolerance * std::abs(ritz.values[size_ - 1]);
  for (Index i = 0; i < count_; ++i) {
    const auto last = ritz.vectors.col(size_ - 1 - i).tail(block_);
    if (!((coupling * last).norm() <= accepted)) {
      return false;
    }
  }
  return true;
}

/// Keeps the best Ritz vectors, and behind them the block that is next.
void BlockLanczos::restart(const SymmetricEigenpairs& ritz) {
  const Index kept = std::max(count_ + block_, block_lanczos_basis(count_) / 2);
  const Matrix best = basis_.leftCols(size_) * ritz.vectors.rightCols(kept);
  const Matrix next = basis_.middleCols(size_, block_);
  basis_.leftCols(kept) = best;
  basis_.middleCols(kept, block_) = next;
  projection_.setZero();
  projection_.diagonal().head(kept) = ritz.values.tail(kept);
  size_ = kept;
}

Eigenpairs BlockLanczos::run() {
  Matrix coupling;
  append(Matrix::NullaryExpr(basis_.rows(), block_, [this] { return random_.uniform() - 0.5; }),
         coupling);
  Matrix product;
  Matrix overlap;
  for (int step = 0; step < kMostSteps; ++step) {
    covariance_.multiply_block(basis_.middleCols(size_, block_), product);
    size_ += block_;
    const auto basis = basis_.leftCols(size_);
    overlap.noalias() = basis.transpose() * product;
    product.noalias() -= basis * overlap;
    projection_.block(0, size_ - block_, size_, block_) = overlap;
    projection_.block(size_ - block_, 0, block_, size_) = overlap.transpose();
    append(product, coupling);
    const SymmetricEigenpairs ritz = symmetric_eigenpairs(projection_.topLeftCorner(size_, size_));
    if (size_ >= count_ && has_converged(ritz, coupling)) {
      return {.values = ritz.values.tail(count_).reverse(),
              .vectors = basis * ritz.vectors.rightCols(count_).rowwise().reverse()};
    }
    if (size_ + block_ > block_lanczos_basis(count_)) {
      restart(ritz);
    }
  }
  throw NumericalError(
      fmt::format("block Lanczos did not find {} eigenvalues in {} steps", count_, kMostSteps));
}

}  // namespace

Index block_lanczos_basis(Index count) { return kBlocksKept * block_size(count); }

Eigenpairs block_lanczos(const Covariance& covariance, Index count) {
  return BlockLanczos(covariance, count).run();
}

}  // namespace spca
