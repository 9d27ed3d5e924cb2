#pragma once

/// Random numbers that are the same on every platform: the distributions of <random> are not.

#include <cmath>
#include <cstdint>

namespace spca {

/// xoshiro256++ (Blackman, Vigna, ACM Trans. Math. Softw. 2021), seeded by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint64_t bits();
  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  /// Uniform in {0, ..., bound - 1}, without bias. bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal (polar method of Marsaglia).
  double normal();

 private:
  std::uint64_t state_[4];
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace spca
