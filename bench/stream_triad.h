#pragma once

/// Measures the bandwidth of the memory. Benchmarks print it beside the bytes that a product passes
/// through memory.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <vector>

#include "spca/base/parallel.h"

namespace spca {

inline double seconds_of(const auto& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// a = b + 3 c with three arrays that no cache holds.
class StreamTriad {
 public:
  StreamTriad() : a_(kSize, 0), b_(kSize, 1), c_(kSize, 2) {}
  /// Bytes a second, as STREAM counts them: two reads and a write.
  double bandwidth(int threads) {
    const double seconds = seconds_of([&] {
      parallel_for(static_cast<std::size_t>(threads), threads, [&](std::size_t t) {
        const std::size_t count = static_cast<std::size_t>(threads);
        double* const __restrict a = a_.data();
        const double* const __restrict b = b_.data();
        const double* const __restrict c = c_.data();
        for (std::size_t i = kSize * t / count; i < kSize * (t + 1) / count; ++i) {
          a[i] = b[i] + 3 * c[i];
        }
      });
    });
    benchmark::DoNotOptimize(a_.data());
    return 3 * sizeof(double) * static_cast<double>(kSize) / seconds;
  }

 private:
  static constexpr std::size_t kSize = 12'000'000;
  std::vector<double> a_, b_, c_;
};

}  // namespace spca
