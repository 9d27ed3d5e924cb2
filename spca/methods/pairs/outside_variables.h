#pragma once

/// Bounds how much variables that are not part of the S formed can add to a support.
///
/// Let a support consist of A, of which S is formed, and of m others, B. Row sums of S among the
/// others bound lambda_max(S_BB) by a + m b, a and b for all m. With x the eigenvector, and c =
/// S_BA x_A,
///
///   lambda ||x_A||^2 = x_A'S_AA x_A + c'(lambda - S_BB)^-1 c
///   c_j^2 <= ||x_A||^2 min(||S_Aj||^2, S_jj lambda_max(S_AA))
///
/// With mu the prices, and if lambda exceeds h + mu(A), each j of B adds no more to
/// lambda_max(S_AA) than
///
///   the sum over A of S_lj^2 / (h + mu(A) - a - m b)                                           (1)
///   S_jj h / (h - a - m b)                                                                     (2)
///
/// and all together add no more than the sum of S_jj. A has k - m variables. Let s_m be the
/// largest, over j, of the smaller of (2) and the largest (1) over all sets A of at most k - m
/// variables, and let s be the largest s_m. Then a support is worth at most h beyond its prices, or
/// each of its m others adds at most s_m. The best set for a ratio t has the largest S_lj^2 - t
/// mu_l.
///
/// Source  (1) is Schur's complement; ratios: W. Dinkelbach, Management Science 13:492, 1967; the
///         rest is this project's

#include <functional>
#include <utility>
#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

class OutsideVariables {
 public:
  /// No variables.
  OutsideVariables() = default;
  /// The variables beyond the core (ascending), for supports of at most `max_count` variables.
  /// Reads the columns of S of the core, and of the largest variances outside it.
  OutsideVariables(const Covariance& covariance, const Support& core, Index max_count);

  bool is_empty() const { return !(variance_ > 0); }
  /// Returns s, or the largest S_jj if that is smaller. `prices`: mu >= 0 of the core; `least`: h;
  /// k <= `max_count`.
  double most_added(const Vector& prices, double least, Index k) const;
  /// Calls `visit` with the variance of each variable, descending, and |S_lj| for all l of the
  /// core. The last call has upper limits of both for all remaining variables. `core`: the
  /// variances of the core.
  void visit(const Vector& core,
             const std::function<void(double variance, const Vector& sizes)>& visit) const;
  /// The same variables for S / scale.
  OutsideVariables over(double scale) const;

 private:
  /// For m variables of them, lambda_max is at most all + m each.
  struct Together {
    double all = 0;
    double each = 0;
  };
  double most_added_by(Index m, const Vector& prices, double least, Index k, double from,
                       std::vector<std::pair<double, Index>>& terms) const;
  static Together bound_together(const Covariance& covariance, const Support& falling,
                                 const Vector& variances, Index max_count);

  double variance_ = 0;  // the largest variance outside
  Together together_;
  Vector variances_;  // of the variables with stored squares, descending
  Matrix squares_;    // S_lj^2, one column per variable
  double rest_ = 0;   // the largest variance of the remaining variables
};

/// The smaller of S_jj and the largest (1) over A in the core without j, for each of all p
/// variables, as if each were the only one outside. It guides the choice of a core. `spare` > 0: h
/// - a - b. `prices`: of the core (ascending).
Vector outside_scores(const Covariance& covariance, const Support& core, const Vector& prices,
                      double spare, Index k);

}  // namespace spca
