#pragma once

/// Where a noisy series moves to another level, by more than chance.
///
/// Numbers beyond three robust standard deviations of the median are first moved to that distance,
/// so that one bad run decides nothing. Then two statistics are taken of the series, each the largest
/// |mean inside - mean outside| sqrt(m (n - m) / n) over parts of m of the n numbers. For the one the
/// part ends with the series: a level that holds. For the other the part ends before: a level that
/// was left again, which the first hardly sees. Every level has kFewestOfALevel numbers or more.
///
/// The p-value of each comes from random permutations of the series, and twice the smaller one
/// counts (Bonferroni). If the numbers come from one distribution in random order, a p-value of at
/// most a has probability a or less, whatever that distribution is. Sources: E. S. Page, Biometrika
/// 42:523, 1955 (one change); Olshen, Venkatraman, Lucito, Wigler, Biostatistics 5:557, 2004 (a part
/// within); Besag, Clifford, Biometrika 78:301, 1991 (permutations until the p-value is clear).
///
/// Further changes are sought in the parts, by the same test at the same level (Vostrikova, Soviet
/// Mathematics Doklady 24:55, 1981).
///
/// A drift is no random order: a machine that becomes slower over a day is a change to this test.
/// docs/HISTORY.md has how often that happened on unchanged code.

#include <cstddef>
#include <vector>

namespace spca {

/// One run that differs is no level.
inline constexpr std::size_t kFewestOfALevel = 2;

/// The part of a series that differs most from the rest.
struct Part {
  std::size_t first = 0, end = 0;  // from `first` to before `end`; at the series' end: to its end
  double p_value = 1;              // 1 if the series is too short or does not vary
};

/// Takes finite numbers. The same series gives the same answer. Takes time proportional to the
/// square of the series' length.
Part most_different_part(const std::vector<double>& series);

/// Where another level begins.
struct ChangePoint {
  std::size_t first = 0;
  double p_value = 1;
};

/// Those of which the test has a p-value of at most `level`, ascending.
std::vector<ChangePoint> change_points(const std::vector<double>& series, double level);

/// The largest p-value that counts if of all that count at most the share `rate` is to be false, on
/// average. 0 if none counts. Source: Benjamini, Hochberg, J. R. Statist. Soc. B 57:289, 1995.
double largest_p_value(std::vector<double> p_values, double rate);

}  // namespace spca
