#pragma once

#include <vector>

#include "harness/records/record.h"
#include "harness/tables/table.h"

namespace spca {

/// Returns a table with a row for each solver of a run: the number of its cells with an answer, the
/// number of its answers with the best value that the run has for their problem, the median and the
/// largest shortfall of its answers from that value, and its median time. Variants of a solver with
/// the same registered name share a row. The rows leave out cells whose answer no cardinality
/// constrains; the title counts all cells by status.
Table summary_table(const Experiment& experiment, const std::vector<Record>& records);

}  // namespace spca
