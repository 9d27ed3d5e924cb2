#pragma once

#include <vector>

#include "spca/data/dataset.h"
#include "spca/measure/cardinality_path.h"

namespace spca {

/// Every answer with its loadings, the bounds, and what each rule suggests. NaN stays NaN:
/// write_json makes it null.
Json path_json(const Dataset& dataset, const std::vector<Index>& cardinalities,
               const PathReport& report);
}  // namespace spca
