#pragma once

#include <string>
#include <vector>

#include "harness/tables/table.h"
#include "harness/verdicts/claims.h"
#include "harness/verdicts/published.h"

namespace spca {

/// Returns tables of published and measured numbers with verdicts. Comparisons of one published
/// table that differ only in solver and cardinality form a matrix, if there are at least two
/// solvers, at least three cardinalities, and one comparison for each pair. The other comparisons
/// of the table form one list.
std::vector<Table> comparison_tables(const Experiment& experiment,
                                     const std::vector<PublishedComparison>& comparisons);

/// Returns the comparisons in the layout in which the paper prints each table: its rows and
/// columns, with the printed and the measured number in each entry. A table with only one column,
/// or with an entry that is compared with several cells, has the form of comparison_tables.
std::vector<Table> printed_tables(const Experiment& experiment,
                                  const std::vector<PublishedComparison>& comparisons);

/// Returns the claims with their verdicts and the pair of cells that decided each; empty if there
/// are no claims.
std::vector<Table> claim_tables(const std::vector<JudgedClaim>& claims);

/// Returns the cells of a case: "tpower and em on kos, k=5".
std::string case_cells_text(const ClaimCase& one);

/// Returns a line for each known difference that no longer applies.
std::vector<std::string> stale_lines(const Experiment& experiment,
                                     const std::vector<PublishedComparison>& comparisons);

}  // namespace spca
