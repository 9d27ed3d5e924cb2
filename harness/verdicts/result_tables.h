#pragma once

#include <vector>

#include "harness/records/record.h"
#include "harness/verdicts/table.h"

namespace spca {

/// The tables that the experiment declares, filled from the records. An experiment that declares
/// none has one for each grid and metric. A number whose cardinality was missed is marked, and
/// explained below the table. If a solve failed or was skipped, its entry says so in a word and is
/// never empty.
std::vector<Table> result_tables(const Experiment& experiment, const std::vector<Record>& records);

}  // namespace spca
