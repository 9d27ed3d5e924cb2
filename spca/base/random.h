#pragma once

/// Random numbers that are the same on every platform. The distributions of `<random>` are not.

#include <bit>
#include <cstdint>

namespace spca {

/// Tables of the ziggurat for the standard normal (random.cpp).
struct NormalTables;

/// xoshiro256++ (Blackman, Vigna, ACM Trans. Math. Softw. 2021), seeded by splitmix64.
class Random {
 public:
  /// The same seed gives the same numbers.
  explicit Random(std::uint64_t seed);
  /// 64 bits, each fair.
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
  /// Standard normal, by the ziggurat of Marsaglia and Tsang (J. Statistical Software 5(8), 2000)
  /// with 256 layers. The value takes 53 random bits; the layer and the sign take bits of their
  /// own.
  double normal();

 private:
  /// Handles the 1 % of draws that fall outside a layer's inner rectangle. Returns the value, or -1
  /// if the layer rejects it.
  double normal_at_edge(std::size_t layer, double x);

  std::uint64_t state_[4];
  const NormalTables* tables_;
};

/// The layers of the ziggurat, all of one area.
struct NormalTables {
  static constexpr std::size_t kLayers = 256;  // number of layers
  /// Computes the tables.
  NormalTables();
  /// Layer i >= 1 is |x| < edge[i], exp(-edge[i]^2 / 2) < y < exp(-edge[i + 1]^2 / 2). All layers
  /// have one area. Layer 0 is the lowest one with its tail; edge[0] is the width of a rectangle of
  /// the same area.
  double edge[kLayers + 1];
  double height[kLayers + 1];     // exp(-edge^2 / 2)
  double unit[kLayers];           // edge * 2^-53
  std::uint64_t inside[kLayers];  // for random values below this, x is below edge[i + 1]
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
