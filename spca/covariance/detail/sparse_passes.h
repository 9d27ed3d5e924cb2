#pragma once

/// Passes over sparse rows that several threads share, so that the result does not depend on their
/// number. There are two ways:
///
/// - Rows are divided into blocks. Each block has a result of its own, and the results are added in
///   the order of the blocks. The blocks depend only on the rows. A thread reads each row once and
///   whole: parts of rows would have to be searched for, and each would cost a cache miss.
/// - Columns are divided, if all rows contribute. An entry of the result is summed from the stored
///   column, in the order of the rows, and written once.

#include <algorithm>
#include <vector>

#include "spca/covariance/sparse_arrays.h"

namespace spca {

/// Returns the first row of each block, and n at the end. The blocks have about the same number of
/// entries. There are 1, 2, 4 or 8 blocks: each costs p additions and p zeros, so it has at
/// least kLeastEntriesOfBlock entries for each column.
std::vector<Index> row_blocks(const SparseArrays& rows, Index p);
inline constexpr std::int64_t kLeastEntriesOfBlock = 128;

/// X, and the number of threads that work on it.
struct SparsePass {
  const SparseArrays& rows;
  const SparseArrays& columns;
  const MappedFile* file;  // null if X lies in memory; pages are released after they were read
  int threads;
};

/// Adds X'z to `out`, p entries, for z of n entries. Reads X by columns, so that only `out` is
/// written, once. If the columns are parts of larger ones, it reads the rows, on one thread.
void add_transposed_product(const SparsePass& pass, const double* z, double* out);

/// Scattered rows, each with a score.
struct ScoredRows {
  const int* rows;
  std::size_t count;
  const double* scores;  // n
  std::int64_t entries;  // of these rows together; 0 is allowed if X has fewer than kLeastShared
};
/// Adds `scale` times the scored rows to `out`, p zeros, in blocks that depend only on the scored
/// rows.
void add_rows(const SparsePass& pass, const ScoredRows& scored, double scale, double* out);

/// Returns the number of blocks of scored rows: 1, 2, 4 or 8. A block has at least
/// kLeastScoredEntries entries, and kLeastScoredOfColumn for each of the p columns: it costs p
/// zeros and p additions.
int scored_blocks(std::int64_t entries, Index p);
inline constexpr std::int64_t kLeastScoredEntries = 500'000;
inline constexpr std::int64_t kLeastScoredOfColumn = 8;
/// At least this number of entries are divided into several blocks.
inline constexpr std::int64_t kLeastShared = 2 * kLeastScoredEntries;

/// At least this number of entries make X larger than the near caches.
inline constexpr std::int64_t kLargeEntries = 4'000'000;

/// At least this number of entries make a thread worthwhile: a quarter of a millisecond.
inline constexpr double kLeastEntriesOfThread = 250'000;

/// Number of entries that a pass over a mapped file reads at a time: a window of indices and
/// values.
inline constexpr std::int64_t kWindowEntries = kMappedWindow / (sizeof(int) + sizeof(double));

/// Calls part(begin, end) for consecutive ranges that together contain the lines `begin` to `end`,
/// which are whole lines. In a mapped file (null if there is none) a range ends with the line that
/// brings it above `window` entries, or with the last line. The next range is prefetched while the
/// current one is worked on; then the current one is released.
template <class Part>
void stream_lines(const SparseArrays& arrays, Index begin, Index end, const MappedFile* file,
                  std::int64_t window, const Part& part) {
  if (file == nullptr) {
    part(begin, end);
    return;
  }
  const std::int64_t* const all = arrays.starts + end;
  for (Index next = begin; begin < end; begin = next) {
    const std::int64_t first = arrays.starts[begin];
    next = std::upper_bound(arrays.starts + begin + 1, all, first + window) - arrays.starts;
    const std::int64_t last = arrays.starts[next];
    const std::int64_t ahead = std::min(last + window, *all);
    file->will_need(arrays.indices + last, arrays.indices + ahead);
    file->will_need(arrays.values + last, arrays.values + ahead);
    part(begin, next);
    file->release(arrays.starts + begin, arrays.starts + next);
    file->release(arrays.indices + first, arrays.indices + last);
    file->release(arrays.values + first, arrays.values + last);
  }
}

}  // namespace spca
