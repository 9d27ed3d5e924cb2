#pragma once

/// What S has left to explain, also if Hotelling's deflation has made it indefinite. Then S_jj <= 0
/// no longer means that variable j adds nothing: with another variable it may still lie in the
/// support of an eigenvector of positive eigenvalue.

#include <string>

#include "spca/algebra/covariance.h"

namespace spca {

/// Returns the variables whose row of S is not zero beyond rounding, ascending. The others add
/// nothing to any v'Sv.
/// If S is positive semidefinite, these are the variables of positive variance. Otherwise one
/// column of S is read for each variable of which S_jj is zero.
Support varying_variables(const Covariance& covariance);

/// Returns true if v'Sv > 0 for some v, beyond rounding (kRoundingOfDeflation). If S is positive
/// semidefinite, this is so if its diagonal is not zero. Otherwise, if no S_jj is positive, an
/// eigenvalue decides.
bool has_variance(const Covariance& covariance);

/// Returns true if a deflation may have made S indefinite by more than what is accepted of an S that
/// is given (kIndefiniteTolerance). No X then has X'X = S, nor nearly.
bool is_indefinite(const Covariance& covariance);

/// Why a solver skips an S of which has_variance() is false.
inline constexpr const char* kNoVariance = "no variable with positive variance is left";
/// Why it skips an S of which no support of k variables that it knows has a v with v'Sv > 0. This
/// happens only if S is indefinite.
std::string no_positive_support(Index k);

}  // namespace spca
