#pragma once

/// Elimination of variables for the spannogram solvers, on S_d = V V', by boxes of directions.
///
/// For a support I let c(I) be the unit eigenvector of V_I'V_I for its largest eigenvalue, which is
/// the value of I on S_d.
///
/// Claim. If I has a value of at least `floor` and is a top-k set at c(I), no variable of I is
/// eliminated. Every optimal support is such an I.
///
/// Proof. The sum of (V_i c)^2 over I at c = c(I) is the value of I. So the bound of each box that
/// holds c is at least `floor`, and the box is kept. Every member of a top-k set at a direction of
/// a box is active in it (direction_boxes.h), and the active variables of all kept boxes are
/// returned. An optimal I is a top-k set at c(I): if it were not, exchanging a member for a
/// variable of larger (V_i c)^2 would raise the sum, and with it the value, which is at least the
/// sum at any unit c.
///
/// The best support on S is another matter. It is a top-k set at some direction c', but not always
/// at c(I), and its sum at c' may be below its value. So if answers are scored on S, boxes are
/// dropped by a bound on the values of all supports that are a top-k set anywhere in them.
///
/// Claim. With Keep::kEveryCandidate, if I is a top-k set at any c' and has a value of at least
/// `floor`, no variable of I is eliminated.
///
/// Proof. In each box that holds c', I lies in the active variables A. So its value is at most
/// lambda_max(V_A'V_A), at most the sum of the k largest |V_i|^2 over A, and, if all supports of
/// the box were tried, at most the value of the best of them. The bound of the box is one of these,
/// so it is at least `floor`, and the box is kept.
///
/// Source  the purpose is that of section 2.1 (elimination step) of D. Papailiopoulos, A. Dimakis,
///         S. Korokythakis, Sparse PCA through low-rank approximations, ICML 2013. They compare the
///         norms of the rows of V over the whole span; the boxes of directions (direction_boxes.h)
///         are this project's

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// The supports of value >= floor whose variables must be kept.
enum class Keep {
  kTopAtOwnDirection,  // supports that are a top-k set at c(I): includes all optimal ones
  kEveryCandidate,     // supports that are a top-k set at any direction
};

/// Returns the remaining variables of `variables`; both ascend. `factor`: V, p x d with d <=
/// kLargestRank. `floor`: the value on S_d of some support, less an allowance for rounding; any
/// number with Keep::kEveryCandidate. 1 <= k. If there are at most k variables, all remain.
std::vector<int> eliminate_by_boxes(const Matrix& factor, Index k,
                                    const std::vector<int>& variables, double floor,
                                    Keep keep = Keep::kTopAtOwnDirection);

}  // namespace spca
