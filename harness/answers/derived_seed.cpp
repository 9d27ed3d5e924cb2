#include "harness/answers/derived_seed.h"

#include <fmt/format.h>

#include "spca/base/sha256.h"

namespace spca {

std::uint64_t derived_seed(std::uint64_t seed, const char* purpose) {
  return hash64(fmt::format("{}/{}", purpose, seed));
}

}  // namespace spca
