#pragma once

/// How tables of any kind show a number.

#include <string>
#include <vector>

namespace spca {

/// Stands behind a number whose cardinality is the nearest from below.
inline constexpr const char* kMissedMark = "*";
/// Stands behind a number of which an answer was truncated to the cardinality.
inline constexpr const char* kTruncatedMark = "^";
inline constexpr const char* kMissedNote = "The cardinality cannot be hit: the nearest from below.";
inline constexpr const char* kTruncatedNote =
    "No penalty gives the cardinality: the largest loadings of a larger answer, refitted.";
/// The marks that a number carries.
inline std::string answer_marks(bool cardinality_missed, bool truncated) {
  return std::string(cardinality_missed ? kMissedMark : "") + (truncated ? kTruncatedMark : "");
}

/// The number to this many significant digits, as "{:.6g}" has it, or to this many behind the point;
/// a share as "12.34 %". What rounds to zero is zero: none of them gives "-0.00".
std::string significant_text(double value, int digits);
std::string fixed_text(double value, int digits);
std::string percent_text(double share, int digits = 2);

/// The number to six digits, a time to three. Six digits tell any two solvers apart that differ by
/// more than rounding; a time is not known any better.
std::string number_text(double value, bool is_time);

}  // namespace spca
