#pragma once

/// The search for the costs and prices of pair_bound.h whose bound is least: the steps of
/// pair_search.h, the bounds that their proofs give on the way, and a rule for the end.

#include <functional>
#include <limits>
#include <vector>

#include "spca/methods/pairs/pair_bound.h"
#include "spca/methods/pairs/pair_search.h"

namespace spca {

/// A copy continues from the state of the original.
class PairDescent {
 public:
  /// `matrix`: S, p x p, positive semidefinite, not zero. It and `outside` must outlive this.
  /// `enough`: a bound of this size ends the search.
  PairDescent(const Matrix& matrix, PairConditions conditions, const OutsideVariables& outside,
              double enough);
  /// Goes on from `other` with other variables under these conditions. `matrix`: S of the
  /// variables; it must outlive this. `positions`: those of the variables in `other`, or -1.
  PairDescent(const PairDescent& other, const Matrix& matrix, const Support& positions,
              const PairConditions& conditions);

  /// Sets other conditions for the same S, k and r. The steps continue from where they are, and the
  /// least bound is sought anew.
  void set_limits(const PairConditions& conditions);

  /// Makes steps until the bound is `enough`, steps improve it little, or `most_steps` are made.
  /// `keep_going(best)` is called before each step; false stops.
  void run(int most_steps, const std::function<bool(double)>& keep_going);
  /// Ends the search sooner: after this number of bounds in a row that reduce the distance to
  /// `enough` by less than this share.
  void set_patience(int bounds_without_gain, double smallest_share);

  const PairBound& best() const { return best_; }
  const PairConditions& conditions() const { return conditions_; }
  /// PairSearch::counts().
  Vector counts() const { return search_.counts(); }
  /// PairSearch::sizes().
  Vector sizes() const { return search_.sizes(); }

 private:
  bool is_over() const { return best_.value <= enough_ || waited_ >= patience_; }
  void try_mean(Index step);
  void try_proof();
  void set_if_better(double value, PairProof proof);
  void set_weight(const PairBoundAt& bound);
  void wait();

  const Matrix& matrix_;
  PairConditions conditions_;
  const OutsideVariables& outside_;
  double enough_;
  int patience_;
  double smallest_share_;
  PairSearch search_;
  PairBound best_;
  double least_of_steps_ = std::numeric_limits<double>::infinity();  // without those of the means
  double notable_ = std::numeric_limits<double>::infinity();
  int waited_ = 0;
};

/// Minimises (3) of pair_bound.h. `keep_going(best)` is called before each step; false stops.
/// `matrix`: S, p x p, positive semidefinite; k_1 + ... + k_r <= p. Ends when the bound is at most
/// `enough`, when steps improve it little, or after 2000 steps. `outside`: the variables
/// that are not part of S; the bound covers them.
PairBound pair_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                     const OutsideVariables& outside, double enough,
                     const std::function<bool(double)>& keep_going);

/// Returns the relative increase of (3) of pair_bound.h by the variables outside, after a hundred
/// steps; 0 if `keep_going` returns false before.
double outside_bound_increase(const Matrix& matrix, const std::vector<Index>& cardinality,
                              const OutsideVariables& outside,
                              const std::function<bool()>& keep_going);

}  // namespace spca
