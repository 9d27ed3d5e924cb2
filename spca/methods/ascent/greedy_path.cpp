#include "spca/methods/ascent/greedy_path.h"

#include <algorithm>
#include <iterator>

#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/column_starts.h"

namespace spca {
namespace {

/// The first variable of a path, and the least cardinality at which the path counts.
struct PathStart {
  Index variable = 0;
  Index cardinality = 1;
};

/// Returns the starts of the paths. All are in `may_enter`, unless the first variable of largest
/// variance is the only start.
std::vector<PathStart> path_starts(const Covariance& covariance, const VariableFlags& may_enter,
                                   GrowFrom start, Index k) {
  const std::vector<PathStart> largest = {
      {.variable = first_of_largest(covariance.diagonal().cwiseMax(0.0))}};
  const Support tied = variables_of_largest_variance(covariance);
  if (tied.size() == 1 || start == GrowFrom::kFirst) {
    return largest;
  }
  const Support tried = start_variables(covariance);
  Support candidates;
  std::set_intersection(tied.begin(), tied.end(), tried.begin(), tried.end(),
                        std::back_inserter(candidates));
  std::erase_if(candidates, [&](Index i) { return !may_enter[i]; });
  if (candidates.empty()) {
    return largest;
  }
  std::vector<PathStart> starts;
  for (Index m = 2; m <= 2 * k; m *= 2) {
    const Index size = std::min(m, covariance.variables());
    const Index variable = best_columns(covariance, candidates, size, 1).at(0).variable;
    if (std::none_of(starts.begin(), starts.end(),
                     [&](const PathStart& other) { return other.variable == variable; })) {
      starts.push_back({.variable = variable, .cardinality = m / 2});
    }
  }
  return starts;
}

GreedyPath grow_from(const Covariance& covariance, const VariableFlags& candidates, Index first,
                     Index k, bool exact, Budget& budget) {
  GrowingSupport support(covariance, candidates, first, k, exact);
  GreedyPath path;
  const auto add_point = [&] {
    path.points.push_back({.component = support.component(), .seconds = budget.elapsed_seconds()});
    path.values.push_back(support.value());
  };
  add_point();
  while (std::ssize(path.points) < k && support.has_candidates() && budget.next(support.value())) {
    exact ? support.grow_exactly() : support.grow_approximately();
    add_point();
  }
  path.is_complete = std::ssize(path.points) == k || !support.has_candidates();
  return path;
}

}  // namespace

VariableFlags variables_to_try(const Covariance& covariance, Index count) {
  VariableFlags flags = covariance.diagonal().array() > 0;
  if (count > 0) {
    const Support largest = top_k(covariance.diagonal(), std::min(count, covariance.variables()));
    VariableFlags chosen = VariableFlags::Constant(flags.size(), false);
    for (const Index i : largest) {
      chosen[i] = flags[i];
    }
    flags = chosen;
  }
  return flags;
}

void improve(GreedyPath& path, const GreedyPath& other, Index cardinality) {
  for (std::size_t j = static_cast<std::size_t>(cardinality - 1);
       j < std::min(path.points.size(), other.points.size()); ++j) {
    if (other.values[j] * (1 - kTiedByRounding) > path.values[j]) {
      path.points[j] = other.points[j];
      path.values[j] = other.values[j];
    }
  }
}

GreedyPath grow_path(const Covariance& covariance, const VariableFlags& candidates, GrowFrom start,
                     Index k, bool exact, Budget& budget) {
  GreedyPath path;
  for (const PathStart& first : path_starts(covariance, candidates, start, k)) {
    if (budget.out_of_time() && !path.points.empty()) {
      break;
    }
    budget.begin_loop();
    GreedyPath found = grow_from(covariance, candidates, first.variable, k, exact, budget);
    if (path.points.empty()) {
      path = std::move(found);
    } else {
      improve(path, found, first.cardinality);
    }
  }
  return path;
}

GreedyPath shrink_path(const Covariance& covariance, std::vector<Index> variables, Index k,
                       bool exact, Budget& budget) {
  ShrinkingSupport support(covariance, std::move(variables));
  const auto shrink = [&] { exact ? support.shrink_exactly() : support.shrink(); };
  GreedyPath path;
  while (support.size() > k && budget.next(support.value())) {
    shrink();
  }
  if (support.size() > k) {
    return path;
  }
  const auto count = static_cast<std::size_t>(k);
  path.points.assign(count,
                     {.component = support.component(), .seconds = budget.elapsed_seconds()});
  path.values.assign(count, support.value());
  while (support.size() > 1 && budget.next(support.value())) {
    shrink();
    const auto place = static_cast<std::size_t>(support.size() - 1);
    path.points[place] = {.component = support.component(), .seconds = budget.elapsed_seconds()};
    path.values[place] = support.value();
  }
  path.is_complete = support.size() == 1;
  return path;
}

}  // namespace spca
