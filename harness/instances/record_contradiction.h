#pragma once

#include <string>
#include <vector>

#include "harness/instances/library_comparison.h"
#include "harness/records/record.h"

namespace spca {

/// Returns an empty string, or one line that says that the answer of a record lies beyond the bound
/// of one of these instances, by the metrics that the record has, or that its bound is below the
/// best known answer. The instances are on its data.
std::string contradiction_of_record(const std::vector<KnownInstance>& known, const Record& record);

}  // namespace spca
