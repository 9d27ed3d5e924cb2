#pragma once

#include <vector>

#include "harness/pages/report_data.h"

namespace spca {

/// Returns the cells that at least two of the runs answered. Cells are the same if they have the
/// same data set, solver, options, cardinality, deflation, tuning, penalty and metric. Labels,
/// seeds and time limits may differ:
///
///   {"common", "agreeing", "left_out", "rows": [{..., "values": [one for each run]}]}
///
/// Rows are the cells whose values differ in the digits shown, largest relative difference first.
/// There are at most 500; "left_out" counts the others. A value is [mean, standard error, number of
/// repeats]. Times are not compared, because they depend on the machines more than on the runs.
Json common_cells(const std::vector<ReportedRun>& runs);

}  // namespace spca
