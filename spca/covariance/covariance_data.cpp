#include "spca/covariance/covariance_data.h"

#include <fmt/format.h>

#include "spca/base/error.h"

namespace spca {

void refuse_vanished_squares() {
  throw InputError(
      "the squares of the data are below the smallest number; accepted: data on a larger scale");
}

double checked_scale(Index n, Index p, DataForm form) {
  if (n < 1 || p < 1) {
    throw InputError(
        fmt::format("the data have {} rows and {} columns; accepted: at least one of each", n, p));
  }
  // One centred sample is zero: S would be zero, and every ratio of variances 0/0.
  if (n < 2 && form.centered) {
    throw InputError("the data have 1 row; accepted: at least 2 if they are centred");
  }
  if (form.standardized && (!form.centered || form.scale != Scale::kSamples)) {
    throw InputError(
        "a correlation matrix of data that are not centred, or with a scale; accepted: "
        "standardised data are centred, and their scale is n");
  }
  if (n < 2 && form.scale == Scale::kSamplesMinusOne) {
    throw InputError("the data have 1 row; accepted: at least 2 with the scale n-1");
  }
  switch (form.scale) {
    case Scale::kSamples:
      return 1.0 / static_cast<double>(n);
    case Scale::kSamplesMinusOne:
      return 1.0 / static_cast<double>(n - 1);
    case Scale::kNone:
      break;
  }
  return 1.0;
}

}  // namespace spca
