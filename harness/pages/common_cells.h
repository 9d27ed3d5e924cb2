#pragma once

#include <vector>

#include "harness/pages/report_data.h"

namespace spca {

/// Returns the cells that at least two of the runs answered. Cells are the same if what determines
/// the answer is the same, whatever their labels:
///
///   {"common", "agreeing", "left_out", "rows": [{..., "values": [one a run]}]}
///
/// Rows are those that differ in the digits shown, largest relative difference first. Times are
/// left out, because they say more of the machines than of the runs.
Json common_cells(const std::vector<ReportedRun>& runs);

}  // namespace spca
