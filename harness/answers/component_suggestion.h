#pragma once

/// Suggests the number of components, and the cardinality of each: `spca path --components`,
/// suggest() in Python.

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "spca/measure/cardinality_path.h"
#include "spca/measure/component_count.h"

namespace spca {

struct ComponentSuggestionRequest {
  Dataset dataset;
  PathSolver solver;                          // of the paths
  std::vector<Index> cardinalities = {};      // empty: tried_cardinalities()
  Index most = 10;                            // largest number of components
  std::optional<Index> permutations = {};     // none: default_permutations()
  Index folds = 5;                            // of both cross-validations
  const DeflationEntry* deflation = nullptr;  // null: remove-support, as in `spca solve`
  std::uint64_t seed = 1;                     // the seed that the caller gave
  double seconds = std::numeric_limits<double>::infinity();  // for each solve
  /// Called after each permutation, fold and path, with the number of those done and of all. Until
  /// the number of components is found, the latter counts no paths.
  std::function<void(std::size_t, std::size_t)> progress = [](std::size_t, std::size_t) {};
};

struct ComponentSuggestion {
  ParallelAnalysis parallel;
  LeftOutEntries entries;
  std::optional<Index> components;   // r; empty if a signal came before it was found
  std::string rule;                  // of r: "parallel_analysis" or "cross_validation"
  std::vector<ComponentPath> paths;  // of r components, or of fewer: solve_component_paths()
  std::vector<Index> cardinalities;  // k of each path that has one
};

/// Finds r, the lesser of the numbers by parallel analysis and by the error of entries left out,
/// and then the k of each component. If one of the two is missing, r is the other. Deterministic
/// unless a time limit runs out. Throws InputError that begins with `where` if there are no samples
/// or too few, or if both numbers are missing.
ComponentSuggestion suggest_components(const ComponentSuggestionRequest& request,
                                       const std::string& where);

/// Returns kDefaultSolver with its default options.
PathSolver suggestion_solver();

/// Returns the deflation of this name; remove-support if `name` is empty. Throws InputError that
/// begins with `where` if there is none, or if it keeps no samples (hotelling).
const DeflationEntry& suggestion_deflation(const std::string& name, const std::string& where);

/// Returns 99 for data of few entries, else 19: the limit is then the largest of the permutations.
Index default_permutations(Index n, Index p);

/// Returns words for the rule that chose a k (ComponentPath::rule).
std::string rule_words(const ComponentPath& path);
/// Returns words for the rule that chose r.
std::string rule_words(const ComponentSuggestion& suggestion);

/// Returns r and k with the numbers that they were chosen by. NaN is not replaced by null.
Json suggestion_json(const Dataset& dataset, const ComponentSuggestion& suggestion);

}  // namespace spca
