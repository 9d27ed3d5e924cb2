#pragma once

/// Sums of the largest squares in each column of S, bounded from dense data in single precision:
/// the pass of variable_elimination.h over all columns, at half the cost of double precision. S is
/// symmetric, so each product of two variables is computed once. S is never formed.
///
/// Let a_j be a column of data of length 1, and r~_ij its product with a_i, in single precision
/// over blocks of m rows, which are summed up in double precision. In any order of summation,
///
///   |r_ij - r~_ij| <= (m + 2) u / (1 - (m + 2) u) =: e,   u = 2^-24
///
/// because sum_t |a_ti a_tj| <= 1 (N. Higham, Accuracy and Stability of Numerical Algorithms, SIAM
/// 2002, section 3.1; two more terms are the rounding of the columns themselves). So
/// S_ij^2 <= S_ii S_jj (|r~_ij| + e)^2.

#include <functional>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Returns for each j of `variables` an upper bound on the sum of the `count` largest S_ij^2 over
/// the i != j of `variables`; empty if `keep_going`, which the calling thread calls between
/// parts of the work, returns false. The bound is the same for any number of threads; it uses
/// allowed_threads(). `data`: the n x p factor B of S = B'B. O(n |variables|^2).
std::vector<double> bound_largest_squares(const Matrix& data, const Support& variables, Index count,
                                          const std::function<bool()>& keep_going);

}  // namespace spca
