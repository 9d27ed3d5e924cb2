#include "spca/methods/ascent/support_swaps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"

namespace spca {
namespace {

/// Returns whether |a| is above |b|, beyond rounding.
bool is_above(double a, double b) { return std::abs(a) * (1 - kTiedByRounding) > std::abs(b); }

Support with(const Support& base, Index j) {
  Support support = base;
  support.insert(std::lower_bound(support.begin(), support.end(), j), j);
  return support;
}

}  // namespace

void SupportSwaps::set(Support support) {
  LeadingEigenpair pair = leading_eigenpair(covariance_.submatrix(support));
  value_ = pair.value;
  vector_ = std::move(pair.vector);
  columns_ = covariance_.columns(support);
  product_ = columns_ * vector_;
  support_ = std::move(support);
}

/// S_ij for the i of `base` and all j, |base| x p. `base` is a part of the support.
Matrix SupportSwaps::rows_of(const Support& base) const {
  const Support places = positions_among(support_, base);
  return selected_columns(columns_, places).transpose();
}

/// Entry j is true if lambda_max of `base` with j exceeds `level` >= lambda_max of base. Members of
/// the support are excluded.
std::vector<bool> SupportSwaps::exceeding(const Support& base, double level) const {
  std::vector<bool> result(static_cast<std::size_t>(covariance_.variables()), false);
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(covariance_.submatrix(base));
  // Ties go to the first: a variable must raise the level by more than rounding.
  level += kTiedByRounding * std::abs(level);
  // If a D_t equals the level, any b along its eigenvector lifts lambda_max above it.
  const double tiny = std::numeric_limits<double>::epsilon() * std::abs(level);
  const Vector weights = (level - pairs.values.array()).max(tiny).inverse();
  const Matrix shares = transposed_product(pairs.vectors, rows_of(base));
  for (Index j = 0; j < covariance_.variables(); ++j) {
    result[static_cast<std::size_t>(j)] =
        level - variances_[j] < shares.col(j).cwiseAbs2().dot(weights);
  }
  for (const Index i : support_) {
    result[static_cast<std::size_t>(i)] = false;
  }
  return result;
}

double SupportSwaps::value_with(const Support& base, Index j) const {
  return symmetric_eigenvalues(covariance_.submatrix(with(base, j)))[std::ssize(base)];
}

/// Returns the variable of largest |(Sv)_j|, or -1 if there is none.
Index SupportSwaps::likeliest(const std::vector<bool>& among) const {
  Index next = -1;
  for (Index j = 0; j < covariance_.variables(); ++j) {
    if (among[static_cast<std::size_t>(j)] && (next < 0 || is_above(product_[j], product_[next]))) {
      next = j;
    }
  }
  return next;
}

/// Returns the best variable to add to `base` and raises `level` to the value with it; returns -1
/// if no value exceeds `level`. Each pass keeps the variables that exceed the best so far. The one
/// of largest |(Sv)_j| is mostly near the best, so that few passes are needed.
Index SupportSwaps::best_addition(const Support& base, double& level) const {
  Index best = -1;
  std::vector<bool> tried(static_cast<std::size_t>(covariance_.variables()), false);
  for (;;) {
    std::vector<bool> open = exceeding(base, level);
    std::transform(open.begin(), open.end(), tried.begin(), open.begin(), std::greater<>());
    const Index next = likeliest(open);
    if (next < 0) {
      return best;
    }
    tried[static_cast<std::size_t>(next)] = true;
    if (const double value = value_with(base, next); value * (1 - kTiedByRounding) > level) {
      level = value;
      best = next;
    }
  }
}

void SupportSwaps::grow(const Support& start) {
  set(start);
  while (std::ssize(support_) < k_ && budget_.next(value_)) {
    double level = value_;
    const Index added = best_addition(support_, level);
    if (added < 0) {
      return;  // no variable raises the value; more of them would be zeros
    }
    set(with(support_, added));
  }
}

bool SupportSwaps::swap() {
  if (support_.size() < 2) {
    return false;  // the largest variance is the best
  }
  std::vector<Index> order(support_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(vector_[a]) < std::abs(vector_[b]); });
  double level = value_;
  Support best;
  for (const Index place : order) {
    if (!budget_.next(value_)) {
      return false;
    }
    Support base = support_;
    base.erase(base.begin() + place);
    const Index added =
        rule_ == SwapRule::kBest ? best_addition(base, level) : likeliest(exceeding(base, level));
    if (added >= 0) {
      best = with(base, added);
      if (rule_ == SwapRule::kFirst) {
        break;
      }
    }
  }
  if (best.empty()) {
    return false;
  }
  const double before = value_;
  const Support support = support_;
  set(std::move(best));
  if (value_ > before) {
    return true;
  }
  set(support);  // the gain was rounding
  return false;
}

}  // namespace spca
