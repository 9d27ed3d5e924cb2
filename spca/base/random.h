#pragma once

/// Random numbers that are the same on every platform: the distributions of <random> are not.

#include <bit>
#include <cstdint>

namespace spca {

/// Tables of the ziggurat for the standard normal (random.cpp).
struct NormalTables;

/// xoshiro256++ (Blackman, Vigna, ACM Trans. Math. Softw. 2021), seeded by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  /// Uniform in {0, ..., bound - 1}, without bias. bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal (ziggurat of Marsaglia and Tsang, J. Statistical Software 5(8), 2000, with 256
  /// layers and 53 random bits, the layer's bits apart from the value's).
  double normal();

 private:
  /// For the 1 % of the draws outside a layer's inner rectangle: the value, or -1 where the layer
  /// rejects it.
  double normal_at_edge(std::size_t layer, double x);

  std::uint64_t state_[4];
  const NormalTables* tables_;
};

struct NormalTables {
  static constexpr std::size_t kLayers = 256;
  NormalTables();
  /// Layer i is |x| < edge[i], exp(-edge[i]^2 / 2) < y < exp(-edge[i + 1]^2 / 2); all have one
  /// area. edge[0] is that of a rectangle with the area of the lowest layer and its tail.
  double edge[kLayers + 1];
  double height[kLayers + 1];     // exp(-edge^2 / 2)
  double unit[kLayers];           // edge * 2^-53
  std::uint64_t inside[kLayers];  // random value below which x is under the next edge for sure
};

inline double Random::normal() {
  for (;;) {
    const std::uint64_t word = bits();
    const std::size_t layer = word & 0xff;
    const std::uint64_t value = word >> 11;
    double x = static_cast<double>(value) * tables_->unit[layer];
    if (value >= tables_->inside[layer]) [[unlikely]] {
      x = normal_at_edge(layer, x);
      if (x < 0) {
        continue;
      }
    }
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) | (word & 0x100) << 55);
  }
}

}  // namespace spca
