#include "spca/methods/pricing/largest_terms.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace spca {
namespace {

constexpr Index kNoTerm = -1;
// Number of terms that are compared together. Chosen by trial, not measured.
constexpr Index kAtATime = 16;
// The cost of sum() in multiplications, for each of the n terms and for each of the largest terms.
constexpr double kWorkOfTerm = 0.5;
constexpr double kLargestWork = 5;

}  // namespace

void LargestTerms::begin(Index n, Index count) {
  const auto size = static_cast<std::size_t>(std::clamp<Index>(count, 0, n));
  largest_.resize(size);
  before_.resize(size);
  std::iota(before_.begin(), before_.end(), Index{0});
}

/// Returns the least of the terms at the positions in before_, or 0 if that is negative. No term of
/// the sum is smaller.
LargestTerms::Term LargestTerms::least_before(const Vector& lifts, double times,
                                              const Vector& costs) const {
  Term least{std::numeric_limits<double>::infinity(), kNoTerm};
  for (const Index j : before_) {
    least = std::min(least, Term{lifts[j] - times * costs[j], j});
  }
  return {std::max(0.0, least.first), least.second};
}

void LargestTerms::insert(double term, Index position) {
  if (!(term > largest_.back().first)) {
    return;
  }
  auto before = largest_.end() - 1;
  for (; before != largest_.begin() && (before - 1)->first < term; --before) {
    *before = *(before - 1);
  }
  *before = {term, position};
}

double LargestTerms::sum(const Vector& lifts, double times, const Vector& costs) {
  if (largest_.empty()) {
    return 0;
  }
  // The least term goes before the placeholders: insert() removes from the back, so of equal terms
  // the front one is removed last.
  const Term least = least_before(lifts, times, costs);
  std::fill(largest_.begin(), largest_.end(), Term{least.first, kNoTerm});
  largest_.front() = least;
  Index next = 0;
  for (; next + kAtATime <= lifts.size(); next += kAtATime) {
    const Eigen::Array<double, kAtATime, 1> terms =
        lifts.segment<kAtATime>(next).array() - times * costs.segment<kAtATime>(next).array();
    if (terms.maxCoeff() > largest_.back().first) {
      for (Index t = 0; t < kAtATime; ++t) {
        insert(terms[t], next + t);
      }
    }
  }
  for (; next < lifts.size(); ++next) {
    insert(lifts[next] - times * costs[next], next);
  }
  work_ += kWorkOfTerm * static_cast<double>(lifts.size()) +
           kLargestWork * static_cast<double>(largest_.size());
  if (largest_.back().second != kNoTerm) {
    std::transform(largest_.begin(), largest_.end(), before_.begin(),
                   [](const Term& one) { return one.second; });
  }
  return std::accumulate(largest_.begin(), largest_.end(), 0.0,
                         [](double sum, const Term& one) { return sum + one.first; });
}

}  // namespace spca
