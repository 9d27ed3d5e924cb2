#pragma once

/// Formats a number for tables of any kind.

#include <string>
#include <vector>

namespace spca {

/// Follows a number whose cardinality is the nearest one from below.
inline constexpr const char* kMissedMark = "*";
/// Follows a number based on an answer that was truncated to the cardinality.
inline constexpr const char* kTruncatedMark = "^";
inline constexpr const char* kMissedNote = "The cardinality cannot be hit: the nearest from below.";
inline constexpr const char* kTruncatedNote =
    "No penalty gives the cardinality: the largest loadings of a larger answer, refitted.";
/// Follows a time of a solver that was compiled without optimisation.
inline constexpr const char* kUnoptimisedMark = "!";
inline constexpr const char* kUnoptimisedNote =
    "The solver was compiled without optimisation (CMAKE_BUILD_TYPE): its times say little.";
/// The fate of the requested cardinality in an answer (SolveOutcome).
struct CardinalityOutcome {
  bool missed = false;
  bool truncated = false;
};
/// Returns the marks of a number.
inline std::string answer_marks(const CardinalityOutcome& outcome) {
  return std::string(outcome.missed ? kMissedMark : "") + (outcome.truncated ? kTruncatedMark : "");
}

/// Returns the number with this number of significant digits, as "{:.6g}", or of decimals; a share
/// as "12.34 %". A number that rounds to zero is printed as zero: no function returns "-0.00".
std::string significant_text(double value, int digits);
std::string fixed_text(double value, int digits);
std::string percent_text(double share, int digits = 2);

/// Returns "[0.871, 0.989]".
std::string interval_text(double low, double high);

/// Returns the number with six digits, a time with three. Six digits distinguish any two solvers
/// that differ by more than rounding; times are not known more precisely than three digits.
std::string number_text(double value, bool is_time);

}  // namespace spca
