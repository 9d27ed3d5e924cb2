#include "spca/methods/orthogonal/near_supports.h"

#include <algorithm>
#include <set>

#include "spca/dense/small_eigenpair.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/pricing/loading_search.h"

namespace spca {
namespace {

/// Adds the subsets of the supports that exceed the level, too. Returns false if they are too many.
bool add_subsets(const Matrix& left, const Vector& gains, double level,
                 std::vector<Support>& supports) {
  std::set<Support> known(supports.begin(), supports.end());
  for (std::size_t i = 0; i < supports.size(); ++i) {
    for (std::size_t without = 0; supports[i].size() > 1 && without < supports[i].size();
         ++without) {
      Support subset = supports[i];
      subset.erase(subset.begin() + static_cast<std::ptrdiff_t>(without));
      if (!known.contains(subset) &&
          small_leading_eigenvalue(left, subset) + gains(subset).sum() > level) {
        known.insert(subset);
        supports.push_back(std::move(subset));
      }
    }
    if (supports.size() > kMostNear) {
      return false;
    }
  }
  return true;
}

Support variables_of(const SupportChoices& choices) {
  std::set<Index> variables;
  for (const auto& [k, supports] : choices) {
    for (const Support& support : supports) {
      variables.insert(support.begin(), support.end());
    }
  }
  return {variables.begin(), variables.end()};
}

}  // namespace

NearSupportSearch::NearSupportSearch(Matrix left, Vector gains)
    : left_(std::move(left)),
      gains_(std::move(gains)),
      problem_(left_, gains_),
      strongest_(problem_.matrix()) {}

NearSupports NearSupportSearch::above(const std::map<Index, double>& levels, Budget& budget) {
  NearSupports near;
  for (const auto& [k, level] : levels) {
    const double lowered = level - 2 * problem_.rounding(k);
    const double target = problem_.net_of(lowered, k);
    const double least = -static_cast<double>(k) * problem_.prices().maxCoeff();
    if (!(target > least)) {
      return {};  // all supports exceed the level
    }
    LoadingSearch search(
        problem_.matrix(), {.prices = problem_.prices(), .target = target}, k, strongest_,
        [&] { return !budget.is_time_up(); }, LoadingSearch::Wanted::kAll);
    if (!search.enumerate(kMostNear)) {
      return {};
    }
    std::vector<Support>& supports = near.choices[k];
    for (const PricedSupport& one : search.all()) {
      supports.push_back(one.support);
    }
    std::sort(supports.begin(), supports.end());
    supports.erase(std::unique(supports.begin(), supports.end()), supports.end());
    if (!add_subsets(left_, gains_, lowered, supports)) {
      return {};
    }
  }
  near.core = variables_of(near.choices);
  if (std::ssize(near.core) > kMostTreeVariables) {
    return {};
  }
  for (auto& [k, supports] : near.choices) {
    for (Support& support : supports) {
      support = positions_among(near.core, support);
    }
  }
  return near;
}

}  // namespace spca
