#pragma once

#include <vector>

#include "harness/records/record.h"
#include "harness/verdicts/table.h"

namespace spca {

/// Returns a row for each solver of a run: how many of its cells have an answer, how often its
/// value is the best of the run, how far it falls short otherwise, and its time. Solvers are
/// counted by their registered names, and cells that no cardinality binds are left out. The title
/// has the number of cells by status.
Table summary_table(const Experiment& experiment, const std::vector<Record>& records);

}  // namespace spca
