#pragma once

#include <limits>
#include <vector>

#include "spca/algebra/covariance.h"
#include "spca/solving/budget.h"

namespace spca {

/// What a solver hands in with its answer so that the optimum can be bounded: points, dual matrices,
/// prices, the splits of a search. It says where to look for a bound, and has no need to be right:
/// check() and check_disjoint() compute the bound from S alone.
class BoundCertificate {
 public:
  virtual ~BoundCertificate() = default;

  /// An upper bound on v'Sv over unit v with at most k nonzeros, in the units of S; infinity if
  /// this certifies none. Whatever the certificate holds, the bound is not below the optimum but
  /// for rounding. 1 <= k <= p. It ends soon after the budget's time, and budget.out_of_time() says
  /// so: the bound then holds too, but may be larger than the certificate could show, or infinity.
  double check(const Covariance& covariance, Index k, Budget& budget) const {
    return do_check(covariance, k, budget);
  }
  /// The same with all the time that it takes.
  double check(const Covariance& covariance, Index k) const {
    Budget unlimited({.iterations = std::numeric_limits<Index>::max()});
    return do_check(covariance, k, unlimited);
  }
  /// The same for an upper bound on Tr(V'SV) over r unit components with at most k_j nonzeros whose
  /// supports are disjoint.
  double check_disjoint(const Covariance& covariance, const std::vector<Index>& cardinality,
                        Budget& budget) const {
    return do_check_disjoint(covariance, cardinality, budget);
  }

 protected:
  /// As check(). Asks budget.next() in every loop that can take long, and before every step that can.
  virtual double do_check(const Covariance& covariance, Index k, Budget& budget) const = 0;
  /// As check_disjoint(). The default certifies nothing: infinity.
  virtual double do_check_disjoint(const Covariance&, const std::vector<Index>&, Budget&) const {
    return std::numeric_limits<double>::infinity();
  }
};

}  // namespace spca
