#pragma once

#include <cstddef>

namespace spca {

/// Number of columns of S that a pass over them computes at a time: enough for one product of
/// matrices instead of many products with vectors. Chosen by trial, not measured.
inline constexpr std::size_t kColumnsAtATime = 32;

}  // namespace spca
