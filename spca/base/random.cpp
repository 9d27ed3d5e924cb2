#include "spca/base/random.h"

#include <cmath>

namespace spca {
namespace {

/// The tail begins here for 256 layers (Marsaglia, Tsang 2000): with this value the topmost layer
/// ends at the density's maximum.
constexpr double kTail = 3.6541528853610088;
constexpr double kSquareRootOfHalfPi = 1.2533141373155003;

double density(double x) { return std::exp(-0.5 * x * x); }

const NormalTables& normal_tables() {
  static const NormalTables tables;
  return tables;
}

}  // namespace

NormalTables::NormalTables() {
  const double area =
      kTail * density(kTail) + kSquareRootOfHalfPi * std::erfc(kTail / std::sqrt(2.0));
  // The lowest layer has the same area as the others, its tail included: a rectangle of this width
  // and of height density(kTail).
  edge[0] = area / density(kTail);
  edge[1] = kTail;
  for (std::size_t i = 1; i + 1 < kLayers; ++i) {
    // Layer i is edge[i] wide and area / edge[i] high. Its upper end is the density at the next
    // edge.
    edge[i + 1] = std::sqrt(-2 * std::log(area / edge[i] + density(edge[i])));
  }
  edge[kLayers] = 0;
  for (std::size_t i = 0; i <= kLayers; ++i) {
    height[i] = density(edge[i]);
  }
  for (std::size_t i = 0; i < kLayers; ++i) {
    unit[i] = edge[i] * 0x1.0p-53;
    inside[i] = static_cast<std::uint64_t>(edge[i + 1] / edge[i] * 0x1.0p53);
  }
}

Random::Random(std::uint64_t seed) : tables_(&normal_tables()) {
  // splitmix64. It maps seeds that differ in one bit to unrelated states. It maps no seed to the
  // state of all zeros, from which xoshiro could not leave.
  for (std::uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    word = z ^ (z >> 31);
  }
}

std::uint64_t Random::below(std::uint64_t bound) {
  // Rejects the lowest 2^64 mod `bound` values, so that the number of values left is a multiple of
  // `bound`. Without this the small remainders would be more likely than the others.
  const std::uint64_t threshold = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t value = bits();
    if (value >= threshold) {
      return value % bound;
    }
  }
}

double Random::normal_at_edge(std::size_t layer, double x) {
  if (layer == 0) {
    // Marsaglia's exact method for the tail: an exponential proposal, thinned.
    for (;;) {
      const double beyond = -std::log1p(-uniform()) / kTail;
      if (-2 * std::log1p(-uniform()) > beyond * beyond) {
        return kTail + beyond;
      }
    }
  }
  // Inside the layer but beyond the inner rectangle: a uniform height decides whether the point
  // lies under the density.
  const double low = tables_->height[layer];
  const double y = low + uniform() * (tables_->height[layer + 1] - low);
  return y < density(x) ? x : -1;
}

}  // namespace spca
