/// Shows why a product of sparse data with four vectors does not reach the bandwidth of the memory:
/// times each part of the product separately, and a stream triad, in the same process. X has the
/// size of the New York Times collection.
///
///   read            every value and every index of X, and nothing else
///   scores, near    the scores of the rows, with all columns in 256 lines, which the first-level
///                   cache holds
///   scores          the scores of the rows: the entries are read, and nothing is written
///   product, near   the whole pass, with all columns in 256 lines
///   product         the whole pass, as the library does it
///
/// Each line prints the least milliseconds on one thread and on two, and the share of the triad's
/// bandwidth that is used if the 12 bytes of each nonzero count once. The parts named "near" wait
/// for no line from memory, so their share is the most that the instructions allow. Takes 20 s.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/stream_triad.h"
#include "spca/base/line_memory.h"
#include "spca/base/random.h"
#include "spca/covariance/detail/block_pass.h"
#include "spca/data/zipf_corpus.h"

#if defined(__x86_64__)
#define SPCA_BENCH_AVX2 __attribute__((target("avx2")))
#else
#define SPCA_BENCH_AVX2
#endif

namespace spca {
namespace {

constexpr Index kLine = 2 * kBlockColumns;
constexpr int kNearLines = 256;
constexpr int kRepeats = 7;
constexpr std::size_t kThreads = 2;

SparseRows corpus() {
  ZipfCorpusOptions options;
  options.documents = 300'000;
  options.words = 102'660;
  options.nonzeros = 69'700'000;
  options.topic_count = 10;
  ZipfCorpus drawn(options, 1);
  return zipf_counts(drawn);
}

/// The lines of one thread, and the sum over its rows.
struct Work {
  LineMemory lines;
  Four sum;
};

using Part = void (*)(const SparseArrays& rows, Index begin, Index end, Work& work);

void read(const SparseArrays& rows, Index begin, Index end, Work& work) {
  Pair values{};
  std::int64_t indices = 0;
  for (std::int64_t e = rows.starts[begin]; e + 2 <= rows.starts[end]; e += 2) {
    values += load_pair(rows.values + e);
    indices += rows.indices[e] + rows.indices[e + 1];
  }
  work.sum.low = values + static_cast<double>(indices);
}

using Quad = double __attribute__((vector_size(32)));

/// Computes the same sums as block_pass(), to the last bit.
SPCA_BENCH_AVX2 void scores(const SparseArrays& rows, Index begin, Index end, Work& work) {
  const double* const lines = work.lines.data();
  Quad total{};
  for (Index i = begin; i < end; ++i) {
    Quad sums[2] = {};
    const std::int64_t first = rows.starts[i];
    const auto add = [&](std::int64_t e, Quad& sum) SPCA_BENCH_AVX2 {
      Quad line;
      std::memcpy(&line, lines + kLine * rows.indices[e], sizeof line);
      const double value = rows.values[e];
      sum += Quad{value, value, value, value} * line;
    };
    std::int64_t e = first;
    for (; e + 2 <= rows.starts[i + 1]; e += 2) {
      add(e, sums[0]);
      add(e + 1, sums[1]);
    }
    if (e < rows.starts[i + 1]) {
      add(e, sums[0]);
    }
    total += sums[0] + sums[1];
  }
  work.sum = {Pair{total[0], total[1]}, Pair{total[2], total[3]}};
}

void product(const SparseArrays& rows, Index begin, Index end, Work& work) {
  work.sum = {};
  block_pass(rows, begin, end, 1, {}, work.sum, work.lines.data());
}

void fill(LineMemory& lines, Index p) {
  Random random(2);
  lines.reserve(static_cast<std::size_t>(kLine * p));
  for (Index j = 0; j < kLine * p; ++j) {
    lines.data()[j] = j % kLine < kBlockColumns ? random.uniform() - 0.5 : 0;
  }
}

struct Row {
  std::string name;
  Part part;
  const SparseArrays* rows;
  std::array<double, kThreads> seconds = {std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::infinity()};
};

void run(const SparseRows& data) {
  const std::vector<std::int64_t> starts(data.outerIndexPtr(),
                                         data.outerIndexPtr() + data.rows() + 1);
  const SparseArrays rows{.lines = data.rows(),
                          .starts = starts.data(),
                          .indices = data.innerIndexPtr(),
                          .values = data.valuePtr()};
  std::vector<int> near(data.innerIndexPtr(), data.innerIndexPtr() + data.nonZeros());
  for (int& index : near) {
    index %= kNearLines;
  }
  SparseArrays near_rows = rows;
  near_rows.indices = near.data();

  std::array<Work, kThreads> works;
  for (Work& work : works) {
    fill(work.lines, data.cols());
  }
  product(rows, 0, rows.lines, works[0]);
  const Four expected = works[0].sum;
  scores(rows, 0, rows.lines, works[0]);
  if (std::memcmp(&expected, &works[0].sum, sizeof expected) != 0) {
    fmt::print(stderr, "the scores differ from those of the product\n");
    std::exit(1);
  }

  const Index middle =
      std::lower_bound(starts.begin(), starts.end(), rows.entries() / 2) - starts.begin();
  const std::array<Index, 3> halves = {0, middle, rows.lines};
  std::vector<Row> table = {{"read", read, &rows},
                            {"scores, near", scores, &near_rows},
                            {"scores", scores, &rows},
                            {"product, near", product, &near_rows},
                            {"product", product, &rows}};
  StreamTriad triad;
  std::array<double, kThreads> bandwidth = {};
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (std::size_t t = 0; t < kThreads; ++t) {
      bandwidth[t] = std::max(bandwidth[t], triad.bandwidth(static_cast<int>(t) + 1));
    }
    for (Row& row : table) {
      row.seconds[0] = std::min(row.seconds[0],
                                seconds_of([&] { row.part(*row.rows, 0, rows.lines, works[0]); }));
      row.seconds[1] = std::min(row.seconds[1], seconds_of([&] {
                                  parallel_for(kThreads, kThreads, [&](std::size_t t) {
                                    row.part(*row.rows, halves[t], halves[t + 1], works[t]);
                                  });
                                }));
    }
  }
  benchmark::DoNotOptimize(works[0].sum);
  fmt::print("triad: {:.1f} GB/s on one thread, {:.1f} on two\n", 1e-9 * bandwidth[0],
             1e-9 * bandwidth[1]);
  const double bytes = 12.0 * static_cast<double>(rows.entries());
  for (const Row& row : table) {
    fmt::print("{:14} {:6.1f} ms {:4.0f} %   {:6.1f} ms {:4.0f} %\n", row.name,
               1e3 * row.seconds[0], 100 * bytes / row.seconds[0] / bandwidth[0],
               1e3 * row.seconds[1], 100 * bytes / row.seconds[1] / bandwidth[1]);
  }
}

}  // namespace
}  // namespace spca

int main() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) {
    fmt::print("the parts are timed with AVX2, which this processor does not have\n");
    return 0;
  }
#endif
  spca::run(spca::corpus());
}
