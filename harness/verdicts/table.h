#pragma once

#include <string>
#include <vector>

#include "harness/verdicts/published.h"

namespace spca {

enum class TableFormat { kText, kMarkdown, kCsv, kTex };
/// Throws InputError unless "text", "md", "csv" or "tex".
TableFormat table_format_from_name(const std::string& name);

/// What one cell of a result table was made from.
struct TableNumber {
  double mean = kNotMeasured;  // over the repeats; of the sum where the metric is one a component
  double standard_error = kNotMeasured;  // of that mean; NaN with one repeat
  std::size_t repeats = 0;               // that gave a number
  /// No other solver and deflation of its table, all else being equal, has a better number to the
  /// digits shown, and some have a worse one. Cells that lack a repeat, or whose cardinality does
  /// not bind, do not take part.
  bool is_best = false;
};

/// A table of words with a title and footnotes, for any format. The first column is aligned left,
/// the others right.
struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;
  /// Of result_tables alone: the metric, and the numbers behind `rows` without their first column.
  std::string metric = {};
  std::vector<std::vector<TableNumber>> numbers = {};
};
/// With what Markdown would read as markup escaped.
std::string markdown_text(const std::string& text);
std::string render(const Table& table, TableFormat format);

/// The tables that the experiment declares (or one a grid and metric). A cell whose cardinality was
/// missed is marked and explained below the table; failed and skipped cells stand there as words,
/// never as gaps.
std::vector<Table> result_tables(const Experiment& experiment, const std::vector<Record>& records);
/// Every comparison with its verdict. Those that differ in solver and cardinality alone stand in a
/// matrix of their own, the others in one list.
std::vector<Table> comparison_tables(const Experiment& experiment,
                                     const std::vector<Comparison>& comparisons);

}  // namespace spca
