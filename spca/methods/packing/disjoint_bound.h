#pragma once

/// The best disjoint supports with a proof, by column generation.
///
///   maximise sum_j lambda_max(S_{I_j I_j})  s.t.  the I_j disjoint, |I_j| = k_j
///
/// Bound
///   For all prices mu >= 0, one a variable, with c_k the number of j with k_j = k,
///
///     sum_j lambda_max(S_{I_j I_j}) <= L(mu) = sum_i mu_i + sum_k c_k max(0, n_k(mu))          (1)
///     n_k(mu) = max { lambda_max(S_II) - sum over I of mu : |I| = k }
///
///   because disjoint supports pay each mu_i once at most. The least L is the value of the linear
///   program of packing_program.h over all supports.
/// Step
///   The program over some supports gives prices. Ascents (priced_supports.h) seek supports that are
///   worth more than their prices and the share h_k. If they find none, the search by squares of
///   `branch-bound` finds n_k, or bounds it (squares_tree.h): that is a bound by (1). Prices are
///   sought between those of the program and those of the best bound so far, which keeps them from
///   jumping. It ends if no support is worth more: then L is the program's value.
/// Value
///   If the program takes whole columns, they are the optimum of the program and of the problem.
///   Otherwise columns that fit are taken, the largest part first, and improved by the ascent and the
///   exchanges of joint_search.h.
///
/// |I_j| = k_j and not less: lambda_max(S_II) does not fall if I grows, and there are enough
/// variables, so that an optimum has full supports.
///
/// Source  column generation with prices in between: P. Wentges, International Transactions in
///         Operational Research 4:151, 1997; the bound (1) is Lagrange's; the rest is this project's

#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "spca/base/types.h"
#include "spca/solving/budget.h"

namespace spca {

struct DisjointOptimum {
  std::vector<Support> supports = {};  // r, by component; empty: none is known
  double value = 0;
  double bound = std::numeric_limits<double>::infinity();
  Vector prices = {};  // mu, at which L is `bound`, or a little more; empty: the bound is another
  Index columns = 0;   // of the program at the end
  Index programs = 0;  // solved
  Index proofs = 0;    // of n_k, for one k each
  bool is_whole = false;  // the last program took whole columns
};

/// `matrix` is S, p x p, positive semidefinite; k_1 + ... + k_r <= p. `known`: r disjoint supports to
/// begin with, |I_j| = k_j; empty: none. Ends when the bound is within `accuracy` of the value,
/// relative, when L is at its least, or when the budget is over; value and bound hold whenever that
/// is.
DisjointOptimum disjoint_optimum(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 const std::vector<Support>& known, double accuracy,
                                 Budget& budget);

/// L(mu) from S and mu alone, or an upper bound of it if the budget ends. `supports` may be good
/// ones; what is found does not depend on them.
double disjoint_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                         const Vector& prices, const std::vector<Support>& supports,
                         Budget& budget);

}  // namespace spca
