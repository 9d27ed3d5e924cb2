#pragma once

/// Compares the records of a run with the library, without the data: by the metrics that the
/// records have.

#include <optional>
#include <vector>

#include "harness/instances/library_comparison.h"
#include "harness/records/record.h"

namespace spca {

/// Returns the standing of a record's answer on that instance of the list that has its r and k, and
/// the class with the fewest feasible answers. Empty if there is none, or if the record lacks the
/// metric of the class.
std::optional<InstanceStanding> standing_of_record(const std::vector<KnownInstance>& known,
                                                   const Record& record);

/// Returns a line for each instance: the best known value, and by which solvers it was reached or
/// how far the best of them is from it. `records` are answers on the data of `known`.
std::vector<std::string> standing_lines(const std::vector<KnownInstance>& known,
                                        const std::vector<Record>& records);

}  // namespace spca
