#include "harness/answers/cardinality_suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/answers/component_suggestion.h"
#include "harness/answers/derived_seed.h"
#include "spca/measure/cardinality_path.h"

namespace spca {
namespace {

constexpr Index kTried[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 65, 80, 100};
constexpr Index kSuggestionFolds = 5;
/// At most this number of data entries, times components, for cross-validation, which solves the
/// path again for each fold, and for the default solver. On larger data these would take longer
/// than most solves.
constexpr double kMostEntries = 1e6;

double entries_of(const Covariance& covariance) {
  return static_cast<double>(covariance.samples()) * static_cast<double>(covariance.variables());
}

bool is_affordable(const Covariance& covariance, Index components) {
  return covariance.samples() >= 2 * kSuggestionFolds &&
         entries_of(covariance) * static_cast<double>(components) <= kMostEntries;
}

}  // namespace

std::vector<Index> tried_cardinalities(Index p) {
  std::vector<Index> cardinalities;
  for (const Index k : kTried) {
    if (k <= p) {
      cardinalities.push_back(k);
    }
  }
  if (p < std::end(kTried)[-1] && cardinalities.back() != p) {
    cardinalities.push_back(p);
  }
  return cardinalities;
}

std::vector<SuggestedCardinality> suggest_cardinalities(const Dataset& dataset, Index components,
                                                        const DeflationEntry& deflation,
                                                        std::uint64_t seed, double seconds) {
  const Covariance& covariance = *dataset.covariance;
  const bool is_validated = is_affordable(covariance, 1);
  const PathSolver solver = suggestion_solver();
  const ComponentsRequest request = {
      .path = {.dataset = dataset,
               .solvers = {entries_of(covariance) <= kMostEntries ? solver : solver.for_samples()},
               .cardinalities = tried_cardinalities(covariance.variables()),
               .seed = derived_seed(seed, "path"),
               .seconds = seconds,
               .resamples = 0,
               .folds = is_validated ? kSuggestionFolds : 0},
      .components = is_affordable(covariance, components) ? components : 1,
      .deflation = &deflation};
  std::vector<SuggestedCardinality> suggested;
  for (const ComponentPath& path : solve_component_paths(request)) {
    if (path.chosen) {
      suggested.push_back({.cardinality = *path.chosen, .reason = rule_words(path)});
    }
  }
  if (suggested.empty()) {
    suggested.push_back({.cardinality = request.path.cardinalities.back(),
                         .reason = "because no rule suggests another"});
  }
  return suggested;
}

Index default_cardinality(Index wanted, Index p, Index components) {
  return std::max<Index>(1, std::min(wanted, p / components));
}

}  // namespace spca
