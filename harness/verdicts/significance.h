#pragma once

/// Whether two runs of the same cells differ by more than chance. Repeats are paired: repeat i of
/// both runs saw the same draw of the data and the same random numbers, so that only differences
/// within a pair count and the spread from draw to draw cancels.

#include <cstddef>
#include <vector>

namespace spca {

/// P(B >= least) for B binomial with n trials of probability 1/2.
double binomial_upper_tail(std::size_t n, std::size_t least);

/// One-sided exact sign test: how likely it is that at least `against` of the `against + in_favour`
/// pairs that differ go one way, if both ways are equally likely (for metrics of 0 and 1 this is
/// McNemar's exact test). NaN where no pair differs. It asks nothing of the distribution of the
/// differences, which for metrics of sparse components is lumpy: most repeats find the same support
/// and differ by nothing, a few find another. Source: Conover, Practical Nonparametric Statistics,
/// 3rd edition, section 3.4.
double sign_test(std::size_t against, std::size_t in_favour);

/// The fewest pairs with which a sign test can reject at kSignificance: (1/2)^5 < 0.05 < (1/2)^4.
inline constexpr std::size_t kFewestPairs = 5;
inline constexpr double kSignificance = 0.05;

struct Interval {
  double low, high;
};
/// Percentile bootstrap interval that covers the mean of `values` (at least one) with probability
/// `confidence`: times are skewed and have outliers, and no normal theory holds for the handful of
/// repeats that a benchmark affords. The same values give the same interval. Source: Efron,
/// Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
Interval bootstrap_mean(const std::vector<double>& values, double confidence);

}  // namespace spca
