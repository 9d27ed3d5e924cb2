#pragma once

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Returns the numbers of a metric in the form of every JSON output: a list if the metric has one
/// number for each component, otherwise the first number, or null if there is none.
Json numbers_to_json(const std::vector<double>& numbers, bool per_component);

}  // namespace spca
