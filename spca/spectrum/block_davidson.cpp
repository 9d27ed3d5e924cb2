#include "spca/spectrum/block_davidson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/spectrum/detail/davidson_correction.h"
#include "spca/spectrum/eigen_patience.h"
#include "spca/spectrum/heavy_variables.h"

namespace spca {
namespace {

// Number of vectors that a product of sparse data with a block handles at once (sparse_kernels.h).
// The size of a block is a multiple of it.
constexpr Index kVectorsOfProduct = 4;

// The limits of effort below without a source were chosen by trial, not measured.

// At most this number of vectors are in a block: more converge in hardly fewer steps.
constexpr Index kMostVectorsOfBlock = 8;
// Number of blocks beyond the wanted pairs in a full space, and in a space that has just shrunk.
// Measured with deflated corpora: 8 to 20 blocks take the same number of products.
constexpr Index kBlocksBeyond = 11;
constexpr Index kBlocksKept = 7;
constexpr int kMostDavidsonSteps = 4000;
// Accepted residual, relative to lambda_1. The pairs are then exact for a matrix that differs from
// S by no more than this.
constexpr double kAcceptedResidual = 1e-12;
// Accepted error of the values, relative to lambda_1, if only the values must be exact: rounding.
constexpr double kValueTolerance = 1e-15;
// At most this share of a vector that lies in a span is left by rounding after its projection.
constexpr double kInSpan = 1e-14;
// If more than this share of a vector's length is left after orthogonalisation, little cancelled,
// and a second pass would remove only rounding.
constexpr double kIsOrthogonal = 0.5;
// The leading eigenvectors of a part of S are mixed with this share of a random vector, so that no
// eigenvector of S is orthogonal to all of them.
constexpr double kRandomShare = 0.1;
// A leading eigenvector of S on the heavy variables is worth a column if this share of its squared
// length is outside the space. In the first block it is mixed with kRandomShare, so that a
// hundredth is always outside.
constexpr double kWorthColumn = 0.1;
// Number of blocks beyond the pairs that the next solve of large data inherits if the pairs are
// nearly exact. More blocks cost more than they save: the next solve restricts them to the
// remaining variables and projects S on them. If all digits of the pairs are wanted, the rest of
// the space saves passes (bench/notes/2026-11-25-full-blocks.md, "24 columns").
constexpr Index kBlocksLeft = 5;
// At most this number of pairs are corrected: for more, corrections take as long as products.
constexpr Index kMostCorrected = 16;

Index whole_blocks(Index count) {
  return (count + kVectorsOfProduct - 1) / kVectorsOfProduct * kVectorsOfProduct;
}
Index block_size(Index count) { return std::min(whole_blocks(count), kMostVectorsOfBlock); }

/// V is the basis, W = SV, T = V'W. An eigenpair (theta, s) of T gives the Ritz vector Vs, whose
/// residual is Ws - theta Vs.
class BlockDavidson {
 public:
  BlockDavidson(const Covariance& covariance, Index count, KnownSpace& space, Exact exact)
      : covariance_(covariance),
        count_(count),
        exact_(exact),
        block_(block_size(count)),
        space_(space),
        size_(space.basis.cols()) {
    const Index columns = block_davidson_columns(count);
    space_.basis.conservativeResize(covariance.variables(), columns);
    space_.products.conservativeResize(covariance.variables(), columns);
    projection_ = Matrix::Zero(columns, columns);
    if (size_ > 0) {
      projection_.topLeftCorner(size_, size_) =
          symmetric_part(transposed_product(basis(), products()));
    }
  }

  RitzSpace run(Index further);

 private:
  MatrixRef basis() const { return space_.basis.leftCols(size_); }
  MatrixRef products() const { return space_.products.leftCols(size_); }
  Matrix first_block();
  Matrix next_block(const SymmetricEigenpairs& ritz, bool& has_converged);
  Matrix residuals_of(const SymmetricEigenpairs& ritz, const Matrix& best, Index first) const;
  Matrix corrected_block(const SymmetricEigenpairs& ritz, const Matrix& best,
                         const Matrix& residuals, std::vector<Index> chosen);
  void put_lacking(const SymmetricEigenpairs& ritz, const std::vector<Index>& chosen,
                   Matrix& block);
  const std::optional<DavidsonCorrection>& correction();
  bool are_values_exact(const SymmetricEigenpairs& ritz, const Matrix& residuals) const;
  void orthonormalize(Index column, double given);
  void extend(const Matrix& block);
  void shrink(const SymmetricEigenpairs& ritz, Index kept);
  Index columns_left() const;
  Matrix random_block();

  const Covariance& covariance_;
  Index count_;
  Exact exact_;
  Index block_;
  KnownSpace& space_;
  Matrix projection_;    // T
  Index size_;           // number of columns of V in use
  double residual_ = 0;  // Eigenpairs::residual, once converged
  // Computed on first use: a known space may already contain the pairs.
  std::optional<std::optional<DavidsonCorrection>> correction_;
  Random random_{1};
};

Matrix BlockDavidson::random_block() {
  return Matrix::NullaryExpr(covariance_.variables(), block_,
                             [this] { return random_.uniform() - 0.5; });
}

const std::optional<DavidsonCorrection>& BlockDavidson::correction() {
  if (!correction_) {
    correction_ = count_ <= kMostCorrected ? DavidsonCorrection::of(covariance_) : std::nullopt;
  }
  return *correction_;
}

Matrix BlockDavidson::first_block() {
  Matrix block = random_block();
  if (correction()) {
    const Matrix leading = correction()->leading(block_);
    for (Index c = 0; c < leading.cols(); ++c) {
      block.col(c) = leading.col(c) + kRandomShare * block.col(c).normalized();
    }
  }
  return block;
}

/// Returns true if only the values must be exact, and they are. Let R have the residuals of the
/// first pairs, and let the other eigenvalues of S lie at least `gap` below these Ritz values. Then
/// no such Ritz value is wrong by more than ||R||^2 / gap (B. N. Parlett, The Symmetric Eigenvalue
/// Problem, 1980, section 11.7). The gap used here is the one to the next Ritz value.
bool BlockDavidson::are_values_exact(const SymmetricEigenpairs& ritz,
                                     const Matrix& residuals) const {
  if (exact_ == Exact::kPairs || size_ <= count_) {
    return false;
  }
  const double gap = ritz.values[size_ - count_] - ritz.values[size_ - count_ - 1];
  return residuals.leftCols(count_).squaredNorm() <=
         kValueTolerance * std::abs(ritz.values[size_ - 1]) * gap;
}

/// Returns the residuals of the Ritz pairs from number `first` on; `best` has their vectors s.
Matrix BlockDavidson::residuals_of(const SymmetricEigenpairs& ritz, const Matrix& best,
                                   Index first) const {
  Matrix residuals = matrix_product(products(), best);
  const Vector thetas = ritz.values.segment(size_ - first - best.cols(), best.cols()).reverse();
  subtract_product(residuals, basis(), scaled_columns(best, thetas));
  return residuals;
}

/// Returns the residuals of the first pairs that have not converged, wanted pairs first, or the
/// corrections that follow from these residuals.
Matrix BlockDavidson::next_block(const SymmetricEigenpairs& ritz, bool& has_converged) {
  const Index examined = std::min(size_, std::max(count_, block_));
  const Matrix best = reversed_columns(ritz.vectors.rightCols(examined));
  const Matrix residuals = residuals_of(ritz, best, 0);
  const double tolerance = exact_ == Exact::kNearly ? kNearResidual : kAcceptedResidual;
  const double accepted = tolerance * std::abs(ritz.values[size_ - 1]);
  std::vector<Index> chosen;
  has_converged = size_ >= count_;
  for (Index i = 0; i < examined; ++i) {
    // Written so that a NaN counts as not converged.
    const bool is_exact = residuals.col(i).norm() <= accepted;
    has_converged = has_converged && (is_exact || i >= count_);
    if (!is_exact && std::ssize(chosen) < block_) {
      chosen.push_back(i);
    }
  }
  has_converged = has_converged || are_values_exact(ritz, residuals);
  if (has_converged && exact_ == Exact::kNearly) {
    residual_ = residuals.leftCols(count_).norm();
  }
  if (!has_converged && !chosen.empty() && correction()) {
    return corrected_block(ritz, best, residuals, std::move(chosen));
  }
  Matrix block(residuals.rows(), std::ssize(chosen));
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    block.col(static_cast<Index>(i)) = residuals.col(chosen[i]);
  }
  return block;
}

/// Returns the corrections of the `chosen` pairs. `best` and `residuals` have all examined pairs. A
/// pass over large data takes as long for few columns as for a whole block. So the pairs behind the
/// examined ones fill the block: they come to the front when variables are removed.
Matrix BlockDavidson::corrected_block(const SymmetricEigenpairs& ritz, const Matrix& best,
                                      const Matrix& residuals, std::vector<Index> chosen) {
  const Index examined = best.cols();
  const Index behind = std::min(size_ - examined, block_ - std::ssize(chosen));
  const Matrix further =
      reversed_columns(ritz.vectors.middleCols(size_ - examined - behind, behind));
  const Index first = std::ssize(chosen);
  for (Index i = 0; i < behind; ++i) {
    chosen.push_back(examined + i);
  }
  Matrix block(residuals.rows(), std::ssize(chosen));
  Vector thetas(std::ssize(chosen));
  for (Index i = 0; i < std::ssize(chosen); ++i) {
    const Index pair = chosen[static_cast<std::size_t>(i)];
    thetas[i] = ritz.values[size_ - 1 - pair];
    if (i < first) {
      block.col(i) = residuals.col(pair);
    }
  }
  if (behind > 0) {
    block.rightCols(behind) = residuals_of(ritz, further, examined);
  }
  Matrix vectors(residuals.rows(), examined + behind);
  vectors.leftCols(examined) = matrix_product(basis(), best);
  if (behind > 0) {
    vectors.rightCols(behind) = matrix_product(basis(), further);
  }
  block = correction()->corrected(block, thetas, vectors);
  put_lacking(ritz, chosen, block);
  return block;
}

/// Adds leading eigenvectors of S on the heavy variables that the space lacks. It lacks one if the
/// i-th Ritz value is below the i-th eigenvalue of S on the heavy variables; this cannot happen if
/// the space contains the first i eigenvectors. The case arises after variables were removed, when
/// a pair comes to the front that was never computed. The residual of such a pair leads to an
/// eigenpair far below. So the eigenvector of which the space contains least takes the place of the
/// correction.
void BlockDavidson::put_lacking(const SymmetricEigenpairs& ritz, const std::vector<Index>& chosen,
                                Matrix& block) {
  std::vector<Index> lacking;  // columns of the block
  for (Index i = 0; i < std::ssize(chosen); ++i) {
    const Index pair = chosen[static_cast<std::size_t>(i)];
    if (ritz.values[size_ - 1 - pair] < correction()->value(pair)) {
      lacking.push_back(i);
    }
  }
  if (lacking.empty()) {
    return;
  }
  const Matrix leading =
      correction()->leading(chosen[static_cast<std::size_t>(lacking.back())] + 1);
  const Matrix shares = transposed_product(basis(), leading);
  Vector inside(shares.cols());
  for (Index c = 0; c < shares.cols(); ++c) {
    inside[c] = shares.col(c).squaredNorm();
  }
  for (const Index i : lacking) {
    Index least = 0;
    if (inside.minCoeff(&least) > 1 - kWorthColumn) {
      return;
    }
    block.col(i) = leading.col(least);
    inside[least] = 1;
  }
}

/// Makes this column of V orthogonal to the columns before it, and of unit length. If it lies in
/// their span, a random vector takes its place. The column had the length `given` before the caller
/// made it orthogonal to the first size_ columns, up to the rounding of that length.
void BlockDavidson::orthonormalize(Index column, double given) {
  auto vector = space_.basis.col(column);
  subtract_projection(vector, space_.basis.middleCols(size_, column - size_));
  if (const double left = vector.norm(); left > kIsOrthogonal * given) {
    vector /= left;
    return;
  }
  const auto earlier = space_.basis.leftCols(column);
  double before = given;
  for (bool is_random = false;;) {
    subtract_projection(vector, earlier);
    double after = vector.norm();
    if (!(after > (is_random ? 0 : kInSpan * given))) {
      for (double& entry : vector) {
        entry = random_.uniform() - 0.5;
      }
      is_random = true;
      after = vector.norm();
      vector /= after;
      before = std::numeric_limits<double>::infinity();
      continue;
    }
    vector /= after;
    if (after > kIsOrthogonal * before) {
      return;
    }
    before = 1;
  }
}

void BlockDavidson::extend(const Matrix& block) {
  const Index added = block.cols();
  auto fresh = space_.basis.middleCols(size_, added);
  fresh = block;
  // V is projected out of all columns at once: V then passes through memory once.
  if (size_ > 0) {
    subtract_product(fresh, basis(), transposed_product(basis(), block));
  }
  for (Index j = 0; j < added; ++j) {
    orthonormalize(size_ + j, block.col(j).norm());
  }
  Matrix product;
  covariance_.multiply_block(fresh, product);
  space_.products.middleCols(size_, added) = product;
  const Matrix overlap = transposed_product(space_.basis.leftCols(size_ + added), product);
  projection_.block(0, size_, size_ + added, added) = overlap;
  projection_.block(size_, 0, added, size_ + added) = overlap.transpose();
  size_ += added;
  // The diagonal block of the new columns is symmetric up to rounding.
  projection_.block(size_ - added, size_ - added, added, added) =
      symmetric_part(overlap.bottomRows(added));
}

/// Keeps only the best Ritz vectors. T becomes diag(theta).
void BlockDavidson::shrink(const SymmetricEigenpairs& ritz, Index kept) {
  const Matrix best = ritz.vectors.rightCols(kept);
  space_.basis.leftCols(kept) = matrix_product(basis(), best);
  space_.products.leftCols(kept) = matrix_product(products(), best);
  projection_.setZero();
  projection_.diagonal().head(kept) = ritz.values.tail(kept);
  size_ = kept;
}

/// Returns the number of columns that the next solve inherits.
Index BlockDavidson::columns_left() const {
  if (exact_ != Exact::kNearly || !is_large(covariance_)) {
    return size_;
  }
  return std::min(size_, whole_blocks(count_) + kBlocksLeft * block_);
}

RitzSpace BlockDavidson::run(Index further) {
  if (size_ == 0) {
    extend(first_block());
  }
  for (int step = 0; step < kMostDavidsonSteps; ++step) {
    EigenPatience::ask();
    SymmetricEigenpairs ritz = symmetric_eigenpairs(projection_.topLeftCorner(size_, size_));
    bool has_converged = false;
    const Matrix block = next_block(ritz, has_converged);
    if (has_converged) {
      const Matrix best = reversed_columns(ritz.vectors.rightCols(count_));
      const Index behind = std::min(further, size_ - count_);
      const Matrix next =
          reversed_columns(ritz.vectors.middleCols(size_ - count_ - behind, behind));
      RitzSpace found{.pairs = {.values = ritz.values.tail(count_).reverse(),
                                .vectors = matrix_product(basis(), best),
                                .residual = residual_},
                      .products = matrix_product(products(), best),
                      .further = {.basis = matrix_product(basis(), next),
                                  .products = matrix_product(products(), next)}};
      if (const Index kept = columns_left(); kept < size_) {
        shrink(ritz, kept);
      }
      space_.basis.conservativeResize(Eigen::NoChange, size_);
      space_.products.conservativeResize(Eigen::NoChange, size_);
      return found;
    }
    if (size_ + block.cols() > space_.basis.cols()) {
      shrink(ritz, whole_blocks(count_) + kBlocksKept * block_);
    }
    // A space that is too small may be invariant, and then has no residuals.
    extend(block.cols() > 0 ? block : random_block());
  }
  throw NumericalError(fmt::format("block Davidson did not find {} eigenvalues in {} steps", count_,
                                   kMostDavidsonSteps));
}

}  // namespace

Index block_davidson_columns(Index count) {
  return whole_blocks(count) + kBlocksBeyond * block_size(count);
}

RitzSpace block_davidson(const Covariance& covariance, Index count, KnownSpace& space, Exact exact,
                         Index further) {
  return BlockDavidson(covariance, count, space, exact).run(further);
}

}  // namespace spca
