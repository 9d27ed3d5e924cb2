#pragma once

#include <optional>
#include <vector>

#include "spca/data/dataset.h"
#include "spca/measure/cardinality_path.h"

namespace spca {

/// Returns the number, or null if there is none.
Json number_or_null(const std::optional<Index>& number);

/// Returns every answer with its loadings, the bounds, and the suggestion of each rule. NaN is kept
/// here; write_json() of the command line writes it as null.
Json path_json(const Dataset& dataset, const std::vector<Index>& cardinalities,
               const PathReport& report);
}  // namespace spca
