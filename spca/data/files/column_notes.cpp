#include "spca/data/files/column_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "spca/base/text.h"
#include "spca/data/readers/csv_questions.h"

namespace spca {
namespace {

/// Fewer rows may well count up by chance.
constexpr Index kFewestCountingRows = 5;
/// At most one of this number of counted rows is left out in a column that counts rows.
constexpr double kRowsToAGap = 10;
/// Fewer other numbers in a column do not show what is far from them.
constexpr Index kFewestOthers = 4;

/// Returns "\"nr\"", or "column 3" if there are no names.
std::string column_name(const FileContent& content, Index column) {
  const auto at = static_cast<std::size_t>(column);
  return at < content.variable_names.size() ? in_quotes(content.variable_names[at])
                                            : fmt::format("column {}", column + 1);
}

/// Returns column_name() of the first, and how many others there are.
std::string column_names(const FileContent& content, const std::vector<Index>& columns) {
  const std::size_t others = columns.size() - 1;
  return column_name(content, columns[0]) +
         (others == 0 ? "" : fmt::format(" and {} other column{}", others, others == 1 ? "" : "s"));
}

bool is_name_of_numbers(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"nr", "no", "nr.", "no.", "number"};
  return may_be_corner(name) ||
         std::find(kNames.begin(), kNames.end(), lower_case(name)) != kNames.end();
}

bool counts_rows(const FileContent& content, Index j) {
  const auto column = content.dense.col(j);
  const Index n = column.size();
  for (Index i = 0; i < n; ++i) {
    const bool ascends = i == 0 || column[i] > column[i - 1];
    if (!ascends || column[i] != std::floor(column[i])) {  // NaN is not equal to itself
      return false;
    }
  }
  const auto at = static_cast<std::size_t>(j);
  const bool is_named = at < content.variable_names.size() &&
                        is_name_of_numbers(content.variable_names[at]) && n >= 2;
  const double gaps = column[n - 1] - column[0] + 1 - static_cast<double>(n);
  return is_named || (n >= kFewestCountingRows && gaps <= static_cast<double>(n) / kRowsToAGap);
}

/// Returns true for -9, -99, -999 and so on.
bool may_mean_missing(double number) {
  constexpr double kLeast = -1e9;
  for (double one = -9; one > kLeast; one = 10 * one - 9) {
    if (number == one) {
      return true;
    }
  }
  return false;
}

/// Returns the least number of the column if it may stand for missing values; else 0.
double number_for_missing(const Matrix& data, Index j) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double least = kNone;
  for (const double number : data.col(j)) {
    least = number < least ? number : least;  // not NaN
  }
  if (!may_mean_missing(least)) {
    return 0;
  }
  double next = kNone, largest = -kNone;
  Index count = 0, others = 0;
  for (const double number : data.col(j)) {
    count += number == least ? 1 : 0;
    if (number > least) {
      next = std::min(next, number);
      largest = std::max(largest, number);
      ++others;
    }
  }
  const bool is_far = next - least > largest - next;
  const bool is_repeated = count > 1 && next >= 0;
  return others >= kFewestOthers && (is_far || is_repeated) ? least : 0;
}

}  // namespace

std::string counting_note(const FileContent& content, Index from) {
  std::vector<Index> found;
  for (Index j = from; j < content.dense.cols() && content.dense.cols() > 1; ++j) {
    if (content.dense.rows() > 0 && counts_rows(content, j)) {
      found.push_back(j);
    }
  }
  if (found.empty()) {
    return "";
  }
  const auto at = static_cast<std::size_t>(found[0]);
  const std::string word =
      content.variable_names.empty() ? std::to_string(at + 1) : content.variable_names[at];
  return fmt::format(
      "{} ascend{} in whole numbers, as a count of the rows does: `drop` {}, if that "
      "is not a measurement",
      column_names(content, found), found.size() == 1 ? "s" : "", word);
}

std::vector<std::string> missing_number_notes(const FileContent& content) {
  std::vector<std::pair<double, std::vector<Index>>> found;  // in the order of their columns
  for (Index j = 0; j < content.dense.cols(); ++j) {
    const double number = number_for_missing(content.dense, j);
    if (number == 0) {
      continue;
    }
    auto at = std::find_if(found.begin(), found.end(),
                           [number](const auto& one) { return one.first == number; });
    at = at == found.end() ? found.insert(at, {number, {}}) : at;
    at->second.push_back(j);
  }
  std::vector<std::string> notes;
  for (const auto& [number, columns] : found) {
    notes.push_back(
        fmt::format("{} in {} may stand for missing values: `missing_words` {} reads "
                    "it so",
                    number, column_names(content, columns), number));
  }
  return notes;
}

}  // namespace spca
