#include "spca/methods/relaxations/support_pricing.h"

#include <algorithm>

namespace spca {
namespace {

bool holds(const Support& support, Index i) {
  return std::binary_search(support.begin(), support.end(), i);
}

bool contains(const std::vector<int>& variables, Index i) {
  return std::find(variables.begin(), variables.end(), i) != variables.end();
}

/// Removes i. Returns true if the list had it.
bool drop(std::vector<int>& variables, Index i) {
  const auto found = std::find(variables.begin(), variables.end(), i);
  if (found == variables.end()) {
    return false;
  }
  variables.erase(found);
  return true;
}

}  // namespace

bool PairRules::allow(const Support& support) const {
  return std::all_of(required.begin(), required.end(),
                     [&](Index i) { return holds(support, i); }) &&
         std::none_of(barred.begin(), barred.end(), [&](Index i) { return holds(support, i); }) &&
         std::all_of(together.begin(), together.end(),
                     [&](const Pair& pair) {
                       return holds(support, pair.first) == holds(support, pair.second);
                     }) &&
         std::none_of(apart.begin(), apart.end(), [&](const Pair& pair) {
           return holds(support, pair.first) && holds(support, pair.second);
         });
}

PairRules PairRules::among(const Support& variables) const {
  const auto position = [&](Index i) -> Index {
    const auto found = std::lower_bound(variables.begin(), variables.end(), i);
    return found != variables.end() && *found == i ? found - variables.begin() : -1;
  };
  PairRules rules;
  for (const Pair& pair : together) {
    const Index a = position(pair.first);
    const Index b = position(pair.second);
    if (a >= 0 && b >= 0) {
      rules.together.emplace_back(a, b);
    } else if (a >= 0 || b >= 0) {
      rules.barred.push_back(std::max(a, b));
    }
  }
  for (const Pair& pair : apart) {
    const Index a = position(pair.first);
    const Index b = position(pair.second);
    if (a >= 0 && b >= 0) {
      rules.apart.emplace_back(a, b);
    }
  }
  for (const Index i : required) {
    rules.required.push_back(position(i));  // -1 is in no support
  }
  for (const Index i : barred) {
    const Index of_barred = position(i);
    if (of_barred >= 0) {
      rules.barred.push_back(of_barred);
    }
  }
  return rules;
}

bool PairRules::apply(std::vector<int>& chosen, std::vector<int>& candidates) const {
  for (const Index i : barred) {
    if (contains(chosen, i)) {
      return false;
    }
    drop(candidates, i);
  }
  for (const Index i : required) {
    if (!contains(chosen, i)) {
      if (!drop(candidates, i)) {
        return false;
      }
      chosen.push_back(static_cast<int>(i));
    }
  }
  bool changes = true;
  while (changes) {
    changes = false;
    for (const Pair& pair : together) {
      for (const auto& [one, other] : {pair, Pair(pair.second, pair.first)}) {
        if (contains(chosen, one) && !contains(chosen, other)) {
          if (!drop(candidates, other)) {
            return false;
          }
          chosen.push_back(static_cast<int>(other));
          changes = true;
        } else if (contains(candidates, one) && !contains(candidates, other) &&
                   !contains(chosen, other)) {
          changes = drop(candidates, one) || changes;
        }
      }
    }
    for (const Pair& pair : apart) {
      const bool has_first = contains(chosen, pair.first);
      const bool has_second = contains(chosen, pair.second);
      if (has_first && has_second) {
        return false;
      }
      changes = (has_first && drop(candidates, pair.second)) || changes;
      changes = (has_second && drop(candidates, pair.first)) || changes;
    }
  }
  return true;
}

}  // namespace spca
