#pragma once

#include "spca/covariance/covariance.h"

namespace spca {

/// Returns true if saving one product with S is worth other work: n p is above 2e8.
bool is_large(const Covariance& covariance);

/// Number of heavy variables. In a large corpus they hold most of the leading eigenvectors, and S
/// on them takes the time of two passes over the data. Twice the number takes twice as long and
/// saves no pass (bench/notes/2026-11-24-heavy-variables.md).
inline constexpr Index kHeavyVariables = 256;

/// Returns the `count` variables of largest variance, ascending, without those that have no
/// variance left. Variances are those before deflations (largest_variances()), so the heavy
/// variables of a deflated S are among those of the original S. Empty if forming S on them does not
/// pay: if S was given, if the data are small, or if the variables are few or have similar
/// variances.
Support heavy_variables(const Covariance& covariance, Index count = kHeavyVariables);

}  // namespace spca
