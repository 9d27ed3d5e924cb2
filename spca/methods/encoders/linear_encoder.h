#pragma once

/// Linear encoders from columns of X, computed from S alone.
///
/// Translation: the paper's k components of sparsity r are our r components of cardinality k. Its H
/// is our V, but keeps its name here, since its columns need not be loadings of maximal variance.
///
/// With S = X'X (S carries the scale) and C = X_J, C'C = S_JJ and C'X = S_{J,:}. In a QR
/// factorisation C = QR, R is then a square root of S_JJ, and
///
///   (Q'X)(Q'X)' = R^{-T} (S^2)_JJ R^{-1}.
///
/// The paper assumes that C has full rank. Here Q = CM with M = D E L^{-1/2}, from the eigenvectors
/// E of the correlations D S_JJ D whose eigenvalues L are not negligible. Any orthonormal basis of
/// the span of C can replace Q, and M replaces R^{-1}.
///
/// Source  Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016

#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// The part of X in the span of |J| of its columns: Q = X_J M with Q'XX'Q diagonal.
struct ColumnSpan {
  Matrix coefficients;  // M, |J| x m, m the rank of X_J
  Vector captured;      // m, descending: the diagonal of Q'XX'Q; its sum is ||CC^+X||_F^2

  /// ||X_{C,r}||_F^2: the part of X that the best rank-r matrix in the span of the columns
  /// captures.
  double captured_by(Index r) const;
};

/// An eigenvalue of the correlations of the columns counts as zero if it is at most this: the
/// columns are dependent. The part captured along its eigenvector would be known only to rounding
/// divided by this number, relative to the largest eigenvalue of S.
inline constexpr double kDependentColumns = 1e-9;

/// Returns the span of columns J. `gram` is S_JJ and `squared` is (S^2)_JJ.
///
/// `origin`, of size |J|, holds the squared lengths to which the rounding of `gram` is relative,
/// usually the diagonal of `gram`. They differ if `gram` is a difference, such as the residual
/// after other components, or if its columns are combinations that cancel. A residual below
/// kDependentColumns times its entry of `origin` counts as rounding.
ColumnSpan column_span(const Matrix& gram, const Matrix& squared, const Vector& origin);
ColumnSpan column_span(const Matrix& gram, const Matrix& squared);

/// Returns sum_i v_i^2 S_ii, the entry of `origin` (column_span()) for the score Xv. If it is much
/// larger than v'Sv, the columns that v combines cancel.
double variance_before_cancelling(const Covariance& covariance, const Component& v);

/// Returns ||XH(XH)^+X||_F^2 = tr((H'SH)^+ H'S^2H). If S has a data form, an orthonormal basis of
/// XH is used. The error is then that of XH divided by the sine of the angle between the columns of
/// XH; from S alone, it is divided by the square of the sine.
double captured_by_encoder(const Covariance& covariance, const std::vector<Component>& components);

/// The blackbox: returns U of the singular value decomposition R^{-1}(Q'X)_r = U D T', |J| x r with
/// orthonormal columns, r <= |J|. If the columns have a rank m < r, U is completed by r - m columns
/// that add nothing.
Matrix encoder_loadings(const ColumnSpan& span, Index r);

struct LinearEncoder {
  std::vector<Component> components;  // r, on the rows J
  double captured = 0;                // ||XH(XH)^+X||_F^2; the information loss is tr S - captured
};

/// Returns the best encoder with r components on the rows J = `support`, r <= |J|. Its loss is
/// ||X - X_{C,r}||_F^2, which Theorem 5 states as an upper bound. Needs the |J| columns of S,
/// p x |J|; O(p |J|^2).
LinearEncoder linear_encoder(const Covariance& covariance, const Support& support, Index r);
/// The same as linear_encoder() above for a `covariance` that is the residual of another S;
/// `origin` has the p variances of that S.
LinearEncoder linear_encoder(const Covariance& covariance, const Support& support, Index r,
                             const Vector& origin);

/// Returns column j of `loadings`, |J| x r, as component j. Entries that are exactly zero are
/// dropped.
std::vector<Component> components_on(const Support& support, const Matrix& loadings);

/// Return the guaranteed bounds on ||X - XH(XH)^+X||_F^2 / ||X - X_r||_F^2 for r components on k
/// columns. NaN if the theorem does not apply.
///
/// Theorems 5 and 6 (i), r < k: 1 + (1 - sqrt(r/k))^{-2}.
double deterministic_loss_bound(Index r, Index k);
/// Theorem 7, in expectation, 5r < k: 1 + 5r / (k - 5r).
double expected_loss_bound(Index r, Index k);

}  // namespace spca
