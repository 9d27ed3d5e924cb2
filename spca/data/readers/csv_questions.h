#pragma once

/// Tables that can be read in two ways, so the program asks: whether the first line names the
/// columns, and whether the first column names the rows. docs/DATA.md, "The rule", lists them.

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "spca/data/readers/csv_field.h"

namespace spca {

/// At least this number of values is needed to see that they count up or are evenly spaced.
inline constexpr std::size_t kFewestCounting = 3;

/// The first two lines of a table whose first line is not certainly a header.
struct FirstLines {
  const std::vector<CsvField>& first;
  const std::vector<CsvField>& second;
  std::size_t named = 0;          // 1 if the first column names the rows, otherwise 0
  bool begins_with_word = false;  // the first line begins with neither a number nor a missing value
  bool second_begins_with_number = false;
};

/// Returns true if the first line may name the columns, in a table of any length: its numbers count
/// up, are evenly spaced, or ascend or descend, while those below do not; or are whole above
/// fractions; or follow a word.
bool may_name_columns(const FirstLines& lines);

/// Returns true if the first line may name the columns of a table that has only these two lines:
/// its numbers are whole and evenly spaced, and those of the second line are not evenly spaced. One
/// sample and its names are then as likely as two samples.
bool may_name_columns_of_one_row(const FirstLines& lines);

/// Returns true if a column or a corner with this name holds names, not measurements: "id",
/// "GeneID", "sample_id", "name".
bool may_be_corner(std::string_view name);

/// Returns true if the text of a name may be a number, a date or a measure in a spelling that the
/// reader does not support: "1 234", "$1.50", "12%", "2024-01-31", "34y", "<0.1".
bool may_be_number(std::string_view text);

/// Decides whether numbers, added one after the other, are whole, and whether they count up: each
/// is one more than the number before.
class CountingUp {
 public:
  void add(double number);
  bool are_whole() const { return are_whole_; }
  bool counts_up() const { return counts_up_ && size_ >= kFewestCounting; }
  /// Returns the first numbers, at most kFewestCounting; the rest are 0.
  const std::array<double, kFewestCounting>& first() const { return first_; }

 private:
  bool counts_up_ = true;
  bool are_whole_ = true;
  std::size_t size_ = 0;
  double last_ = 0;
  std::array<double, kFewestCounting> first_ = {};
};

}  // namespace spca
