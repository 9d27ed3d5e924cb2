#pragma once

/// How tables of any kind show a number.

#include <string>
#include <vector>

namespace spca {

/// Stands behind a number whose cardinality is the nearest from below.
inline constexpr const char* kMissedMark = "*";

/// The number to six digits, a time to three. Six digits tell any two solvers apart that differ by
/// more than rounding; a time is not known any better.
std::string number_text(double value, bool is_time);

/// Appends `text` unless the list has it.
void add_once(std::vector<std::string>& list, const std::string& text);

}  // namespace spca
