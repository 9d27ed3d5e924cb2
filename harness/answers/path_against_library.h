#pragma once

/// Holds the answers of a path against the library of instances.

#include <optional>
#include <vector>

#include "harness/instances/library_comparison.h"
#include "spca/measure/cardinality_path.h"

namespace spca {

/// Makes each answer invalid that lies beyond a proved bound of the library, or whose bound is
/// below the best known answer, with the reason. `cardinalities`: those of the report. Without an
/// origin the data are recognised by their numbers. Nothing changes if the library has no such
/// data. Throws as read_library_file() does.
void hold_against_library(const Covariance& covariance, const std::vector<Index>& cardinalities,
                          const std::optional<DataOrigin>& origin, PathReport& report);

}  // namespace spca
