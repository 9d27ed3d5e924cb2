#include "harness/comparisons/significance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "spca/base/error.h"
#include "spca/base/random.h"

namespace spca {
namespace {

/// Number of resamples. 50 means then lie beyond each end of a 95 % interval.
constexpr std::size_t kResamples = 2000;
/// An arbitrary but fixed seed: equal values must give equal intervals.
constexpr std::uint64_t kResamplingSeed = 1;

/// Returns P(|T| <= t) of Student's t distribution for angle = atan(t / sqrt(degrees)).
double student_probability(double angle, std::size_t degrees) {
  const bool is_odd = degrees % 2 == 1;
  const double cosine = std::cos(angle);
  double term = is_odd ? cosine : 1;
  double sum = degrees == 1 ? 0 : term;
  // The terms are those of sum_j c_j cos^j, with c_j = c_(j-2) (j - 1) / j.
  for (std::size_t j = is_odd ? 3 : 2; j + 2 <= degrees; j += 2) {
    term *= cosine * cosine * static_cast<double>(j - 1) / static_cast<double>(j);
    sum += term;
  }
  return is_odd ? (angle + std::sin(angle) * sum) * 2 / std::numbers::pi : std::sin(angle) * sum;
}

}  // namespace

double binomial_upper_tail(std::size_t n, std::size_t least) {
  if (least == 0) {
    return 1;
  }
  double sum = 0;
  for (std::size_t i = least; i <= n; ++i) {
    // In logarithms, because 2^-n underflows from n = 1075 on.
    const double a = static_cast<double>(i);
    const double m = static_cast<double>(n);
    sum += std::exp(std::lgamma(m + 1) - std::lgamma(a + 1) - std::lgamma(m - a + 1) -
                    m * std::numbers::ln2);
  }
  return std::min(sum, 1.0);
}

double sign_test(std::size_t against, std::size_t in_favour) {
  const std::size_t pairs = against + in_favour;
  return pairs == 0 ? std::numeric_limits<double>::quiet_NaN()
                    : binomial_upper_tail(pairs, against);
}

double student_half_width(std::size_t degrees) {
  SPCA_CHECK(degrees > 0, "an interval of a single value");
  constexpr double kProbability = 0.99;
  // Halves the range of the angle until two doubles are left.
  constexpr int kHalvings = 60;
  double low = 0;
  double high = std::numbers::pi / 2;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (student_probability(middle, degrees) < kProbability ? low : high) = middle;
  }
  return std::tan(low) * std::sqrt(static_cast<double>(degrees));
}

Interval bootstrap_mean(const std::vector<double>& values, double confidence) {
  SPCA_CHECK(!values.empty(), "a bootstrap of no values");
  // Each resample draws with replacement as many values as there are.
  Random random(kResamplingSeed);
  std::vector<double> means(kResamples);
  for (double& mean : means) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += values[random.below(values.size())];
    }
    mean = sum / static_cast<double>(values.size());
  }
  // The interval runs from the (1 - confidence) / 2 quantile of the means to its mirror image.
  std::sort(means.begin(), means.end());
  const double cut = (1 - confidence) / 2 * static_cast<double>(kResamples);
  const auto outside = static_cast<std::size_t>(cut);
  return {.low = means[outside], .high = means[kResamples - 1 - outside]};
}

}  // namespace spca
