#pragma once

/// Finds where a noisy series moves to another level by more than chance.
///
/// Numbers beyond three robust standard deviations of the median are first moved to that distance,
/// so that one bad run decides nothing. Then two statistics are computed, each the largest |mean
/// inside - mean outside| sqrt(m (n - m) / n) over parts of m consecutive ones of the n numbers. In
/// the first statistic, the part ends with the series: a level that still holds. In the second, the
/// part ends earlier: a level that was left again, which the first statistic hardly detects. Every
/// level has at least kFewestOfALevel numbers.
///
/// The p-value of each statistic comes from random permutations of the series, and twice the
/// smaller p-value is used (Bonferroni). If the numbers come from one distribution in random order,
/// a p-value of at most a has probability at most a, for every distribution. Sources: E. S. Page,
/// Biometrika 42:523, 1955 (one change); Olshen, Venkatraman, Lucito, Wigler, Biostatistics 5:557,
/// 2004 (a part within); Besag, Clifford, Biometrika 78:301, 1991 (permutations until the p-value
/// is clear).
///
/// Further changes are sought by the same test at the same level in the part and in the numbers
/// before and after it (Vostrikova, Soviet Mathematics Doklady 24:55, 1981).
///
/// A drift is not a random order: this test takes a machine that becomes slower over a day for a
/// change. docs/HISTORY.md reports how often that happened with unchanged code.

#include <cstddef>
#include <vector>

namespace spca {

/// At least this number of values make a level; a single run that differs is not a level.
inline constexpr std::size_t kFewestOfALevel = 2;

/// The part of a series that differs most from the rest.
struct Part {
  std::size_t first = 0, end = 0;  // from `first` to before `end`
  double p_value = 1;              // 1 if the series is too short or does not vary
};

/// Finds the most different part of a series of finite numbers. Deterministic. The time grows with
/// the square of the length.
Part most_different_part(const std::vector<double>& series);

/// The place where another level begins.
struct ChangePoint {
  std::size_t first = 0;
  double p_value = 1;
};

/// Returns the changes with a p-value of at most `level`, ascending.
std::vector<ChangePoint> change_points(const std::vector<double>& series, double level);

/// Returns the largest significant p-value if on average at most the share `rate` of all
/// significant ones is to be false, or 0 if none is significant. Source: Benjamini, Hochberg, J. R.
/// Statist. Soc. B 57:289, 1995.
double largest_p_value(std::vector<double> p_values, double rate);

}  // namespace spca
