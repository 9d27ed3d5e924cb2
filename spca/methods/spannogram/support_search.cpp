#include "spca/methods/spannogram/support_search.h"

#include <algorithm>
#include <cmath>
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

// FNV-1a over the indices. If two supports have the same hash, the second is not scored. That
// happens once in 2^64 pairs.
std::uint64_t hash_of(const Support& support) {
  std::uint64_t hash = 14695981039346656037U;
  for (const Index i : support) {
    hash = (hash ^ static_cast<std::uint64_t>(i)) * 1099511628211U;
  }
  return hash;
}

// Sums of squares that differ by less than this share are equal except for rounding.
constexpr double kEqualSquares = 1e-12;

// The limits of effort below were chosen by trial, not measured.

// Cardinality from which a bound on the eigenvalue is worth computing before the eigenvalue itself.
constexpr std::size_t kWorthABound = 32;
// At most this number of products of S_II with a vector are spent on the bound; an eigenvector to
// full accuracy takes about twenty.
constexpr int kProductsOfBound = 8;

/// Returns true if some power steps from `x` prove that lambda_max of a positive semidefinite A is
/// at most `limit`: for mu >= lambda_2 and a unit x with theta = x'Ax > mu,
///
///   lambda_max <= theta + ||Ax - theta x||^2 / (theta - mu)        (Temple)
///
/// since sum_i (lambda_i - lambda_max) (lambda_i - mu) x_i^2 >= 0 with x_i the coordinates of x in
/// the eigenvectors. `second` bounds lambda_2, and so does the root of ||A||_F^2 - theta^2.
///
/// Source  G. Temple, Proc. Royal Society A 119:276, 1928
bool is_at_most(const Matrix& a, Vector x, double second, double limit) {
  const double squares = a.squaredNorm();
  if (squares <= limit * limit) {
    return true;  // lambda_max <= ||A||_F
  }
  Vector product(x.size());
  for (int step = 0; step < kProductsOfBound; ++step) {
    x.normalize();
    product.noalias() = a * x;
    const double theta = x.dot(product);
    if (!(theta <= limit)) {
      return false;
    }
    const double mu = std::min(second, std::sqrt(std::max(squares - theta * theta, 0.0)));
    if (theta > mu && theta + (product - theta * x).squaredNorm() / (theta - mu) <= limit) {
      return true;
    }
    x = product;
  }
  return false;
}

}  // namespace

void SupportSearch::consider(const Support& support, double value) {
  if (value > best_low_rank_value_) {
    best_low_rank_value_ = value;
    best_low_rank_support_ = support;
  }
  // The tests run cheapest first; only supports that pass the bounds enter the hash set.
  if (!on_covariance_ || !may_be_best(value) || !may_be_best(low_rank_value(reduced_, support)) ||
      !seen_.insert(hash_of(support)).second) {
    return;
  }
  ++scored_;
  if (support.size() >= kWorthABound && is_ruled_out(support)) {
    return;
  }
  SupportOptimum optimum = best_on_support(covariance_, support);
  if (optimum.value > best_value_) {
    best_value_ = optimum.value;
    best_ = std::move(optimum.component);
  }
}

/// Returns true if a support of this value on S_d, or on WW', may be better on S than the best so
/// far: S adds at most lambda_{d+1} to either (low_rank.h).
bool SupportSearch::may_be_best(double value) const {
  return value + low_rank_.residual + kEqualSquares * low_rank_.eigenvalues[0] > best_value_;
}

/// Returns true if is_at_most() proves that the support is no better on S than the best so far.
/// lambda_2(S_II) <= lambda_2(S), by Cauchy's interlacing.
bool SupportSearch::is_ruled_out(const Support& support) const {
  const double second = low_rank_.eigenvalues.size() > 1
                            ? low_rank_.eigenvalues[1] + low_rank_.error
                            : low_rank_.residual;
  const Vector start = times_vector(selected_rows(low_rank_.factor, support),
                                    best_direction(low_rank_.factor, support).c);
  return is_at_most(covariance_.submatrix(support), start, second * (1 + kEqualSquares),
                    best_value_ - kEqualSquares * low_rank_.eigenvalues[0]);
}

void SupportSearch::consider(const Support& support) {
  if (!support.empty() && evaluated_.insert(hash_of(support)).second) {
    consider(support, low_rank_value(low_rank_.factor, support));
  }
}

void SupportSearch::consider_ascents(Index k) {
  const Index d = low_rank_.factor.cols();
  for (Index axis = 0; axis < d; ++axis) {
    consider(ascend_in_span(low_rank_.factor, k, Vector::Unit(d, axis)));
  }
}

Component SupportSearch::best() const {
  if (on_covariance_ || best_low_rank_support_.empty()) {
    return best_;
  }
  return best_on_support(covariance_, best_low_rank_support_).component;
}

}  // namespace spca
