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
  /// How each entry of `rows` ends if that is no part of its number, as "*"; or empty if none does.
  std::vector<std::vector<std::string>> marks = {};
  /// Only from result_tables: the metric, and the numbers behind `rows` without their first column.
  std::string metric = {};
  std::vector<std::vector<TableNumber>> numbers = {};
};

/// The text with what Markdown would read as markup within a line escaped.
std::string markdown_text(const std::string& text);
/// The same for a paragraph: nothing at its beginning makes it a heading, an item or a code block.
std::string markdown_paragraph(const std::string& text);

/// The table in a format. TeX needs the package booktabs. CSV is as csv_of has it.
std::string render(const Table& table, TableFormat format);

/// Tables as one CSV file: header and rows, and, if there are several tables, a row with its title
/// before each. All rows have as many fields as the widest table. A column with marks is followed by
/// one, "... marks", that has them. A text that a spreadsheet would take for a formula (it begins
/// with = + - @ and is no number) begins with an apostrophe.
std::string csv_of(const std::vector<Table>& tables);

}  // namespace spca
