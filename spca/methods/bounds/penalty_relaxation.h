#pragma once

/// The convex relaxation of sparse PCA with a penalty on the number of nonzeros, and the function
/// that the homotopy deforms it into.
///
///   max v'Sv - rho ||v||_0, ||v|| = 1  =  max sum_i ((a_i'x)^2 - rho)_+, ||x|| = 1,  S = A'A,
///
/// with a_i the columns of A. Over X = YY', Y of m x q and Frobenius norm 1,
///
///   f_cvx(X) = sum_i (||Y'a_i||^2 - rho)_+                          convex in X
///   f_ccv(X) = sum_i [largest eigenvalue of Y'(a_i a_i' - rho I)Y]_+  concave in X
///
/// agree where X has rank one. The maximum of f_ccv bounds the penalised problem from above.
///
/// Source  A. d'Aspremont, F. Bach, L. El Ghaoui, JMLR 9:1269, 2008 (the relaxation and its dual);
///         M. Journee, F. Bach, P.-A. Absil, R. Sepulchre, Refining sparse principal components,
///         2010 (the two functions)

#include "spca/base/types.h"
#include "spca/solving/certificate.h"

namespace spca {

/// A, of which only the variables matter whose variance exceeds rho: the terms of the others are
/// zero in both functions. Lengths are in units of the longest column, so values in units of the
/// largest variance.
class Relaxation {
 public:
  /// rho >= 0 in the units of S, which has a positive variance. For data A is X itself where n is
  /// less than the number of variables that matter; otherwise it is a Cholesky factor of their
  /// submatrix. Throws NumericalError where A would have more than kLargestFactor entries.
  Relaxation(const Covariance& covariance, double rho);

  /// The variables with S_ii > rho; the functions are zero where there is none.
  const Support& variables() const { return variables_; }
  /// m, the rows of Y.
  Index dimension() const { return factor_.rows(); }
  /// The largest variance: what a value is multiplied by to be in the units of S.
  double unit() const { return unit_; }
  /// In that unit.
  double rho() const { return rho_; }
  const Matrix& factor() const { return factor_; }  // m x |variables|

  /// mu f_cvx + (1 - mu) f_ccv at Y, of any norm; where `gradient` is not null, its derivative by
  /// Y, m x q. O(m q) a variable.
  double value(const Matrix& y, double mu, Matrix* gradient = nullptr) const;

  /// f_ccv at YY' + floor ||Y||_F^2 I, which is smooth in X: where Y has few columns, f_ccv itself
  /// is not, and no single new column need lift it though several do together. `gradient`: of the
  /// function on the sphere ||Y||_F = 1; its part along Y means nothing.
  double smoothed_value(const Matrix& y, double floor, Matrix* gradient = nullptr) const;

  /// H, m x |variables|, with columns h_i such that h_i h_i' >= a_i a_i' - rho I: for any Y != 0,
  /// lambda_max(HH') bounds the relaxation from above. HH' is the gradient of f_ccv at
  /// X = YY' + floor ||Y||_F^2 I, floor > 0, and Tr HH'X the value there. Where Y maximises the
  /// smoothed value, the bound exceeds the maximum of f_ccv by a share of m floor at most.
  Matrix dual_columns(const Matrix& y, double floor) const;

 private:
  Support variables_;
  Matrix factor_;
  double unit_ = 1;
  double rho_ = 0;
};

inline constexpr double kLargestFactor = 4e7;  // 320 MB

/// A, rank x p, with A'A = the given positive semidefinite matrix, by Cholesky with pivots.
Matrix pivoted_cholesky(const Matrix& matrix);

/// Y turned so that its columns are orthogonal, longest first, without those that are negligible:
/// the same YY'.
Matrix orthogonal_columns(const Matrix& y);

/// lambda_max(HH').
double largest_curvature(const Matrix& dual_columns);
/// The same with leading eigenvectors of HH', m x at most `count`: those with eigenvalues above
/// `above`.
struct Curvature {
  double largest = 0;
  Matrix directions;
};
Curvature leading_curvature(const Matrix& dual_columns, Index count, double above);

/// v'Sv <= lambda_max(HH') + rho k for unit v with at most k nonzeros, from H at a point that is
/// likely optimal. What is checked is computed anew from S; any point gives a bound.
class RelaxationCertificate final : public BoundCertificate {
 public:
  RelaxationCertificate(double rho, Matrix y, double floor)
      : rho_(rho), y_(std::move(y)), floor_(floor) {}
  double check(const Covariance& covariance, Index k) const override;

 private:
  double rho_;  // in the units of S
  Matrix y_;
  double floor_;
};

}  // namespace spca
