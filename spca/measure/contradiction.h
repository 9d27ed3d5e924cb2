#pragma once

/// Contradictions between values and proved upper bounds. If an answer explains more than a bound,
/// the value or the bound is wrong, and it is unknown which. The harness then reports the
/// contradiction and prints no gap.

#include <string>
#include <vector>

namespace spca {

/// At most this share of a value or bound is rounding. A value v'Sv of k nonzeros differs from its
/// exact value by at most 2k u |v|'|S||v| <= 2k u tr(S_II) <= 2k^2 u max_j S_jj, u = 1.1e-16, and
/// max_j S_jj is below every correct bound. That is 1e-9 at k = 2000 if all errors have one sign;
/// errors of random signs stay below it for any k. Rounding of the bound is in the bound itself.
inline constexpr double kRoundingAboveBound = 1e-9;

/// Returns true if the value lies above the bound by more than rounding. False if either is NaN.
bool exceeds(double value, double bound);

/// Returns (bound - value) / bound, or 0 if this is rounding of either sign. NaN if an argument is
/// NaN, or if the value exceeds the bound.
double relative_gap(double bound, double value);

/// A number and its source: "what the loadings explain", "the certificate of tpower".
struct SourcedNumber {
  double number;
  std::string source;
};

/// Returns an empty string, or one line that says that the value exceeds the bound, with both
/// numbers and their sources.
std::string find_contradiction(const SourcedNumber& value, const SourcedNumber& bound);
/// Returns the first contradiction of a value and a bound, or an empty string.
std::string find_contradiction(const std::vector<SourcedNumber>& values,
                               const std::vector<SourcedNumber>& bounds);

}  // namespace spca
