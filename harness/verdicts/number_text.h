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

/// The number to six digits, a time to three. Six digits tell any two solvers apart that differ by
/// more than rounding; a time is not known any better.
std::string number_text(double value, bool is_time);

/// Appends `text` unless the list has it.
void add_once(std::vector<std::string>& list, const std::string& text);

}  // namespace spca
