#pragma once

/// A bound on disjoint components that needs no search, for many variables a component.
///
/// Let G be any p x p matrix, M = S - (G + G')/2, and let K = k_1 + ... + k_r. Each variable i is in
/// one support at most, that of x_j, say. So its row of G counts once:
///
///   sum_j x_j'S x_j = sum_j x_j'M x_j + sum_i x_i g_i'x
///                   <= lambda_1(M) + ... + lambda_r(M) + the sum of the K largest w_i           (1)
///   w_i = max { x_i g_i'x : ||x|| = 1, ||x||_0 <= k } = (G_ii + sqrt(G_ii^2 + b_i^2)) / 2        (2)
///
/// with k the largest k_j and b_i^2 the sum of the k - 1 largest G_il^2, l != i: the first sum is
/// Ky Fan's, because disjoint x_j are orthonormal, and (2) is the larger eigenvalue of
/// [[G_ii, b_i/2], [b_i/2, 0]].
///
/// The least of (1) is the dual of
///
///   maximise <S, Y>  s.t.  0 <= Y <= I, tr Y = r, row i of Y in z_i C_i, 0 <= z_i <= 1, sum z <= K
///   C_i = conv { x_i x : ||x|| = 1, ||x||_0 <= k }
///       = { y : the k-1-support norm of the other entries, squared, <= y_i - y_i^2 }             (3)
///
/// for Y = sum_j x_j x_j' has the rows x_i x. It is sought by alternating directions: the projection
/// of Y by eigenpairs, that of each row by two multipliers, and the price of a place, which is the
/// K-th largest w_i at the end.
///
/// Variables j that are no part of S: M is zero beyond its diagonal there, which is lambda_r(M), so
/// that the eigenvalues in (1) stay. The row of a variable l of S takes a part of S_lj, up to its
/// (k-1)-th largest entry t_l, which costs nothing. So row j has S_jj - lambda_r(M), entries
/// max(0, 2 |S_lj| - t_l), and S_ij for i that are no part of S either.
///
/// Source  the projection: V. Vu, J. Cho, J. Lei, K. Rohe, NIPS 2013; the k-support norm: A. Argyriou,
///         R. Foygel, N. Srebro, NIPS 2012; the rows are this project's

#include <functional>
#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/packing/outside_variables.h"

namespace spca {

struct RowBound {
  double value = std::numeric_limits<double>::infinity();  // row_bound_at(rows)
  Matrix rows = {};  // G', p x p: row i of G is column i; 0 x 0: there is none
};

/// The least of (1), as far as `keep_going`, asked before each step, says so. `matrix`: S, p x p,
/// positive semidefinite; k_1 + ... + k_r <= p. Ends when the bound is at most `enough`, or steps
/// gain little. `outside`: the variables that are no part of S; the bound covers them.
RowBound row_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                   const OutsideVariables& outside, double enough,
                   const std::function<bool()>& keep_going);

/// (1) from S and G alone: any G gives a bound. Infinity if `rows` is not p x p. O(p^3).
double row_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                    const OutsideVariables& outside, const Matrix& rows);

}  // namespace spca
