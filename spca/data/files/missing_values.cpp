#include "spca/data/files/missing_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/data/files/low_rank_imputation.h"
#include "spca/data/files/missing_genotypes.h"
#include "spca/data/readers/table_choice.h"

namespace spca {
namespace {

std::string counted(Index count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Returns "column 2 (height)".
std::string column_text(const FileContent& content, Index column) {
  const auto at = static_cast<std::size_t>(column);
  return fmt::format(
      "column {}{}", column + 1,
      at < content.variable_names.size() ? fmt::format(" ({})", content.variable_names[at]) : "");
}

[[noreturn]] void refuse(const FileContent& content, Index count) {
  const Matrix& data = content.dense;
  for (Index i = 0;; ++i) {
    for (Index j = 0; j < data.cols(); ++j) {
      if (std::isnan(data(i, j))) {
        throw InputError(fmt::format(
            "row {}, {}: found NaN, the first of {}; accepted: finite numbers, or `missing` as "
            "mean, low-rank, drop-rows or drop-columns",
            i + 1, column_text(content, j), counted(count, "missing value")));
      }
    }
  }
}

void fill_with_means(FileContent& content) {
  for (Index j = 0; j < content.dense.cols(); ++j) {
    auto column = content.dense.col(j);
    const auto known = !column.array().isNaN();
    const Index count = known.count();
    if (count == column.size()) {
      continue;
    }
    if (count == 0) {
      throw InputError(
          fmt::format("{} has no value, and so no mean; accepted: `missing` as "
                      "drop-columns",
                      column_text(content, j)));
    }
    const double mean = known.select(column.array(), 0).sum() / static_cast<double>(count);
    column = column.array().isNaN().select(mean, column.array()).matrix().eval();
  }
}

/// Returns the indices of the lines (rows or columns) without NaN. Throws InputError if there are
/// none; in its message `what` names a line and `instead` the alternative.
std::vector<Index> without_nan(Index count, const auto& line, const char* what,
                               const char* instead) {
  std::vector<Index> kept;
  for (Index i = 0; i < count; ++i) {
    if (!line(i).array().isNaN().any()) {
      kept.push_back(i);
    }
  }
  if (kept.empty()) {
    throw InputError(
        fmt::format("every {} has a missing value, and so none would be left; accepted: `missing` "
                    "as mean or {}",
                    what, instead));
  }
  return kept;
}

}  // namespace

Missing missing_from_name(const std::string& name) {
  if (name == "auto") {
    return Missing::kAuto;
  }
  if (name == "error") {
    return Missing::kError;
  }
  if (name == "mean") {
    return Missing::kMean;
  }
  if (name == "low-rank") {
    return Missing::kLowRank;
  }
  if (name == "drop-rows") {
    return Missing::kDropRows;
  }
  if (name == "drop-columns") {
    return Missing::kDropColumns;
  }
  throw InputError(fmt::format(
      "missing: unknown value \"{}\"{}; accepted: error, mean, low-rank, "
      "drop-rows, drop-columns",
      name, did_you_mean(name, {"error", "mean", "low-rank", "drop-rows", "drop-columns"})));
}

void settle_missing(Missing missing, FileContent& content, Index rank) {
  if (content.genotypes != nullptr) {
    settle_missing_genotypes(missing, content);
    return;
  }
  Matrix& data = content.dense;
  if (data.size() == 0 || !data.hasNaN()) {
    return;
  }
  const Index count = data.array().isNaN().count();
  const std::string found = counted(count, "missing value");
  switch (missing) {
    case Missing::kAuto:
    case Missing::kError:
      refuse(content, count);
    case Missing::kMean:
      fill_with_means(content);
      content.notes.push_back(
          fmt::format("{} took the mean of {} column", found, count == 1 ? "its" : "their"));
      return;
    case Missing::kLowRank: {
      const Imputation imputed = impute_low_rank(data, rank);
      content.notes.push_back(fmt::format("{} filled from a rank-{} fit ({}{})", found,
                                          imputed.rank, counted(imputed.iterations, "iteration"),
                                          imputed.has_converged ? "" : ", which did not settle"));
      return;
    }
    case Missing::kDropRows: {
      const std::vector<Index> kept = without_nan(
          data.rows(), [&](Index i) { return data.row(i); }, "row", "drop-columns");
      content.notes.push_back(fmt::format("{} of {} rows left out, which had {}",
                                          data.rows() - std::ssize(kept), data.rows(), found));
      data = data(kept, Eigen::all).eval();
      select_names(kept, content.sample_names);
      return;
    }
    case Missing::kDropColumns: {
      const std::vector<Index> kept = without_nan(
          data.cols(), [&](Index j) { return data.col(j); }, "column", "drop-rows");
      content.notes.push_back(fmt::format("{} of {} columns left out, which had {}",
                                          data.cols() - std::ssize(kept), data.cols(), found));
      data = data(Eigen::all, kept).eval();
      select_names(kept, content.variable_names);
      return;
    }
  }
}

}  // namespace spca
