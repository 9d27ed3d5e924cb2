#pragma once

/// Truncated power steps to fixed points of cardinality at most k, with refits: if the support does
/// not change, v becomes the leading eigenvector of S_II at once, which is the limit of the steps.

#include <vector>

#include "spca/methods/ascent/truncated_power.h"
#include "spca/solving/budget.h"

namespace spca {

class PowerFixedPoints {
 public:
  enum class Refits { kNone, kAtFixedPoints };

  /// Without refits, steps end if v'Sv rises by at most `tolerance` of itself. With refits, they
  /// end at a refitted v from which the next step rises no more than that or keeps the support. The
  /// arguments outlive the object.
  PowerFixedPoints(const Covariance& covariance, double tolerance, Budget& budget)
      : covariance_(covariance), tolerance_(tolerance), budget_(budget) {}

  /// Runs from `start`, of any cardinality, to a fixed point of cardinality at most k. Empty if it
  /// reaches the support of an earlier fixed point with refits, since it could only repeat its
  /// steps, or if S turns the start into zero. All calls with refits have the same k.
  PowerIterate reach(const Component& start, Index k, Refits refits);

 private:
  PowerIterate at(Component component) const;
  PowerIterate refitted_near(const Component& component) const;
  bool is_known(const Support& support) const;

  const Covariance& covariance_;
  double tolerance_;
  Budget& budget_;
  std::vector<Support> known_;
};

}  // namespace spca
