#pragma once

/// An upper bound on u_1'S u_1 + ... + u_r'S u_r over unit components with ||u_t||_0 <= k_t and
/// uncorrelated scores, u_s'S u_t = 0. The loadings need not be orthogonal.
///
/// For any h_t >= u_t'S u_t and any X, with Lambda = RXX'R and R = S^(1/2) (price_lift.h),
///
///   sum_t u_t'S u_t <= tr XX'
///                      + sum_t max { u'(S - Lambda / h_t)u : ||u|| = 1, ||u||_0 <= k_t }     (1)
///
/// The least such bound is found by the bundle method of price_bundle.h. If all supports can be
/// enumerated, a division by them follows (uncorrelated_tuples.h). The smaller the h_t, the
/// smaller is (1). The largest value of one component is one. If all cardinalities are equal, the
/// components may be in descending order of value. Then the t-th is at most 1/t of a bound B_t on t
/// components, and at most 1/(t-1) of B_{t-1}. So (1) is computed for 2, 3, ..., r components, and
/// for each number again with the h_t that follows from it.
///
/// The r largest eigenvalues bound the sum, too. The vectors w_t = R u_t / |R u_t| are orthonormal,
/// and u_t'S u_t = (w_t'R u_t)^2 <= w_t'S w_t.
///
/// Source  this project

#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/solving/budget.h"

namespace spca {

struct UncorrelatedRequest {
  const Matrix& matrix;             // S, p x p, positive semidefinite up to rounding
  std::vector<Index> cardinality;   // 1 <= k_t <= p, r of them
  std::vector<Support> known = {};  // supports that may be good
  bool of_loadings = false;         // the components are orthonormal, too
  double value = 0;                 // of known components
  double accuracy = 0;              // ends when the bound is within this of the value
  int threads = 1;
};

struct UncorrelatedBound {
  double value = std::numeric_limits<double>::infinity();
  Index oracles = 0;  // number of certified evaluations of (1)
};

/// The bound holds wherever the budget ends.
UncorrelatedBound uncorrelated_bound(const UncorrelatedRequest& request, Budget& budget);

}  // namespace spca
