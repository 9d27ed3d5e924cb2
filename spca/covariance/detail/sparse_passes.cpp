#include "spca/covariance/detail/sparse_passes.h"

#include "spca/base/parallel.h"
#include "spca/covariance/detail/sparse_kernels.h"

namespace spca {
namespace {

constexpr std::int64_t kMostBlocks = 8;
/// Number of ranges per thread: a thread that other programs slow down leaves ranges to the others.
constexpr int kRangesAThread = 4;

/// Returns the beginnings of `count` ranges of the columns `first` to `last`, with about the same
/// number of entries each, and `last` at the end.
std::vector<int> column_ranges(const SparseArrays& columns, Index first, Index last, int count) {
  std::vector<int> begins = {static_cast<int>(first)};
  const std::int64_t* const all = columns.starts + last;
  const std::int64_t before = columns.starts[first];
  for (int t = 1; t < count; ++t) {
    const std::int64_t* const begin =
        std::lower_bound(columns.starts + begins.back(), all, before + (*all - before) / count * t);
    begins.push_back(static_cast<int>(begin - columns.starts));
  }
  begins.push_back(static_cast<int>(last));
  return begins;
}

/// Number of scattered rows that are read between notices to the mapped file.
constexpr std::size_t kTouchedRows = 16;

/// Prefetches the lines of a row. Its address is known long before it is read, and the processor
/// cannot predict it. The processor prefetches the rest of a long row by itself. Always inline: GCC
/// considers a function that only prefetches to be without effect, and drops its calls.
[[gnu::always_inline]] inline void ask_for_row(const SparseArrays& rows, Index row) {
  constexpr std::int64_t kMostAsked = 512;
  constexpr std::int64_t kIndicesOfLine = 16, kValuesOfLine = 8;
  const std::int64_t begin = rows.starts[row];
  const std::int64_t end = std::min(rows.starts[row + 1], begin + kMostAsked);
  for (std::int64_t e = begin; e < end; e += kValuesOfLine) {
    __builtin_prefetch(rows.values + e);
  }
  for (std::int64_t e = begin; e < end; e += kIndicesOfLine) {
    __builtin_prefetch(rows.indices + e);
  }
}

/// Adds rows to `out`, each times `scale` and its score: those of scored.rows[begin] to
/// scored.rows[end - 1], in this order.
void add_block(const SparsePass& pass, const ScoredRows& scored, std::size_t begin, std::size_t end,
               double scale, double* out) {
  const SparseArrays& rows = pass.rows;
  const bool asks = rows.entries() >= kLargeEntries;
  std::size_t since_release = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (asks && i + 1 < end) {
      ask_for_row(rows, scored.rows[i + 1]);
    }
    const int row = scored.rows[i];
    const std::int64_t start = rows.starts[row];
    sparse_add(scale * scored.scores[row], rows.values + start, rows.indices + start,
               rows.count(row), out);
    if (pass.file != nullptr && ++since_release == kTouchedRows) {
      pass.file->touched(since_release, 0);
      since_release = 0;
    }
  }
  if (pass.file != nullptr) {
    pass.file->touched(since_release, 0);
  }
}

}  // namespace

std::vector<Index> row_blocks(const SparseArrays& rows, Index p) {
  std::int64_t blocks = 1;
  while (blocks < kMostBlocks && 2 * blocks * kLeastEntriesOfBlock * p <= rows.entries()) {
    blocks *= 2;
  }
  std::vector<Index> begins;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t* const begin = std::lower_bound(
        rows.starts, rows.starts + rows.lines, rows.starts[0] + rows.entries() / blocks * b);
    begins.push_back(begin - rows.starts);
  }
  begins.push_back(rows.lines);
  return begins;
}

namespace {

/// The same as add_transposed_product(), by rows.
void add_transposed_rows(const SparsePass& pass, const double* z, double* out) {
  const SparseArrays& rows = pass.rows;
  stream_lines(rows, 0, rows.lines, pass.file, kWindowEntries, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const std::int64_t start = rows.starts[i];
      if (z[i] != 0) {
        sparse_add(z[i], rows.values + start, rows.indices + start, rows.count(i), out);
      }
    }
  });
}

}  // namespace

void add_transposed_product(const SparsePass& pass, const double* z, double* out) {
  const SparseArrays& columns = pass.columns;
  if (columns.has_parts_of_lines()) {
    add_transposed_rows(pass, z, out);
    return;
  }
  stream_lines(columns, 0, columns.lines, pass.file, kWindowEntries, [&](Index first, Index last) {
    const std::vector<int> ranges =
        column_ranges(columns, first, last, pass.threads > 1 ? kRangesAThread * pass.threads : 1);
    parallel_for(ranges.size() - 1, pass.threads, [&](std::size_t t) {
      for (Index j = ranges[t]; j < ranges[t + 1]; ++j) {
        double sum = out[j];
        for (std::int64_t e = columns.starts[j]; e < columns.starts[j + 1]; ++e) {
          sum += z[columns.indices[e]] * columns.values[e];
        }
        out[j] = sum;
      }
    });
  });
}

int scored_blocks(std::int64_t entries, Index p) {
  const std::int64_t least = std::max(kLeastScoredEntries, kLeastScoredOfColumn * p);
  int blocks = 1;
  while (blocks < kMostBlocks && 2 * blocks * least <= entries) {
    blocks *= 2;
  }
  return blocks;
}

void add_rows(const SparsePass& pass, const ScoredRows& scored, double scale, double* out) {
  const Index p = pass.columns.lines;
  const auto blocks = static_cast<std::size_t>(scored_blocks(scored.entries, p));
  std::vector<std::vector<double>> others(blocks - 1);  // the first block's result is `out`
  parallel_for(blocks, pass.threads, [&](std::size_t b) {
    double* result = out;
    if (b > 0) {
      others[b - 1].assign(static_cast<std::size_t>(p), 0.0);
      result = others[b - 1].data();
    }
    add_block(pass, scored, scored.count * b / blocks, scored.count * (b + 1) / blocks, scale,
              result);
  });
  for (const std::vector<double>& other : others) {
    for (Index j = 0; j < p; ++j) {
      out[j] += other[static_cast<std::size_t>(j)];
    }
  }
}

}  // namespace spca
