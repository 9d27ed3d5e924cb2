#pragma once

#include <string>
#include <vector>

#include "spca/measure/cardinality_path.h"

namespace spca::cli {

/// Returns a table for each solver, the reasons for cardinalities without an answer, and the
/// suggestion of each rule. `p` is the number of variables.
std::string path_text(const std::vector<Index>& cardinalities, Index p, const PathReport& report);

}  // namespace spca::cli
