#include "harness/answers/component_suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/answers/cardinality_suggestion.h"
#include "harness/answers/derived_seed.h"
#include "harness/answers/guarded_solver.h"
#include "harness/answers/path_json.h"
#include "harness/answers/path_solver.h"
#include "harness/answers/request.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/sha256.h"

namespace spca {
namespace {

/// Numbers of permutations for which the limit is exactly a 95 % quantile.
constexpr Index kManyPermutations = 99, kFewPermutations = 19;
/// At most this number of data entries for kManyPermutations.
constexpr double kMostEntriesForMany = 1e5;

Json parallel_json(const ParallelAnalysis& parallel) {
  return {{"suggested", number_or_null(parallel.components)},
          {"without", parallel.without},
          {"permutations", parallel.permutations},
          {"eigenvalues", parallel.eigenvalues},
          {"means", parallel.means},
          {"limits", parallel.limits}};
}

Json entries_json(const LeftOutEntries& entries) {
  return {{"suggested", number_or_null(entries.best)},
          {"one_standard_error", number_or_null(entries.one_standard_error)},
          {"without", entries.without},
          {"errors", entries.errors},
          {"standard_errors", entries.standard_errors}};
}

}  // namespace

Index default_permutations(Index n, Index p) {
  return static_cast<double>(n) * static_cast<double>(p) <= kMostEntriesForMany ? kManyPermutations
                                                                                : kFewPermutations;
}

PathSolver suggestion_solver() {
  const SolverEntry& solver = SolverRegistry::instance().get(kDefaultSolver, "path");
  return path_solver(guarded_solver(solver), Json::object(), "path");
}

const DeflationEntry& suggestion_deflation(const std::string& name, const std::string& where) {
  const DeflationEntry& entry =
      DeflationRegistry::instance().get(name.empty() ? kDefaultDeflation : name, where);
  if (!entry.keeps_data) {
    throw InputError(fmt::format(
        "{}: found {}, after which there are no samples; accepted: any other", where, entry.name));
  }
  return entry;
}

ComponentSuggestion suggest_components(const ComponentSuggestionRequest& request,
                                       const std::string& where) {
  const Covariance& covariance = *request.dataset.covariance;
  const std::string missing = reason_without_folds(covariance, std::max<Index>(2, request.folds));
  if (!missing.empty()) {
    const Index possible = covariance.samples() / 2;
    const bool is_option = where.starts_with("--");
    throw InputError(fmt::format(
        "{}: {}; accepted: samples, at least 2 for each of {} folds{}", where, missing,
        std::max<Index>(2, request.folds),
        possible >= 2 ? fmt::format(", or {} {}", is_option ? "--folds" : "folds =", possible)
                      : ""));
  }
  const Index permutations = request.permutations.value_or(
      default_permutations(covariance.samples(), covariance.variables()));
  std::size_t done = 0, all = static_cast<std::size_t>(permutations + request.folds);
  const auto step = [&] { request.progress(++done, all); };
  const ComponentCountRequest count = {.most = request.most,
                                       .permutations = permutations,
                                       .folds = request.folds,
                                       .seed = derived_seed(request.seed, "components"),
                                       .progress = step};
  ComponentSuggestion suggestion;
  suggestion.parallel = parallel_analysis(covariance, count);
  suggestion.entries = cross_validate_entries(covariance, count);
  if (stop_requested()) {
    return suggestion;
  }
  // Each rule counts too many at times: parallel analysis counts the largest eigenvalues of noise
  // if there are strong components, and the error counts components of little use. Both seldom do
  // so at once.
  const std::optional<Index> above = suggestion.parallel.components, best = suggestion.entries.best;
  const bool is_parallel = above && (!best || *above <= *best);
  suggestion.components = is_parallel ? above : best;
  suggestion.rule = is_parallel ? "parallel_analysis" : "cross_validation";
  if (!suggestion.components) {
    throw InputError(fmt::format("{}: no rule is left: {}; {}", where, suggestion.parallel.without,
                                 suggestion.entries.without));
  }
  all += static_cast<std::size_t>(*suggestion.components * (1 + request.folds));
  ComponentsRequest paths = {
      .path = {.dataset = request.dataset,
               .solvers = {request.solver},
               .cardinalities = request.cardinalities.empty()
                                    ? tried_cardinalities(covariance.variables())
                                    : request.cardinalities,
               .seed = derived_seed(request.seed, "path"),
               .seconds = request.seconds,
               .resamples = 0,
               .folds = request.folds,
               .progress = [&step](std::size_t, std::size_t) { step(); }},
      .components = *suggestion.components,
      .deflation = request.deflation != nullptr ? request.deflation
                                                : &suggestion_deflation("", "deflation")};
  suggestion.paths = solve_component_paths(paths);
  for (const ComponentPath& path : suggestion.paths) {
    if (path.chosen) {
      suggestion.cardinalities.push_back(*path.chosen);
    }
  }
  return suggestion;
}

std::string rule_words(const ComponentPath& path) {
  const std::string_view rule = path.rule;
  if (rule == "scores") {
    return "the smallest, up to half of the variables, whose scores of samples left out repeat "
           "best, because the error is least with more than half";
  }
  if (rule == "one_standard_error") {
    return "the smallest whose error on samples left out is within one standard error of the least";
  }
  return rule == "knee" ? "where the variance bends most against k" : "no rule suggests a k";
}

std::string rule_words(const ComponentSuggestion& suggestion) {
  const std::optional<Index>& above = suggestion.parallel.components;
  const bool is_none = suggestion.components == 0;
  if (is_none && above.value_or(0) == 0) {
    return "no component stands out from chance";
  }
  if (suggestion.rule == "parallel_analysis") {
    return "the eigenvalues above those of data whose columns are permuted";
  }
  return std::string(is_none ? "no component lowers the error on entries left out"
                             : "the least error on entries left out") +
         (above
              ? fmt::format("; {} eigenvalue{} above chance", *above, *above == 1 ? " is" : "s are")
              : "");
}

Json suggestion_json(const Dataset& dataset, const ComponentSuggestion& suggestion) {
  const Covariance& covariance = *dataset.covariance;
  Json paths = Json::array();
  for (const ComponentPath& path : suggestion.paths) {
    Json json = path_json(dataset, path.cardinalities, path.report);
    json["chosen"] = number_or_null(path.chosen);
    json["rule"] = path.rule;
    json["why"] = rule_words(path);
    paths.push_back(std::move(json));
  }
  return {{"n", covariance.samples()},
          {"p", covariance.variables()},
          {"components", number_or_null(suggestion.components)},
          {"rule", suggestion.rule},
          {"why", suggestion.components ? rule_words(suggestion) : "interrupted"},
          {"cardinality", suggestion.cardinalities},
          {"parallel_analysis", parallel_json(suggestion.parallel)},
          {"cross_validation", entries_json(suggestion.entries)},
          {"paths", paths}};
}

}  // namespace spca
