#include "spca/methods/relaxations/support_family.h"

#include <algorithm>

#include "spca/dense/dense_selections.h"

namespace spca {

SupportFamily SupportFamily::all(Index p) {
  SupportFamily family;
  family.candidates = all_candidates(p);
  return family;
}

// If nothing is to be chosen, the candidates are left out; otherwise all of them are in the
// support.
Support SupportFamily::support(Index k) const {
  Support all(chosen.begin(), chosen.end());
  if (to_choose(k) > 0) {
    all.insert(all.end(), candidates.begin(), candidates.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

void SupportFamily::branch(int variable, bool with) {
  const auto position = std::find(candidates.begin(), candidates.end(), variable);
  if (position != candidates.end()) {
    candidates.erase(position);
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
    // If the candidate is also settled out, no support is better than the limit, and any part of
    // the family may be kept.
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

HeavyCandidates heavy_candidates(const FactoredCovariance& factor, const SupportFamily& family,
                                 double price) {
  const Vector lengths = factor.squared_lengths();
  HeavyCandidates heavy{.family = {.chosen = family.chosen, .candidates = {}}, .positions = {}};
  for (std::size_t i = 0; i < family.candidates.size(); ++i) {
    const double length = lengths[family.candidates[i]];
    if (length > price) {
      heavy.family.candidates.push_back(family.candidates[i]);
      heavy.positions.push_back(static_cast<Index>(i));
    } else {
      heavy.largest_light = std::max(heavy.largest_light, length);
    }
  }
  if (heavy.positions.empty() || 2 * heavy.positions.size() >= family.candidates.size()) {
    heavy.family = family;
    heavy.positions = all_variables(std::ssize(family.candidates));
    heavy.largest_light = 0;
  }
  return heavy;
}

SettledVariables settle_family(const FactoredCovariance& factor, const SupportFamily& family,
                               Index k, const RelaxationPoint& point, const DirectionCuts& cuts,
                               double limit, Index directions,
                               const std::function<bool()>& keep_going) {
  const HeavyCandidates heavy = heavy_candidates(factor, family, point.price);
  if (heavy.positions.size() < family.candidates.size()) {
    CardinalityRelaxation relaxation = relaxation_on(factor, heavy.family, k);
    relaxation.set(point);
    SettledVariables settled = settle_variables(relaxation, cuts, limit, directions, keep_going);
    if (!(settled.bound > limit) || !(settled.bound - limit < point.price)) {
      // No candidate is settled out. The positions of those settled inside count heavy ones only.
      for (Index& i : settled.inside) {
        i = heavy.positions[static_cast<std::size_t>(i)];
      }
      return settled;
    }
  }
  CardinalityRelaxation relaxation = relaxation_on(factor, family, k);
  relaxation.set(point);
  return settle_variables(relaxation, cuts, limit, directions, keep_going);
}

}  // namespace spca
