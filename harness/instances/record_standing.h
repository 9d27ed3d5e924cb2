#pragma once

/// Compares the records of a run with the library, without the data: by the metrics that the
/// records have.

#include <optional>
#include <vector>

#include "harness/instances/library_comparison.h"
#include "harness/records/record.h"

namespace spca {

/// The instances on the data of a run.
struct FoundInstances {
  std::vector<KnownInstance> instances;
  bool are_recognised = false;  // by the numbers of the data, not by their name (same_data.h)
};

/// Returns the standing of a record's answer on the instance with its r and k of which it is a
/// feasible answer. If there are several, the class with the fewest answers counts. Empty if there
/// is none, or if the record lacks a complete answer or the metric of the class.
std::optional<InstanceStanding> standing_of_record(const FoundInstances& found,
                                                   const Record& record);

/// Returns a line for each instance on which a record has a standing: the best known value, and the
/// solvers that reached it or the distance of the best record from it. `records` are answers on
/// these data.
std::vector<std::string> standing_lines(const FoundInstances& found,
                                        const std::vector<Record>& records);

}  // namespace spca
