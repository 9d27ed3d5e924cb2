#pragma once

/// Which variables can be in a support of k variables whose value exceeds one that is known, for p
/// so large that S is not formed.

#include <functional>

#include "spca/algebra/covariance.h"

namespace spca {

/// The variables that the bound by squares (support_tree.h) does not rule out, ascending:
///
///   lambda_max(S_II)^2 <= sum over I of u_j,  u_j = S_jj^2 + the k - 1 largest S_ij^2, i != j
///
/// First with S_ij^2 <= S_ii S_jj where S is known to be positive semidefinite (data), from the
/// variances alone; then from the columns of S, a block at a time. `keep_going` is asked between
/// blocks; where it says no, what is not ruled out so far is returned.
Support support_candidates(const Covariance& covariance, Index k, double value,
                           const std::function<bool()>& keep_going);

}  // namespace spca
