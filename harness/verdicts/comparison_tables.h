#pragma once

#include <vector>

#include "harness/verdicts/published.h"
#include "harness/verdicts/table.h"

namespace spca {

/// Published numbers beside ours, each with its verdict. Comparisons that differ only in solver and
/// cardinality make a matrix, the others one list.
std::vector<Table> comparison_tables(const Experiment& experiment,
                                     const std::vector<PublishedComparison>& comparisons);

}  // namespace spca
