#include "harness/answers/cardinality_suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/answers/derived_seed.h"
#include "harness/answers/guarded_solver.h"
#include "spca/measure/cardinality_path.h"

namespace spca {
namespace {

/// The cardinalities of the path, each about a quarter more than the one before. For a finer grid
/// there is `spca path`.
constexpr Index kTried[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 65, 80, 100};
constexpr Index kSuggestionFolds = 5;
/// At most this number of data entries for cross-validation, which solves the path again for each
/// fold. On larger data it would take longer than most solves.
constexpr double kMostValidatedEntries = 1e6;

}  // namespace

SuggestedCardinality suggest_cardinality(const Dataset& dataset, std::uint64_t seed,
                                         double seconds) {
  const Covariance& covariance = *dataset.covariance;
  const Index p = covariance.variables();
  const auto n = static_cast<double>(covariance.samples());
  const SolverEntry& solver = SolverRegistry::instance().get(kPathSolver, "path");
  PathRequest request;
  request.dataset = dataset;
  request.solvers = {{.entry = &guarded_solver(solver),
                      .options = solver.complete_options(Json::object(), "path")}};
  for (const Index k : kTried) {
    if (k <= p) {
      request.cardinalities.push_back(k);
    }
  }
  if (p < std::end(kTried)[-1] && request.cardinalities.back() != p) {
    request.cardinalities.push_back(p);
  }
  request.seed = derived_seed(seed, "path");
  request.seconds = seconds;
  request.resamples = 0;
  request.folds = n >= 2 * kSuggestionFolds && n * static_cast<double>(p) <= kMostValidatedEntries
                      ? kSuggestionFolds
                      : 0;
  const PathSuggestion suggestion = solve_path(request).solvers.front().suggestion;
  if (suggestion.one_standard_error) {
    return {.cardinality = *suggestion.one_standard_error,
            .reason =
                "the smallest whose error on samples left out is within one standard error "
                "of the least"};
  }
  if (suggestion.knee) {
    return {.cardinality = *suggestion.knee, .reason = "where the variance bends most against k"};
  }
  return {.cardinality = std::min<Index>(p, request.cardinalities.back()),
          .reason = "because no rule suggests another"};
}

Index default_cardinality(Index wanted, Index p, Index components) {
  return std::max<Index>(1, std::min(wanted, p / components));
}

}  // namespace spca
