#include "spca/methods/orthogonal/near_supports.h"

#include <algorithm>
#include <set>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/pricing/loading_search.h"

namespace spca {
namespace {

// The levels are lowered by this share of the largest eigenvalue against rounding.
constexpr double kNearRounding = 1e-10;

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
    : left_(std::move(left)), gains_(std::move(gains)), shifted_(left_) {
  if (gains_.size() == 0) {
    gains_ = Vector::Zero(left_.rows());
  }
  const Vector values = symmetric_eigenvalues(left_);
  const double largest = values.cwiseAbs().maxCoeff();
  // The enumeration asks for a positive semidefinite matrix: every value rises by the shift.
  shift_ = std::max(0.0, -values[0]) + kNearRounding * largest;
  rounding_ = kNearRounding * (largest + shift_);
  shifted_.diagonal().array() += shift_;
  strongest_.emplace(shifted_);
}

NearSupports NearSupportSearch::above(const std::map<Index, double>& levels, Budget& budget) {
  NearSupports near;
  for (const auto& [k, level] : levels) {
    const double most = gains_.maxCoeff();
    const double gained = static_cast<double>(k) * most;
    const double lowered = level - 2 * rounding_ - kNearRounding * gained;
    if (!(lowered + shift_ > 0)) {
      return {};  // all supports exceed the level
    }
    LoadingSearch search(
        shifted_, {.prices = most - gains_.array(), .target = lowered + shift_ - gained}, k,
        *strongest_, [&] { return !budget.is_time_up(); }, LoadingSearch::Wanted::kAll);
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
