#pragma once

/// A bound on the variance of orthonormal components if it is known of nearly all places of their
/// supports which variables have them. All assignments of these variables to the supports are then
/// enumerated. A node of overlap_tree.h ends so, because its relaxation does not know which
/// variables are together.

#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pairs/pair_bound.h"

namespace spca {

/// Returns a bound on tr(U'SU) over nonempty supports I_t of at most `cardinality[t]` variables, of
/// which conditions.least[i] to conditions.most[i] have the variable i: the largest sum over t of
/// lambda_max(S_{I_t}), or, if supports overlap, a relaxation of orthonormal components on them, as
/// long as it exceeds `level`. Rounding is added. Minus infinity if there are no such supports.
/// Infinity if more than two places have no known variable, or if there are more assignments than
/// kMostAssignments. `matrix`: S, p x p.
double assigned_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                      const PairConditions& conditions, double level);

/// At most this number of steps of the enumeration, a hundredth of a second for five variables in
/// each support. A relaxation counts as a hundred steps.
inline constexpr int kMostAssignments = 40'000;

}  // namespace spca
