#pragma once

/// Compares the records of a run with the library, without the data: by the metrics that the
/// records have.

#include <optional>
#include <vector>

#include "harness/instances/library_comparison.h"
#include "harness/records/record.h"

namespace spca {

/// Returns the standing of a record's answer on the instance of the list with its r and k of which
/// it is a feasible answer. If there are several, the class with the fewest answers counts. Empty
/// if there is none, or if the record lacks a complete answer or the metric of the class.
std::optional<InstanceStanding> standing_of_record(const std::vector<KnownInstance>& known,
                                                   const Record& record);

/// Returns a line for each instance on which a record has a standing: the best known value, and the
/// solvers that reached it or the distance of the best record from it. `records` are answers on the
/// data of `known`.
std::vector<std::string> standing_lines(const std::vector<KnownInstance>& known,
                                        const std::vector<Record>& records);

}  // namespace spca
