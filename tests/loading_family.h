#pragma once

/// Families of supports that contain chosen variables, for the tests of their bounds.

#include <algorithm>
#include <vector>

#include "spca/base/random.h"
#include "spca/methods/pricing/loading_bound.h"

namespace spca::trial {

/// Moves random candidates to the chosen variables until there are `chosen` of them.
inline void choose(LoadingFamily& family, Index chosen, Random& random) {
  while (std::ssize(family.chosen) < chosen) {
    const auto position = family.candidates.begin() +
                          static_cast<std::ptrdiff_t>(random.below(family.candidates.size()));
    family.chosen.push_back(*position);
    family.candidates.erase(position);
  }
}

inline bool holds_chosen(const LoadingFamily& family, const Support& support) {
  return std::all_of(family.chosen.begin(), family.chosen.end(),
                     [&](int i) { return std::binary_search(support.begin(), support.end(), i); });
}

/// Returns the bound of the family on one of its supports: a constant plus a term for each
/// variable.
template <class Bound>
double said(const Bound& bound, const LoadingFamily& family, const Support& support) {
  double sum = bound.constant();
  for (std::size_t t = 0; t < family.candidates.size(); ++t) {
    const bool is_member = std::binary_search(support.begin(), support.end(), family.candidates[t]);
    sum += is_member ? bound.terms()[static_cast<Index>(t)] : 0;
  }
  return sum;
}

}  // namespace spca::trial
