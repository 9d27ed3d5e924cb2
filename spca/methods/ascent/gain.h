#pragma once

#include <cmath>

namespace spca {

/// A gain of less than this share of the value may be rounding.
inline constexpr double kLeastGain = 1e-10;

/// Returns whether `after` exceeds `before` by more than rounding. Values may be negative if S is
/// indefinite.
inline bool is_gain(double before, double after) {
  return after > before + kLeastGain * std::abs(before);
}

}  // namespace spca
