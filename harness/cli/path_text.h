#pragma once

#include <string>
#include <vector>

#include "harness/answers/component_suggestion.h"
#include "spca/measure/cardinality_path.h"

namespace spca::cli {

/// Returns a table for each solver, the reasons for cardinalities without an answer, and the
/// suggestion of each rule. `p` is the number of variables.
std::string path_text(const std::vector<Index>& cardinalities, Index p, const PathReport& report);

/// Returns the table of the numbers of components, the table of each component's path, and the
/// suggestions, with their reasons. `largest` is the largest number of components that was tried; 0
/// if no larger one is possible.
std::string suggestion_text(const ComponentSuggestion& suggestion, Index largest);

}  // namespace spca::cli
