#pragma once

/// Compares the cells of a run with the library of instances.

#include <cstddef>
#include <string_view>

#include "harness/cells/runner_cell.h"
#include "harness/instances/library_comparison.h"

namespace spca {

/// Returns the origin of a cell's data. `context` must outlive it.
DataOrigin origin_of_cell(const RunContext& context, std::size_t cell);

/// Returns whether the answer of a finished cell lies beyond a bound of the library, which may be
/// newer than the record in `line`. Uses the metrics of the record. If true, the cell must be
/// measured and judged again.
bool lies_beyond_library(const RunContext& context, std::size_t cell, std::string_view line);

}  // namespace spca
