#pragma once

#include <vector>

namespace spca {

/// Returns the median: NaN for no numbers, the mean of the two middle ones for an even number of
/// them.
double median_of(std::vector<double> values);

}  // namespace spca
