#include "spca/covariance/detail/block_pass.h"

namespace spca {
namespace {

Four centered(double scale, const Four& dots, const Four& means) {
  return {scale * (dots.low - means.low), scale * (dots.high - means.high)};
}

#if defined(__x86_64__)

#define SPCA_AVX2 __attribute__((target("avx2")))

/// Four doubles in one register.
using Quad = double __attribute__((vector_size(32)));

SPCA_AVX2 inline void load_quad(const double* numbers, Quad& quad) {
  std::memcpy(&quad, numbers, sizeof quad);
}

/// sum += value * the four numbers.
SPCA_AVX2 inline void add_scaled(double value, const double* numbers, Quad& sum) {
  Quad quad;
  load_quad(numbers, quad);
  sum += Quad{value, value, value, value} * quad;
}

/// numbers += value * scores.
SPCA_AVX2 inline void add_to(double value, const Quad& scores, double* numbers) {
  Quad quad;
  load_quad(numbers, quad);
  quad += Quad{value, value, value, value} * scores;
  std::memcpy(numbers, &quad, sizeof quad);
}

/// Passes over rows with at least kAhead entries after them, so that a prefetch never reads beyond
/// the end. The sums of even and of odd entries are kept apart as in block_dot().
SPCA_AVX2 void pass_by_quads(const SparseArrays& rows, Index begin, Index end, double scale,
                             const Four& means, Four& sum, double* lines) {
  constexpr std::ptrdiff_t kLine = 2 * kBlockColumns;
  const Quad mean{means.low[0], means.low[1], means.high[0], means.high[1]};
  Quad total{sum.low[0], sum.low[1], sum.high[0], sum.high[1]};
  for (Index i = begin; i < end; ++i) {
    const int* const indices = rows.indices + rows.starts[i];
    const double* const values = rows.values + rows.starts[i];
    const int count = rows.count(i);
    Quad even{}, odd{};
    int e = 0;
    for (; e + 2 <= count; e += 2) {
      __builtin_prefetch(lines + kLine * indices[e + kAhead]);
      __builtin_prefetch(lines + kLine * indices[e + 1 + kAhead]);
      add_scaled(values[e], lines + kLine * indices[e], even);
      add_scaled(values[e + 1], lines + kLine * indices[e + 1], odd);
    }
    if (e < count) {
      __builtin_prefetch(lines + kLine * indices[e + kAhead]);
      add_scaled(values[e], lines + kLine * indices[e], even);
    }
    const Quad scores = scale * ((even + odd) - mean);
    total += scores;
    for (e = 0; e < count; ++e) {
      add_to(values[e], scores, lines + kLine * indices[e] + kBlockColumns);
    }
  }
  sum.low = Pair{total[0], total[1]};
  sum.high = Pair{total[2], total[3]};
}

#undef SPCA_AVX2

#endif

}  // namespace

void block_pass_by_pairs(const SparseArrays& rows, Index begin, Index end, double scale,
                         const Four& means, Four& sum, double* lines) {
  const std::int64_t last = rows.starts[rows.lines] - 1;
  for (Index i = begin; i < end; ++i) {
    const std::int64_t start = rows.starts[i];
    const int* const indices = rows.indices + start;
    const double* const values = rows.values + start;
    const int count = rows.count(i);
    const Four scores =
        centered(scale, block_dot(values, indices, count, lines, last - start), means);
    sum.add_scaled(1, scores);
    block_add(scores, values, indices, count, lines);
  }
}

void block_pass(const SparseArrays& rows, Index begin, Index end, double scale, const Four& means,
                Four& sum, double* lines) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    Index last = end;
    while (last > begin && rows.starts[last] + kAhead > rows.starts[rows.lines]) {
      --last;
    }
    pass_by_quads(rows, begin, last, scale, means, sum, lines);
    begin = last;
  }
#endif
  block_pass_by_pairs(rows, begin, end, scale, means, sum, lines);
}

}  // namespace spca
