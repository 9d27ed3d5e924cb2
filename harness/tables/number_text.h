#pragma once

/// Formats numbers, and the marks that follow them, for tables and text.

#include <string>
#include <vector>

namespace spca {

/// Follows a number of an answer whose cardinality is the closest one below the requested one.
inline constexpr const char* kMissedMark = "*";
/// Follows a number of an answer that was truncated to the requested cardinality.
inline constexpr const char* kTruncatedMark = "#";
inline constexpr const char* kMissedNote = "The cardinality cannot be hit: the nearest from below.";
inline constexpr const char* kTruncatedNote =
    "No penalty gives the cardinality: the largest loadings of a larger answer, refitted.";
/// Follows a time of a solver that was compiled without optimisation.
inline constexpr const char* kUnoptimisedMark = "!";
inline constexpr const char* kUnoptimisedNote =
    "The solver was compiled without optimisation (CMAKE_BUILD_TYPE): its times say little.";
/// Whether an answer misses the requested cardinality or was truncated to it (SolveOutcome).
struct CardinalityOutcome {
  bool missed = false;
  bool truncated = false;
};
/// Returns the marks of a number.
inline std::string answer_marks(const CardinalityOutcome& outcome) {
  return std::string(outcome.missed ? kMissedMark : "") + (outcome.truncated ? kTruncatedMark : "");
}

/// Return a number with `digits` significant digits, a number with `digits` decimals, and a share
/// as a percentage with `digits` decimals ("12.34 %"). A number that rounds to zero is printed as
/// zero: none of these functions returns "-0.00".
std::string significant_text(double value, int digits);
std::string fixed_text(double value, int digits);
std::string percent_text(double share, int digits = 2);
/// Returns a percentage with two decimals, or with `digits` significant ones below 0.01 %.
std::string small_percent_text(double share, int digits = 1);

/// Returns the interval as a text such as "[0.871, 0.989]".
std::string interval_text(double low, double high);

/// Returns the number with six significant digits, or a time with three, because times cannot be
/// measured more precisely.
std::string number_text(double value, bool is_time);

}  // namespace spca
