#pragma once

/// Greedy growth of one support, and swaps of two variables, by the exact lambda_max of every
/// neighbour.
///
/// With S_II = UDU' and b = S_Ij, lambda_max of [[S_II, b], [b', S_jj]] exceeds L >=
/// lambda_max(S_II) if and only if
///
///   L - S_jj < sum_t (U'b)_t^2 / (L - D_t)
///
/// So one eigenproblem of I tests all variables j. S is not formed, only its columns of I.
///
/// Source  Li, Xie, Exact and approximation algorithms for sparse principal component analysis,
///         INFORMS Journal on Computing 2024

#include "spca/covariance/covariance.h"
#include "spca/solving/budget.h"

namespace spca {

/// The swap that is made.
enum class SwapRule {
  kFirst,  // the first that helps: members in ascending order of |v_i|, for each of them the
           // others in descending order of |(Sv)_j|
  kBest,   // the one that raises lambda_max most
};

class SupportSwaps {
 public:
  /// `covariance` is S and must outlive the object, as must `budget`.
  SupportSwaps(const Covariance& covariance, Index k, SwapRule rule, Budget& budget)
      : covariance_(covariance),
        variances_(covariance.diagonal()),
        k_(k),
        rule_(rule),
        budget_(budget) {}

  /// Begins with `start` and adds variables, each the best one, up to k. Ends early if none raises
  /// the value, or if the budget ends.
  void grow(const Support& start);
  /// Makes one swap. Returns false if none helps, or if the budget ends.
  bool swap();

  /// Ascending.
  const Support& support() const { return support_; }
  /// lambda_max(S_II).
  double value() const { return value_; }

 private:
  std::vector<bool> exceeding(const Support& base, double level) const;
  double value_with(const Support& base, Index j) const;
  Index likeliest(const std::vector<bool>& among) const;
  Index best_addition(const Support& base, double& level) const;
  void set(Support support);
  Matrix rows_of(const Support& base) const;

  const Covariance& covariance_;
  const Vector& variances_;
  Index k_;
  SwapRule rule_;
  Budget& budget_;
  Support support_;
  Vector vector_;   // v, the leading eigenvector there
  Matrix columns_;  // S of the support: p x |I|
  Vector product_;  // S v
  double value_ = 0;
};

}  // namespace spca
