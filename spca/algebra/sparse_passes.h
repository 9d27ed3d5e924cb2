#pragma once

/// Passes over sparse rows that several threads share, so that the result does not depend on their
/// number. There are two ways:
///
/// - Rows are divided into blocks. Each block has a result of its own, and these are added up in
///   the order of the blocks. The blocks depend on the rows alone. A thread reads a row once, and
///   whole: parts of rows would have to be searched for, and each part would be waited for.
/// - Columns are divided, if all rows count. An entry of the result is summed from the stored
///   column, in the order of the rows, and written once.

#include <algorithm>
#include <vector>

#include "spca/algebra/sparse_arrays.h"

namespace spca {

/// Returns the first row of each block, and n at the end. The blocks have about the same number of
/// entries. There are 1, 2, 4 or 8: each block costs p additions and p zeros, and so it has
/// kLeastEntriesOfBlock entries for each column at least.
std::vector<Index> row_blocks(const SparseArrays& rows, Index p);
inline constexpr std::int64_t kLeastEntriesOfBlock = 128;

/// X, and how many threads work on it.
struct SparsePass {
  const SparseArrays& rows;
  const SparseArrays& columns;
  const MappedFile* file;  // null if X lies in memory. What was read of it is released
  int threads;
};

/// Adds X'z to `out`, p entries, for z of n entries. Reads X by columns, so that nothing is written
/// but `out`, once.
void add_transposed_product(const SparsePass& pass, const double* z, double* out);

/// Rows here and there, each with a score.
struct ScoredRows {
  const int* rows;
  std::size_t count;
  const double* scores;  // n
  std::int64_t entries;  // of these rows together; 0 is allowed if X has fewer than kLeastShared
};
/// Adds scale times the scored rows to `out`, p zeros: in blocks that depend on the scored rows
/// alone.
void add_rows(const SparsePass& pass, const ScoredRows& scored, double scale, double* out);

/// How many blocks such rows are divided into: 1, 2, 4 or 8. A block has kLeastScoredEntries at
/// least, and kLeastScoredOfColumn for each of the p columns: it costs p zeros and p additions.
int scored_blocks(std::int64_t entries, Index p);
inline constexpr std::int64_t kLeastScoredEntries = 500'000;
inline constexpr std::int64_t kLeastScoredOfColumn = 8;
/// With fewer entries there is one block.
inline constexpr std::int64_t kLeastShared = 2 * kLeastScoredEntries;

/// X with so many entries is in no near cache.
inline constexpr std::int64_t kLargeEntries = 4'000'000;

/// Entries that are worth a thread: a quarter of a millisecond.
inline constexpr double kLeastEntriesOfThread = 250'000;

/// A pass over a mapped file takes so many entries at a time: a window of indices and values.
inline constexpr std::int64_t kWindowEntries = kMappedWindow / (sizeof(int) + sizeof(double));

/// Calls part(begin, end) for ranges of the lines `begin` to `end` that follow each other, all
/// together every one. Of a mapped file (null if there is none) a range has `window` entries or
/// little less, but at least one line. The next range is asked for while one is worked on, and what
/// was read is released.
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
