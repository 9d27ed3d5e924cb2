#pragma once

/// Which variables can be in a support of k variables whose value exceeds one that is known, for
/// data of so many variables that S is not formed and whose variances differ (words): by the
/// relaxation for a given cardinality (cardinality_relaxation.h) of those of largest variance.
///
/// Where the price is no less than any other variance, their h_j are zero, so that the bound holds
/// for all variables; and every support with such a j is bounded by the bound - price + S_jj, since
/// a_j a_j' is in place of h_j h_j' and one variable less is paid for.

#include <functional>
#include <limits>
#include <memory>

#include "spca/algebra/covariance.h"
#include "spca/methods/bounds/cardinality_relaxation.h"

namespace spca {

struct RelaxedElimination {
  Index considered = 0;  // variables of largest variance that the points are about; 0: none
  std::vector<std::shared_ptr<const RelaxationPoint>> points;
  Support support;  // the best one that was met, and its value
  double value = 0;
};

/// Of more and more variables of largest variance until some are ruled out, or kMostConsidered; the
/// elimination says nothing where S has no data form (it may be indefinite). Ends early where
/// `keep_going` says so.
RelaxedElimination find_elimination(const Covariance& covariance, Index k,
                                    const std::function<bool()>& keep_going);

/// What the points prove, computed anew from S.
struct RelaxedCandidates {
  /// Ascending: no support with another variable has a value above the one given.
  Support variables;
  /// On the value of any support; infinity where the points prove none.
  double bound = std::numeric_limits<double>::infinity();
};
RelaxedCandidates relaxed_candidates(const Covariance& covariance, Index k, double value,
                                     const RelaxedElimination& elimination);

/// An upper bound on v'Sv over unit vectors of no more nonzeros than v has, from the relaxation
/// climbed from the support of v; NaN where v has none, or where more than kMostConsidered
/// variables matter.
double relaxation_bound(const Covariance& covariance, const Component& v);

inline constexpr Index kFirstConsidered = 150;
inline constexpr Index kMostConsidered = 1350;

}  // namespace spca
