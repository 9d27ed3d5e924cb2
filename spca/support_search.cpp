#include "spca/support_search.h"

namespace spca {
namespace {

// FNV-1a over the indices. Two supports with one hash cost at worst the score of the second, once
// in 2^64 pairs.
std::uint64_t hash_of(const Support& support) {
  std::uint64_t hash = 14695981039346656037U;
  for (const Index i : support) {
    hash = (hash ^ static_cast<std::uint64_t>(i)) * 1099511628211U;
  }
  return hash;
}

// Sums of squares that differ by less are equal but for rounding.
constexpr double kRounding = 1e-12;

}  // namespace

void SupportSearch::offer(const Support& support, double value) {
  if (value > best_low_rank_value_) {
    best_low_rank_value_ = value;
    best_low_rank_support_ = support;
  }
  if (!on_covariance_ || !may_be_best(value) || !may_be_best(low_rank_value(reduced_, support)) ||
      !seen_.insert(hash_of(support)).second) {
    return;
  }
  ++scored_;
  SupportOptimum optimum = best_on_support(covariance_, support);
  if (optimum.value > best_value_) {
    best_value_ = optimum.value;
    best_ = std::move(optimum.component);
  }
}

/// Whether a support of this value on S_d, or on WW', may be better on S than the best so far.
bool SupportSearch::may_be_best(double value) const {
  return value + low_rank_.residual + kRounding * low_rank_.eigenvalues[0] > best_value_;
}

void SupportSearch::offer_candidate(const Support& support) {
  if (!support.empty() && offered_.insert(hash_of(support)).second) {
    offer(support, low_rank_value(low_rank_.factor, support));
  }
}

void SupportSearch::offer_ascents(Index k) {
  const Index d = low_rank_.factor.cols();
  for (Index axis = 0; axis < d; ++axis) {
    offer_candidate(ascend_in_span(low_rank_.factor, k, Vector::Unit(d, axis)));
  }
}

Component SupportSearch::best() const {
  if (on_covariance_ || best_low_rank_support_.empty()) {
    return best_;
  }
  return best_on_support(covariance_, best_low_rank_support_).component;
}

}  // namespace spca
