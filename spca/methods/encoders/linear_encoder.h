#pragma once

/// Linear encoders from columns of X, worked out in S alone. Translation: the paper's k components
/// of sparsity r are our r components of cardinality k; its H is V here, but keeps its name, since
/// its columns need not be loadings of maximal variance.
///
/// With S = X'X (S carries the scale) and C = X_J: C'C = S_JJ and C'X = S_{J,:}, so that R of C =
/// QR is a square root of S_JJ and (Q'X)(Q'X)' = R^{-T} (S^2)_JJ R^{-1}. The paper takes C to have
/// full rank. Here Q = CM with M = E L^{-1/2} from the eigenvectors E of S_JJ whose eigenvalues are
/// not negligible: any orthonormal basis of the span of C serves, and M stands for R^{-1}.
///
/// Source  Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016

#include <vector>

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"

namespace spca {

/// What |J| columns of X hold of X: Q = X_J M with Q'XX'Q diagonal.
struct ColumnSpan {
  Matrix coefficients;  // M, |J| x m, m the rank of X_J
  Vector captured;      // m, descending: the diagonal of Q'XX'Q; its sum is ||CC^+X||_F^2

  /// ||X_{C,r}||_F^2: what the best rank-r matrix in the span of the columns holds.
  double captured_by(Index r) const;
};

/// A direction counts as dependent where less than this share of its squared length is left: what
/// it captures would be known to rounding over this share only, of the largest eigenvalue of S.
inline constexpr double kDependentColumns = 1e-9;

/// `gram` is S_JJ, `squared` is (S^2)_JJ. `origin`, |J|: the squared lengths to which the rounding
/// of `gram` is relative. They are its diagonal, unless it is a difference, as what other
/// components leave of S, or combines columns that cancel: what is left below kDependentColumns of
/// them is rounding, whatever its correlations are.
ColumnSpan column_span(const Matrix& gram, const Matrix& squared, const Vector& origin);
ColumnSpan column_span(const Matrix& gram, const Matrix& squared);

/// sum_i v_i^2 S_ii, the `origin` of the score of v: where it is far above v'Sv, the columns that v
/// combines cancel.
double variance_before_cancelling(const Covariance& covariance, const Component& v);

/// ||XH(XH)^+X||_F^2 = tr((H'SH)^+ H'S^2H). With the data at hand through an orthonormal basis of
/// XH, whose error is that of XH over the sine of its columns; from S alone over the square of the
/// sine.
double captured_by_encoder(const Covariance& covariance, const std::vector<Component>& components);

/// The blackbox: U of the singular value decomposition R^{-1}(Q'X)_r = U D T', |J| x r with
/// orthonormal columns; where the columns have a rank m < r, U is completed by r - m columns that
/// add nothing. r <= |J|.
Matrix encoder_loadings(const ColumnSpan& span, Index r);

struct LinearEncoder {
  std::vector<Component> components;  // r, on the rows J
  double captured = 0;                // ||XH(XH)^+X||_F^2; the information loss is tr S - captured
};

/// The best encoder with r components on the rows `support`, r <= |J|: its loss is ||X -
/// X_{C,r}||_F^2 (Theorem 5 says at most). Needs the |J| columns of S, p x |J|; O(p |J|^2).
LinearEncoder linear_encoder(const Covariance& covariance, const Support& support, Index r);
/// The same where `covariance` is what is left of one whose variances are `origin`, p.
LinearEncoder linear_encoder(const Covariance& covariance, const Support& support, Index r,
                             const Vector& origin);

/// Column j of `loadings`, |J| x r, as component j; entries that are exactly zero are dropped.
std::vector<Component> components_on(const Support& support, const Matrix& loadings);

/// The guarantees on ||X - XH(XH)^+X||_F^2 / ||X - X_r||_F^2 for r components on k columns. NaN
/// where the theorem says nothing.
///
/// Theorems 5 and 6 (i), r < k: 1 + (1 - sqrt(r/k))^{-2}.
double deterministic_loss_bound(Index r, Index k);
/// Theorem 7, in expectation, 5r < k: 1 + 5r / (k - 5r).
double expected_loss_bound(Index r, Index k);

}  // namespace spca
