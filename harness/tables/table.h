#pragma once

/// Defines tables and prints them in several formats. result_tables.h and comparison_tables.h make
/// tables from records.

#include <optional>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

enum class TableFormat { kText, kMarkdown, kCsv, kTex };
/// Returns the format; nothing for "json". Throws InputError unless `name` is "text", "md", "csv",
/// "tex" or "json".
std::optional<TableFormat> table_format_from_name(const std::string& name);

/// The number behind one entry of a result table.
struct TableNumber {
  double mean = kNotMeasured;  // over the repeats, of each repeat's total (total_of in metrics.h)
  double standard_error = kNotMeasured;  // of that mean; NaN for one repeat
  std::size_t repeats = 0;               // number of repeats with a number
  /// True if the entry is the best of its rivals: the entries of the same table that differ only in
  /// solver and deflation. No rival has a better number to the digits shown, and some rival has a
  /// worse one. Entries that lack a repeat, or whose cardinality does not bind, do not take part.
  bool is_best = false;
};

/// Entries of text with a title and footnotes, for any format. The first columns are aligned left,
/// the other columns right.
struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // each has the length of the header
  std::vector<std::string> notes;
  /// The suffix, such as "*", of each entry of `rows` that is not part of its number; empty if
  /// there are no suffixes.
  std::vector<std::vector<std::string>> marks = {};
  std::size_t left_columns = 1;  // number of columns that are aligned left; at least 1
  /// The entries of `rows` that Markdown and TeX set in bold; empty if there are none.
  std::vector<std::vector<bool>> bold = {};
  bool is_compact = false;  // TeX: small letters and narrow columns, so that the table fits a page
  /// Only from result_tables: the metric, and the numbers behind `rows` without the first column.
  std::string metric = {};
  std::vector<std::vector<TableNumber>> numbers = {};
};

/// Escapes the text where Markdown would read it as markup within a line.
std::string markdown_text(const std::string& text);
/// Escapes a paragraph: also at its beginning, where it could become a heading, an item or a code
/// block.
std::string markdown_paragraph(const std::string& text);

/// Returns the table in a format. TeX needs the package booktabs. CSV has the form of csv_of.
std::string render(const Table& table, TableFormat format);

/// Returns tables as one CSV file: header and rows, and, if there are several tables, a row with
/// the title before each. All rows have the number of fields of the widest table. A column with
/// marks is followed by a column "... marks" that holds them. Fields are those of csv_field(): a
/// text that a spreadsheet would take for a formula gets no prefix. Notes are left out.
std::string csv_of(const std::vector<Table>& tables);

}  // namespace spca
