#pragma once

/// Safe feature elimination for the spannogram solvers.
///
/// Claim: a variable that is not returned is in no support I of cardinality k with
/// lambda_max(V_I'V_I)
/// >= floor. Proof sketch: let c be the unit eigenvector of such an I. Then the sum of the k
/// largest (V_i c)^2 is at least that over I, which is c'V_I'V_I c = lambda_max >= floor. If the
/// sum over I is the larger one, I is a top-k set at c; otherwise a top-k set at c has a larger
/// value still, and so has c's cell a bound above floor: no cell with such a c is dropped by its
/// bound. In a cell that is kept, the variables outside `active` are in no top-k set, but might be
/// in I where I is none at its own c. That an optimal I is a top-k set at its c (were it not,
/// exchanging a member for a larger variable would raise c'V_I'V_I c, a lower bound of the value)
/// makes the claim true of all optimal supports, and of all top-k sets of value >= floor, which is
/// what the solvers look for.
///
/// Source  the purpose is that of section 2.1 of Papailiopoulos, Dimakis, Korokythakis, ICML 2013;
/// the
///         test is by cells of directions (direction_cells.h) instead of row norms over the whole
///         span

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// `variables`: those to choose from, ascending. `floor`: the value on S_d of some support, less
/// what rounding may take. 1 <= k. Ascending.
std::vector<int> surviving_variables(const Matrix& factor, Index k,
                                     const std::vector<int>& variables, double floor);

}  // namespace spca
