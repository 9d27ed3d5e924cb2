#pragma once

/// How much variables that are no part of the S formed can add to a support.
///
/// Let v be the largest variance of these variables, and let a support consist of A, of which S is
/// formed, and of m others, B. With mu the prices, and if lambda_max on both exceeds h + mu(A),
///
///   lambda <= lambda_max(S_AA) + ||S_AB||^2 / (lambda - lambda_max(S_BB))
///          <= lambda_max(S_AA) + m max over j of the sum over A of S_lj^2 / (h + mu_l - k v)    (1)
///
/// for lambda_max(S_BB) <= m v, and the prices of A are no less than mu_l for each l of A. Besides,
/// no j adds more than S_jj. So a support is worth no more than h beyond its prices, or each of
/// its m others adds s at most, s the largest over j of the less of S_jj and the k - 1 largest terms
/// of the sum in (1).
///
/// Source  (1) is Schur's complement; the rest is this project's

#include <functional>

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"

namespace spca {

class OutsideVariables {
 public:
  /// There are none.
  OutsideVariables() = default;
  /// Those beyond the core, which ascends. Looks at the columns of S of the core.
  OutsideVariables(const Covariance& covariance, const Support& core);

  bool is_empty() const { return !(variance_ > 0); }
  /// s. `prices`: mu >= 0 of the core; `least`: h.
  double most_added(const Vector& prices, double least, Index k) const;
  /// Calls `visit` with the variance of each, falling, and |S_lj| for all l of the core. The last
  /// call has limits of both for all that follow. `core`: the variances of the core.
  void visit(const Vector& core,
             const std::function<void(double variance, const Vector& sizes)>& visit) const;
  /// The same for S / scale.
  OutsideVariables over(double scale) const;

 private:
  double variance_ = 0;  // v
  Vector variances_;     // of those that follow, falling
  Matrix squares_;       // S_lj^2, a column each
  double rest_ = 0;      // the largest variance of all others
};

}  // namespace spca
