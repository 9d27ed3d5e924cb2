#pragma once

/// Finds the best disjoint supports with a proof, by column generation.
///
///   maximise sum_j lambda_max(S_{I_j I_j})  s.t.  the I_j disjoint, |I_j| = k_j
///
/// Bound
///   For all prices mu >= 0, one for each variable, with c_k the number of j with k_j = k,
///
///     sum_j lambda_max(S_{I_j I_j}) <= L(mu) = sum_i mu_i + sum_k c_k max(0, n_k(mu))          (1)
///     n_k(mu) = max { lambda_max(S_II) - sum over I of mu : |I| = k }
///
///   because disjoint supports pay each mu_i at most once. The minimum of L is the value of the
///   linear program of packing_program.h over all supports.
/// Step
///   The program over some supports gives prices. Ascents (priced_supports.h) search for supports
///   that are worth more than their prices and the share h_k: first at prices between those of the
///   program and the best ones so far, which stabilises the prices, then from more starting points.
///   If the ascents find none, the searches of `branch-bound` find one or prove that there is none
///   (support_pricer.h). The proof is a bound by (1), and then L is the program's value. Such a
///   search takes a hundred times as long as the ascents.
/// Core
///   With many variables, S is formed on a core only. Prices on a first, guessed core show which
///   variables could add most to a support (outside_variables.h): these form the core of the proof.
/// Value
///   If the optimum of the program takes whole columns, they are the optimum of the problem, too.
///   Otherwise disjoint columns are taken greedily, those of largest x_I first, and improved by the
///   ascent and the exchanges of joint_search.h.
/// Pairs
///   With many variables per support the searches do not end in time. Then a bound that needs no
///   search is computed first (pair_bound.h), and the smaller of both bounds counts.
/// Enumeration
///   If the value of the program is only a little above the best disjoint supports, all supports
///   that could be part of better ones are enumerated, and the problem is solved among these
///   (enumerated_packing.h).
/// Cuts
///   If the optimum of the program is fractional and its value is not attained, rows are added that
///   cut this optimum off (subset_row.h). They have prices, too, which supports pay that count in
///   them (charged_pricing.h).
/// Branches
///   If there are no such rows, or if they improve little, there are two variables that some
///   supports of the optimum hold together and others do not. The problems in which one support
///   holds both are searched apart from those in which none does.
///
/// Supports with |I_j| = k_j suffice: lambda_max(S_II) does not fall if I grows, and there are
/// enough variables, so some optimum has full supports.
///
/// Source  column generation with prices in between: P. Wentges, International Transactions in
///         Operational Research 4:151, 1997; branching: D. Ryan, B. Foster, in Computer Scheduling
///         of Public Transport, 1981; the bound (1) is Lagrange's; the rest is this project's

#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"
#include "spca/methods/packing/disjoint_proof.h"
#include "spca/solving/budget.h"

namespace spca {

/// Supports known before the search. Variables are those of S.
struct KnownSupports {
  std::vector<Support> best = {};  // r disjoint ones, |I_j| = k_j; empty: none
  std::vector<Support> met =
      {};  // further supports of these cardinalities: the first columns of the program
};

struct DisjointOptimum {
  std::vector<Support> supports = {};  // r, by component; empty: none is known
  double value = 0;
  double bound = std::numeric_limits<double>::infinity();
  bool is_closed = false;         // the bound is within the accuracy of the value
  DisjointProof proof = {};       // of `bound`, or of a slightly larger bound; empty: there is none
  std::vector<Support> met = {};  // the supports that were considered
  Index columns = 0;              // number of supports that were considered
  Index programs = 0;             // number of programs solved
  Index proofs = 0;               // number of proofs of n_k, each for one k
  Index rows = 0;                 // number of rows that cut off fractional optima
  Index branches = 0;             // number of divisions by two variables
};

/// `matrix` is S, p x p, positive semidefinite; k_1 + ... + k_r <= p. Ends when the bound is within
/// `accuracy` (relative) of the value, when nothing is left to divide, or when the budget is over;
/// value and bound are valid in every case. `outside`: the variables that are not part of S. No
/// support holds one of them, but the bound covers them (support_pricer.h).
DisjointOptimum disjoint_optimum(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 const KnownSupports& known, double accuracy,
                                 const OutsideVariables& outside, Budget& budget);

/// The prices of the linear program of packing_program.h, as far as the ascents determine them.
struct DisjointPrices {
  Vector prices = {};               // mu, one for each variable of S
  double share = 0;                 // the least h_k
  KnownSupports known = {};         // the supports known afterwards
  std::vector<Support> taken = {};  // the supports that the program takes, at least in part
};

/// The arguments are those of disjoint_optimum(). Proves nothing.
DisjointPrices disjoint_prices(const Matrix& matrix, const std::vector<Index>& cardinality,
                               const KnownSupports& known, Budget& budget);

/// A second core, from prices on the first core, `before`: the variables that supports hold or that
/// have a price, and those that could add most to a support of `before` (outside_scores()), at most
/// `max_variables` in all. Beyond 200 variables, the core takes only those that can add more than
/// `part` of the least surplus of a variable of a support over its price: no other variable can
/// replace one inside. Ascending; `before` itself if there are no prices. k: the largest
/// cardinality.
Support disjoint_core(const Covariance& covariance, const Support& before,
                      const DisjointPrices& prices, Index k, double part, Index max_variables);

/// A first core: the variables of the supports, the 500 of largest variance, and those whose
/// variance is not far below the least that a variable adds to its support, at most `max_variables`
/// in all. Ascending. A variable with less variance cannot pay for its place. If more variables
/// qualify, the largest variances come first, then those variables that could add most to a support
/// (outside_variables.h (1)); without supports, only the variances count.
Support disjoint_core(const Covariance& covariance, const std::vector<Support>& supports,
                      Index max_variables);

}  // namespace spca
