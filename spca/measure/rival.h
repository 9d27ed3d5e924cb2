#pragma once

#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// Searches near an answer for a better one, to refute a bound that the solver itself gave. Each
/// component in turn takes kRivalSteps steps of truncated power iteration (Yuan and Zhang, JMLR
/// 2013, Algorithm 1) on the variables that no other component has; a single component also starts
/// from each of the kRivalStarts variables of largest variance. Returns the largest total variance
/// of the feasible answers that it meets, the given one included. The components have disjoint
/// supports; `cardinality` has one number for each. One product with S for each step.
double rival_value(const Covariance& covariance, std::vector<Component> components,
                   const std::vector<Index>& cardinality);

// Chosen by trial, not measured.
inline constexpr int kRivalSteps = 5;
inline constexpr Index kRivalStarts = 4;

}  // namespace spca
