#pragma once

#include <vector>

#include "harness/records/record.h"
#include "harness/tables/table.h"

namespace spca {

/// Returns a table with a row for each solver of a run: the number of its cells with an answer, the
/// number of its answers with the best value of the run, the shortfall of its answers from the best
/// value, and its time. Solvers are grouped by their registered names. Cells whose answer no
/// cardinality constrains are left out. The title has the number of cells with each status.
Table summary_table(const Experiment& experiment, const std::vector<Record>& records);

}  // namespace spca
