#include "spca/covariance/detail/sparse_gram.h"

#include <algorithm>

#include "spca/base/parallel.h"

namespace spca {
namespace {

/// The entries of one row in the columns I.
struct RowPart {
  std::vector<int> positions;  // in I, ascending
  std::vector<double> values;

  void read(const SparseArrays& rows, Index row, const std::vector<int>& position_of) {
    positions.clear();
    values.clear();
    for (std::int64_t e = rows.starts[row]; e < rows.starts[row + 1]; ++e) {
      const int position = position_of[static_cast<std::size_t>(rows.indices[e])];
      if (position >= 0) {
        positions.push_back(position);
        values.push_back(rows.values[e]);
      }
    }
  }
  /// Adds the products of the entries to every `stride`-th column of `gram` from `first` on.
  void add_products(int first, int stride, Matrix& gram) const {
    for (std::size_t a = 0; a < positions.size(); ++a) {
      if (stride > 1 && positions[a] % stride != first) {
        continue;
      }
      double* const column = gram.col(positions[a]).data();
      const double value = values[a];
      for (std::size_t b = a; b < positions.size(); ++b) {
        column[positions[b]] += value * values[b];
      }
    }
  }
};

}  // namespace

Matrix gram_from_columns(const SparseArrays& columns, const Support& support) {
  // The selected entries by rows: a row with c of them costs c^2 / 2, regardless of its length in
  // X.
  struct Entry {
    int row;
    int column;
    double value;
  };
  std::vector<Entry> entries;
  for (std::size_t a = 0; a < support.size(); ++a) {
    const Index j = support[a];
    for (std::int64_t e = columns.starts[j]; e < columns.end(j); ++e) {
      entries.push_back({columns.indices[e], static_cast<int>(a), columns.values[e]});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.row < b.row || (a.row == b.row && a.column < b.column);
  });
  const Index k = std::ssize(support);
  Matrix gram = Matrix::Zero(k, k);
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    for (end = begin; end < entries.size() && entries[end].row == entries[begin].row; ++end) {
      for (std::size_t other = begin; other < end; ++other) {
        gram(entries[end].column, entries[other].column) +=
            entries[end].value * entries[other].value;
      }
    }
  }
  return gram;
}

Matrix gram_from_rows(const SparsePass& pass, Index p, const Support& support) {
  std::vector<int> position_of(static_cast<std::size_t>(p), -1);
  for (std::size_t a = 0; a < support.size(); ++a) {
    position_of[static_cast<std::size_t>(support[a])] = static_cast<int>(a);
  }
  Matrix gram = Matrix::Zero(std::ssize(support), std::ssize(support));
  // Each thread reads all rows of a window, and computes every threads-th column of the result:
  // columns at low positions have more entries in the triangle.
  stream_lines(
      pass.rows, 0, pass.rows.lines, pass.file, kWindowEntries, [&](Index begin, Index end) {
        parallel_for(static_cast<std::size_t>(pass.threads), pass.threads, [&](std::size_t t) {
          RowPart part;
          for (Index i = begin; i < end; ++i) {
            part.read(pass.rows, i, position_of);
            part.add_products(static_cast<int>(t), pass.threads, gram);
          }
        });
      });
  return gram;
}

}  // namespace spca
