/// CSV in all its dialects. A row of numbers with single separators takes the fast way: one
/// from_chars for each field. Any other row is split into fields, with quotes, and each field is
/// judged by itself.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/readers/byte_stream.h"
#include "spca/data/readers/read_rows.h"
#include "spca/data/readers/readers.h"

namespace spca {
namespace {

constexpr char kBlank = ' ';

struct Field {
  std::string text;
  bool is_quoted = false;
};

/// Semicolon before comma, because it is used where the comma is the decimal point.
char find_separator(std::string_view line) {
  bool is_quoted = false;
  char found = kBlank;
  for (const char character : line) {
    is_quoted ^= character == '"';
    if (is_quoted) {
      continue;
    }
    if (character == ';') {
      return ';';
    }
    if (character == '\t' || (character == ',' && found == kBlank)) {
      found = character;
    }
  }
  return found;
}

bool is_all_quoted(const std::vector<Field>& fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](const Field& field) { return field.is_quoted; });
}

class CsvReader {
 public:
  explicit CsvReader(const std::filesystem::path& path) : lines_(path) {}
  /// Every row is checked, and those of `kept` are held.
  CsvReader(const std::filesystem::path& path, RowRange kept) : lines_(path), kept_(kept) {}

  Index row_count() const { return static_cast<Index>(row_count_); }

  FileContent read() {
    std::string first;
    if (!next_line(first)) {
      throw InputError(
          fmt::format("{}: no line has anything in it; accepted: numbers in rows", lines_.name()));
    }
    const std::size_t first_number = lines_.number();
    std::string second;
    const bool has_second = next_line(second);
    const std::size_t second_number = lines_.number();
    // An empty line is an error only if a row follows: most files end in one.
    empty_line_ = has_second && second_number != first_number + 1 ? first_number + 1 : 0;
    // The first line may hold names with commas or blanks in them. The second is always a row of
    // numbers, but if it has one field it does not show what separates.
    const bool second_shows =
        has_second && trim(second).find_first_of(",;\t ") != std::string::npos;
    separator_ = find_separator(second_shows ? second : first);
    line_number_ = second_number;
    const bool quotes_say_nothing = has_second && is_all_quoted(split(second));
    line_number_ = first_number;
    read_first_line(first, quotes_say_nothing);
    if (has_second) {
      line_number_ = second_number;
      read_row(second);
    }
    for (std::string_view line; lines_.next(line);) {
      line_number_ = lines_.number();
      read_row(line);
    }
    if (row_count_ == 0) {
      throw InputError(
          fmt::format("{}:{}: found only a header line; accepted: rows of numbers "
                      "below it",
                      name_, first_number));
    }
    return {.dense = matrix(),
            .sparse = nullptr,
            .variable_names = std::move(names_),
            .is_bag_of_words = false};
  }

  std::vector<CsvRow> read_rows() {
    std::vector<CsvRow> rows;
    for (std::string line; next_line(line);) {
      line_number_ = lines_.number();
      separator_ = rows.empty() ? find_separator(line) : separator_;
      CsvRow& row = rows.emplace_back(CsvRow{.line = line_number_, .fields = {}});
      for (Field& field : split(line)) {
        row.fields.push_back(std::move(field.text));
      }
    }
    return rows;
  }

 private:
  [[noreturn]] void fail(std::size_t column, const std::string& message) const {
    throw InputError(fmt::format(
        "{}:{}: column {}{}: {}", name_, line_number_, column,
        column <= names_.size() ? fmt::format(" ({})", names_[column - 1]) : "", message));
  }

  /// The next line that has something in it, as a copy that outlives the following one.
  bool next_line(std::string& result) {
    for (std::string_view line; lines_.next(line);) {
      if (!trim(line).empty()) {
        result = line;
        return true;
      }
    }
    return false;
  }

  std::vector<Field> split(std::string_view line) const;
  void read_first_line(std::string_view line, bool quotes_say_nothing);
  void read_row(std::string_view line);
  bool read_row_fast(std::string_view line);
  double number(const Field& field, std::size_t column) const;
  Matrix matrix() const;

  Lines lines_;
  std::string name_ = lines_.name();
  char separator_ = ',';
  std::size_t line_number_ = 0;
  std::size_t empty_line_ = 0;
  std::vector<std::string> names_;
  std::size_t column_count_ = 0;
  std::size_t row_count_ = 0;
  RowRange kept_ = {.first = 0, .last = std::numeric_limits<Index>::max()};
  std::vector<double> values_;  // row after row
};

std::vector<Field> CsvReader::split(std::string_view line) const {
  std::vector<Field> fields;
  std::string_view rest = separator_ == kBlank ? trim(line) : line;
  for (bool more = true; more;) {
    Field& field = fields.emplace_back();
    const std::string_view trimmed = trim(rest);
    if (!trimmed.empty() && trimmed[0] == '"') {
      field.is_quoted = true;
      rest = trimmed.substr(1);
      for (;;) {
        const std::size_t quote = rest.find('"');
        if (quote == std::string_view::npos) {
          fail(fields.size(), "found a quote that is not closed on its line; accepted: \"...\"");
        }
        field.text += rest.substr(0, quote);
        rest.remove_prefix(quote + 1);
        if (rest.empty() || rest[0] != '"') {
          break;
        }
        field.text += '"';  // two quotes stand for one
        rest.remove_prefix(1);
      }
    }
    const std::size_t end =
        separator_ == kBlank ? rest.find_first_of(" \t") : rest.find(separator_);
    field.text += trim(rest.substr(0, end));
    more = end != std::string_view::npos;
    if (more) {
      rest.remove_prefix(end + 1);
      rest = separator_ == kBlank ? trim(rest) : rest;
    }
  }
  return fields;
}

/// A name is a field that is in quotes or is no number. If the row below is all in quotes too, the
/// program that wrote the file quotes everything, and quotes say nothing.
void CsvReader::read_first_line(std::string_view line, bool quotes_say_nothing) {
  const std::vector<Field> fields = split(line);
  column_count_ = fields.size();
  const auto is_name = [quotes_say_nothing](const Field& field) {
    return (field.is_quoted && !quotes_say_nothing) || !parse_number(field.text);
  };
  const std::size_t name_count =
      static_cast<std::size_t>(std::count_if(fields.begin(), fields.end(), is_name));
  if (name_count < column_count_) {
    // A single word among numbers is more likely a mistake than a name: read_row says which.
    read_row(line);
    return;
  }
  for (std::size_t j = 0; j < fields.size(); ++j) {
    if (fields[j].text.empty()) {
      fail(j + 1,
           "found an empty name; accepted: a name for every column, and no column that "
           "names the rows");
    }
    names_.push_back(fields[j].text);
  }
}

/// Reads one finite number after the other with single separators. If there is anything else,
/// returns false and leaves no trace: the slow way then finds the words for what is wrong.
bool CsvReader::read_row_fast(std::string_view line) {
  const std::size_t row_begin = values_.size();
  values_.resize(row_begin + column_count_);
  double* out = values_.data() + row_begin;
  const char* at = line.data();
  const char* end = at + line.size();
  for (std::size_t j = 0; j < column_count_; ++j) {
    const auto [next, error] = std::from_chars(at, end, out[j]);
    const bool is_last = j + 1 == column_count_;
    if (error != std::errc() || !std::isfinite(out[j]) ||
        (is_last ? next != end : next == end || *next != separator_)) {
      values_.resize(row_begin);
      return false;
    }
    at = next + 1;
  }
  return true;
}

void CsvReader::read_row(std::string_view line) {
  if (trim(line).empty()) {
    empty_line_ = empty_line_ == 0 ? line_number_ : empty_line_;
    return;
  }
  if (empty_line_ != 0) {
    throw InputError(
        fmt::format("{}:{}: found an empty line between rows; accepted: empty lines at "
                    "the end only",
                    name_, empty_line_));
  }
  if (!read_row_fast(line)) {
    const std::vector<Field> fields = split(line);
    if (fields.size() != column_count_) {
      throw InputError(fmt::format("{}:{}: found {} fields; accepted: {}, as in the first line",
                                   name_, line_number_, fields.size(), column_count_));
    }
    for (std::size_t j = 0; j < fields.size(); ++j) {
      values_.push_back(number(fields[j], j + 1));
    }
  }
  const auto row = static_cast<Index>(row_count_);
  if (row < kept_.first || row >= kept_.last) {
    values_.resize(values_.size() - column_count_);
  }
  ++row_count_;
}

double CsvReader::number(const Field& field, std::size_t column) const {
  const std::optional<double> value = parse_number(field.text);
  if (field.text.empty()) {
    fail(column, "found an empty field; accepted: a number (missing values must be filled in)");
  }
  if (!value || !std::isfinite(*value)) {
    fail(column, fmt::format("found {}; accepted: a finite number with a decimal point{}",
                             in_quotes(field.text),
                             row_count_ == 0 && names_.empty()
                                 ? ", or a first line in which no unquoted field is a number"
                                 : ""));
  }
  return *value;
}

Matrix CsvReader::matrix() const {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values_.data(),
                                    static_cast<Index>(values_.size() / column_count_),
                                    static_cast<Index>(column_count_));
}

}  // namespace

FileContent read_csv(const std::filesystem::path& path) { return CsvReader(path).read(); }

RowsOfFile read_csv_rows_of(const std::filesystem::path& path, const RowShare& share) {
  RowsOfFile rows;
  {
    // How many rows there are, is known at the end of the file.
    CsvReader counted(path, RowRange{});
    counted.read();
    rows.samples = counted.row_count();
  }
  rows.held = share.of(rows.samples);
  rows.content = CsvReader(path, rows.held).read();
  return rows;
}

std::vector<CsvRow> read_csv_rows(const std::filesystem::path& path) {
  return CsvReader(path).read_rows();
}

}  // namespace spca
