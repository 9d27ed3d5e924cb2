#pragma once

/// Tolerances that several modules share. Each comment names the bounded quantity and its scale.

#include <limits>

namespace spca {

/// The relative distance of 1 to the next larger double: twice the rounding of one operation.
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// A difference a - b below this share of a is rounding: the variance that is left in a direction,
/// relative to the variance of S in it; the variance that is left in all, relative to tr S.
inline constexpr double kNothingLeft = 1e-12;

/// At most this share of a value is lost to rounding between two ways to compute it: the value of a
/// support on a factor of S and on S itself. A search skips only supports that are worse by more.
inline constexpr double kRoundingLoss = 1e-9;

}  // namespace spca
