#include "spca/methods/pairs/pair_descent.h"

#include <utility>

namespace spca {
namespace {

// The bound is computed every kStepsABound steps, and for the mean of the proofs every kStepsAMean
// steps. The search ends after kBoundsWithoutGain values in a row that reduce the distance to
// `enough` by less than kSmallestShare: bench/notes/2026-11-23-branch-price.md, "a hundred steps".
constexpr int kStepsABound = 10;
constexpr int kStepsAMean = 50;
constexpr int kBoundsWithoutGain = 10;
constexpr double kSmallestShare = 0.01;
// At most this number of steps. Chosen by trial, not measured.
constexpr int kMostPairSteps = 2000;
// The variables outside count as cheap if they raise no term above this share of the possible
// improvement (bench/notes/2026-11-23-branch-price.md, "a hundredth of the remaining gap").
constexpr double kLittleOutside = 0.01;
// Number of steps after which the cost of the outside variables is computed. Chosen by trial, not
// measured.
constexpr int kTrialSteps = 100;

}  // namespace

PairDescent::PairDescent(const Matrix& matrix, PairConditions conditions,
                         const OutsideVariables& outside, double enough)
    : matrix_(matrix),
      conditions_(std::move(conditions)),
      outside_(outside),
      enough_(enough),
      patience_(kBoundsWithoutGain),
      smallest_share_(kSmallestShare),
      search_(matrix, conditions_.k, conditions_.r) {
  if (conditions_.most.size() > 0) {
    search_.set_limits(conditions_);
  }
}

PairDescent::PairDescent(const PairDescent& other, const Matrix& matrix, const Support& positions,
                         const PairConditions& conditions)
    : matrix_(matrix),
      conditions_(conditions),
      outside_(other.outside_),
      enough_(other.enough_),
      patience_(other.patience_),
      smallest_share_(other.smallest_share_),
      search_(other.search_, matrix, positions) {
  set_limits(conditions);
}

void PairDescent::set_limits(const PairConditions& conditions) {
  conditions_ = conditions;
  search_.set_limits(conditions_);
  search_.begin_mean();
  best_ = {};
  least_of_steps_ = notable_ = std::numeric_limits<double>::infinity();
  waited_ = 0;
}

void PairDescent::set_patience(int bounds_without_gain, double smallest_share) {
  patience_ = bounds_without_gain;
  smallest_share_ = smallest_share;
}

void PairDescent::run(int most_steps, const std::function<bool(double)>& keep_going) {
  for (int step = 1; step <= most_steps && !is_over() && keep_going(best_.value); ++step) {
    search_.step();
    if (step % kStepsAMean == 0) {
      try_mean(step);
    }
    if (step % kStepsABound == 0) {
      try_proof();
    }
  }
}

/// `step`: the number of steps of this run. The mean restarts when it covers at least half of them,
/// to forget the first steps.
void PairDescent::try_mean(Index step) {
  PairProof proof = search_.mean_proof();
  const double value = pair_bound_with_floors(matrix_, conditions_, outside_, proof).value;
  set_if_better(value, std::move(proof));
  if (2 * search_.steps_of_mean() >= step) {
    search_.begin_mean();
  }
}

void PairDescent::try_proof() {
  PairProof proof = search_.proof();
  const PairBoundAt bound = pair_bound_with_floors(matrix_, conditions_, outside_, proof);
  set_if_better(bound.value, std::move(proof));
  search_.set_floors(bound.floors);
  set_weight(bound);
  wait();
}

void PairDescent::set_if_better(double value, PairProof proof) {
  if (value < best_.value) {
    best_ = {.value = value, .proof = std::move(proof)};
  }
}

/// With a large weight the bound falls fast at first and then rises again. The costs of outside
/// variables adapt too slowly to a falling weight.
void PairDescent::set_weight(const PairBoundAt& bound) {
  const bool is_little_outside =
      bound.floors.maxCoeff() <= kLittleOutside * (bound.value - enough_);
  if (bound.value <= least_of_steps_) {
    least_of_steps_ = bound.value;
    search_.raise_weight_if_far();
    if (is_little_outside) {
      search_.lower_weight_if_near();
    }
  } else if (is_little_outside) {
    search_.lower_weight();
  }
}

void PairDescent::wait() {
  ++waited_;
  if (best_.value - enough_ < (1 - smallest_share_) * (notable_ - enough_)) {
    notable_ = best_.value;
    waited_ = 0;
  }
}

PairBound pair_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                     const OutsideVariables& outside, double enough,
                     const std::function<bool(double)>& keep_going) {
  if (!(matrix.diagonal().maxCoeff() > 0)) {
    return {};
  }
  PairDescent descent(matrix, PairConditions(cardinality), outside, enough);
  descent.run(kMostPairSteps, keep_going);
  return descent.best();
}

double outside_bound_increase(const Matrix& matrix, const std::vector<Index>& cardinality,
                              const OutsideVariables& outside,
                              const std::function<bool()>& keep_going) {
  if (outside.is_empty() || !(matrix.diagonal().maxCoeff() > 0)) {
    return 0;
  }
  const PairConditions conditions(cardinality);
  PairSearch search(matrix, conditions.k, conditions.r);
  for (int step = 1; step <= kTrialSteps; ++step) {
    if (!keep_going()) {
      return 0;
    }
    search.step();
    if (step % kStepsABound == 0) {
      search.set_floors(pair_bound_with_floors(matrix, conditions, outside, search.proof()).floors);
      search.raise_weight_if_far();
    }
  }
  const PairProof proof = search.proof();
  return pair_bound_with_floors(matrix, conditions, outside, proof).value /
             pair_bound_with_floors(matrix, conditions, OutsideVariables(), proof).value -
         1;
}

}  // namespace spca
