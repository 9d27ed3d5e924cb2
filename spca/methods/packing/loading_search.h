#pragma once

/// The largest lambda_max(S_II) less the prices of I, by branch and bound on loading_bound.h.
///
/// The supports are divided by their leaders. A family that its bound leaves open is divided by the
/// candidate that may lift lambda most: supports that hold it, and supports that do not. The family of largest
/// bound comes first. Nothing depends on the clock but the end.
///
/// Source  this project

#include <algorithm>
#include <functional>
#include <map>

#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/packing/loading_bound.h"

namespace spca {

class LoadingSearch {
 public:
  /// `matrix`: S, p x p, positive semidefinite; it must outlive the object. `pricing` has p prices
  /// and a target; 1 <= k <= p. `keep_going` is asked now and then.
  /// `strongest`: the entries of S; it must outlive the object, too.
  LoadingSearch(const Matrix& matrix, SupportPricing pricing, Index k, StrongestEntries& strongest,
                std::function<bool()> keep_going);
  LoadingSearch(const LoadingSearch&) = delete;
  LoadingSearch& operator=(const LoadingSearch&) = delete;

  /// Bounds the supports of each leader; if `keep_going` says no meanwhile, there is no bound.
  void begin();
  /// Whether no support exceeds the target, or the best one found is an optimum.
  bool is_finished() const {
    return has_begun_ &&
           (open_.empty() || !(open_.largest_bound() > std::max(value_, pricing_.target)));
  }
  /// Divides a few families. Only if begun and not finished.
  void advance();

  /// No `count` disjoint supports are worth more on average, if each is worth the target at least:
  /// they have different leaders, so that the largest bounds of as many leaders count. It never
  /// rises.
  double bound(Index count) const;
  /// The best support found, k variables; empty: none is. And what it is worth.
  const Support& support() const { return support_; }
  double value() const { return value_; }
  /// The best support of each leader for which one was found that exceeds the target.
  std::vector<Support> supports() const;
  /// Multiplications so far, roughly.
  double work() const { return bound_.work(); }

 private:
  struct Node {
    double bound = 0;
    LoadingFamily family;
  };
  void take(LoadingFamily family, int times);

  const Matrix& matrix_;
  SupportPricing pricing_;
  Index k_;
  std::function<bool()> keep_going_;
  LoadingBound bound_;
  bool has_begun_ = false;
  OpenNodes<Node> open_;
  std::map<int, PricedSupport> found_;  // of each leader, the best that exceeds the target
  double value_ = -std::numeric_limits<double>::infinity();
  Support support_;
};

/// The mean of the `count` largest, of which there are as many that are `floor` as are missing.
double mean_of_largest(std::vector<double> bounds, double floor, Index count);

}  // namespace spca
