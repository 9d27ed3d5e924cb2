#pragma once

/// Sparse data by their arrays, which another object owns: a mapped file or a sparse matrix.

#include <cstdint>
#include <memory>

#include "spca/base/mapped_file.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// A sparse matrix by its lines, which are rows or columns. Line i has the entries
/// starts[i] ... starts[i + 1] - 1; their indices ascend. The lines may be consecutive ones of a
/// larger matrix: then starts[0] need not be 0.
struct SparseArrays {
  Index lines = 0;                       // rows or columns
  const std::int64_t* starts = nullptr;  // lines + 1
  const int* indices = nullptr;          // of each entry within its line, from 0
  const double* values = nullptr;        // of each entry
  /// If not null, line i ends before the entry ends[i]. The lines are then parts of those of a
  /// larger matrix: the entries whose indices are among some consecutive ones.
  const std::int64_t* ends = nullptr;
  int first_index = 0;  // the first of these

  /// True if `ends` is given.
  bool has_parts_of_lines() const { return ends != nullptr; }
  /// One past the last entry of a line.
  std::int64_t end(Index line) const { return ends != nullptr ? ends[line] : starts[line + 1]; }
  /// The index of an entry within its line or part of a line, from 0.
  int index(std::int64_t entry) const { return indices[entry] - first_index; }
  /// The number of entries in all. Not of parts of lines.
  std::int64_t entries() const { return starts[lines] - starts[0]; }
  /// The number of entries of a line.
  int count(Index line) const { return static_cast<int>(end(line) - starts[line]); }
};

/// The sums over each column x_j of X that S needs; stored, they save a pass over the data.
struct ColumnFacts {
  Vector sums;              // 1'x_j
  Vector squares;           // ||x_j||^2
  Vector centered_squares;  // ||x_j - m_j 1||^2 with m_j = 1'x_j / n
};

/// Computes the facts in the order of the entries. n >= 1.
ColumnFacts column_facts(const SparseArrays& columns, Index n);

/// X - 1c', n x p, twice: by rows and by columns.
struct MappedSparse {
  SparseArrays rows;         // n lines
  SparseArrays columns;      // p lines
  ColumnFacts facts;         // of the p columns
  Vector shifts = Vector();  // c (column_shifts.h), or empty: X itself
  /// The file that the arrays lie in. Products release the pages that they have read. The starts
  /// and ends of parts of lines may lie elsewhere.
  std::shared_ptr<const MappedFile> file;
};

}  // namespace spca
