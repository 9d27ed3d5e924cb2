#pragma once

/// A bound on the variance of orthonormal components if the variables of nearly all places of their
/// supports are known. The assignments of the variables to the supports are then enumerated, except
/// those that are at most the level even if every component that has space got all variables that
/// are left. It is used at the leaves of overlap_tree.h, whose relaxation does not know which
/// variables are in the same support.

#include <functional>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pairs/pair_bound.h"

namespace spca {

/// Returns a bound on tr(U'SU) over nonempty supports I_t of at most `cardinality[t]` variables, of
/// which conditions.least[i] to conditions.most[i] have the variable i: the largest sum over t of
/// lambda_max(S_{I_t}), or, if supports overlap, a relaxation of orthonormal components on them; a
/// single support pays its charges. It is the largest as long as it exceeds `level`. Rounding is
/// added. Minus infinity if there are no such supports. Infinity if the enumeration takes too many
/// steps, if there are more than 16 components, or if more than two places have no known variable,
/// unless `least` equals `most` for all variables. `matrix`: S, p x p. `factor`: L of Lambda = LL'
/// (pair_bound.h (6)), p x q, or 0 x 0; any L is valid, and a good one shortens the enumeration.
/// `keep_going` is called at each step; false ends the enumeration, with infinity.
double assigned_bound(
    const Matrix& matrix, const std::vector<Index>& cardinality, const PairConditions& conditions,
    const Matrix& factor, double level,
    const std::function<bool()>& keep_going = [] { return true; });

/// At most this number of steps of the enumeration, and of one with places that have no known
/// variable. Ten thousand steps take a few milliseconds. A relaxation counts as a hundred steps.
inline constexpr int kMostAssignments = 1'000'000;
inline constexpr int kMostAssignmentsWithFree = 40'000;

}  // namespace spca
