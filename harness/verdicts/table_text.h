#pragma once

/// Words that tables of records and tables of comparisons write alike.

#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Behind a number whose cardinality is the nearest from below.
inline constexpr const char* kMissedMark = "*";

/// Six digits tell any two solvers apart that differ by more than rounding; a time is not known to
/// more than three.
std::string number_text(double value, bool is_time);
void add_once(std::vector<std::string>& words, const std::string& word);

}  // namespace spca
