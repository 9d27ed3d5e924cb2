#pragma once

/// The least losses of linear encoders, by enumeration in long double.

#include <optional>

#include "tests/properties/hunted_matrix.h"

namespace spca::properties {

/// The least losses for one matrix, divided by the loss of PCA, ||X - X_r||_F^2.
class EncoderTruth {
 public:
  /// Prepares for encoders of r components. If S itself is given, X is a root of S.
  EncoderTruth(const HuntedMatrix& matrix, Index r);

  /// Returns the least loss of encoders on at most `rows` rows. None if PCA loses nothing, if S has
  /// a negative eigenvalue, or if the rank of some columns depends on rounding.
  std::optional<double> least_on(Index rows) const;
  /// Returns the loss of the best encoder on these rows. None in the cases of least_on().
  std::optional<double> loss_on(const Support& rows) const;

  /// Returns the condition number of S on these rows, without the directions that are rounding.
  double condition(const Support& rows) const;

  /// Returns the loss of PCA as a share of the variance.
  double share_of_pca() const { return static_cast<double>(of_pca_ / x_.squaredNorm()); }

 private:
  using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

  LongMatrix x_;
  Index r_;
  long double of_pca_ = 0;
};

}  // namespace spca::properties
