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
///   worth more than their prices and the share h_k, first at prices between those of the program and
///   the best ones so far, which keeps them from jumping. If they find none, ascents from more places
///   do. If these find none either, the searches of `branch-bound` do, or show that there is none
///   (support_pricer.h): that is a bound by (1), and then L is the program's value. Such a search takes
///   a hundred times as long as the ascents.
/// Core
///   Of many variables, S is formed of a core. Prices among a core that was guessed tell which
///   variables could add most to a support (outside_variables.h): these are the core of the proof.
/// Value
///   If the program takes whole columns, they are the optimum of the program and of the problem.
///   Otherwise columns that fit are taken, the largest part first, and improved by the ascent and the
///   exchanges of joint_search.h.
/// Pairs
///   For many variables a support no search shows how much it can be worth. Then a bound that
///   needs none is computed first (pair_bound.h), and the least of both counts.
/// Enumeration
///   If the program is worth a little more than the best disjoint supports, all supports are enumerated that
///   could be part of better ones, and the problem is solved among them (enumerated_packing.h).
/// Rows that cut off
///   If the program takes parts of supports and its value is no optimum, rows that whole supports obey
///   and these parts do not (subset_row.h) join it. They have prices, too, which supports pay that
///   count in them (charged_pricing.h).
/// Branches
///   If there are no such rows, or they gain little, there are two variables that
///   some of the supports hold together and others do not. The problems in which one support holds
///   both are searched apart from those in which none does.
///
/// |I_j| = k_j and not less: lambda_max(S_II) does not fall if I grows, and there are enough
/// variables, so that an optimum has full supports.
///
/// Source  column generation with prices in between: P. Wentges, International Transactions in
///         Operational Research 4:151, 1997; branching: D. Ryan, B. Foster, in Computer Scheduling of
///         Public Transport, 1981; the bound (1) is Lagrange's; the rest is this project's

#include <limits>
#include <vector>

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"
#include "spca/methods/packing/disjoint_proof.h"
#include "spca/solving/budget.h"

namespace spca {

/// What is known before. Variables are those of S.
struct KnownSupports {
  std::vector<Support> best = {};  // r disjoint ones, |I_j| = k_j; empty: none
  std::vector<Support> met =
      {};  // of these cardinalities, others as well: the program begins with them
};

struct DisjointOptimum {
  std::vector<Support> supports = {};  // r, by component; empty: none is known
  double value = 0;
  double bound = std::numeric_limits<double>::infinity();
  bool is_closed = false;         // the bound is within the accuracy of the value
  DisjointProof proof = {};       // of `bound`, or of a little more; empty: there is none
  std::vector<Support> met = {};  // that were considered
  Index columns = 0;              // supports that were considered
  Index programs = 0;             // solved
  Index proofs = 0;               // of n_k, for one k each
  Index rows = 0;                 // that cut off fractional optima
  Index branches = 0;             // divisions by two variables
};

/// `matrix` is S, p x p, positive semidefinite; k_1 + ... + k_r <= p. Ends when the bound is within
/// `accuracy` of the value, relative, when L is at its least, or when the budget is over; value and bound
/// hold whenever that is.
/// `outside`: the variables that are no part of S. No support holds one, but the bound covers them
/// (support_pricer.h).
DisjointOptimum disjoint_optimum(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 const KnownSupports& known, double accuracy,
                                 const OutsideVariables& outside, Budget& budget);

/// What the linear program of packing_program.h pays, as far as ascents know.
struct DisjointPrices {
  Vector prices = {};               // mu, one a variable of S
  double share = 0;                 // the least h_k
  KnownSupports known = {};         // by now
  std::vector<Support> taken = {};  // those that the program takes, in part at least
};

/// As for disjoint_optimum(). Nothing is proven.
DisjointPrices disjoint_prices(const Matrix& matrix, const std::vector<Index>& cardinality,
                               const KnownSupports& known, Budget& budget);

/// The core again if prices are known among the variables of another, `before`: those that supports hold
/// or that have a price, and those that could add most to a support of `before` (outside_scores()), `most`
/// in all. It is small if that leaves out what can add no more than `part` of the least that a variable of a support
/// adds beyond its price: then nothing outside can take such a place. Ascending. k: the largest one.
Support disjoint_core(const Covariance& covariance, const Support& before,
                      const DisjointPrices& prices, Index k, double part, Index most);

/// The variables of which S is formed: those of the supports, and those whose variance is not far below
/// what the least variable adds to its support, `most` in all. Ascending. A variable with less
/// variance cannot pay for its place. If there are more, those that could add most to a support
/// (outside_variables.h (1)) come first, after the largest variances; without supports, the variances
/// alone count.
Support disjoint_core(const Covariance& covariance, const std::vector<Support>& supports,
                      Index most);

}  // namespace spca
