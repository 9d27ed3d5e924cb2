#pragma once

#include <vector>

#include "harness/records/record.h"
#include "harness/tables/table.h"

namespace spca {

/// Which reasons of entries without an answer are notes of a table.
enum class Reasons {
  kFirst,  // a dozen, and the number of the others
  kAll,
};

/// Returns the tables that the experiment declares, filled from the records; if it declares none,
/// one for each grid and metric. A table is split if the dimensions that are neither its rows nor
/// its columns have several values. A number whose cardinality was missed is marked, and the mark
/// is explained below the table. The entry of a failed or skipped solve says so and is never empty.
std::vector<Table> result_tables(const Experiment& experiment, const std::vector<Record>& records,
                                 Reasons reasons = Reasons::kFirst);

}  // namespace spca
