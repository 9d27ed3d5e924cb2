#pragma once

/// The loss and the variance of an encoder if S itself is used as the data matrix X, with
/// X'X = S^2. Magdon-Ismail and Boutsidis (NIPS 2016, section 4) write "PitProps (X in R^{13x13})"
/// and pass the same matrix to methods that need a covariance.

#include "spca/measure/metrics.h"

namespace spca {

struct MatrixAsData {
  double total = kNotMeasured;      // ||S||_F^2
  double pca = kNotMeasured;        // lambda_1^2 + ... + lambda_r^2
  double captured = kNotMeasured;   // ||SH(SH)^+S||_F^2
  double explained = kNotMeasured;  // ||SHH^+||_F^2
};

/// Returns the numbers for H = V. NaN if S has more than kLargestMatrix variables, or if its
/// eigenvalues are not known.
MatrixAsData matrix_as_data(const MetricContext& context);
inline constexpr Index kLargestMatrix = 3000;  // ||S||_F^2 takes every column of S

}  // namespace spca
