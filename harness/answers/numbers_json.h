#pragma once

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Returns the numbers of a metric as in every JSON output: one number, or a list if the metric has
/// one for each component.
Json numbers_to_json(const std::vector<double>& numbers, bool per_component);

}  // namespace spca
