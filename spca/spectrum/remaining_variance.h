#pragma once

/// The variance that S has left to explain, also if Hotelling's deflation has made S indefinite.
/// Then S_jj <= 0 no longer means that variable j adds nothing: together with another variable it
/// may still lie in the support of an eigenvector with a positive eigenvalue.

#include <string>

#include "spca/covariance/covariance.h"

namespace spca {

/// Returns the variables whose row of S is nonzero beyond rounding, ascending. The other variables
/// add nothing to any v'Sv. If S is positive semidefinite, these are the variables of positive
/// variance. Otherwise one column of S is read for each variable with S_jj = 0.
Support varying_variables(const Covariance& covariance);

/// Returns true if a variable has a positive variance. An S that a deflation has made indefinite
/// may have none, and yet v'Sv > 0 for some v.
bool has_positive_variance(const Covariance& covariance);

/// Returns true if v'Sv > 0 for some v, beyond rounding (kRoundingOfDeflation). For a positive
/// semidefinite S this means that its diagonal is not zero. Otherwise, if no S_jj is positive, an
/// eigenvalue decides.
bool has_variance(const Covariance& covariance);

/// Returns true if a deflation may have made S indefinite by more than twice the tolerance for a
/// given S (kIndefiniteTolerance). No X then has X'X close to S.
bool is_indefinite(const Covariance& covariance);

/// The reason for skipping an S if has_variance() or has_positive_variance() is false.
inline constexpr const char* kNoVariance = "no variable with positive variance is left";
/// Returns the reason for skipping an S if the solver finds no support of k variables with v'Sv > 0
/// for some v. This happens only if S is indefinite.
std::string no_positive_support(Index k);

}  // namespace spca
