#pragma once

#include "spca/algebra/covariance.h"

namespace spca {

/// What a solver hands in with an answer so that the harness can bound the optimum: a hint, which
/// check() has no need to trust.
class BoundCertificate {
 public:
  virtual ~BoundCertificate() = default;
  /// An upper bound on v'Sv over unit v with at most k nonzeros, computed from S.
  virtual double check(const Covariance& covariance, Index k) const = 0;
};

}  // namespace spca
