#include "spca/algebra/block_lanczos.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/dense_products.h"
#include "spca/base/error.h"
#include "spca/base/random.h"

namespace spca {
namespace {

// A product with a block of sparse data handles so many vectors at once (sparse_kernels.h), and so
// the blocks have a multiple of this size.
constexpr Index kTogether = 4;
// The basis has so many blocks. More cost memory and orthogonalisation, fewer cost products.
constexpr Index kBlocksKept = 20;
constexpr int kMostSteps = 4000;
// Accepted residual, relative to lambda_1. The pairs are then exact for a matrix that differs from
// S by no more than this.
constexpr double kTolerance = 1e-12;
// Of a vector that lies in a span, rounding leaves no more than this share.
constexpr double kInSpan = 1e-14;

Index block_size(Index count) { return (count + kTogether - 1) / kTogether * kTogether; }

/// After each step, with V the `size_` columns, T the projection and Q the next block:
///
///   S V = V T + Q C E',   V'V = I,   V'Q = 0,   E = the last `block_` columns of the identity
///
/// C is `coupling`. An eigenpair (theta, s) of T gives the Ritz vector V s, whose residual is
///
///   ||S V s - theta V s|| = ||C E's||.
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

/// Makes the columns of `block` orthonormal and orthogonal to the basis, and puts them behind it:
///
///   block = basis * (..) + appended * coupling
///
/// A column that vanishes is replaced by a random one.
void BlockLanczos::append(Matrix block, Matrix& coupling) {
  coupling = Matrix::Zero(block_, block_);
  for (Index j = 0; j < block_; ++j) {
    auto column = basis_.col(size_ + j);
    column = block.col(j);
    double before = column.norm();
    bool is_random = false;
    for (;;) {
      const auto earlier = basis_.leftCols(size_ + j);
      // One pass of Gram-Schmidt leaves rounding relative to the length before. A second pass
      // removes it ("twice is enough").
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
      // The column lies in the span of the basis: an invariant subspace was found. A random vector
      // goes on in the rest of the space. It belongs to no product, and so it does not enter the
      // coupling.
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
    // Written so that a NaN counts as not converged.
    if (!(times_vector(coupling, last).norm() <= accepted)) {
      return false;
    }
  }
  return true;
}

/// Keeps the best Ritz vectors (thick restart), and behind them the next block, which the residuals
/// of all Ritz vectors share. T becomes diag(theta). The next product then fills in the rows of T
/// that couple the Ritz vectors with that block.
void BlockLanczos::restart(const SymmetricEigenpairs& ritz) {
  const Index kept = std::max(count_ + block_, block_lanczos_basis(count_) / 2);
  const Matrix best = matrix_product(basis_.leftCols(size_), ritz.vectors.rightCols(kept));
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
    // The overlaps with the whole basis are kept. Without restarts all but the last two blocks
    // would vanish, but after a restart T has an arrow: the block overlaps with every Ritz vector.
    set_transposed_product(overlap, basis, product);
    subtract_product(product, basis, overlap);
    projection_.block(0, size_ - block_, size_, block_) = overlap;
    projection_.block(size_ - block_, 0, block_, size_) = overlap.transpose();
    append(product, coupling);
    const SymmetricEigenpairs ritz = symmetric_eigenpairs(projection_.topLeftCorner(size_, size_));
    if (size_ >= count_ && has_converged(ritz, coupling)) {
      return {.values = ritz.values.tail(count_).reverse(),
              .vectors = matrix_product(basis, reversed_columns(ritz.vectors.rightCols(count_)))};
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
