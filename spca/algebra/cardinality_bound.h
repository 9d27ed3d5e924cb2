#pragma once

/// Upper bounds on what one component of cardinality k can explain: max v'Sv s.t. ||v||_2 = 1,
/// ||v||_0 <= k. They hold for any symmetric positive semidefinite S and need no solver.

#include <string>
#include <vector>

#include "spca/algebra/covariance.h"

namespace spca {

struct CardinalityBound {
  double value = kNotMeasured;
  /// What gives the bound, as a formula.
  std::string source;
};

/// Multiplications that the columns of S may take in all, some two seconds.
inline constexpr double kLargestBoundWork = 4e9;

/// For each k of `cardinalities` (ascending, 1 <= k <= p) the smallest of
///
///   lambda_1                               (left out where lambda_1 is NaN)
///   sum of the k largest S_jj              >= Tr S_II >= lambda_max(S_II)
///   max_i S_ii + sum of the k - 1 largest |S_ij|, j != i
///                                          >= ||S_II||_inf >= lambda_max(S_II)
///
/// The last looks at the columns of S by falling S_ii, and ends where no later one can matter
/// (|S_ij| <= sqrt(S_ii S_jj)) or where that would take more than `largest_work`: the columns that
/// it has not seen are then bounded by the same inequality, so that the bound holds all the same.
std::vector<CardinalityBound> cardinality_bounds(const Covariance& covariance,
                                                 const std::vector<Index>& cardinalities,
                                                 double lambda_1,
                                                 double largest_work = kLargestBoundWork);

}  // namespace spca
