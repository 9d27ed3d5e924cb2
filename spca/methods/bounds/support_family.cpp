#include "spca/methods/bounds/support_family.h"

#include <algorithm>
#include <numeric>

namespace spca {

SupportFamily SupportFamily::all(Index p) {
  SupportFamily family;
  family.candidates.resize(static_cast<std::size_t>(p));
  std::iota(family.candidates.begin(), family.candidates.end(), 0);
  return family;
}

// If nothing is to choose the candidates are left out; otherwise all of them are in.
Support SupportFamily::support(Index k) const {
  Support all(chosen.begin(), chosen.end());
  if (to_choose(k) > 0) {
    all.insert(all.end(), candidates.begin(), candidates.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

void SupportFamily::branch(int variable, bool with) {
  const auto place = std::find(candidates.begin(), candidates.end(), variable);
  if (place != candidates.end()) {
    candidates.erase(place);
    if (with) {
      chosen.push_back(variable);
    }
  }
}

bool SupportFamily::settle(const SettledVariables& settled) {
  enum class Fate : char { kOpen, kOut, kInside };
  std::vector<Fate> fate(candidates.size(), Fate::kOpen);
  for (const Index i : settled.out) {
    fate[static_cast<std::size_t>(i)] = Fate::kOut;
  }
  for (const Index i : settled.inside) {
    // If it is settled outside as well, no support is better than the limit, and any subset of the
    // family may be kept.
    fate[static_cast<std::size_t>(i)] = Fate::kInside;
  }
  std::vector<int> left;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (fate[i] == Fate::kInside) {
      chosen.push_back(candidates[i]);
    } else if (fate[i] == Fate::kOpen) {
      left.push_back(candidates[i]);
    }
  }
  const bool changes = left.size() < candidates.size();
  candidates = std::move(left);
  return changes;
}

CardinalityRelaxation relaxation_on(const FactoredCovariance& factor, const SupportFamily& family,
                                    Index k, const Vector& prices) {
  std::vector<int> variables = family.chosen;
  variables.insert(variables.end(), family.candidates.begin(), family.candidates.end());
  if (prices.size() == 0) {
    return CardinalityRelaxation(factor.columns(variables), std::ssize(family.chosen),
                                 family.to_choose(k));
  }
  return CardinalityRelaxation(factor.columns(variables), std::ssize(family.chosen),
                               family.to_choose(k), prices(variables));
}

}  // namespace spca
