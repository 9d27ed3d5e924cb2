#pragma once

/// How much variables that are no part of the S formed can add to a support.
///
/// Let a support consist of A, of which S is formed, and of m others, B. Row sums of S among the others
/// bound lambda_max(S_BB) by a + m b, a and b for all m. With mu the prices, and if lambda_max on both
/// exceeds h + mu(A),
///
///   lambda <= lambda_max(S_AA) + ||S_AB||^2 / (lambda - lambda_max(S_BB))
///          <= lambda_max(S_AA) + m max over j of the sum over A of S_lj^2 / (h + mu(A) - a - m b) (1)
///
/// A has k - m variables, so that what is divided by is
///
///   h - a - k b + the sum over A of mu_l + b
///
/// Besides, no j adds more than S_jj. So a support is worth no more than h beyond its prices, or each of
/// its m others adds s at most, s the largest over j of the less of S_jj and the largest ratio in (1)
/// over all sets A of k - 1 variables or fewer. The best set for a ratio t has the largest S_lj^2 - t
/// (mu_l + b).
///
/// Source  (1) is Schur's complement; ratios: W. Dinkelbach, Management Science 13:492, 1967; the rest
///         is this project's

#include <functional>

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"

namespace spca {

class OutsideVariables {
 public:
  /// There are none.
  OutsideVariables() = default;
  /// Those beyond the core, which ascends, for supports of `most` variables or fewer. Looks at the columns
  /// of S of the core, and of the largest variances of the others.
  OutsideVariables(const Covariance& covariance, const Support& core, Index most);

  bool is_empty() const { return !(variance_ > 0); }
  /// s. `prices`: mu >= 0 of the core; `least`: h; k <= `most`.
  double most_added(const Vector& prices, double least, Index k) const;
  /// Calls `visit` with the variance of each, falling, and |S_lj| for all l of the core. The last
  /// call has limits of both for all that follow. `core`: the variances of the core.
  void visit(const Vector& core,
             const std::function<void(double variance, const Vector& sizes)>& visit) const;
  /// The same for S / scale.
  OutsideVariables over(double scale) const;

 private:
  /// lambda_max of m of them is no more than all + m each.
  struct Together {
    double all = 0;
    double each = 0;
  };
  static Together bound_together(const Covariance& covariance, const Support& falling,
                                 const Vector& variances, Index most);

  double variance_ = 0;  // the largest of them
  Together together_;
  Vector variances_;  // of those that follow, falling
  Matrix squares_;    // S_lj^2, a column each
  double rest_ = 0;   // the largest variance of all others
};

}  // namespace spca
