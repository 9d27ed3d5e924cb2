/// CSV in all its dialects. A row of numbers with single separators takes the fast way: one
/// from_chars for each field. Any other row is split into fields, with quotes, and each field is
/// judged by itself. Before the first row, the first two lines decide on the separator, the names
/// of columns and the names of rows. csv_questions.h handles the cases in which they do not.

#include "spca/data/readers/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/byte_stream.h"
#include "spca/data/content/file_content.h"
#include "spca/data/readers/csv_field.h"
#include "spca/data/readers/csv_questions.h"
#include "spca/data/readers/read_rows.h"
#include "spca/data/readers/table_choice.h"

namespace spca {
namespace {

constexpr char kBlank = ' ';

/// Returns the separator that a line shows: a semicolon before a comma, because semicolons are used
/// where the comma is the decimal point.
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
    const bool is_open = found == kBlank || (found == '|' && character == ',');
    if (character == '\t' || ((character == ',' || character == '|') && is_open)) {
      found = character;
    }
  }
  return found;
}

bool is_all_quoted(const std::vector<CsvField>& fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](const CsvField& field) { return field.is_quoted; });
}

std::vector<double> sentinels_of(const CsvForm& form) {
  std::vector<double> numbers;
  for (const std::string& word : form.missing_words) {
    if (const std::optional<double> number = parse_number(word)) {
      numbers.push_back(*number);
    }
  }
  return numbers;
}

/// Returns the separator that a first line "sep=;" declares, as spreadsheets read and write it; 0
/// for any other line.
char declared_separator(std::string_view line) {
  std::string_view word = trim(line);
  if (word.size() > 2 && word.starts_with('"') && word.ends_with('"')) {
    word = word.substr(1, word.size() - 2);
  }
  constexpr std::string_view kDeclaration = "sep=";
  const bool is_one = word.size() == kDeclaration.size() + 1 && word.starts_with(kDeclaration);
  const bool is_tab = word == kDeclaration && trim(line).size() < line.size();  // it was trimmed
  const char separator = is_tab ? '\t' : is_one ? word.back() : '\0';
  return std::string_view(",;|\t").find(separator) != std::string_view::npos ? separator : '\0';
}

/// Returns true for a line that begins with # or %, unless its first field is the value of a cell,
/// "#DIV/0!" or "#N/A", and another field follows.
bool is_comment(std::string_view line) {
  const std::size_t end = line.find_first_of(",;|\t");
  const std::string_view first = line.substr(0, end);
  const bool is_cell =
      end != std::string_view::npos && (is_spreadsheet_error(first) || is_missing_word(first));
  return (line.starts_with('#') || line.starts_with('%')) && !is_cell;
}

class CsvReader {
 public:
  CsvReader(const std::filesystem::path& path, const CsvForm& form) : lines_(path), form_(form) {}
  /// Checks every row, but stores only the numbers of the rows `kept`; names are those of all rows.
  CsvReader(const std::filesystem::path& path, const CsvForm& form, RowRange kept)
      : lines_(path), form_(form), kept_(kept) {}

  Index row_count() const { return static_cast<Index>(row_count_); }

  FileContent read() {
    std::string first;
    if (!next_line(first)) {
      throw InputError(
          fmt::format("{}: no line has anything in it; accepted: numbers in rows", lines_.name()));
    }
    std::size_t first_number = lines_.number();
    line_number_ = first_number;
    refuse_carriage_returns(first);
    if (const char declared = declared_separator(first); declared != 0 && next_line(first)) {
      notes_.push_back(fmt::format("its first line, sep={}, declares the separator",
                                   declared == '\t' ? "tab" : std::string(1, declared)));
      form_.separator = form_.separator == 0 ? declared : form_.separator;
      first_number = lines_.number();
    }
    std::string second;
    bool has_second = next_line(second);
    std::size_t comments = 0;
    while (is_comment(first) && has_second && !is_header_of(first, second)) {
      first = second;
      first_number = lines_.number();
      has_second = next_line(second);
      ++comments;
    }
    if (comments > 0) {
      notes_.push_back(fmt::format("{} line{} that begin{} with # or % left out", comments,
                                   comments == 1 ? "" : "s", comments == 1 ? "s" : ""));
    }
    if (is_comment(first)) {
      first = trim(std::string_view(first).substr(1));
      notes_.push_back("the line that begins with # or % names the columns");
    }
    const std::size_t second_number = lines_.number();
    line_number_ = second_number;
    refuse_carriage_returns(second);
    // An empty line is an error only if a row follows: most files end in one.
    empty_line_ = has_second && second_number != first_number + 1 ? first_number + 1 : 0;
    find_separator_in(first, second);
    line_number_ = second_number;
    const std::vector<CsvField> below = has_second ? split(second) : std::vector<CsvField>();
    line_number_ = first_number;
    read_first_line(first, below);
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
    refuse_missing();
    ask_about_one_row();
    ask_about_first_column();
    ask_about_points();
    FileContent content;
    content.notes = std::move(notes_);
    content.dense = matrix();
    if (const std::string note = note_of_identifier(); !note.empty()) {
      content.notes.push_back(note);
    }
    content.variable_names = std::move(names_);
    if (const std::string note = note_of_row_names(); !note.empty()) {
      content.notes.push_back(note);
    }
    content.sample_names = std::move(row_names_);
    if (decimal_ == ',' && form_.decimal == 0) {
      content.notes.push_back("its numbers have decimal commas");
    }
    if (are_names_recoded_) {
      content.notes.push_back(kNamesRecoded);
    }
    if (has_thousands_) {
      content.notes.push_back("points in its numbers separate thousands");
    }
    if (rounded_count_ > 0) {
      content.notes.push_back(
          fmt::format("{}{}) are rounded to 53 bits", first_rounded_,
                      rounded_count_ == 1 ? "" : fmt::format(" and {} more", rounded_count_ - 1)));
    }
    return content;
  }

  std::vector<CsvRow> read_rows() {
    std::vector<CsvRow> rows;
    for (std::string line; next_line(line);) {
      line_number_ = lines_.number();
      separator_ = rows.empty() ? find_separator(line) : separator_;
      CsvRow& row = rows.emplace_back(CsvRow{.line = line_number_, .fields = {}});
      for (CsvField& field : split(line)) {
        row.fields.push_back(std::move(field.text));
      }
    }
    return rows;
  }

 private:
  /// Throws InputError. `column` counts from 1 and includes that of the row names.
  [[noreturn]] void fail(std::size_t column, const std::string& message) const {
    throw InputError(fmt::format("{}: {}", place(line_number_, column), message));
  }
  std::string place(std::size_t line, std::size_t column) const {
    return fmt::format("{}:{}: {}", name_, line, column_text(column));
  }
  std::string column_text(std::size_t column) const {
    const std::size_t before = has_row_names_ ? 1 : 0;
    const bool is_named =
        column > before && column - before <= names_.size() && !names_[column - before - 1].empty();
    return fmt::format("column {}{}", column,
                       is_named ? fmt::format(" ({})", names_[column - before - 1]) : "");
  }

  /// Copies the next line that is not blank to `result`. Returns false at the end.
  bool next_line(std::string& result) {
    for (std::string_view line; lines_.next(line);) {
      if (!trim(line).empty()) {
        result = line;
        return true;
      }
    }
    return false;
  }

  void find_separator_in(const std::string& first, const std::string& second);
  void refuse_carriage_returns(std::string_view line) const;
  bool is_header_of(const std::string& comment, const std::string& row);
  void refuse_recoded_genotypes(const std::vector<CsvField>& fields) const;
  void refuse_title(const std::vector<CsvField>& fields, const std::vector<CsvField>& below) const;
  void choose_columns();
  bool is_chosen_by_name(const std::vector<CsvField>& fields) const;
  bool is_read(std::size_t column) const { return read_.empty() || read_[column] != 0; }
  std::vector<CsvField> split(std::string_view line) const;
  void read_first_line(std::string_view line, const std::vector<CsvField>& below);
  void read_header(const std::vector<CsvField>& fields, const std::vector<CsvField>& below);
  void ask_about_first_line(const std::vector<CsvField>& fields,
                            const std::vector<CsvField>& below);
  void ask_about_one_row() const;
  void ask_about_first_column() const;
  void ask_about_points() const;
  void look_at(std::string_view text, double number, std::size_t column);
  void look_at_fields(std::string_view line);
  std::string note_of_row_names() const;
  std::string note_of_identifier() const;
  void read_row(std::string_view line);
  std::string_view without_trailing_separator(std::string_view line) const;
  bool read_row_fast(std::string_view line);
  void read_row_field_by_field(std::string_view line);
  void refuse_comment(std::string_view line, const std::vector<CsvField>& fields) const;
  bool is_sentinel(double number) const {
    return !sentinels_.empty() &&
           std::find(sentinels_.begin(), sentinels_.end(), number) != sentinels_.end();
  }
  bool read_row_name(std::string_view& line);
  bool is_number(const CsvField& field) const;
  /// Returns true if a comma in the field may be decimal. If commas separate fields, the field must
  /// be quoted and the form must say that commas are decimal.
  bool may_have_comma(const CsvField& field) const {
    return decimal_ != '.' && (separator_ != ',' || (field.is_quoted && form_.decimal == ','));
  }
  /// Returns true if the points of numbers may separate thousands, as they do where semicolons
  /// separate fields.
  bool may_have_groups() const { return separator_ == ';' && decimal_ == '.'; }
  /// Returns the number without the points that separate its thousands, if the form says that
  /// commas are decimal.
  std::optional<std::string> joined_thousands(const CsvField& field) const {
    return form_.decimal == ',' && may_have_comma(field) ? without_thousands(trim(field.text))
                                                         : std::nullopt;
  }
  bool is_missing(std::string_view text) const;
  double number(const std::vector<CsvField>& fields, std::size_t j);
  std::string drop_hint(const std::vector<CsvField>& fields, std::size_t refused) const;
  void refuse_missing() const;
  Matrix matrix() const;

  Lines lines_;
  CsvForm form_;
  std::string name_ = lines_.name();
  char separator_ = ',';
  char decimal_ = form_.decimal;  // 0 until a number has one
  std::string with_points_;       // the line that is read, if commas are decimal
  std::size_t line_number_ = 0;
  std::size_t empty_line_ = 0;
  bool has_row_names_ = false;
  bool has_trailing_separators_ = false;  // each row ends with one, and the header does not
  bool are_row_names_guessed_ = false;    // only a word in the first row shows that there are any
  std::string question_of_one_row_;       // the question if there are only two lines
  std::vector<std::string> notes_;
  std::vector<std::string> names_;
  std::string corner_;  // the name of the column that names the rows; empty if it has none
  std::vector<std::string> row_names_;
  std::size_t column_count_ = 0;  // without the names of the rows
  std::vector<char> read_;        // for each column whether it is chosen; empty if all are
  std::size_t row_count_ = 0;
  RowRange kept_ = {.first = 0, .last = std::numeric_limits<Index>::max()};
  std::vector<double> sentinels_ = sentinels_of(form_);  // numbers that stand for missing values
  std::vector<double> values_;                           // row after row
  std::array<CountingUp, 2> leading_;                    // the first two columns, in all rows
  /// True while every point in the numbers may separate thousands: "1.250" beside "980".
  bool may_points_group_ = form_.asks && form_.decimal == 0;
  std::string question_of_points_;  // the question about the first such number; empty without any
  bool has_thousands_ = false;
  bool are_names_recoded_ = false;
  std::size_t rounded_count_ = 0;  // of integers beyond 2^53
  std::string first_rounded_;      // their column and the first of them
  std::size_t missing_count_ = 0;
  std::string first_missing_;  // its place and its text
};

/// Takes the separator from the second line, because the first may hold names with commas or blanks
/// in them. If the second line has one field, the first decides.
void CsvReader::find_separator_in(const std::string& first, const std::string& second) {
  if (form_.separator != 0) {
    separator_ = form_.separator;
    return;
  }
  const bool second_shows = trim(second).find_first_of(",;|\t ") != std::string::npos;
  separator_ = find_separator(second_shows ? second : first);
}

/// Throws InputError if a carriage return is within the line. Old Macintosh programs end lines with
/// a carriage return alone: the whole file is then one line. Files that were put together may have
/// some such lines.
void CsvReader::refuse_carriage_returns(std::string_view line) const {
  if (trim(line).find('\r') != std::string_view::npos) {
    throw InputError(fmt::format(
        "{}:{}: its lines end with carriage returns alone, all or some of them; accepted: line "
        "feeds: tr -s '\\r' '\\n' < {} | spca solve --data -",
        name_, line_number_, name_));
  }
}

/// Returns true if a comment has as many fields as the row of numbers below it, and no field is a
/// number: the comment then has the names of the columns. A row that was commented out is no
/// header.
bool CsvReader::is_header_of(const std::string& comment, const std::string& row) {
  const std::string names(trim(std::string_view(comment).substr(1)));
  find_separator_in(names, row);
  const std::vector<CsvField> fields = split(row);
  const std::vector<CsvField> words = split(names);
  const auto is_numeric = [this](const CsvField& field) { return is_number(field); };
  return words.size() == fields.size() && std::none_of(words.begin(), words.end(), is_numeric) &&
         std::any_of(fields.begin(), fields.end(), is_numeric);
}

/// Refuses a file of `plink --recode A`, whose first six columns are not genotypes.
void CsvReader::refuse_recoded_genotypes(const std::vector<CsvField>& fields) const {
  constexpr std::array<std::string_view, 6> kColumns = {"FID", "IID", "PAT",
                                                        "MAT", "SEX", "PHENOTYPE"};
  if (fields.size() > kColumns.size() &&
      std::equal(kColumns.begin(), kColumns.end(), fields.begin(),
                 [](std::string_view name, const CsvField& field) { return field.text == name; })) {
    throw InputError(fmt::format(
        "{}: is what plink --recode A writes; accepted: its .bed file, or the samples and "
        "genotypes alone: tr '\\t' ' ' < {} | cut -d ' ' -f 2,7- | spca solve --data - --row-names "
        "yes",
        name_, name_));
  }
}

/// Refuses a line of one field above a table: a title, or a comment without # or %.
void CsvReader::refuse_title(const std::vector<CsvField>& fields,
                             const std::vector<CsvField>& below) const {
  if (fields.size() == 1 && below.size() > 2) {
    throw InputError(fmt::format(
        "{}:{}: found a line of one field, {}, above a line of {}; accepted: a table that begins "
        "with its header or a row: sed {}d {} | spca solve --data -",
        name_, line_number_, in_quotes(fields[0].text), below.size(), line_number_, name_));
  }
}

/// Returns true if the first name of the header is that of a column to be chosen or dropped.
bool CsvReader::is_chosen_by_name(const std::vector<CsvField>& fields) const {
  const auto has = [&fields](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), fields[0].text) != words.end();
  };
  return !fields[0].text.empty() && (has(form_.columns) || has(form_.drop));
}

/// Decides which columns are read, as soon as their names and their number are known.
void CsvReader::choose_columns() {
  if (form_.columns.empty() && form_.drop.empty()) {
    return;
  }
  try {
    read_ = chosen_marks(form_.columns, form_.drop, names_, static_cast<Index>(column_count_));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name_, error.what()));
  }
}

std::vector<CsvField> CsvReader::split(std::string_view line) const {
  std::vector<CsvField> fields;
  std::string_view rest = separator_ == kBlank ? trim(line) : line;
  for (bool more = true; more;) {
    CsvField& field = fields.emplace_back();
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

bool CsvReader::is_number(const CsvField& field) const {
  const std::string text(trim(field.text));  // quotes may have blanks in them
  return parse_number(text).has_value() || joined_thousands(field).has_value() ||
         (may_have_comma(field) && parse_with_comma(text).has_value());
}

bool CsvReader::is_missing(std::string_view text) const {
  const std::vector<std::string>& words = form_.missing_words;
  const std::optional<double> number = parse_number(text);
  return is_missing_word(text) || std::find(words.begin(), words.end(), text) != words.end() ||
         (number && is_sentinel(*number));
}

/// Decides whether the first line is a header, and reads it. A name is a field that is in quotes or
/// is not a number. If the row below is all in quotes too, the program that wrote the file quotes
/// everything, and quotes say nothing.
void CsvReader::read_first_line(std::string_view line, const std::vector<CsvField>& below) {
  std::vector<CsvField> fields = split(line);
  for (CsvField& field : fields) {
    field.text = in_utf8(field.text, are_names_recoded_);
  }
  refuse_recoded_genotypes(fields);
  refuse_title(fields, below);
  const bool quotes_say_nothing = !below.empty() && is_all_quoted(below);
  const auto is_name = [&](const CsvField& field) {
    return (field.is_quoted && !quotes_say_nothing) || !is_number(field);
  };
  const auto is_word = [&](const CsvField& field) {
    return !is_number(field) && !is_missing(field.text) && !is_spreadsheet_error(field.text);
  };
  const bool is_short = below.size() == fields.size() + 1;  // R names no corner
  if (is_short && !form_.row_names && below.back().text.empty()) {
    throw InputError(fmt::format(
        "{}:{}: has {} fields, one less than the line below, which ends with a separator: that is "
        "one too many (`row_names` no), or the first column names the rows and the last value is "
        "missing (`row_names` yes); accepted: `row_names` yes or no",
        name_, line_number_, fields.size()));
  }
  const bool has_corner = fields.size() > 1 && fields[0].text.empty();
  const bool below_begins_with_word = below.size() > 1 && is_word(below[0]);
  // The values of a row that has a name begin with its second field.
  const std::ptrdiff_t named = below_begins_with_word && !is_missing(fields[0].text) ? 1 : 0;
  const std::ptrdiff_t missing = std::count_if(
      fields.begin() + named, fields.end(),
      [&](const CsvField& field) { return !field.is_quoted && is_missing(field.text); });
  const bool is_all_missing = missing > 0 && missing == std::ssize(fields) - named;
  // An empty corner and a line that is one field shorter can only belong to a header.
  const bool has_header = form_.header.value_or(
      is_short ||
      (!is_all_missing && (has_corner || std::all_of(fields.begin(), fields.end(), is_name))));
  has_row_names_ = form_.row_names.value_or(
      has_header ? is_short || (has_corner && below.size() > 1) || below_begins_with_word
                 : fields.size() > 1 && is_word(fields[0]) &&
                       (is_number(fields[1]) || (is_all_missing && named == 1)) &&
                       (below.empty() || below_begins_with_word));
  if (has_row_names_ && !form_.row_names && has_header && !is_short && is_chosen_by_name(fields)) {
    has_row_names_ = false;  // the options name it as a column
  }
  has_trailing_separators_ = is_short && !has_row_names_ && below.back().text.empty();
  are_row_names_guessed_ = has_row_names_ && !form_.row_names && !is_short && !has_corner;
  column_count_ = fields.size() - (has_row_names_ && !(has_header && is_short) ? 1 : 0);
  if (column_count_ == 0) {
    fail(1, "found names of rows and no other column; accepted: numbers beside them");
  }
  if (has_header) {
    read_header(fields, below);
    return;
  }
  choose_columns();
  if (!form_.header && form_.asks) {
    ask_about_first_line(fields, below);
  }
  // A single word among numbers is more likely a mistake than a name: read_row() reports it.
  read_row(line);
}

void CsvReader::read_header(const std::vector<CsvField>& fields,
                            const std::vector<CsvField>& below) {
  const std::size_t skipped = fields.size() - column_count_;
  for (std::size_t j = skipped; j < fields.size(); ++j) {
    names_.push_back(fields[j].text);
  }
  corner_ = skipped > 0 ? fields[0].text : "";
  choose_columns();
  for (std::size_t j = 0; j < column_count_; ++j) {
    if (!names_[j].empty() || !is_read(j)) {
      continue;
    }
    const bool is_after_separator = j + 1 == column_count_ && below.size() == fields.size() &&
                                    below.back().text.empty() && !below.back().is_quoted;
    fail(skipped + j + 1,
         is_after_separator
             ? fmt::format("found an empty name: its lines end with a separator, which makes a "
                           "column without a name and without values; accepted: `drop` {}",
                           j + 1)
             : "found an empty name; accepted: a name for every column of numbers");
  }
}

/// Asks whether the first line is a header, if it may be one. If it may be one only in a table of
/// two lines, keeps the question until the number of lines is known.
void CsvReader::ask_about_first_line(const std::vector<CsvField>& fields,
                                     const std::vector<CsvField>& below) {
  if (below.empty()) {
    return;
  }
  std::vector<std::string> shown;
  for (std::size_t j = 0; j < std::min(fields.size(), kFewestCounting); ++j) {
    shown.push_back(fields[j].text);
  }
  const std::string question = fmt::format(
      "{}:{}: found {}{}, which may be names of columns or data; accepted: `header` yes or no",
      name_, line_number_, join(shown), fields.size() > shown.size() ? ", ..." : "");
  const FirstLines lines = {
      .first = fields,
      .second = below,
      .named = has_row_names_ ? 1U : 0U,
      .begins_with_word = !is_number(fields[0]) && !is_missing(fields[0].text),
      .second_begins_with_number = is_number(below[0])};
  // A name beside one missing value: one sample, or a corner and the name of the only column.
  const bool may_name_one = has_row_names_ && fields.size() == 2 && is_missing(fields[1].text);
  if (may_name_one || may_name_columns(lines)) {
    throw InputError(question);
  }
  question_of_one_row_ = may_name_columns_of_one_row(lines) ? question : "";
}

void CsvReader::ask_about_one_row() const {
  if (row_count_ == 2 && !question_of_one_row_.empty()) {
    throw InputError(question_of_one_row_);
  }
}

/// Asks about a first column that counts up, if the second does not; and about one that has words
/// and numbers: one mistyped number must not turn all others into names.
void CsvReader::ask_about_first_column() const {
  if (form_.asks && are_row_names_guessed_) {
    for (std::size_t i = 0; i < row_names_.size(); ++i) {
      if (parse_number(row_names_[i]) || may_be_number(row_names_[i])) {
        throw InputError(fmt::format(
            "{}: column 1{} has {}, and so may be names of rows or data; accepted: `row_names` yes "
            "or no",
            name_, corner_.empty() ? "" : fmt::format(" ({})", corner_),
            i == 0 ? in_quotes(row_names_[i])
                   : in_quotes(row_names_[0]) + " and " + in_quotes(row_names_[i])));
      }
    }
  }
  if (!form_.asks || form_.row_names || has_row_names_ || column_count_ < 2) {
    return;
  }
  if (is_read(0) && leading_[0].counts_up() && !leading_[1].counts_up()) {
    const auto& first = leading_[0].first();
    throw InputError(fmt::format(
        "{}: column 1 counts {}, {}, {}, ..., which may be names of rows or data; accepted: "
        "`row_names` yes or no",
        name_, first[0], first[1], first[2]));
  }
}

/// Asks whether points are decimal or separate thousands, if every point may do either.
void CsvReader::ask_about_points() const {
  if (may_points_group_ && !question_of_points_.empty()) {
    throw InputError(question_of_points_);
  }
}

/// Returns the note that the first column was taken for names of rows. It says if two rows have one
/// name, as in a column of TRUE and FALSE. Empty if nothing was guessed.
std::string CsvReader::note_of_row_names() const {
  if (!are_row_names_guessed_) {
    return "";
  }
  std::unordered_set<std::string_view> known;
  for (const std::string& name : row_names_) {
    if (!known.insert(name).second) {
      return fmt::format("column 1 is taken for names of rows, though {} stands there twice",
                         in_quotes(name));
    }
  }
  return fmt::format("column 1{} is taken for names of rows",
                     corner_.empty() ? "" : fmt::format(" ({})", corner_));
}

/// Returns the note that a first column of whole numbers is taken as a variable though its name is
/// one of identifiers. Empty if there is no such column.
std::string CsvReader::note_of_identifier() const {
  const bool is_one = form_.asks && !form_.row_names && !has_row_names_ && column_count_ > 1 &&
                      !names_.empty() && is_read(0) && leading_[0].are_whole() &&
                      may_be_corner(names_[0]);
  return is_one ? fmt::format(
                      "column 1 ({}) is taken as a variable; `row_names` yes takes it for "
                      "names of rows",
                      names_[0])
                : "";
}

/// Reads one finite number after the other with single separators. If there is anything else,
/// returns false and stores no row: read_row_field_by_field() then reads it, or names the mistake.
bool CsvReader::read_row_fast(std::string_view line) {
  const std::size_t row_begin = values_.size();
  const std::size_t named = row_names_.size();
  const char decimal = decimal_;
  if (has_row_names_ && !read_row_name(line)) {
    return false;
  }
  if (decimal_ == ',') {
    with_points_ = line;
    if (separator_ == ',' || with_points_.find('.') != std::string::npos) {
      row_names_.resize(named);
      return false;
    }
    std::replace(with_points_.begin(), with_points_.end(), ',', '.');
    line = with_points_;
  } else if (decimal_ == 0 && line.find('.') != std::string_view::npos) {
    decimal_ = '.';
  }
  values_.resize(row_begin + column_count_);
  double* out = values_.data() + row_begin;
  bool has_large = false;
  const char* at = line.data();
  const char* end = at + line.size();
  for (std::size_t j = 0; j < column_count_; ++j) {
    const auto [next, error] = std::from_chars(at, end, out[j]);
    const bool is_last = j + 1 == column_count_;
    if (error != std::errc() || !std::isfinite(out[j]) || is_sentinel(out[j]) ||
        (is_last ? next != end : next == end || *next != separator_)) {
      values_.resize(row_begin);
      row_names_.resize(named);
      decimal_ = decimal;  // the point may be in a field that is not a number
      return false;
    }
    has_large = has_large || std::abs(out[j]) >= kLargestExact;
    at = next + 1;
  }
  if (has_large || (may_points_group_ && may_have_groups())) {
    look_at_fields(line);
  }
  return true;
}

/// Looks at every number of a row whose numbers are the last in `values_`.
void CsvReader::look_at_fields(std::string_view line) {
  const std::size_t before = has_row_names_ ? 1 : 0;
  const std::size_t row_begin = values_.size() - column_count_;
  for (std::size_t j = 0; j < column_count_; ++j) {
    const std::size_t end = line.find(separator_);
    if (is_read(j)) {
      look_at(line.substr(0, end), values_[row_begin + j], before + j + 1);
    }
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
}

/// Counts integers that are rounded, and decides whether the points seen so far may all separate
/// thousands.
void CsvReader::look_at(std::string_view text, double number, std::size_t column) {
  if (is_rounded_integer(text, number) && rounded_count_++ == 0) {
    first_rounded_ = fmt::format("{}: integers beyond 2^53 (line {}: {}", column_text(column),
                                 line_number_, text);
  }
  if (!may_points_group_ || !may_have_groups() || text.find('.') == std::string_view::npos) {
    return;
  }
  const std::optional<std::string> joined = without_thousands(text);
  may_points_group_ = joined.has_value();
  if (joined && question_of_points_.empty()) {
    question_of_points_ = fmt::format(
        "{}: found {}, which may be {} or {}, as every point in the numbers is before three "
        "digits; accepted: `decimal` point for {}, or comma for {}",
        place(line_number_, column), in_quotes(text), number, *joined, number, *joined);
  }
}

/// Moves the name from the line to `row_names_`, and removes the separator after it. Returns false
/// and changes nothing if no separator follows, if the quotes are not simple, or if blanks separate
/// and the name has no quotes.
bool CsvReader::read_row_name(std::string_view& line) {
  const bool is_quoted = line.starts_with('"');
  const std::size_t end = is_quoted              ? line.find('"', 1)
                          : separator_ == kBlank ? std::string_view::npos
                                                 : line.find(separator_);
  const std::size_t separator = end == std::string_view::npos ? end : end + (is_quoted ? 1 : 0);
  if (separator == std::string_view::npos || separator >= line.size() ||
      line[separator] != separator_) {
    return false;
  }
  const std::string_view name = line.substr(is_quoted ? 1 : 0, end - (is_quoted ? 1 : 0));
  if (!is_quoted && name.find('"') != std::string_view::npos) {
    return false;
  }
  row_names_.push_back(in_utf8(is_quoted ? name : trim(name), are_names_recoded_));
  line.remove_prefix(separator + 1);
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
  if (has_trailing_separators_) {
    line = without_trailing_separator(line);
  }
  if (!read_row_fast(line)) {
    read_row_field_by_field(line);
  }
  const double* const numbers = values_.data() + (values_.size() - column_count_);
  for (std::size_t j = 0; j < std::min(column_count_, leading_.size()); ++j) {
    leading_[j].add(numbers[j]);
  }
  const auto row = static_cast<Index>(row_count_);
  if (row < kept_.first || row >= kept_.last) {
    values_.resize(values_.size() - column_count_);
  }
  ++row_count_;
}

/// Removes the separator that ends each line, if the header has none there.
std::string_view CsvReader::without_trailing_separator(std::string_view line) const {
  const std::size_t end = line.find_last_not_of(separator_ == '\t' ? " \r" : " \t\r");
  return end != std::string_view::npos && line[end] == separator_ ? line.substr(0, end) : line;
}

void CsvReader::read_row_field_by_field(std::string_view line) {
  refuse_carriage_returns(line);
  const std::vector<CsvField> fields = split(line);
  refuse_comment(line, fields);
  const std::size_t before = has_row_names_ ? 1 : 0;
  if (fields.size() != column_count_ + before) {
    throw InputError(fmt::format("{}:{}: found {} field{}; accepted: {}, as in the first line",
                                 name_, line_number_, fields.size(), fields.size() == 1 ? "" : "s",
                                 column_count_ + before));
  }
  if (has_row_names_) {
    row_names_.push_back(in_utf8(fields[0].text, are_names_recoded_));
  }
  for (std::size_t j = before; j < fields.size(); ++j) {
    values_.push_back(is_read(j - before) ? number(fields, j)
                                          : std::numeric_limits<double>::quiet_NaN());
  }
}

/// Throws InputError for a comment between rows. The name of a row and a missing value, "#N/A", may
/// begin as a comment does.
void CsvReader::refuse_comment(std::string_view line, const std::vector<CsvField>& fields) const {
  const bool is_row = has_row_names_ ? fields.size() == column_count_ + 1
                                     : is_missing(fields[0].text) || fields[0].is_quoted ||
                                           is_spreadsheet_error(fields[0].text);
  if (is_comment(line) && !is_row) {
    throw InputError(fmt::format(
        "{}:{}: found a comment between rows; accepted: comments before the first row alone: grep "
        "-v '^[{}]' {} | spca solve --data -",
        name_, line_number_, line[0], name_));
  }
}

/// Returns a hint how to leave out the column of the refused field and all others without a number
/// in this line, so that they are not found one by one; empty if none would be left.
std::string CsvReader::drop_hint(const std::vector<CsvField>& fields, std::size_t refused) const {
  const std::size_t before = has_row_names_ ? 1 : 0;
  std::vector<std::string> words;
  for (std::size_t j = 0; j < column_count_; ++j) {
    const CsvField& field = fields[before + j];
    const bool is_word = !is_number(field) && !is_missing(trim(field.text));
    if (is_read(j) && (before + j == refused || is_word)) {
      const bool has_name = !names_.empty() && names_[j].find(',') == std::string::npos;
      words.push_back(has_name ? names_[j] : fmt::format("{}", j + 1));
    }
  }
  if (words.size() == column_count_) {
    return "";
  }
  const std::string list = fmt::format("{}", fmt::join(words, ","));
  return fmt::format("; or `drop` {}, to leave the column{} out",
                     list.find(' ') == std::string::npos ? list : in_quotes(list),
                     words.size() == 1 ? "" : "s");
}

/// Returns field j of a line as a number; NaN for a missing value.
double CsvReader::number(const std::vector<CsvField>& fields, std::size_t j) {
  const CsvField& field = fields[j];
  const std::size_t column = j + 1;
  std::string text(trim(field.text));
  if (is_missing(text)) {
    if (missing_count_++ == 0) {
      first_missing_ = fmt::format("{}: found {}", place(line_number_, column),
                                   text.empty() ? "an empty field" : in_quotes(text));
    }
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (const std::optional<std::string> joined = joined_thousands(field)) {
    text = *joined;
    has_thousands_ = true;
  }
  std::optional<double> value;
  if (const std::optional<double> with_comma = parse_with_comma(text);
      with_comma && may_have_comma(field)) {
    decimal_ = ',';
    value = with_comma;
  } else if (decimal_ == 0 && text.find('.') != std::string::npos) {
    decimal_ = '.';
  }
  if (!value && (decimal_ != ',' || text.find('.') == std::string::npos)) {
    value = parse_number(text);
  }
  if (!value || !std::isfinite(*value)) {
    const std::string kind = value && text.find_first_of("0123456789") != std::string::npos
                                 ? "beyond the largest number"
                                 : kind_of_value(text);
    const bool may_be_decimal =
        form_.decimal == 0 && !may_have_comma(field) && parse_with_comma(field.text).has_value();
    const bool may_group =
        form_.decimal == 0 && separator_ == ';' && without_thousands(text).has_value();
    fail(column,
         fmt::format("found {}{}; accepted: {}a finite number with a decimal {}, or a "
                     "missing value: an empty field, NA, N/A, NaN, null, None, <NA>, #N/A, "
                     "?, . or one of `missing_words`{}{}",
                     in_quotes(field.text), kind.empty() ? "" : ", " + kind,
                     may_be_decimal ? "`decimal` comma, if it has one; "
                     : may_group    ? "`decimal` comma, if points separate thousands; "
                                    : "",
                     decimal_ == ',' ? "comma" : "point", form_.asks ? drop_hint(fields, j) : "",
                     row_count_ == 0 && names_.empty()
                         ? "; or a first line in which no unquoted field is a number"
                         : ""));
  }
  look_at(text, *value, column);
  return *value;
}

void CsvReader::refuse_missing() const {
  if (missing_count_ > 0 && !form_.keeps_missing) {
    throw InputError(fmt::format(
        "{}, the first of {} missing value{}; accepted: a finite number, or `missing` as mean, "
        "low-rank, drop-rows or drop-columns",
        first_missing_, missing_count_, missing_count_ == 1 ? "" : "s"));
  }
}

Matrix CsvReader::matrix() const {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values_.data(),
                                    static_cast<Index>(values_.size() / column_count_),
                                    static_cast<Index>(column_count_));
}

}  // namespace

FileContent read_csv(const std::filesystem::path& path, const CsvForm& form) {
  return CsvReader(path, form).read();
}

RowsOfFile read_csv_rows_of(const std::filesystem::path& path, const RowShare& share,
                            const CsvForm& form) {
  RowsOfFile rows;
  {
    // The number of rows is known at the end of the file.
    CsvReader counted(path, form, RowRange{});
    counted.read();
    rows.samples = counted.row_count();
  }
  rows.held = share.of(rows.samples);
  rows.content = CsvReader(path, form, rows.held).read();
  return rows;
}

std::vector<CsvRow> read_csv_rows(const std::filesystem::path& path) {
  return CsvReader(path, {}).read_rows();
}

}  // namespace spca
