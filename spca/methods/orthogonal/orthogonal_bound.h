#pragma once

/// An upper bound on tr(U'SU) over orthonormal U with ||u_t||_0 <= k_t, whose supports may overlap.
///
/// For every positive semidefinite Lambda, because UU' <= I gives tr(Lambda UU') <= tr Lambda,
///
///   tr(U'SU) <= f(Lambda) = tr Lambda + sum_t max { u'(S - Lambda)u : ||u|| = 1, ||u||_0 <= k_t }
///
/// Lambda = 0 gives the sum of the one-component optima, Lambda = (S - lambda_{r+1} I)_+ gives at
/// most lambda_1 + ... + lambda_r. f is convex. Let A be the union of the supports. tr(Lambda UU')
/// is at most the sum of Lambda_ii over A, and with gains pi_i, 0 <= pi_i <= Lambda_ii, at most
/// the sum of Lambda_ii - pi_i over all variables, and of pi_i over A. Each variable of A is in a
/// support I_t, so
///
///   tr(U'SU) <= sum_i (Lambda_ii - pi_i) + sum_t max { u'(S - Lambda)u + pi(I) : ||u|| = 1,
///               u_i = 0 beyond I, |I| = k_t }
///
/// which is f for pi = 0. Its least value is found by a bundle method, with gains if not all
/// supports can be enumerated. Components of many variables have none, because their searches take
/// minutes then:
///
/// Model
///   The maximum over all supports is replaced by that over a pool of supports I, in which the
///   piece of I is lambda_max((S - Lambda)_II), not a plane. The model is a lower bound of f.
/// Step
///   The model is smoothed and minimised over Lambda = LL' (pooled_relaxation.h). A minimiser of f
///   has rank at most r: the primal optimum M, of trace r, has the eigenvalue 1 on the range of
///   Lambda. The smoothing falls if f exceeds the model by no more than the smoothing, or if the
///   bound has not improved for some rounds in a row: with few supports the model is far from f,
///   and long steps gain nothing.
/// Oracle
///   The supports that truncated power ascents and exchanges find on S - Lambda join the pool. If
///   they add nothing, the largest value is certified: by all supports, if they are few, otherwise
///   by the two searches of `branch-bound` (certified_search.h). These take S - Lambda + sigma I
///   with sigma = max(0, -lambda_min(S - Lambda)), which is positive semidefinite: every value of a
///   unit vector rises by sigma. If time runs out, their bound on the open subtrees counts. With
///   gains it is a pricing problem (certified_maximum.h).
///
/// Branch and bound
///   If all supports can be enumerated, or all that may be in a better answer (near_supports.h),
///   branch and bound over them follows (orthogonal_tree.h). It closes the gap for a dozen
///   variables, and for five hundred if components have about five and the relaxation is within
///   a few percent.
///
/// Division by overlaps
///   If a gap is left, the problem is divided by the number of supports that have a variable, with
///   bounds that need no search (overlap_tree.h). The root of that tree is a relaxation of its own:
///   it is the tighter one if the searches for one component do not end.
///
/// Time
///   The relaxation has a share of the time, and each of its certified searches a share of that, so
///   that something is left for the divisions.
///
/// Only values that are certified at some Lambda, or at some costs of pairs, are returned, so they
/// do not depend on how these were found.
///
/// Source  the relaxation UU' <= I: Cory-Wright, Pauphilet, Operations Research 2026; the bundle of
///         supports is this project's

#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pairs/overlap_tree.h"
#include "spca/methods/pools/pooled_relaxation.h"
#include "spca/methods/pricing/support_pricer.h"
#include "spca/solving/budget.h"

namespace spca {

/// The data from which a bound is computed again. Any contents prove some bound; empty contents
/// prove lambda_1 + ... + lambda_r.
struct OrthogonalProof {
  PricePoint point = {};                   // of the least certified f, with p rows; 0 x 0: none
  std::vector<PricingProof> pricing = {};  // hints with gains, for each cardinality, ascending
  /// The division by supports from the point: its target, and its number of nodes; 0: none. If not
  /// all supports can be enumerated, those that matter for this target are.
  double target = 0;
  Index nodes = 0;
  OverlapProof overlap = {};
};

struct OrthogonalBound {
  double value = std::numeric_limits<double>::infinity();
  OrthogonalProof proof = {};
  Index oracles = 0;   // number of certified evaluations of f
  Index supports = 0;  // number of supports in the pools at the end
  Index nodes = 0;     // number of nodes of both divisions
};

/// `matrix` is S, p x p; 1 <= k_t <= p, r <= p. `known` are supports that may be good; they join
/// the pool. `value`: that of known orthonormal components; 0: sought on these supports, and by
/// deflation and exchanges. Ends when the bound is within `accuracy` (relative) of `value`, when
/// nothing is left to divide or the limits of rounds and nodes are reached, or when the budget is
/// over; the bound is valid in every case. Certified searches and the division by overlaps use up
/// to `threads` threads.
OrthogonalBound orthogonal_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 const std::vector<Support>& known, double accuracy, Budget& budget,
                                 double value = 0, int threads = 1);

/// Computes the bound of the proof from S alone. The searches and the division by supports are
/// repeated. If the budget ends before, the bound holds, but may be weaker.
double check_orthogonal_proof(const Matrix& matrix, const std::vector<Index>& cardinality,
                              const OrthogonalProof& proof, Budget& budget);

/// Computes f from S and a point alone, or an upper bound on it if the budget ends. `point`: L, p x
/// q, and shares of p variables, from 0 to 1, or none.
double orthogonal_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                           const PricePoint& point, Budget& budget);

}  // namespace spca
