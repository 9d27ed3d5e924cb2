#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Number of columns of S that a pass over them computes at a time: enough for one product of
/// matrices instead of many products with vectors. Chosen by trial, not measured.
inline constexpr std::size_t kColumnsAtATime = 32;

/// Returns the variables in blocks of kColumnsAtATime.
inline std::vector<Support> column_blocks(const Support& variables) {
  std::vector<Support> blocks;
  for (std::size_t begin = 0; begin < variables.size(); begin += kColumnsAtATime) {
    const std::size_t end = std::min(begin + kColumnsAtATime, variables.size());
    blocks.emplace_back(variables.begin() + static_cast<std::ptrdiff_t>(begin),
                        variables.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return blocks;
}

}  // namespace spca
