#pragma once

#include <optional>
#include <vector>

#include "spca/data/dataset.h"
#include "spca/measure/cardinality_path.h"

namespace spca {

/// Returns null for a number that no rule suggests.
Json number_or_null(const std::optional<Index>& number);

/// Returns every answer with its loadings, the bounds, and the suggestion of each rule. NaN is kept
/// here; write_json writes it as null.
Json path_json(const Dataset& dataset, const std::vector<Index>& cardinalities,
               const PathReport& report);
}  // namespace spca
