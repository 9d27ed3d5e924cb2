#include "spca/methods/orthogonal/common_support_bound.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "spca/covariance/shifted_covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/pairs/overlap_tree.h"
#include "spca/solving/budget.h"

namespace spca {
namespace {

// At most this share of a sum of eigenvalues is rounding of its decomposition.
constexpr double kEigenvalueRounding = 1e-12;

// At most this multiple of the supports' size: the second bound is computed only if the variables
// taken and those that remain are no more than that. With many, it is weaker than the first one.
// Chosen by trial, not measured.
constexpr Index kPartOfWhole = 3;
// The division by supports has this share of the time, and the one by variables the rest. Chosen by
// trial, not measured.
constexpr double kShareOfSupportSearch = 0.2;
// A bound that is nearer to the value is not lowered further.
constexpr double kAccuracy = 1e-8;

double common_value(const Matrix& matrix, Index r) {
  const Vector values = symmetric_eigenvalues(matrix);
  return values.tail(std::min(r, values.size())).sum() * (1 + kEigenvalueRounding);
}

/// The largest tr S_II over |I| = k, from the variances.
double largest_trace(Vector variances, Index k) {
  std::nth_element(variances.begin(), variances.begin() + (k - 1), variances.end(),
                   std::greater<>());
  return variances.head(k).sum() * (1 + kEigenvalueRounding);
}

Matrix principal_part(const Matrix& matrix, const Support& support) {
  return selected(matrix, support, support);
}

/// Finds g(t) for one t after the other. Variables are in descending order of variance.
class CommonSupportSearch {
 public:
  CommonSupportSearch(Matrix matrix, Index r, Budget& budget)
      : matrix_(std::move(matrix)), r_(r), budget_(budget) {}

  /// Returns a bound on f of any k variables. `known` is f of at most k variables, or 0.
  double bound(Index k, double known) {
    most_ = {0};
    for (Index t = 1; t <= k; ++t) {
      most_.push_back(matrix_.diagonal().head(t).sum() * (1 + kEigenvalueRounding));
      if (t > r_) {
        const auto before = static_cast<std::size_t>(t - 1);
        most_.back() = std::min(most_.back(), most_[before] + most_[1]);
        most_.back() = std::min(most_.back(), searched(t, t == k ? known : 0));
      }
    }
    return most_.back();
  }

  /// The best support of the last search; empty if none is better than the known value.
  const Support& support() const { return support_; }

 private:
  double searched(Index t, double known) {
    k_ = t;
    best_ = known;
    open_ = 0;
    taken_.clear();
    support_.clear();
    search(0, 0);
    return std::max(best_, open_);
  }

  /// Returns a bound on f of the supports that add variables from `next` on to `taken_`, whose f is
  /// `value`.
  double bound_of(Index next, double value) const {
    const Index left = k_ - std::ssize(taken_);
    const double bound = value + most_[static_cast<std::size_t>(left)];
    const Index rest = matrix_.rows() - next;
    if (left == 0 || std::ssize(taken_) + rest > kPartOfWhole * k_) {
      return bound;
    }
    Support all = taken_;
    for (Index i = next; i < matrix_.rows(); ++i) {
      all.push_back(i);
    }
    return std::min(bound, value_of(all));
  }

  double value_of(const Support& support) const {
    return common_value(principal_part(matrix_, support), r_);
  }

  /// Searches the supports that add variables from `next` on to `taken_`. The supports that are not
  /// searched when time is up count with their bound.
  void search(Index next, double value) {
    const Index left = k_ - std::ssize(taken_);
    if (left == 0) {
      if (value > best_) {
        best_ = value;
        support_ = taken_;
      }
      return;
    }
    for (Index i = next; i + left <= matrix_.rows(); ++i) {
      // The supports that are left add no variable before i to `taken_`.
      const double bound = bound_of(i, value);
      if (bound <= best_) {
        return;
      }
      if (!budget_.next(best_)) {
        open_ = std::max(open_, bound);
        return;
      }
      taken_.push_back(i);
      const double grown = value_of(taken_);
      if (bound_of(i + 1, grown) > best_) {
        search(i + 1, grown);
      }
      taken_.pop_back();
    }
  }

  Matrix matrix_;
  Index r_;
  Budget& budget_;
  std::vector<double> most_;  // g(0), g(1), ..., or bounds on them
  Index k_ = 0;               // size of the supports that are searched
  double best_ = 0;
  double open_ = 0;  // the largest bound of a part that was not searched
  Support taken_;
  Support support_;  // of the best value, unless that was known
};

}  // namespace

CommonSupportBound common_support_bound(const Covariance& covariance, Index r, Index k,
                                        const Support& known, double seconds) {
  const Index p = covariance.variables();
  if (r < 1 || k < r || k > p) {
    return {};
  }
  // The bounds need a positive semidefinite matrix.
  const ShiftedCovariance shifted(covariance);
  if (p > kMostCommonVariables) {
    return {.value = largest_trace(shifted.semidefinite().diagonal(), k) -
                     static_cast<double>(r) * shifted.shift()};
  }
  const Matrix matrix = shifted.semidefinite().submatrix(all_variables(p));
  Support order = all_variables(p);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return matrix(a, a) > matrix(b, b); });
  const bool has_known = !known.empty() && std::ssize(known) <= k;
  double value = has_known ? common_value(principal_part(matrix, known), r) : 0;
  Budget budget({.seconds = seconds, .iterations = std::numeric_limits<Index>::max()});
  Budget for_supports = budget.part(kShareOfSupportSearch);
  CommonSupportSearch search(principal_part(matrix, order), r, for_supports);
  CommonSupportBound bound;
  bound.value = search.bound(k, value);
  for (const Index place : search.support()) {
    bound.support.push_back(order[static_cast<std::size_t>(place)]);
  }
  std::sort(bound.support.begin(), bound.support.end());
  if (bound.support.empty() && has_known) {
    bound.support = known;
  }
  if (!bound.support.empty()) {
    value = common_value(principal_part(matrix, bound.support), r);
  }
  if (const double target = value * (1 + kAccuracy); bound.value > target && target > 0) {
    OverlapTree tree(matrix, std::vector<Index>(static_cast<std::size_t>(r), k),
                     PairConditions::common(r, k, matrix.rows()), target);
    tree.run(std::numeric_limits<Index>::max(), 1, budget);
    bound.value = std::min(bound.value, tree.bound());
  }
  bound.value -= static_cast<double>(r) * shifted.shift();
  return bound;
}

}  // namespace spca
