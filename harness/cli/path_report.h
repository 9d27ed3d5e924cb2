#pragma once

/// What `spca path` prints.

#include <string>

#include "spca/data/dataset.h"
#include "spca/measure/cardinality_path.h"

namespace spca::cli {

/// Every answer with its loadings, the bounds, and what each rule suggests. NaN stays NaN:
/// write_json makes it null.
Json path_json(const Dataset& dataset, const std::vector<Index>& cardinalities,
               const PathReport& report);
/// A table for each solver, its cardinalities without an answer with the reason, and what each rule
/// suggests. `p`: number of variables.
std::string path_text(const std::vector<Index>& cardinalities, Index p, const PathReport& report);

}  // namespace spca::cli
