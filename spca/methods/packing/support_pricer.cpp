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
                                      double enough, Budget& budget) {
  const std::function<bool()> keep_going = [&] { return !budget.is_time_up(); };
  factor(budget);
  SearchByTurns search(matrix_, factor_, start, pricing, keep_going);
  while (!search.is_finished() && !(search.value() > pricing.target + enough) && keep_going()) {
    search.advance(1, keep_going);
  }
  const RelaxationTree* relaxations = search.relaxations();
  return {.bound = search.bound(),
          .support = search.support(),
          .net = search.value(),
          .proof = {.target = pricing.target,
                    .start = search.support(),
                    .relaxations = relaxations != nullptr && relaxations->has_begun()
                                       ? relaxations->certificate()
                                       : nullptr}};
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
