#include "spca/methods/packing/support_pricer.h"

#include <algorithm>
#include <limits>

#include "spca/methods/bounds/search_by_turns.h"

namespace spca {

SupportPricer::SupportPricer(const Matrix& matrix, double outside, Index most)
    : matrix_(matrix), outside_(outside) {
  if (outside > 0) {
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

/// The question among the variables of S and those that are zero. Its answers are less by
/// k `outside`.
SupportPricing SupportPricer::extended(const SupportPricing& pricing, Index k) const {
  if (extended_.rows() == 0) {
    return pricing;
  }
  SupportPricing other = pricing;
  other.prices = Vector::Zero(extended_.rows());
  other.prices.head(matrix_.rows()) = pricing.prices.array() + outside_;
  other.target -= static_cast<double>(k) * outside_;
  return other;
}

PricedOptimum SupportPricer::maximise(const SupportPricing& pricing, const Support& start,
                                      Budget& budget) {
  const std::function<bool()> keep_going = [&] { return !budget.is_time_up(); };
  const Index k = std::ssize(start);
  const SupportPricing asked = extended(pricing, k);
  factor(budget);
  SearchByTurns search(matrix(), factor_, start, asked, keep_going);
  const auto is_found = [&] {
    return search.value() > asked.target && is_inside(search.support());
  };
  while (!search.is_finished() && !is_found() && keep_going()) {
    search.advance(1, keep_going);
  }
  const RelaxationTree* relaxations = search.relaxations();
  const double shift = static_cast<double>(k) * outside_;
  PricedOptimum optimum{
      .bound = search.bound() + shift,
      .support = search.support(),
      .is_proven = search.is_finished(),
      .proof = {.target = search.is_finished() ? search.bound() + shift : pricing.target,
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
  asked = extended(asked, k);
  const double shift = static_cast<double>(k) * outside_;
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
