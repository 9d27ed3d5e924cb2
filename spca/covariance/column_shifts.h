#pragma once

/// Columns of sparse data whose mean is large relative to their deviation. S = X'X - n m m' would
/// lose the digits that both terms share. S of centred data does not change if a constant c_j is
/// subtracted from column j, and so such a column is held as x_j - c_j 1. Each implicit zero then
/// becomes an entry -c_j. There are few: with z zeros, m_j is at most sqrt((n - z) / z) deviations.

#include <vector>

#include "spca/covariance/sparse_arrays.h"

namespace spca {

/// Number of deviations above which a mean is large. Below it, cancellation costs at most a factor
/// of 65; a column above it has at most one implicit zero among 65 entries.
inline constexpr double kLargeMean = 8;

/// Returns true if numbers from `least` to `largest` differ only by rounding, as 0.1 + 0.2 and 0.3
/// do: by at most 4 epsilon of the largest magnitude, which is four to eight units in the last
/// place. Divided by their deviation they would be noise.
bool is_constant(double least, double largest);

/// Returns true if the mean of n entries is large; `centered_squares` is the sum of squares about
/// it.
bool has_large_mean(double mean, double centered_squares, Index n);
/// Returns c for a column with a large mean. This is `first`, the entry in the first row, because
/// whole numbers then stay whole and a constant column becomes zero; or the mean, if `first` is
/// more than two deviations away from it.
double shift_of_column(double mean, double centered_squares, double first, Index n);

/// Returns c of a dense column, 0 if its mean is not large.
double shift_of_dense(const Eigen::Ref<const Vector>& column);

/// X by columns, with their facts.
struct ColumnsOfRows {
  explicit ColumnsOfRows(const SparseRows& rows);
  SparseArrays arrays() const;

  SparseColumns columns;
  std::vector<std::int64_t> starts;
  ColumnFacts facts;
};

/// Returns c, p numbers, 0 for a column that is not shifted; empty if no column is shifted.
Vector column_shifts(const SparseArrays& columns, const ColumnFacts& facts, Index n);

/// The columns with c_j != 0, ascending.
std::vector<int> shifted_columns(const Vector& shifts);

/// Calls entry(column, value) for the entries of a row of X - 1c', in the order of their columns.
/// `shifted` are shifted_columns(shifts); the `count` indices ascend.
template <class Entry>
void each_shifted(const int* indices, const double* values, int count, const Vector& shifts,
                  const std::vector<int>& shifted, const Entry& entry) {
  auto next = shifted.begin();
  for (int e = 0; e < count; ++e) {
    for (; next != shifted.end() && *next < indices[e]; ++next) {
      entry(*next, -shifts[*next]);
    }
    const bool is_shifted = next != shifted.end() && *next == indices[e];
    entry(indices[e], is_shifted ? values[e] - shifts[*next++] : values[e]);
  }
  for (; next != shifted.end(); ++next) {
    entry(*next, -shifts[*next]);
  }
}

/// Returns the number of entries of X - 1c'.
std::int64_t shifted_entries(const SparseArrays& columns, const Vector& shifts, Index n);

/// Returns X - 1c', compressed, with `entries` = shifted_entries(). Throws InputError if there are
/// more entries than Eigen's int can count.
SparseRows shifted_rows(const SparseArrays& rows, const Vector& shifts, std::int64_t entries);
/// Replaces the compressed rows of X by those of X - 1c'.
void shift_large_means(SparseRows& rows);

}  // namespace spca
