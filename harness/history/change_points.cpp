#include "harness/history/change_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "harness/records/median.h"
#include "spca/base/random.h"

namespace spca {
namespace {

/// Number of permutations. The least p-value is 2 / 20,000 = 5 % / 500: one change among 500 series
/// can be found at a rate of 5 % (largest_p_value).
constexpr std::size_t kPermutations = 19'999;
/// Number of permutations with at least the observed statistic after which the test stops. The
/// standard error of the p-value is then about a fifth of it.
constexpr std::size_t kClearlyLarge = 25;
/// An arbitrary fixed seed, because equal series must give equal answers.
constexpr std::uint64_t kPermutationSeed = 1;
/// At most this number of robust standard deviations lie between a number and the median.
constexpr double kFarthest = 3;
constexpr double kMadOfANormal = 1.4826;  // standard deviation over median absolute deviation

/// Returns the series with outliers moved towards the median. A series of which more than half the
/// numbers are equal has no robust deviation and is not changed.
std::vector<double> without_extremes(std::vector<double> series) {
  const double median = median_of(series);
  std::vector<double> distances;
  for (const double value : series) {
    distances.push_back(std::abs(value - median));
  }
  const double reach = kFarthest * kMadOfANormal * median_of(distances);
  if (reach > 0) {
    for (double& value : series) {
      value = std::clamp(value, median - reach, median + reach);
    }
  }
  return series;
}

/// A part of a series and the square of its statistic, which is below 0 if there is no such part.
struct Candidate {
  std::size_t first = 0, end = 0;
  double statistic = -1;
};

/// Replaces `best` by the part with the largest statistic among the parts that end at `end`, if its
/// statistic is larger. The numbers sum to 0; `sums[i]` is the sum of the first i.
void improve(const std::vector<double>& sums, std::size_t end, Candidate& best) {
  const std::size_t n = sums.size() - 1;
  for (std::size_t first = kFewestOfALevel; first + kFewestOfALevel <= end; ++first) {
    const double sum = sums[end] - sums[first];
    const auto inside = static_cast<double>(end - first);
    const double statistic =
        sum * sum * static_cast<double>(n) / (inside * (static_cast<double>(n) - inside));
    if (statistic > best.statistic) {
      best = {.first = first, .end = end, .statistic = statistic};
    }
  }
}

std::vector<double> sums_of(const std::vector<double>& values) {
  std::vector<double> sums(values.size() + 1, 0.0);
  std::partial_sum(values.begin(), values.end(), sums.begin() + 1);
  return sums;
}

Candidate best_at_end(const std::vector<double>& sums) {
  Candidate best;
  improve(sums, sums.size() - 1, best);
  return best;
}

Candidate best_within(const std::vector<double>& sums) {
  Candidate best;
  for (std::size_t end = 0; end + kFewestOfALevel < sums.size(); ++end) {
    improve(sums, end, best);
  }
  return best;
}

void shuffle(std::vector<double>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[random.below(i)]);
  }
}

/// Returns the p-value of `observed`: the share of permutations of `series` whose statistic is at
/// least `observed`. Unless kClearlyLarge stopped the test, the series itself counts as one of
/// them. Returns 1 if `observed` is below 0.
template <class Best>
double permutation_p_value(std::vector<double> series, double observed, Best best) {
  if (observed < 0) {
    return 1;
  }
  // Rounding may differ between two permutations whose exact statistics are equal.
  const double equalled = observed * (1 - 1e-9);
  Random random(kPermutationSeed);
  std::size_t exceeding = 0;
  std::size_t drawn = 0;
  while (drawn < kPermutations && exceeding < kClearlyLarge) {
    shuffle(series, random);
    exceeding += best(sums_of(series)).statistic >= equalled ? 1 : 0;
    ++drawn;
  }
  return exceeding == kClearlyLarge
             ? static_cast<double>(exceeding) / static_cast<double>(drawn)
             : static_cast<double>(exceeding + 1) / static_cast<double>(drawn + 1);
}

void add_changes(const std::vector<double>& series, std::size_t begin, std::size_t end,
                 double level, std::vector<ChangePoint>& found) {
  const Part part = most_different_part({series.begin() + static_cast<std::ptrdiff_t>(begin),
                                         series.begin() + static_cast<std::ptrdiff_t>(end)});
  if (part.p_value > level) {
    return;
  }
  add_changes(series, begin, begin + part.first, level, found);
  found.push_back({.first = begin + part.first, .p_value = part.p_value});
  add_changes(series, begin + part.first, begin + part.end, level, found);
  if (begin + part.end < end) {
    found.push_back({.first = begin + part.end, .p_value = part.p_value});
    add_changes(series, begin + part.end, end, level, found);
  }
}

}  // namespace

Part most_different_part(const std::vector<double>& series) {
  if (series.size() < 2 * kFewestOfALevel) {
    return {};
  }
  std::vector<double> centred = without_extremes(series);
  const double mean =
      std::accumulate(centred.begin(), centred.end(), 0.0) / static_cast<double>(centred.size());
  double largest = 0;
  for (double& value : centred) {
    value -= mean;
    largest = std::max(largest, std::abs(value));
  }
  if (!(largest > 4 * std::numeric_limits<double>::epsilon() * std::abs(mean))) {
    return {};  // the differences are rounding
  }
  const Candidate at_end = best_at_end(sums_of(centred));
  const Candidate within = best_within(sums_of(centred));
  const double p_at_end = permutation_p_value(centred, at_end.statistic, best_at_end);
  const double p_within = permutation_p_value(centred, within.statistic, best_within);
  const Candidate& best = p_within < p_at_end ? within : at_end;
  return {.first = best.first,
          .end = best.end,
          .p_value = std::min(1.0, 2 * std::min(p_at_end, p_within))};
}

std::vector<ChangePoint> change_points(const std::vector<double>& series, double level) {
  std::vector<ChangePoint> found;
  add_changes(series, 0, series.size(), level, found);
  return found;
}

double largest_p_value(std::vector<double> p_values, double rate) {
  std::sort(p_values.begin(), p_values.end());
  const auto count = static_cast<double>(p_values.size());
  for (std::size_t i = p_values.size(); i-- > 0;) {
    if (p_values[i] <= rate * static_cast<double>(i + 1) / count) {
      return p_values[i];
    }
  }
  return 0;
}

}  // namespace spca
