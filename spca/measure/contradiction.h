#pragma once

/// Contradictions between values and proved upper bounds. If an answer explains more than a bound,
/// the value or the bound is wrong, and it is unknown which. The harness then reports the
/// contradiction and prints no gap.

#include <string>
#include <vector>

#include "spca/solving/upper_bound.h"

namespace spca {

/// Returns (bound - value) / bound, or 0 if this is rounding of either sign. NaN if an argument is
/// NaN, if the value exceeds the bound, or if the bound is not positive and the value differs.
double relative_gap(double bound, double value);

/// A number and its source: "the variance that the loadings explain", "the certificate of tpower".
struct SourcedNumber {
  double number;
  std::string source;
};

/// Returns an empty string, or one line that says that the value exceeds the bound, with both
/// numbers and their sources.
std::string find_contradiction(const SourcedNumber& value, const SourcedNumber& bound);
/// Returns the first contradiction of a value and a bound, or an empty string.
std::string find_contradiction(const std::vector<SourcedNumber>& values,
                               const std::vector<SourcedNumber>& bounds);

}  // namespace spca
