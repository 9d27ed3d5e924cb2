#pragma once

/// The columns of X as a small matrix, and the loss of X on a set of columns, with the rounding of
/// both.
///
/// A loss may be a tiny share of X, and S = X'X has lost the digits in which nearly dependent
/// columns differ. So the factor is made from the data if S has them, and a loss is a sum of
/// squared residuals, never tr S minus the captured part.
///
/// Let B be the factor, D the lengths to which its rounding is relative, K a subset of the
/// columns J with the same span, s the least singular value of (BD^{-1})_K, T = ||D||_F^2 >=
/// ||B||_F^2, and l a loss computed for J. The true loss is not below
///
///   (sqrt(l) - (nu / (1 - nu) + eta) sqrt(T))^2,  nu = eta sqrt(|K|) / s <= 1/2,   from data:
///       the error of column j of B is at most eta D_j, that of the basis of the span at most
///       nu / (1 - nu), and the root of a loss is a distance from X;
///   l - (2 nu + 4 eta sqrt(|K|) / s) T,           nu = eta / s^2 <= 1/4,           from S:
///       the error of D^{-1}SD^{-1} is at most eta, so (S_KK)^{-1} is off by a factor of at most
///       1 / (1 - nu).
///
/// A column whose residual on K is at most a few times its own rounding counts as dependent on K:
/// the data, or S, do not have enough digits to distinguish the two cases.

#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca {

/// B with B'B = S, m x p, m <= p, as its two factors.
struct ColumnFactor {
  Matrix unit;          // BD^{-1}; the column of a variable without variance is zero
  Vector lengths;       // p, the diagonal of D
  double rounding = 0;  // eta
  bool is_from_data = false;

  /// Returns T.
  double total() const { return lengths.squaredNorm(); }
  /// The largest residual in `unit` of a column that counts as dependent.
  double negligible() const;
};

/// Returns the factor of S, for p up to a few tens. It is computed from S if there are no data or
/// the data are too large to store. O(n p^2).
ColumnFactor column_factor(const Covariance& covariance);

/// A computed loss, with a lower and an upper limit of its true value.
struct LossInterval {
  double least = 0;
  double value = 0;
  double most = 0;
};

/// The residual of B after projection on the span of some columns.
struct SpanLoss {
  double outside = 0;  // ||B - QQ'B||_F^2, Q an orthonormal basis of the span
  Vector captured;     // the squared singular values of Q'B, descending
  // sqrt(l) - root_rounding is at most the square root of (the true loss + `rounding`). If the
  // columns are too dependent for such a bound, root_rounding (from data) or `rounding` (from S) is
  // infinite.
  double root_rounding = 0;
  double rounding = 0;

  /// ||B - B_{C,r}||_F^2: the part outside the span, and all but the r largest of `captured`.
  double loss(Index r) const;
  /// Returns a lower limit of the true value of a loss of this span.
  double least(double loss) const;
  /// Returns an upper limit of the true value of a loss of this span.
  double most(double loss) const;
};

/// Returns the loss on the columns J = `rows`. Its captured values are accurate enough for loss(r).
/// O(m p |J|).
SpanLoss span_loss(const ColumnFactor& factor, const Support& rows, Index r);

/// Returns the loss of r principal components.
LossInterval principal_loss(const ColumnFactor& factor, Index r);

/// Returns the loss of the encoder H = `components`. Scores in which columns cancel are rounded
/// like nearly dependent columns.
LossInterval encoder_loss(const ColumnFactor& factor, const std::vector<Component>& components);

/// Returns the span of the columns J = `rows` in the form of linear_encoder.h.
ColumnSpan column_span(const ColumnFactor& factor, const Support& rows);

/// Returns the best encoder with r components on `rows`, r <= |rows|.
std::vector<Component> encoder_on_rows(const ColumnFactor& factor, const Support& rows, Index r);

}  // namespace spca
