#pragma once

#include "spca/algebra/covariance.h"

namespace spca {

/// What a solver of one component hands in with its answer so that the optimum can be bounded:
/// points, dual matrices, the splits of a search. It says where to look for a bound, and has no
/// need to be right: check() computes the bound from S alone.
class BoundCertificate {
 public:
  virtual ~BoundCertificate() = default;

  /// An upper bound on v'Sv over unit v with at most k nonzeros, in the units of S; infinity if
  /// this certifies none. Whatever the certificate holds, the bound is not below the optimum but
  /// for rounding. 1 <= k <= p. It may take as long as the solver did.
  virtual double check(const Covariance& covariance, Index k) const = 0;
};

}  // namespace spca
