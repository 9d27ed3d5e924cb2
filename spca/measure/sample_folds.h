#pragma once

/// The folds of a cross-validation, and measurements over them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spca/base/random.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// The samples of one fold and the others; both ascend.
struct SampleFold {
  std::vector<Index> kept;      // a solver sees these
  std::vector<Index> left_out;  // its answers are judged by these
};

/// Returns 0 ... n - 1 in random order.
std::vector<Index> shuffled(Index n, Random& random);
/// Divides n samples at random into `count` folds whose sizes differ by one at most.
std::vector<SampleFold> sample_folds(Index n, Index count, std::uint64_t seed);
/// Returns the reason why `count` folds are not possible or not wanted; "" if there is none.
std::string reason_without_folds(const Covariance& covariance, Index count);

/// A mean over the folds, and its standard error.
struct MeanAndError {
  double mean = 0;            // of one number of each fold
  double standard_error = 0;  // of the mean
};
/// Returns the mean and the standard error of at least two numbers, one of each fold.
MeanAndError mean_and_error(const std::vector<double>& numbers);
/// Returns the position of the first mean within one standard error of the least; nothing if all
/// are NaN.
///
/// Source  Breiman et al., Classification and Regression Trees, 1984: numbers this close to the
///         best cannot be told from it, so the simplest model wins
std::optional<std::size_t> first_near_least(const std::vector<MeanAndError>& means);

}  // namespace spca
