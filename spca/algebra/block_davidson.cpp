#include "spca/algebra/block_davidson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "spca/algebra/davidson_correction.h"
#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/dense_products.h"
#include "spca/algebra/eigen_patience.h"
#include "spca/algebra/heavy_variables.h"
#include "spca/base/error.h"
#include "spca/base/random.h"

namespace spca {
namespace {

// A product with a block of sparse data handles so many vectors at once (sparse_kernels.h), and so
// the blocks have a multiple of this size.
constexpr Index kTogether = 4;
// More vectors in a block than this converge in hardly fewer steps.
constexpr Index kLargestBlock = 8;
// A full space has so many blocks beyond the pairs that are sought, and one that has shrunk has
// fewer. Measured with deflated corpora: 8 to 20 blocks take the same number of products.
constexpr Index kBlocksBeyond = 11;
constexpr Index kBlocksKept = 7;
constexpr int kMostSteps = 4000;
// Accepted residual, relative to lambda_1. The pairs are then exact for a matrix that differs from
// S by no more than this.
constexpr double kTolerance = 1e-12;
// Accepted error of the values, relative to lambda_1, where they alone have to be exact: rounding.
constexpr double kValueTolerance = 1e-15;
// Of a vector that lies in a span, rounding leaves no more than this share.
constexpr double kInSpan = 1e-14;
// If more than this share of a vector is left after it was made orthogonal, little was subtracted,
// and rounding has left no more of the span in it.
constexpr double kIsOrthogonal = 0.5;
// The leading eigenvectors of a part of S are mixed with this share of a random vector, so that none
// of S is orthogonal to all of them.
constexpr double kRandomShare = 0.1;
// A leading eigenvector of S on the heavy variables is worth a column if this share of its squared
// length is outside the space. In the first block it is mixed with kRandomShare, so that a hundredth
// is always outside.
constexpr double kWorthColumn = 0.1;
// Of large data so many blocks beyond the pairs that were sought nearly are left for the next solve.
// More of them cost more than they save: the next solve takes them to the variables that are left, and
// projects S on them. If all digits of the pairs are sought, the rest of the space saves passes.
constexpr Index kBlocksLeft = 5;
// For more pairs than this, corrections would take as long as products.
constexpr Index kMostCorrected = 16;

Index whole_blocks(Index count) { return (count + kTogether - 1) / kTogether * kTogether; }
Index block_size(Index count) { return std::min(whole_blocks(count), kLargestBlock); }

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
  Index size_;           // columns of V that are there
  double residual_ = 0;  // Eigenpairs::residual, once converged
  // Computed if it is needed: a space that is known may have the pairs.
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

/// If R has the residuals of the first pairs, and the other eigenvalues of S lie at least `gap` below
/// these Ritz values, none of them is wrong by more than ||R||^2 / gap (B. N. Parlett, The Symmetric
/// Eigenvalue Problem, 1980, section 11.7). The gap is taken from the next Ritz value.
bool BlockDavidson::are_values_exact(const SymmetricEigenpairs& ritz,
                                     const Matrix& residuals) const {
  if (exact_ == Exact::kPairs || size_ <= count_) {
    return false;
  }
  const double gap = ritz.values[size_ - count_] - ritz.values[size_ - count_ - 1];
  return residuals.leftCols(count_).squaredNorm() <=
         kValueTolerance * std::abs(ritz.values[size_ - 1]) * gap;
}

/// Those of the Ritz pairs from number `first` on, of which `best` has the vectors s.
Matrix BlockDavidson::residuals_of(const SymmetricEigenpairs& ritz, const Matrix& best,
                                   Index first) const {
  Matrix residuals = matrix_product(products(), best);
  const Vector thetas = ritz.values.segment(size_ - first - best.cols(), best.cols()).reverse();
  subtract_product(residuals, basis(), scaled_columns(best, thetas));
  return residuals;
}

/// The residuals of the first pairs that have not converged, and of those behind them, or what a
/// correction makes of them.
Matrix BlockDavidson::next_block(const SymmetricEigenpairs& ritz, bool& has_converged) {
  const Index examined = std::min(size_, std::max(count_, block_));
  const Matrix best = reversed_columns(ritz.vectors.rightCols(examined));
  const Matrix residuals = residuals_of(ritz, best, 0);
  const double tolerance = exact_ == Exact::kNearly ? kNearResidual : kTolerance;
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

/// The corrections of the `chosen` pairs. `best` and `residuals` have all that were examined. A pass
/// over large data takes as long for few columns as for a whole block. So pairs behind those that were
/// examined fill it: they come to the front when variables leave.
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

/// If a Ritz value is below the eigenvalue of the same number of S on the heavy variables, the space
/// lacks one of their first eigenvectors: with all of them, none would be. This is so after variables
/// have left, if a pair comes to the front that nobody has sought. Its residual leads to an eigenpair
/// far below, and so the eigenvector that the space has least of takes the place of its correction.
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

/// Makes this column of V orthogonal to those before it, and of unit length. If it lies in their
/// span, a random vector takes its place. It had the length `given`, and is orthogonal to the
/// first size_ columns but for the rounding of that.
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
  // What lies in the span of V is taken from all columns at once: V passes through memory once.
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
  // What belongs to no row above the new block is symmetric but for rounding.
  projection_.block(size_ - added, size_ - added, added, added) =
      symmetric_part(overlap.bottomRows(added));
}

/// Keeps the best Ritz vectors alone. T becomes diag(theta).
void BlockDavidson::shrink(const SymmetricEigenpairs& ritz, Index kept) {
  const Matrix best = ritz.vectors.rightCols(kept);
  space_.basis.leftCols(kept) = matrix_product(basis(), best);
  space_.products.leftCols(kept) = matrix_product(products(), best);
  projection_.setZero();
  projection_.diagonal().head(kept) = ritz.values.tail(kept);
  size_ = kept;
}

/// The columns that are left for the next solve.
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
  for (int step = 0; step < kMostSteps; ++step) {
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
    // Too small a space may be invariant, and have no residuals.
    extend(block.cols() > 0 ? block : random_block());
  }
  throw NumericalError(
      fmt::format("block Davidson did not find {} eigenvalues in {} steps", count_, kMostSteps));
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
