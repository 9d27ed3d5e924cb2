#pragma once

#include <limits>
#include <vector>

#include "spca/covariance/covariance.h"
#include "spca/solving/budget.h"

namespace spca {

/// A certificate that a solver returns with its answer, so that the optimum can be bounded: points,
/// dual matrices, prices, the splits of a search. It guides the check to a bound and need not be
/// correct: check(), check_disjoint() and check_orthogonal()
/// compute the bound from S alone.
class BoundCertificate {
 public:
  virtual ~BoundCertificate() = default;

  /// Returns an upper bound on v'Sv over unit v with at most k nonzeros, in the units of S;
  /// infinity if the certificate proves none. For any contents of the certificate, the bound is at
  /// least the optimum, up to rounding. 1 <= k <= p. The check ends soon after the budget's time,
  /// and then budget.out_of_time() is true: the bound still holds, but may be weaker than the
  /// certificate could prove, or infinity.
  double check(const Covariance& covariance, Index k, Budget& budget) const {
    return do_check(covariance, k, budget);
  }
  /// The same as check() above, without a time limit.
  double check(const Covariance& covariance, Index k) const {
    Budget unlimited({.iterations = std::numeric_limits<Index>::max()});
    return do_check(covariance, k, unlimited);
  }
  /// The same as check(), for an upper bound on Tr(V'SV) over r unit components with at most k_j
  /// nonzeros and disjoint supports.
  double check_disjoint(const Covariance& covariance, const std::vector<Index>& cardinality,
                        Budget& budget) const {
    return do_check_disjoint(covariance, cardinality, budget);
  }
  /// The same as check(), for an upper bound on Tr(V'SV) over r orthonormal components with at most
  /// k_j nonzeros.
  double check_orthogonal(const Covariance& covariance, const std::vector<Index>& cardinality,
                          Budget& budget) const {
    return do_check_orthogonal(covariance, cardinality, budget);
  }

 protected:
  /// Implements check(). Calls budget.next() in every long loop and before every long step.
  virtual double do_check(const Covariance& covariance, Index k, Budget& budget) const = 0;
  /// Implements check_disjoint(). The default proves nothing: infinity.
  virtual double do_check_disjoint(const Covariance&, const std::vector<Index>&, Budget&) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Implements check_orthogonal(). The default proves nothing: infinity.
  virtual double do_check_orthogonal(const Covariance&, const std::vector<Index>&, Budget&) const {
    return std::numeric_limits<double>::infinity();
  }
};

}  // namespace spca
