#include "spca/algebra/sparse_passes.h"

#include "spca/algebra/sparse_kernels.h"
#include "spca/base/parallel.h"

namespace spca {
namespace {

constexpr std::int64_t kMostBlocks = 8;

/// Begins of ranges of columns that have about the same number of entries, one for each thread; p
/// at the end.
std::vector<int> column_ranges(const SparseArrays& columns, int threads) {
  std::vector<int> begins = {0};
  const std::int64_t* const all = columns.starts + columns.lines;
  for (int t = 1; t < threads; ++t) {
    const std::int64_t* const begin =
        std::lower_bound(columns.starts + begins.back(), all, *all / threads * t);
    begins.push_back(static_cast<int>(begin - columns.starts));
  }
  begins.push_back(static_cast<int>(columns.lines));
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
  const std::vector<int> ranges = column_ranges(pass.columns, pass.threads);
  stream_lines(pass.rows, 0, pass.rows.lines, pass.file, kWindowEntries,
               [&](Index begin, Index end) {
                 parallel_for(ranges.size() - 1, pass.threads, [&](std::size_t t) {
                   for (Index row = begin; row < end; ++row) {
                     add_part(pass.rows, row, ranges, t, z[row], out);
                   }
                 });
               });
}

void add_rows(const SparsePass& pass, const ScoredRows& scored, double scale, double* out) {
  const std::vector<int> ranges = column_ranges(pass.columns, pass.threads);
  parallel_for(ranges.size() - 1, pass.threads, [&](std::size_t t) {
    for (std::size_t i = 0; i < scored.count; ++i) {
      const int row = scored.rows[i];
      add_part(pass.rows, row, ranges, t, scale * scored.scores[row], out);
    }
  });
}

}  // namespace spca
