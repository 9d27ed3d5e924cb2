#include "spca/spectrum/complement_bound.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/spectrum/eigen_patience.h"
#include "spca/spectrum/heavy_variables.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

/// Number of vectors in a block. A product of large data with four costs hardly more than with one;
/// eight make the bound sharper.
constexpr Index kVectorsOfLarge = 4;
constexpr Index kVectors = 8;
/// The limit of memory never allows fewer steps than this.
constexpr Index kLeastSteps = 12;
/// A Ritz value above the last value found counts as missed once its residual is below this share
/// of the largest value. Stopping earlier would miss other copies that appear meanwhile.
constexpr double kMissedResidual = 1e-3;
/// At most this number of distinct Ritz values are returned as missed at a time.
constexpr Index kMostMissed = 4;
/// At least this share of a missed vector must be left after projection to count as a new
/// direction.
constexpr double kOwnDirection = 1e-6;
/// Rounding of a Ritz value, relative to the largest magnitude so far.
constexpr double kRitzRounding = 1e-14;
/// A block whose norm is at most this share of the largest magnitude is rounding, and the space is
/// then invariant.
constexpr double kInvariant = 1e-14;

/// Returns the delta of (1) for the probability of this draw.
double least_length(Index b, int draw) {
  const double half = 0.5 * static_cast<double>(b);
  const double probability = std::ldexp(kMissProbability, -draw - 1);
  return std::sqrt(2 * std::pow(probability * std::tgamma(half + 1), 1 / half));
}

/// Returns a seed that depends on every bit of V: V may come from an earlier search, and would not
/// be independent of the same random numbers drawn again. The hash is FNV-1a (Fowler, Noll, Vo),
/// word by word.
std::uint64_t seed_of(const Matrix& vectors, int draw) {
  std::uint64_t hash = 0xcbf29ce484222325 + static_cast<std::uint64_t>(draw);
  for (const double entry : vectors.reshaped()) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(entry)) * 0x100000001b3;
  }
  return hash;
}

/// The recurrence beta_{j+1} p_{j+1}(x) = (x - alpha_j) p_j(x) - beta_j p_{j-1}(x), and its matrix.
struct Recurrence {
  double first = 0;           // p_0
  std::vector<double> alpha;  // m
  std::vector<double> beta;   // m: beta_{j+1} connects step j with step j + 1

  Index size() const { return std::ssize(alpha); }

  /// Returns true if x is above all Ritz values: p_0(x) ... p_m(x) are then positive. `sum`
  /// receives the sum of their squares, or, once it is huge, a partial sum.
  bool is_above(double x, double& sum) const {
    // Only the signs matter once the sum is known to be huge.
    constexpr double kHuge = 1e100;
    double before = 0;
    double now = first;
    sum = 0;
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      if (sum < kHuge) {
        sum += now * now;
      }
      const double from_before = j > 0 ? beta[j - 1] * before : 0.0;
      double next = (x - alpha[j]) * now - from_before;
      if (!(next > 0)) {
        return false;
      }
      next /= std::max(beta[j], std::numeric_limits<double>::min());
      before = now;
      now = next;
      if (now > kHuge && sum >= kHuge) {
        before /= now;
        now = 1;
      }
    }
    sum += now * now;
    return true;
  }

  Matrix matrix() const {
    Matrix t = Matrix::Zero(size(), size());
    for (Index j = 0; j < size(); ++j) {
      t(j, j) = alpha[static_cast<std::size_t>(j)];
      if (j > 0) {
        t(j, j - 1) = t(j - 1, j) = beta[static_cast<std::size_t>(j - 1)];
      }
    }
    return t;
  }
};

/// Returns, to `resolution`, the least x above `low` at which `holds` is true; it is true at
/// `high`.
template <class Condition>
double least_holding(double low, double high, double resolution, const Condition& holds) {
  while (high - low > resolution) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) {
      break;
    }
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

class ComplementSearch {
 public:
  ComplementSearch(const SymmetricOperator& matrix, const RitzSpace& found, int draw);
  ComplementBound run(double goal, double accepted);

 private:
  void leave_out_further(const KnownSpace& further);
  bool step();
  double largest_ritz_value() const;
  double bound() const;
  double with_left_out(double bound) const;
  ComplementBound missed(double above, bool is_over) const;

  const SymmetricOperator& matrix_;
  Matrix vectors_;  // p x r: the vectors found, and the further ones left out of the search
  double last_;     // the last value found
  double norm_;     // the largest magnitude of a Ritz value so far
  // The largest value and the residual of the further vectors left out of the search.
  double largest_left_out_ = -std::numeric_limits<double>::infinity();
  double residual_left_out_ = 0;
  double delta_;
  std::vector<Matrix> blocks_;  // orthonormal in the inner product of blocks; the last one is next
  Recurrence recurrence_;
};

ComplementSearch::ComplementSearch(const SymmetricOperator& matrix, const RitzSpace& found,
                                   int draw)
    : matrix_(matrix),
      vectors_(found.pairs.vectors),
      last_(found.pairs.values[found.pairs.values.size() - 1]),
      norm_(largest_magnitude(found.pairs.values)) {
  Random random(seed_of(vectors_, draw));
  leave_out_further(found.further);
  delta_ = least_length(matrix.block, draw);
  Matrix block = Matrix::NullaryExpr(matrix.size, matrix.block,
                                     [&random](Index, Index) { return random.normal(); });
  for (int pass = 0; pass < 2; ++pass) {
    subtract_product(block, vectors_, transposed_product(vectors_, block));
  }
  const double length = block.norm();
  recurrence_.first = 1 / length;
  blocks_.push_back(block / length);
}

/// Leaves the first Ritz vectors F out of the search, as many as keep the cost of their residuals
/// R = SF - F diag(theta) below half the gap between the last value found and theta_1. The cost is
/// that of with_left_out().
void ComplementSearch::leave_out_further(const KnownSpace& further) {
  const Index count = further.basis.cols();
  double squares = 0;
  double first = 0;
  for (Index j = 0; j < count; ++j) {
    const auto vector = further.basis.col(j);
    const auto product = further.products.col(j);
    const double theta = vector.dot(product);
    if (j == 0) {
      first = theta;
    }
    if (j > 0 && squares <= 0.25 * (last_ - first) * (first - theta)) {
      largest_left_out_ = first;
      residual_left_out_ = std::sqrt(squares);
      vectors_.conservativeResize(Eigen::NoChange, vectors_.cols() + 1);
      vectors_.rightCols(1) = further.basis.col(j - 1);
    } else if (j > 0) {
      return;
    }
    squares += (product - theta * vector).squaredNorm();
  }
}

/// One step of Lanczos. Returns false if the space is invariant.
bool ComplementSearch::step() {
  Matrix product;
  matrix_.multiply(blocks_.back(), product);
  const double alpha = inner_product(blocks_.back(), product);
  // Orthogonalised twice against V and all blocks: rounding would bring converged vectors back.
  for (int pass = 0; pass < 2; ++pass) {
    subtract_product(product, vectors_, transposed_product(vectors_, product));
    for (const Matrix& block : blocks_) {
      product -= inner_product(block, product) * block;
    }
  }
  const double beta = product.norm();
  recurrence_.alpha.push_back(alpha);
  recurrence_.beta.push_back(beta);
  norm_ = std::max(norm_, std::abs(alpha));
  if (!(beta > kInvariant * norm_)) {
    return false;
  }
  blocks_.push_back(product / beta);
  return true;
}

double ComplementSearch::largest_ritz_value() const {
  double sum = 0;
  double low = -std::numeric_limits<double>::infinity();
  double reach = 0;  // the radius of Gershgorin's theorem
  for (std::size_t j = 0; j < recurrence_.alpha.size(); ++j) {
    low = std::max(low, recurrence_.alpha[j]);
    reach = std::max(reach, recurrence_.beta[j]);
  }
  return least_holding(low, low + 2 * reach + kRitzRounding * norm_, kRitzRounding * norm_,
                       [&](double x) { return recurrence_.is_above(x, sum); });
}

/// Returns the x at which (2) is delta^2, increased by its rounding.
double ComplementSearch::bound() const {
  double sum = 0;
  const auto holds = [&](double x) {
    return recurrence_.is_above(x, sum) && sum >= 1 / (delta_ * delta_);
  };
  const double low = largest_ritz_value();
  double reach = norm_ * kRitzRounding;
  while (!holds(low + reach)) {
    reach *= 2;
  }
  const double resolution = std::max(1e-3 * reach, kRitzRounding * norm_);
  return least_holding(low + 0.5 * reach, low + reach, resolution, holds) + kRitzRounding * norm_;
}

/// Returns the bound with F included. In the basis of F and its complement, the matrix B is
/// [diag(theta) R'; R B'] with B' <= bound I. The largest eigenvalue of this matrix is at most that
/// of [theta_1 ||R||; ||R|| bound].
double ComplementSearch::with_left_out(double bound) const {
  return residual_left_out_ > 0 && std::isfinite(bound)
             ? larger_eigenvalue(largest_left_out_, residual_left_out_, bound)
             : std::max(bound, largest_left_out_);
}

/// Returns the vectors of the Ritz values above `above`, if they have nearly converged or
/// `is_over`.
ComplementBound ComplementSearch::missed(double above, bool is_over) const {
  const SymmetricEigenpairs ritz = symmetric_eigenpairs(recurrence_.matrix());
  const Index m = recurrence_.size();
  const double residual = recurrence_.beta.back() * std::abs(ritz.vectors(m - 1, m - 1));
  if (!is_over && residual > kMissedResidual * norm_) {
    return {};
  }
  const Index count = std::min(kMostMissed, (ritz.values.array() > above).count());
  const Index b = blocks_.front().cols();
  Matrix span = Matrix::Zero(matrix_.size, b * count);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < m; ++j) {
      span.middleCols(i * b, b) +=
          ritz.vectors(j, m - 1 - i) * blocks_[static_cast<std::size_t>(j)];
    }
  }
  subtract_product(span, vectors_, transposed_product(vectors_, span));
  const Matrix basis = orthonormal_basis(span, kOwnDirection);
  Matrix products;
  matrix_.multiply(basis, products);
  const SymmetricEigenpairs pairs =
      symmetric_eigenpairs(symmetric_part(transposed_product(basis, products)));
  const Index kept = std::max<Index>((pairs.values.array() > above).count(), 1);
  const Matrix best = reversed_columns(pairs.vectors.rightCols(kept));
  return {
      .largest = kNotMeasured,
      .missed = {.basis = matrix_product(basis, best), .products = matrix_product(products, best)}};
}

ComplementBound ComplementSearch::run(double goal, double accepted) {
  if (vectors_.cols() >= matrix_.size || !std::isfinite(recurrence_.first)) {
    return {.largest = with_left_out(-std::numeric_limits<double>::infinity()), .missed = {}};
  }
  const double block_bytes = static_cast<double>(blocks_.front().size() * sizeof(double));
  const Index step_limit = std::clamp<Index>(static_cast<Index>(kMostLanczosBytes / block_bytes),
                                             kLeastSteps, kMostLanczosSteps);
  for (;;) {
    const bool is_invariant = !step();
    const bool is_over = is_invariant || recurrence_.size() >= step_limit;
    const double largest = largest_ritz_value();
    norm_ = std::max(norm_, std::abs(largest));
    if (largest > last_ + accepted) {
      ComplementBound found = missed(last_ + accepted, is_over);
      if (found.missed.basis.cols() > 0) {
        return found;
      }
      continue;
    }
    const double next = is_invariant ? largest + kRitzRounding * norm_ : bound();
    const double limit = with_left_out(next);
    if (limit <= goal || next <= largest + accepted || is_over) {
      return {.largest = limit, .missed = {}};
    }
  }
}

}  // namespace

SymmetricOperator operator_of(const Covariance& covariance) {
  return {.size = covariance.variables(),
          .block = is_large(covariance) ? kVectorsOfLarge : kVectors,
          .multiply = [&covariance](const Matrix& v, Matrix& out) {
            EigenPatience::ask();
            covariance.multiply_block(v, out);
          }};
}

ComplementBound bound_complement(const SymmetricOperator& matrix, const RitzSpace& found, int draw,
                                 double goal, double accepted) {
  return ComplementSearch(matrix, found, draw).run(goal, accepted);
}

}  // namespace spca
