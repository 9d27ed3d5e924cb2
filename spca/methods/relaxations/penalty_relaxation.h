#pragma once

/// The convex relaxation of sparse PCA with a penalty on the number of nonzeros, and the function
/// that the homotopy deforms it into.
///
///   max v'Sv - rho ||v||_0, ||v|| = 1  =  max sum_i ((a_i'x)^2 - rho)_+, ||x|| = 1,  S = A'A   (1)
///
/// with a_i the columns of A. Over X = YY', Y of n x q and Frobenius norm 1,
///
///   f_cvx(X) = sum_i (||Y'a_i||^2 - rho)_+                            convex in X
///   f_ccv(X) = sum_i [lambda_max(Y'(a_i a_i' - rho I)Y)]_+            concave in X
///
/// Both are the objective of (1) if X has rank one. So the maximum of f_ccv over all X, which is a
/// convex problem, bounds (1) from above. Its terms are those of relaxation_terms.h at the price
/// rho, with no variable chosen.
///
/// Source  A. d'Aspremont, F. Bach, L. El Ghaoui, Optimal solutions for sparse principal component
///         analysis, JMLR 9:1269, 2008 (the relaxation and its dual); M. Journee, F. Bach,
///         P.-A. Absil, R. Sepulchre, Refining sparse principal components, 2010, equations (3) to
///         (6) (both functions and their mixture)

#include "spca/base/types.h"
#include "spca/methods/relaxations/relaxation_terms.h"
#include "spca/solving/certificate.h"

namespace spca {

/// Returns the variables that a penalty of rho on each nonzero does not eliminate: those with S_ii
/// > rho, ascending. `variances` is the diagonal of S. No v that maximises v'Sv - rho ||v||_0 needs
/// another one, since (a_i'x)^2 <= ||a_i||^2 = S_ii in (1).
Support eliminate_by_penalty(const Vector& variances, double rho);

/// A holds only the variables whose variance exceeds rho: the terms of the others are zero in both
/// functions. Lengths are in units of the longest column, so values are in units of the largest
/// variance. If only S + sigma I is positive semidefinite (Covariance::semidefinite_shift()), it
/// replaces S.
class PenaltyRelaxation {
 public:
  /// rho >= 0 in the units of S, which has a positive variance. For data A is X itself if n is less
  /// than the number of variables that matter; otherwise it is a Cholesky factor of their
  /// submatrix. Throws NumericalError if A would have more than kLargestFactor entries.
  PenaltyRelaxation(const Covariance& covariance, double rho);

  /// The variables with S_ii > rho; the functions are zero if there is none.
  const Support& variables() const { return variables_; }
  /// The number of rows of A and of Y.
  Index dimension() const { return factor_->dimension(); }
  /// The largest variance: the factor that converts a value to the units of S.
  double unit() const { return unit_; }
  /// rho, in units of unit().
  double rho() const { return rho_; }
  const Matrix& factor() const { return factor_->matrix(); }  // A, dimension() x |variables|

  /// Returns mu f_cvx + (1 - mu) f_ccv at Y, which may have any norm; 0 <= mu <= 1. If `gradient`
  /// is not null, it receives the derivative by Y, of the same size. O(n q) a variable.
  double value(const Matrix& y, double mu, Matrix* gradient = nullptr) const;

  /// Returns f_ccv at YY' + floor ||Y||_F^2 I, floor > 0, which is smooth in X. If Y has few
  /// columns, f_ccv itself is not smooth: perhaps no single new column raises it, but several
  /// together do. `gradient` receives that of the function on the sphere ||Y||_F = 1; its component
  /// along Y has no meaning.
  double smoothed_value(const Matrix& y, double floor, Matrix* gradient = nullptr) const;

  /// Returns H of relaxation_terms.h, dimension() x |variables|. For any Y != 0, lambda_max(HH')
  /// bounds the relaxation from above. Tr HH'X is the smoothed value and HH' its gradient by X. If
  /// Y maximises the smoothed value, the bound exceeds the maximum of f_ccv by at most a share
  /// n floor.
  Matrix dual_columns(const Matrix& y, double floor) const;

 private:
  RelaxationTerms terms_at(const Matrix& y, double floor) const;

  Support variables_;
  std::shared_ptr<const DenseColumns> factor_;
  double unit_ = 1;
  double rho_ = 0;
};

inline constexpr double kLargestFactor = 4e7;  // 320 MB

/// Proves v'Sv <= lambda_max(HH') + rho k for unit v with at most k nonzeros, from H at a point
/// that is likely optimal. H is recomputed from S, and any point gives a bound.
class PenaltyCertificate final : public BoundCertificate {
 public:
  /// rho in the units of S; Y and floor as for PenaltyRelaxation::dual_columns().
  PenaltyCertificate(double rho, Matrix y, double floor)
      : rho_(rho), y_(std::move(y)), floor_(floor) {}

 protected:
  /// Returns infinity if Y does not have the dimension of A, or if the budget has ended.
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override;

 private:
  double rho_;
  Matrix y_;
  double floor_;
};

}  // namespace spca
