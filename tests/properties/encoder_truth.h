#pragma once

/// What linear encoders lose, in long double, by enumeration.

#include <optional>

#include "tests/properties/hunted_matrix.h"

namespace spca::properties {

/// Losses over those of PCA, ||X - X_r||_F^2.
class EncoderTruth {
 public:
  /// With r components. Of an S that is given, X is the root.
  EncoderTruth(const HuntedMatrix& matrix, Index r);

  /// The least loss of encoders on at most `rows` rows. None if PCA loses nothing, if S has a
  /// negative eigenvalue, or if the rank of some columns cannot be told from rounding.
  std::optional<double> least_on(Index rows) const;
  /// The loss of the best encoder on these rows. None as above.
  std::optional<double> loss_on(const Support& rows) const;

  /// The condition number of S on these rows, where rounding does not count as a direction.
  double condition(const Support& rows) const;

  /// What PCA loses, as a share of the variance.
  double share_of_pca() const { return static_cast<double>(of_pca_ / x_.squaredNorm()); }

 private:
  using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

  LongMatrix x_;
  Index r_;
  long double of_pca_ = 0;
};

}  // namespace spca::properties
