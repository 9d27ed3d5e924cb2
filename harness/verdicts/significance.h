#pragma once

/// The tests that say whether paired repeats of two runs differ by more than chance (pairing.h says
/// what a pair is).

#include <cstddef>
#include <vector>

namespace spca {

/// P(B >= least) for B binomial with n trials of probability 1/2: in [0, 1].
double binomial_upper_tail(std::size_t n, std::size_t least);

/// One-sided exact sign test. If both directions are equally likely, how likely is it that at least
/// `against` of the `against + in_favour` pairs that differ go one way? NaN if no pair differs. For
/// metrics of 0 and 1 this is McNemar's exact test.
///
/// The test asks nothing of the distribution of the differences. That suits metrics of sparse
/// components, which are lumpy: most repeats find the same support and differ by nothing, a few
/// find another. Source: Conover, Practical Nonparametric Statistics, 3rd edition, section 3.4.
double sign_test(std::size_t against, std::size_t in_favour);

/// The fewest pairs with which a sign test can reject at kSignificance: (1/2)^5 < 0.05 < (1/2)^4.
inline constexpr std::size_t kFewestPairs = 5;
inline constexpr double kSignificance = 0.05;

struct Interval {
  double low, high;
};

/// Percentile bootstrap interval of the mean of `values` (at least one), which covers it with
/// probability `confidence` in (0, 1). Times are skewed and have outliers, and no normal theory
/// holds for the handful of repeats that a benchmark affords. The same values give the same
/// interval. Source: Efron, Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
Interval bootstrap_mean(const std::vector<double>& values, double confidence);

}  // namespace spca
