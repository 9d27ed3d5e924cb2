#pragma once

/// Deterministic dual-set spectral-Frobenius sparsification: few weighted columns that keep the
/// leading subspace and do not blow up the rest.
///
/// Source  Boutsidis, Drineas, Magdon-Ismail, Near-optimal column-based matrix reconstruction, SIAM
///         J. Computing 43(2), 2014: the lemma behind their Theorem 2

#include "spca/base/types.h"
#include "spca/solving/budget.h"

namespace spca {

struct WeightedColumns {
  std::vector<Index> columns;  // distinct, at most k, in the order in which they were first chosen
  Vector weights;              // p, positive on `columns`, else 0
};

/// For V (`rows`, p x r with orthonormal columns and rows v_i) and squared lengths a_i
/// (`squared_norms`, p, nonnegative) of any p vectors, weights w_i >= 0, at most k of them
/// positive, r < k, with
///
///   lambda_min(sum_i w_i v_i v_i') >= (1 - sqrt(r/k))^2,   sum_i w_i a_i <= sum_i a_i.
///
/// Each of k steps adds a column with U_i <= L_i to A = sum w v v' (start A = 0) under the weight
/// 2 / (U_i + L_i), where with l = t - sqrt(k r) at step t = 0..k-1 and phi(l) = tr (A - l I)^{-1}
///
///   U_i = (1 - sqrt(r/k)) a_i / sum a,
///   L_i = v_i'(A - (l+1)I)^{-2}v_i / (phi(l+1) - phi(l)) - v_i'(A - (l+1)I)^{-1}v_i;
///
/// at the end w <- (1 - sqrt(r/k)) / k w. There always is such a column; which of several is taken
/// the paper leaves open. Here it is the one of largest L_i / U_i, the most for the leading
/// subspace at the least cost in the rest, among columns not chosen before if one of them will do.
/// (Of five rules, tried on pit props, colon500 and lymphoma500 with r = 2: this loses least or
/// close to it; the first admissible index, which is the simplest, up to 18 % more.) O(p r^2) a
/// step. Time may run out before the k-th step: then only the second inequality holds.
WeightedColumns dual_set_sparsification(const Matrix& rows, const Vector& squared_norms, Index k,
                                        Budget& budget);

}  // namespace spca
