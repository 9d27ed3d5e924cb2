#pragma once

#include <vector>

#include "harness/verdicts/claims.h"
#include "harness/verdicts/published.h"
#include "harness/verdicts/table.h"

namespace spca {

/// Published numbers beside ours, each with its verdict. Comparisons of one published table that
/// differ only in solver and cardinality make a matrix, its others one list.
std::vector<Table> comparison_tables(const Experiment& experiment,
                                     const std::vector<PublishedComparison>& comparisons);

/// The same in the shape in which the paper prints each table: its rows and columns, in each entry
/// the printed number and ours. A table whose entries several cells are held against is as
/// comparison_tables has it.
std::vector<Table> printed_tables(const Experiment& experiment,
                                  const std::vector<PublishedComparison>& comparisons);

/// The claims with their verdicts, and the pair of cells that decided each; nothing if there is none.
std::vector<Table> claim_tables(const std::vector<JudgedClaim>& claims);

/// A line for each known difference that explains nothing any more.
std::vector<std::string> stale_lines(const Experiment& experiment,
                                     const std::vector<PublishedComparison>& comparisons);

}  // namespace spca
