#pragma once

/// Tolerances of the library of instances, all relative. A difference of two numbers is relative to
/// the larger absolute value.

#include <algorithm>
#include <cmath>

namespace spca {

/// At most this difference between the best value and the bound of a proved instance.
inline constexpr double kProvedGap = 1e-6;

/// At most this difference between two computations of one value: sums in other orders, by other
/// processors or by numpy. It equals kRoundingAboveBound, beyond which a value contradicts a bound.
inline constexpr double kSameInstanceValue = 1e-9;

/// Returns true if two numbers differ by no more than that; false for NaN.
inline bool is_same_value(double a, double b) {
  return std::abs(a - b) <= kSameInstanceValue * std::max(std::abs(a), std::abs(b));
}

/// Each bound is carried outward by this share before it is written, so that values that are summed
/// in other orders stay within it. It is above the rounding of a sum over 2000 nonzeros, 4e-13, and
/// far below kSameInstanceValue.
inline constexpr double kCarriedOutward = 1e-12;

}  // namespace spca
