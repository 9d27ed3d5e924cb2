#include "spca/covariance/column_shifts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/error.h"

namespace spca {
namespace {

double deviation_of(double centered_squares, Index n) {
  return std::sqrt(centered_squares / static_cast<double>(n));
}

}  // namespace

bool is_constant(double least, double largest) {
  return largest - least <=
         4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(least), std::abs(largest));
}

bool has_large_mean(double mean, double centered_squares, Index n) {
  return std::abs(mean) > kLargeMean * deviation_of(centered_squares, n);
}

double shift_of_column(double mean, double centered_squares, double first, Index n) {
  return std::abs(first - mean) <= 2 * deviation_of(centered_squares, n) ? first : mean;
}

double shift_of_dense(const Eigen::Ref<const Vector>& column) {
  // Summed in the order of column_facts(), so that dense and sparse data have the same shifts.
  double sum = 0;
  for (const double value : column) {
    sum += value;
  }
  const auto n = static_cast<double>(column.size());
  const double mean = sum / n;
  double squares = 0;
  double zeros = 0;
  for (const double value : column) {
    squares += value != 0 ? (value - mean) * (value - mean) : 0;
    zeros += value != 0 ? 0 : 1;
  }
  squares += zeros * mean * mean;
  return has_large_mean(mean, squares, column.size())
             ? shift_of_column(mean, squares, column[0], column.size())
             : 0;
}

ColumnsOfRows::ColumnsOfRows(const SparseRows& rows)
    : columns(rows), starts(columns.outerIndexPtr(), columns.outerIndexPtr() + columns.cols() + 1) {
  facts = column_facts(arrays(), rows.rows());
}

SparseArrays ColumnsOfRows::arrays() const {
  return {.lines = columns.cols(),
          .starts = starts.data(),
          .indices = columns.innerIndexPtr(),
          .values = columns.valuePtr()};
}

Vector column_shifts(const SparseArrays& columns, const ColumnFacts& facts, Index n) {
  Vector shifts;
  for (Index j = 0; j < columns.lines; ++j) {
    const double mean = facts.sums[j] / static_cast<double>(n);
    if (!has_large_mean(mean, facts.centered_squares[j], n)) {
      continue;
    }
    if (shifts.size() == 0) {
      shifts.setZero(columns.lines);
    }
    const std::int64_t begin = columns.starts[j];
    const bool has_first = columns.count(j) > 0 && columns.indices[begin] == 0;
    shifts[j] =
        shift_of_column(mean, facts.centered_squares[j], has_first ? columns.values[begin] : 0, n);
  }
  return shifts;
}

std::vector<int> shifted_columns(const Vector& shifts) {
  std::vector<int> shifted;
  for (Index j = 0; j < shifts.size(); ++j) {
    if (shifts[j] != 0) {
      shifted.push_back(static_cast<int>(j));
    }
  }
  return shifted;
}

std::int64_t shifted_entries(const SparseArrays& columns, const Vector& shifts, Index n) {
  std::int64_t entries = columns.entries();
  for (const int j : shifted_columns(shifts)) {
    entries += n - columns.count(j);
  }
  return entries;
}

SparseRows shifted_rows(const SparseArrays& rows, const Vector& shifts, std::int64_t entries) {
  constexpr std::int64_t kLargestCount = std::numeric_limits<int>::max() - 1;
  if (entries > kLargestCount) {
    throw InputError(fmt::format(
        "columns with means far from zero have {} entries in all; accepted in memory: at most {}",
        entries, kLargestCount));
  }
  const std::vector<int> shifted = shifted_columns(shifts);
  SparseRows result(rows.lines, shifts.size());
  result.reserve(entries);
  for (Index i = 0; i < rows.lines; ++i) {
    result.startVec(i);
    const std::int64_t start = rows.starts[i];
    each_shifted(rows.indices + start, rows.values + start, rows.count(i), shifts, shifted,
                 [&](int column, double value) { result.insertBack(i, column) = value; });
  }
  result.finalize();
  return result;
}

void shift_large_means(SparseRows& rows) {
  const ColumnsOfRows before(rows);
  const Vector shifts = column_shifts(before.arrays(), before.facts, rows.rows());
  if (shifts.size() > 0) {
    std::vector<std::int64_t> starts(rows.outerIndexPtr(), rows.outerIndexPtr() + rows.rows() + 1);
    rows = shifted_rows({.lines = rows.rows(),
                         .starts = starts.data(),
                         .indices = rows.innerIndexPtr(),
                         .values = rows.valuePtr()},
                        shifts, shifted_entries(before.arrays(), shifts, rows.rows()))
               .markAsRValue();
  }
}

}  // namespace spca
