#pragma once

/// Inner loops of products with sparse rows: the values and indices of a row against dense vectors.

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "spca/base/types.h"

namespace spca {

/// Two doubles in one register, the widest that every x86-64 processor has. AVX2 gathers gain
/// nothing here.
using Pair = double __attribute__((vector_size(16)));

inline Pair load_pair(const double* values) {
  Pair pair;
  std::memcpy(&pair, values, sizeof pair);
  return pair;
}

/// A view of every second number from `first` on.
struct EverySecond {
  double* first;
  double& operator[](int j) const { return first[2 * static_cast<std::ptrdiff_t>(j)]; }
};

/// Gathers two entries of `dense`. Dense is double* or EverySecond, here and below.
template <class Dense>
inline Pair gather_pair(Dense dense, const int* indices) {
  return Pair{dense[indices[0]], dense[indices[1]]};
}

template <class Dense>
inline void scatter_pair(Pair pair, const int* indices, Dense dense) {
  dense[indices[0]] = pair[0];
  dense[indices[1]] = pair[1];
}

/// sum of values[e] * dense[indices[e]] over `count` entries. Four pairs of sums, because one would
/// wait for each addition to finish.
template <class Dense>
inline double sparse_dot(const double* __restrict values, const int* __restrict indices, int count,
                         Dense dense) {
  Pair sum0{}, sum1{}, sum2{}, sum3{};
  int e = 0;
  for (; e + 8 <= count; e += 8) {
    sum0 += load_pair(values + e) * gather_pair(dense, indices + e);
    sum1 += load_pair(values + e + 2) * gather_pair(dense, indices + e + 2);
    sum2 += load_pair(values + e + 4) * gather_pair(dense, indices + e + 4);
    sum3 += load_pair(values + e + 6) * gather_pair(dense, indices + e + 6);
  }
  for (; e + 2 <= count; e += 2) {
    sum0 += load_pair(values + e) * gather_pair(dense, indices + e);
  }
  if (e < count) {
    sum1[0] += values[e] * dense[indices[e]];
  }
  const Pair sum = (sum0 + sum1) + (sum2 + sum3);
  return sum[0] + sum[1];
}

/// dense[indices[e]] += factor * values[e]. The indices of a row are distinct, so four entries may
/// be read before the first is written.
template <class Dense>
inline void sparse_add(double factor, const double* __restrict values,
                       const int* __restrict indices, int count, Dense dense) {
  const Pair factors{factor, factor};
  int e = 0;
  for (; e + 4 <= count; e += 4) {
    const Pair first = gather_pair(dense, indices + e) + factors * load_pair(values + e);
    const Pair second = gather_pair(dense, indices + e + 2) + factors * load_pair(values + e + 2);
    scatter_pair(first, indices + e, dense);
    scatter_pair(second, indices + e + 2, dense);
  }
  for (; e < count; ++e) {
    dense[indices[e]] += factor * values[e];
  }
}

// Number of vectors that a product with a block handles at once. Four vectors and their results
// fill one line of the cache, so a nonzero loads no more lines than for one vector.
inline constexpr Index kBlockColumns = 4;

/// Four doubles, as two registers.
struct Four {
  Pair low{}, high{};

  static Four load(const double* values) { return {load_pair(values), load_pair(values + 2)}; }
  void store(double* values) const {
    std::memcpy(values, &low, sizeof low);
    std::memcpy(values + 2, &high, sizeof high);
  }
  void add_scaled(double factor, const Four& other) {
    const Pair factors{factor, factor};
    low += factors * other.low;
    high += factors * other.high;
  }
};

// Number of entries, about one row, by which lines are prefetched. If the vectors are larger than
// the L2 cache, most of the time is spent waiting for lines; prefetching more than halves it.
inline constexpr std::ptrdiff_t kAhead = 128;

/// The four scores of a row: the sum of values[e] times the first half of line indices[e]. Reads
/// ahead up to indices[last], in this row and the next. Two sums, because one would wait for each
/// addition to finish.
inline Four block_dot(const double* __restrict values, const int* __restrict indices, int count,
                      const double* lines, std::ptrdiff_t last) {
  Four even, odd;
  const auto step = [&](int e, Four& sum) {
    __builtin_prefetch(lines + 2 * kBlockColumns * indices[std::min(e + kAhead, last)]);
    sum.add_scaled(values[e], Four::load(lines + 2 * kBlockColumns * indices[e]));
  };
  int e = 0;
  for (; e + 2 <= count; e += 2) {
    step(e, even);
    step(e + 1, odd);
  }
  if (e < count) {
    step(e, even);
  }
  return {even.low + odd.low, even.high + odd.high};
}

/// Adds values[e] times the scores to the second half of line indices[e].
inline void block_add(const Four& scores, const double* __restrict values,
                      const int* __restrict indices, int count, double* lines) {
  for (int e = 0; e < count; ++e) {
    double* const result = lines + 2 * kBlockColumns * indices[e] + kBlockColumns;
    Four sum = Four::load(result);
    sum.add_scaled(values[e], scores);
    sum.store(result);
  }
}

}  // namespace spca
