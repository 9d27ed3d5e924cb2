#pragma once

/// Tables and the forms in which they are printed. result_tables.h and comparison_tables.h make
/// them from records.

#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

enum class TableFormat { kText, kMarkdown, kCsv, kTex };
/// Throws InputError unless `name` is "text", "md", "csv" or "tex".
TableFormat table_format_from_name(const std::string& name);

/// The number behind one entry of a result table.
struct TableNumber {
  double mean = kNotMeasured;  // over the repeats, of each repeat's total (total_of in metrics.h)
  double standard_error = kNotMeasured;  // of that mean; NaN with one repeat
  std::size_t repeats = 0;               // that gave a number
  /// Whether it is the best of its rivals: the entries of the same table that differ only in solver
  /// and deflation. None has a better number to the digits shown, and some have a worse one.
  /// Entries that lack a repeat, or whose cardinality does not bind, do not take part.
  bool is_best = false;
};

/// Entries of text with a title and footnotes, for any format. The first column is aligned left,
/// the others right.
struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // each as long as the header
  std::vector<std::string> notes;
  /// Only from result_tables: the metric, and the numbers behind `rows` without their first column.
  std::string metric = {};
  std::vector<std::vector<TableNumber>> numbers = {};
};

/// The text with what Markdown would read as markup escaped.
std::string markdown_text(const std::string& text);

/// The table in a format. CSV has header and rows only. TeX needs the package booktabs.
std::string render(const Table& table, TableFormat format);

}  // namespace spca
