#pragma once

/// Deterministic dual-set spectral-Frobenius sparsification: chooses a few weighted columns that
/// keep the leading subspace and do not blow up the rest.
///
/// Source  Boutsidis, Drineas, Magdon-Ismail, Near-optimal column-based matrix reconstruction, SIAM
///         J. Computing 43(2), 2014: the lemma behind their Theorem 2

#include "spca/base/types.h"
#include "spca/solving/budget.h"

namespace spca {

struct WeightedColumns {
  std::vector<Index> columns;  // distinct, at most k, in the order in which they were first chosen
  Vector weights;              // p, positive on `columns`, otherwise 0
};

/// Takes V (`rows`, p x r, orthonormal columns, rows v_i) and the squared lengths a_i
/// (`squared_norms`, p, nonnegative) of any p vectors. Returns weights w_i >= 0, at most k of them
/// positive, r < k, with
///
///   lambda_min(sum_i w_i v_i v_i') >= (1 - sqrt(r/k))^2,   sum_i w_i a_i <= sum_i a_i.
///
/// Each of k steps adds one column to A = sum w v v', which starts at 0. At step t = 0..k-1, with
/// l = t - sqrt(k r) and phi(l) = tr (A - l I)^{-1}, the column must have U_i <= L_i:
///
///   U_i = (1 - sqrt(r/k)) a_i / sum a
///   L_i = v_i'(A - (l+1)I)^{-2}v_i / (phi(l+1) - phi(l)) - v_i'(A - (l+1)I)^{-1}v_i
///
/// It gets the weight 2 / (U_i + L_i). At the end w <- (1 - sqrt(r/k)) / k w.
///
/// Such a column always exists. The paper does not say which of several is taken. Here it is the
/// one of largest L_i / U_i: the largest gain for the leading subspace at the least cost in the
/// rest. Columns not chosen before come first. Of five rules, tried on pit props, colon500 and
/// lymphoma500 with r = 2, this rule loses least or close to it. The first admissible index, the
/// simplest rule, loses up to 18 % more.
///
/// O(p r^2) per step. If time runs out before the k-th step, only the second inequality holds. The
/// same is true if rows of V were set to zero and no other row is left, which ends the steps early.
WeightedColumns dual_set_sparsification(const Matrix& rows, const Vector& squared_norms, Index k,
                                        Budget& budget);

}  // namespace spca
