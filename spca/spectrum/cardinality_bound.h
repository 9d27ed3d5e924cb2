#pragma once

/// Upper bounds on the variance that one component of cardinality k can explain: max v'Sv s.t.
/// ||v||_2 = 1, ||v||_0 <= k. The bounds need no solver. They hold for any symmetric S if S + sigma
/// I is positive semidefinite, sigma = Covariance::semidefinite_shift(), which is zero for data.

#include <string>
#include <vector>

#include "spca/covariance/covariance.h"

namespace spca {

/// A bound on v'Sv for one k.
struct CardinalityBound {
  double value = kNotMeasured;  // in the units of S
  /// The formula that gives the bound.
  std::string source;
};

/// At most this number of multiplications are spent on the columns of S: about two seconds.
inline constexpr double kLargestBoundWork = 4e9;

/// Returns, for each k of `cardinalities` (ascending, 1 <= k <= p), the smallest of
///
///   lambda_1                               (left out if lambda_1 is NaN)
///   sum of the k largest S_jj + (k - 1) sigma
///                                          >= Tr S_II - (the other eigenvalues) = lambda_max(S_II)
///   max_i S_ii + sum of the k - 1 largest |S_ij|, j != i
///                                          >= ||S_II||_inf >= lambda_max(S_II)
///
/// The last bound examines the columns of S in descending order of S_ii. It stops if no later
/// column can matter, because |S_ij|^2 <= (S_ii + sigma) (S_jj + sigma), or if more than
/// `largest_work` would be needed. That inequality then bounds the columns that were not examined,
/// and so the bound holds in either case.
std::vector<CardinalityBound> cardinality_bounds(const Covariance& covariance,
                                                 const std::vector<Index>& cardinalities,
                                                 double lambda_1,
                                                 double largest_work = kLargestBoundWork);

}  // namespace spca
