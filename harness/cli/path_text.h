#pragma once

#include <string>
#include <vector>

#include "spca/measure/cardinality_path.h"

namespace spca::cli {

/// A table for each solver, its cardinalities without an answer with the reason, and what each rule
/// suggests. `p`: number of variables.
std::string path_text(const std::vector<Index>& cardinalities, Index p, const PathReport& report);

}  // namespace spca::cli
