#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "spca/data/content/file_content.h"

namespace spca {

/// The form of a CSV file. Members that are not set are inferred from the file.
struct CsvForm {
  char separator = 0;  // a comma, semicolon or tab, or ' ' for blanks and tabs
  char decimal = 0;    // a point or a comma
  std::optional<bool> header = std::nullopt;     // the first line names the columns
  std::optional<bool> row_names = std::nullopt;  // the first column names the rows
  /// Words and numbers that stand for missing values, besides the usual ones. Dense data in other
  /// formats take numbers.
  std::vector<std::string> missing_words = {};
  /// The choice of columns (TableChoice). Other columns may hold text: they are NaN in the matrix,
  /// for choose_table() to leave out.
  std::vector<std::string> columns = {};
  /// The columns to leave out, in the form of `columns`.
  std::vector<std::string> drop = {};
  /// If true, a missing value is NaN in the matrix. Otherwise it is an error.
  bool keeps_missing = false;
  /// If true, consecutive numbers in the first line or column are an error that asks whether they
  /// are names. Otherwise they are data.
  bool asks = false;

  /// Returns true if a member is set that applies to CSV files only.
  bool has_layout() const {
    return separator != 0 || decimal != 0 || header.has_value() || row_names.has_value();
  }
  /// Returns true if a member is set that changes the values read.
  bool is_set() const { return has_layout() || !missing_words.empty(); }
};

/// Reads CSV: rows of numbers, all of one length. The first rows show whether commas, semicolons,
/// tabs or blanks separate the fields. If the separator is not a comma, numbers may have decimal
/// commas; then all numbers have. The first line holds the names of the variables if none of its
/// unquoted fields is a number, if it begins with an empty field, or if it has one field less than
/// the rows (as R writes it). The first column names the rows if its first entry below such a line
/// is not a number, or in the last two cases. Quotes, CRLF and a byte order mark are accepted.
/// Missing values are empty fields, NA, N/A, NaN (with a sign or not), null, None, `<NA>`, `#N/A`,
/// ? and ., in any case, and `missing_words`. A first line of missing values only is data. Throws
/// InputError for a missing value (unless `keeps_missing`), with the number of missing values and
/// the place of the first; for a field that is not a finite number, with line and column; and for a
/// row of another length.
FileContent read_csv(const std::filesystem::path& path, const CsvForm& form = {});

/// One line of a CSV file whose fields need not be numbers.
struct CsvRow {
  std::size_t line = 0;             // in the file, from 1
  std::vector<std::string> fields;  // without quotes
};

/// Returns the lines of such a file, without quotes and without blank lines. The first line shows
/// the separator of the fields. Throws InputError if a quote is not closed on its line.
std::vector<CsvRow> read_csv_rows(const std::filesystem::path& path);

}  // namespace spca
