#pragma once

#include "spca/algebra/covariance.h"

namespace spca {

/// Whether a product with S takes so long that a detour is worth one: n p is above 2e8.
bool is_large(const Covariance& covariance);

/// So many variables have most of the leading eigenvectors of a large corpus, and S on them takes
/// the time of two passes over the data. Twice as many take four times as long and save no pass.
inline constexpr Index kHeavyVariables = 256;

/// The `count` variables of largest variance, ascending, without those that have none left. Variances
/// are those before deflations (largest_variances()), so that the variables of a deflated S are among
/// those of the first. Empty if S on them is no bargain: if S was given, if the data are small, or if
/// the variables are few or of much the same variance.
Support heavy_variables(const Covariance& covariance, Index count = kHeavyVariables);

}  // namespace spca
