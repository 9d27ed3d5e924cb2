#include "harness/records/median.h"

#include <algorithm>

#include "spca/base/types.h"

namespace spca {

double median_of(std::vector<double> values) {
  if (values.empty()) {
    return kNotMeasured;
  }
  const auto middle = values.begin() + static_cast<Index>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) {
    return *middle;
  }
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace spca
