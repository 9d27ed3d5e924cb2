#pragma once

#include <vector>

#include "harness/pages/report_data.h"

namespace spca {

/// Returns the cells that at least two of the runs answered. Cells are the same if everything that
/// determines the answer is the same, whatever their labels:
///
///   {"common", "agreeing", "left_out", "rows": [{..., "values": [one for each run]}]}
///
/// Rows are the cells whose values differ in the digits shown, largest relative difference first.
/// Times are left out, because they depend on the machines more than on the runs.
Json common_cells(const std::vector<ReportedRun>& runs);

}  // namespace spca
