#pragma once

/// What `spca path` prints.

#include <string>

#include "spca/data/dataset.h"
#include "spca/solving/cardinality_path.h"

namespace spca::cli {

Json path_json(const Dataset& dataset, const std::vector<Index>& cardinalities,
               const PathReport& report);
/// A table a solver, and what each rule suggests.
std::string path_text(const std::vector<Index>& cardinalities, Index p, const PathReport& report);

}  // namespace spca::cli
