#include "spca/data/content/compressed_arrays.h"

#include <fmt/format.h>

#include <algorithm>

#include "spca/base/error.h"
#include "spca/data/content/sparse_entries.h"

namespace spca {
namespace {

void check_indices(const std::vector<std::int64_t>& indices, std::int64_t size, const char* what) {
  const auto wrong = std::find_if(indices.begin(), indices.end(), [size](std::int64_t index) {
    return index < 0 || index >= size;
  });
  if (wrong != indices.end()) {
    throw InputError(fmt::format("found {} {} in entry {}; accepted: 0 to {}", what, *wrong,
                                 wrong - indices.begin(), size - 1));
  }
}

[[noreturn]] void refuse_starts(std::int64_t entries) {
  throw InputError(
      fmt::format("the starts do not ascend from 0 to the {} entries; accepted: "
                  "indptr as in scipy.sparse",
                  entries));
}

std::unique_ptr<SparseRows> sorted_rows(SparseRows&& rows, std::int64_t before = 0) {
  auto result = std::make_unique<SparseRows>();
  result->swap(rows);
  if (const auto twice = sort_rows(*result)) {
    throw InputError(fmt::format(
        "found row {}, column {} a second time; accepted: one entry for each (sum_duplicates)",
        twice->row + before, twice->column));
  }
  return result;
}

}  // namespace

void check_sparse_shape(std::int64_t n, std::int64_t p, std::int64_t entries) {
  if (n < 1 || p < 1 || n > kLargestInt || p > kLargestInt || entries > kLargestInt) {
    throw InputError(
        fmt::format("found {} rows, {} columns and {} entries; accepted: rows and columns from 1, "
                    "none of the three above {}",
                    n, p, entries, kLargestInt));
  }
  if (std::max(n, p) > entries + kMostEmpty) {
    throw InputError(
        fmt::format("found {} rows, {} columns and {} entries; accepted: at most {} rows or "
                    "columns without an entry",
                    n, p, entries, kMostEmpty));
  }
}

std::unique_ptr<SparseRows> sparse_rows_of(CompressedArrays arrays) {
  const auto entries = static_cast<std::int64_t>(arrays.values.size());
  check_sparse_shape(arrays.n, arrays.p, entries);
  const std::int64_t lines = arrays.by_rows ? arrays.n : arrays.p;
  if (std::ssize(arrays.starts) != lines + 1 || std::ssize(arrays.indices) != entries) {
    throw InputError(
        fmt::format("found {} starts, {} indices and {} values; accepted: {} starts, one more than "
                    "{}, and as many indices as values",
                    arrays.starts.size(), arrays.indices.size(), entries, lines + 1,
                    arrays.by_rows ? "rows" : "columns"));
  }
  if (arrays.starts.front() != 0 || arrays.starts.back() != entries ||
      !std::is_sorted(arrays.starts.begin(), arrays.starts.end())) {
    refuse_starts(entries);
  }
  check_indices(arrays.indices, arrays.by_rows ? arrays.p : arrays.n,
                arrays.by_rows ? "column" : "row");
  if (!arrays.by_rows) {
    return sorted_rows(place_entries(arrays.n, arrays.p, [&arrays, lines](const auto& on_entry) {
      for (std::int64_t column = 0; column < lines; ++column) {
        const auto line = static_cast<std::size_t>(column);
        for (std::int64_t e = arrays.starts[line]; e < arrays.starts[line + 1]; ++e) {
          const auto entry = static_cast<std::size_t>(e);
          on_entry(arrays.indices[entry], column, arrays.values[entry]);
        }
      }
    }));
  }
  SparseRows rows(arrays.n, arrays.p);
  rows.resizeNonZeros(entries);
  const auto narrow = [](std::int64_t number) { return static_cast<int>(number); };
  std::transform(arrays.starts.begin(), arrays.starts.end(), rows.outerIndexPtr(), narrow);
  std::transform(arrays.indices.begin(), arrays.indices.end(), rows.innerIndexPtr(), narrow);
  std::copy(arrays.values.begin(), arrays.values.end(), rows.valuePtr());
  return sorted_rows(std::move(rows), arrays.rows_before);
}

EntryRange entries_of_rows(const std::vector<std::int64_t>& starts, std::int64_t n,
                           std::int64_t entries, const RowRange& held) {
  if (std::ssize(starts) != n + 1 || starts.front() != 0 || starts.back() != entries ||
      !std::is_sorted(starts.begin(), starts.end())) {
    refuse_starts(entries);
  }
  return {.first = starts[static_cast<std::size_t>(held.first)],
          .last = starts[static_cast<std::size_t>(held.last)]};
}

std::unique_ptr<SparseRows> sparse_rows_of(CompressedArrays arrays, const RowRange& held) {
  entries_of_rows(arrays.starts, arrays.n, arrays.starts.empty() ? 0 : arrays.starts.back(), held);
  if (held.count() == 0) {
    return std::make_unique<SparseRows>(0, arrays.p);
  }
  const std::vector<std::int64_t> all = std::move(arrays.starts);
  arrays.starts.assign(all.begin() + held.first, all.begin() + held.last + 1);
  for (std::int64_t& start : arrays.starts) {
    start -= all[static_cast<std::size_t>(held.first)];
  }
  arrays.n = held.count();
  arrays.rows_before = held.first;
  return sparse_rows_of(std::move(arrays));
}

std::unique_ptr<SparseRows> sparse_rows_of(std::int64_t n, std::int64_t p,
                                           const std::vector<std::int64_t>& rows,
                                           const std::vector<std::int64_t>& columns,
                                           const std::vector<double>& values) {
  check_sparse_shape(n, p, static_cast<std::int64_t>(values.size()));
  if (rows.size() != values.size() || columns.size() != values.size()) {
    throw InputError(
        fmt::format("found {} rows, {} columns and {} values of entries; accepted: as "
                    "many of each",
                    rows.size(), columns.size(), values.size()));
  }
  check_indices(rows, n, "row");
  check_indices(columns, p, "column");
  return sorted_rows(place_entries(n, p, [&](const auto& on_entry) {
    for (std::size_t e = 0; e < values.size(); ++e) {
      on_entry(rows[e], columns[e], values[e]);
    }
  }));
}

}  // namespace spca
