#include "spca/methods/packing/support_pricer.h"

#include <algorithm>
#include <limits>

#include "spca/methods/bounds/search_by_turns.h"

namespace spca {

bool SupportPricer::factor(Budget& budget) {
  if (factor_ == nullptr && matrix_.diagonal().maxCoeff() > 0) {
    factor_ = factor_covariance(matrix_, [&] { return !budget.is_time_up(); });
  }
  return factor_ != nullptr;
}

PricedOptimum SupportPricer::maximise(const SupportPricing& pricing, const Support& start,
                                      double most_work, Budget& budget) {
  const std::function<bool()> keep_going = [&] { return !budget.is_time_up(); };
  factor(budget);
  SearchByTurns search(matrix_, factor_, start, pricing, keep_going);
  const auto work = [&search] {
    const RelaxationTree* relaxations = search.relaxations();
    return search.squares().work() + (relaxations != nullptr ? relaxations->work() : 0);
  };
  while (!search.is_finished() && !(search.value() > pricing.target) && work() < most_work &&
         keep_going()) {
    search.advance(1, keep_going);
  }
  const RelaxationTree* relaxations = search.relaxations();
  return {.bound = search.bound(),
          .support = search.support(),
          .net = search.value(),
          .is_proven = search.is_finished(),
          .proof = {.target = pricing.target,
                    .start = search.support(),
                    .relaxations = relaxations != nullptr && relaxations->has_begun()
                                       ? relaxations->certificate()
                                       : nullptr}};
}

PricedOptimum SupportPricer::relax(const SupportPricing& pricing, const Support& start,
                                   Budget& budget, Vector& parts) {
  parts = Vector::Zero(matrix_.rows());
  if (!factor(budget)) {
    return {.bound = std::numeric_limits<double>::infinity(), .support = start};
  }
  RelaxationTree tree(factor_, matrix_, start, pricing);
  tree.begin([&] { return !budget.is_time_up(); });
  parts = tree.root_shares();
  return {.bound = tree.bound(),
          .support = tree.support(),
          .net = tree.value(),
          .is_proven = tree.is_finished(),
          .proof = {.target = pricing.target, .start = start, .relaxations = tree.certificate()}};
}

double SupportPricer::check(const SupportPricing& pricing, const PricingProof& proof, Index k,
                            Budget& budget) {
  const std::function<bool()> keep_going = [&] { return budget.next(); };
  SupportPricing aimed = pricing;
  aimed.target = proof.target;
  double bound = std::numeric_limits<double>::infinity();
  if (proof.relaxations != nullptr && std::ssize(proof.relaxations->support) == k &&
      factor(budget)) {
    bound = proof.relaxations->bound(*factor_, aimed, keep_going);
  }
  const bool is_usable = std::ssize(proof.start) == k && k > 0 && proof.start.front() >= 0 &&
                         proof.start.back() < matrix_.rows();
  if (!(bound > proof.target) || !is_usable || !keep_going()) {
    return bound;
  }
  SearchByTurns search(matrix_, factor_, proof.start, aimed, keep_going);
  while (!search.is_finished() && !(search.value() >= bound) && keep_going()) {
    search.advance(1, keep_going);
  }
  return std::min(bound, search.bound());
}

}  // namespace spca
