#include "spca/algebra/sparse_passes.h"

#include "spca/algebra/sparse_kernels.h"
#include "spca/base/parallel.h"

namespace spca {
namespace {

constexpr std::int64_t kMostBlocks = 8;
/// A thread that other programs hold up leaves ranges to the others.
constexpr int kRangesAThread = 4;

/// Begins of `count` ranges of the columns `first` to `last` that have about the same number of
/// entries; `last` at the end.
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

/// How many indices are below `bound`; they ascend. Without branches, because no processor could
/// foresee them.
int count_below(const int* indices, int count, int bound) {
  const int* first = indices;
  while (count > 1) {
    const int half = count / 2;
    first += first[half - 1] < bound ? half : 0;
    count -= half;
  }
  return static_cast<int>(first - indices) + (count == 1 && *first < bound ? 1 : 0);
}

/// Adds score times what row `row` has in range t of the columns.
void add_part(const SparseArrays& rows, Index row, const std::vector<int>& ranges, std::size_t t,
              double score, double* out) {
  const int* const indices = rows.indices + rows.starts[row];
  const int count = rows.count(row);
  const int from = t == 0 ? 0 : count_below(indices, count, ranges[t]);
  const int to = t + 2 == ranges.size() ? count : count_below(indices, count, ranges[t + 1]);
  sparse_add(score, rows.values + rows.starts[row] + from, indices + from, to - from, out);
}

}  // namespace

std::vector<Index> row_blocks(const SparseArrays& rows, Index p) {
  std::int64_t blocks = 1;
  while (blocks < kMostBlocks && 2 * blocks * kLeastEntriesOfBlock * p <= rows.entries()) {
    blocks *= 2;
  }
  std::vector<Index> begins;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t* const begin =
        std::lower_bound(rows.starts, rows.starts + rows.lines, rows.entries() / blocks * b);
    begins.push_back(begin - rows.starts);
  }
  begins.push_back(rows.lines);
  return begins;
}

void add_transposed_product(const SparsePass& pass, const double* z, double* out) {
  const SparseArrays& columns = pass.columns;
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

void add_rows(const SparsePass& pass, const ScoredRows& scored, double scale, double* out) {
  const std::vector<int> ranges = column_ranges(pass.columns, 0, pass.columns.lines, pass.threads);
  parallel_for(ranges.size() - 1, pass.threads, [&](std::size_t t) {
    for (std::size_t i = 0; i < scored.count; ++i) {
      const int row = scored.rows[i];
      add_part(pass.rows, row, ranges, t, scale * scored.scores[row], out);
    }
  });
}

}  // namespace spca
