#pragma once

/// The bound (2) of squares_tree.h for all supports of k variables, from the columns of S one after
/// the other: S is not formed. With S' = S - c I, c >= 0, every support I with lambda_max(S_II) >=
/// c has
///
///   (lambda_max(S_II) - c)^2 <= ||S'_II||_F^2 <= the sum of the k largest u_j,
///   u_j = S'_jj^2 + the k - 1 largest S_ij^2, i != j
///
/// It holds for any symmetric S.

#include <limits>
#include <vector>

#include "spca/covariance/covariance.h"

namespace spca {

/// Returns the mean of all eigenvalues but the largest on the support, clamped to between 0 and
/// nine tenths of the largest: as c it makes the squares of the other eigenvalues of S' least. 0
/// for fewer than two variables.
double squares_shift(const Covariance& covariance, const Support& support);

class SquaresBound {
 public:
  /// `support`: k variables, whose squares_shift() is c.
  SquaresBound(const Covariance& covariance, const Support& support);

  /// Reads `blocks` blocks of 32 columns; O(p) per column in addition to the column itself.
  void advance(int blocks);
  bool is_complete() const { return std::ssize(worth_) == covariance_.variables(); }
  /// An upper bound on the value of supports of k variables; infinity before all columns were read.
  double bound() const;

 private:
  const Covariance& covariance_;
  Index k_;
  double shift_ = 0;           // c
  std::vector<double> worth_;  // u_j of the columns read so far, in their order
};

}  // namespace spca
