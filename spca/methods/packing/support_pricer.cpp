#include "spca/methods/packing/support_pricer.h"

#include <algorithm>
#include <limits>

#include "spca/methods/bounds/search_by_turns.h"

namespace spca {

SupportPricer::SupportPricer(const Matrix& matrix, OutsideVariables outside, Index most)
    : matrix_(matrix), outside_(std::move(outside)) {
  if (!outside_.is_empty()) {
    const Index p = matrix.rows();
    extended_ = Matrix::Zero(p + most, p + most);
    extended_.topLeftCorner(p, p) = matrix;
  }
}

bool SupportPricer::factor(Budget& budget) {
  if (factor_ == nullptr && matrix_.diagonal().maxCoeff() > 0) {
    factor_ = factor_covariance(matrix(), [&] { return !budget.is_time_up(); });
  }
  return factor_ != nullptr;
}

/// The question among the variables of S and those that are zero, if each of the others adds `added`
/// at most. Its answers are less by k `added`.
SupportPricing SupportPricer::extended(const SupportPricing& pricing, double added, Index k) const {
  if (extended_.rows() == 0) {
    return pricing;
  }
  SupportPricing other = pricing;
  other.prices = Vector::Zero(extended_.rows());
  other.prices.head(matrix_.rows()) = pricing.prices.array() + added;
  other.target -= static_cast<double>(k) * added;
  return other;
}

PricedOptimum SupportPricer::maximise(const SupportPricing& pricing, const Support& start,
                                      Budget& budget) {
  return search(pricing, start, Effort::kWhole, budget);
}

PricedOptimum SupportPricer::bound(const SupportPricing& pricing, const Support& start,
                                   Budget& budget) {
  return search(pricing, start, Effort::kRoot, budget);
}

PricedOptimum SupportPricer::search(const SupportPricing& pricing, const Support& start,
                                    Effort effort, Budget& budget) {
  const std::function<bool()> keep_going = [&] { return !budget.is_time_up(); };
  const Index k = std::ssize(start);
  const double added = outside_.most_added(pricing.prices, pricing.target, k);
  const SupportPricing asked = extended(pricing, added, k);
  factor(budget);
  SearchByTurns search(matrix(), factor_, start, asked, keep_going);
  const auto is_enough = [&] {
    if (effort == Effort::kRoot) {
      return search.relaxations() != nullptr && search.relaxations()->has_begun();
    }
    return search.value() > asked.target && is_inside(search.support());
  };
  while (!search.is_finished() && !is_enough() && keep_going()) {
    search.advance(1, keep_going);
  }
  const RelaxationTree* relaxations = search.relaxations();
  const double shift = static_cast<double>(k) * added;
  PricedOptimum optimum{
      .bound = search.bound() + shift,
      .support = search.support(),
      .is_proven = search.is_finished(),
      .proof = {.target = search.is_finished() ? search.bound() + shift : pricing.target,
                .least = pricing.target,
                .start = search.support(),
                .relaxations = relaxations != nullptr && relaxations->has_begun()
                                   ? relaxations->certificate()
                                   : nullptr}};
  if (!is_inside(optimum.support)) {  // it speaks of variables that are not at hand
    optimum.support = start;
  }
  return optimum;
}

double SupportPricer::check(const SupportPricing& pricing, const PricingProof& proof, Index k,
                            Budget& budget) {
  const std::function<bool()> keep_going = [&] { return budget.next(); };
  SupportPricing asked = pricing;
  asked.target = proof.target;
  // Whatever h the proof names, no support is worth more than it or the bound that follows.
  const double least = std::min(proof.least, proof.target);
  const double added = outside_.most_added(pricing.prices, least, k);
  asked = extended(asked, added, k);
  const double shift = static_cast<double>(k) * added;
  double bound = std::numeric_limits<double>::infinity();
  if (proof.relaxations != nullptr && std::ssize(proof.relaxations->support) == k &&
      factor(budget)) {
    bound = proof.relaxations->bound(*factor_, asked, keep_going);
  }
  const bool is_usable = std::ssize(proof.start) == k && k > 0 && proof.start.front() >= 0 &&
                         proof.start.back() < matrix().rows();
  if (!(bound > asked.target) || !is_usable || !keep_going()) {
    return bound + shift;
  }
  SearchByTurns search(matrix(), factor_, proof.start, asked, keep_going);
  while (!search.is_finished() && !(search.value() >= bound) && keep_going()) {
    search.advance(1, keep_going);
  }
  return std::min(bound, search.bound()) + shift;
}

}  // namespace spca
