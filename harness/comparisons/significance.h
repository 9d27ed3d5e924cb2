#pragma once

/// Tests whether paired repeats of two runs differ by more than chance (pairing.h defines a pair).

#include <cstddef>
#include <vector>

namespace spca {

/// Returns P(B >= least) for B binomial with n trials of probability 1/2: in [0, 1].
double binomial_upper_tail(std::size_t n, std::size_t least);

/// Performs the one-sided exact sign test: returns the probability that at least `against` of the
/// `against + in_favour` differing pairs go against, if both directions are equally likely. NaN if
/// no pair differs. For metrics with values 0 and 1 this is McNemar's exact test.
///
/// The test assumes nothing about the distribution of the differences. That suits metrics of sparse
/// components, whose values are discrete: most repeats find the same support and do not differ, a
/// few find another support. Source: Conover, Practical Nonparametric Statistics, 3rd edition,
/// section 3.4.
double sign_test(std::size_t against, std::size_t in_favour);

/// At least this number of pairs is needed for a sign test to reject at kSignificance: (1/2)^5 <
/// 0.05 < (1/2)^4.
inline constexpr std::size_t kFewestPairs = 5;
inline constexpr double kSignificance = 0.05;

/// Returns the half-width, in standard errors of a mean, of the interval that covers the true mean
/// with probability 0.99: the quantile of Student's t distribution with `degrees` >= 1 degrees of
/// freedom. It is 63.66 for 1, 2.86 for 19, and approaches 2.576. Source: Student, Biometrika 6:1,
/// 1908; the sum for whole degrees is that of Abramowitz, Stegun, Handbook of Mathematical
/// Functions, 1964, 26.7.3 and 26.7.4.
double student_half_width(std::size_t degrees);

struct Interval {
  double low, high;
};

/// Returns the percentile bootstrap interval of the mean of `values` (at least one), which covers
/// the mean with probability `confidence` in (0, 1). Times are skewed and have outliers, and normal
/// theory does not hold for the few repeats that a benchmark can afford. Equal values give equal
/// intervals. Source: Efron, Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
Interval bootstrap_mean(const std::vector<double>& values, double confidence);

}  // namespace spca
