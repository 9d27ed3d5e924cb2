#pragma once

#include <cstdint>

namespace spca {

/// Returns a seed for one purpose. The seeds of the data and of the solver must differ: a random
/// start must not be a column of the data.
std::uint64_t derived_seed(std::uint64_t seed, const char* purpose);

}  // namespace spca
