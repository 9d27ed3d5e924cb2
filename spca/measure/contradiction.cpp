#include "spca/measure/contradiction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace spca {
namespace {

// Bound and value are sums over the same entries of S in different orders: on equal supports they
// differ by a few units in the last place for each nonzero.
constexpr double kSameSum = 1e-12;

constexpr int kFewestDigits = 6;

}  // namespace

double relative_gap(double bound, double value) {
  if (exceeds(value, bound)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (bound <= 0) {
    return bound == value ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  }
  const double share = (bound - value) / bound;
  return share <= kSameSum ? 0.0 : share;
}

std::string find_contradiction(const SourcedNumber& value, const SourcedNumber& bound) {
  if (!exceeds(value.number, bound.number)) {
    return "";
  }
  const auto text = [](double number, int digits) {
    return fmt::format("{:.{}g}", number, digits);
  };
  // Prints enough digits to distinguish the two numbers.
  int digits = kFewestDigits;
  while (text(value.number, digits) == text(bound.number, digits)) {
    ++digits;
  }
  return fmt::format(
      "contradiction: {} ({}) is above the upper bound {} ({}): one of the two is wrong; it is "
      "not known which",
      text(value.number, digits), value.source, text(bound.number, digits), bound.source);
}

std::string find_contradiction(const std::vector<SourcedNumber>& values,
                               const std::vector<SourcedNumber>& bounds) {
  for (const SourcedNumber& bound : bounds) {
    for (const SourcedNumber& value : values) {
      if (std::string found = find_contradiction(value, bound); !found.empty()) {
        return found;
      }
    }
  }
  return "";
}

}  // namespace spca
