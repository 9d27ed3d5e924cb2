#include "spca/methods/orthogonal/near_supports.h"

#include <algorithm>
#include <set>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/methods/pricing/support_pricer.h"

namespace spca {
namespace {

// The levels are lowered by this share of the largest eigenvalue against rounding.
constexpr double kNearRounding = 1e-10;

/// Adds the subsets of the supports that exceed the level, too. Returns false if they are too many.
bool add_subsets(const Matrix& left, double level, std::vector<Support>& supports) {
  std::set<Support> known(supports.begin(), supports.end());
  for (std::size_t i = 0; i < supports.size(); ++i) {
    for (std::size_t without = 0; supports[i].size() > 1 && without < supports[i].size();
         ++without) {
      Support subset = supports[i];
      subset.erase(subset.begin() + static_cast<std::ptrdiff_t>(without));
      if (!known.contains(subset) && small_leading_eigenvalue(left, subset) > level) {
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

NearSupports near_supports(const Matrix& left, const std::map<Index, double>& levels,
                           Budget& budget) {
  const Vector values = symmetric_eigenvalues(left);
  // The enumeration asks for a positive semidefinite matrix: every value rises by the shift.
  const double largest = values.cwiseAbs().maxCoeff();
  const double shift = std::max(0.0, -values[0]) + kNearRounding * largest;
  Matrix shifted = left;
  shifted.diagonal().array() += shift;
  SupportPricer pricer(shifted, OutsideVariables(), levels.rbegin()->first);
  NearSupports near;
  for (const auto& [k, level] : levels) {
    const double lowered = level - 2 * kNearRounding * (largest + shift);
    if (!(lowered + shift > 0)) {
      return {};  // all supports exceed the level
    }
    const EnumeratedSupports found = pricer.enumerate(
        {.prices = Vector::Zero(left.rows()), .target = lowered + shift}, k, 1, kMostNear, budget);
    std::vector<Support>& supports = near.choices[k];
    for (const PricedSupport& one : found.supports) {
      supports.push_back(one.support);
    }
    if (!found.is_complete || supports.size() > kMostNear ||
        !add_subsets(left, lowered, supports)) {
      return {};
    }
  }
  near.core = variables_of(near.choices);
  if (std::ssize(near.core) > kMostTreeVariables) {
    return {};
  }
  for (auto& [k, supports] : near.choices) {
    for (Support& support : supports) {
      for (Index& i : support) {
        i = std::lower_bound(near.core.begin(), near.core.end(), i) - near.core.begin();
      }
    }
  }
  return near;
}

}  // namespace spca
