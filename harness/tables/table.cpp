#include "harness/tables/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "harness/tables/csv_text.h"
#include "harness/tables/tex_text.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/base/unicode.h"

namespace spca {
namespace {

/// Replaces line ends by blanks and other control characters by escapes.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
  return printable(text);
}

/// Appends blanks to the entries of a column, so that they begin below each other even in
/// right-aligned columns.
void fill_column(std::vector<std::vector<std::string>>& rows, std::size_t column) {
  std::size_t widest = 0;
  for (const std::vector<std::string>& row : rows) {
    widest = std::max(widest, count_letters(row[column]));
  }
  for (std::vector<std::string>& row : rows) {
    row[column].append(widest - count_letters(row[column]), ' ');
  }
}

std::string render_text(const Table& table) {
  std::vector<std::vector<std::string>> rows = {table.header};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  for (std::size_t j = 1; j < std::min(table.left_columns, table.header.size()); ++j) {
    fill_column(rows, j);
  }
  const std::vector<std::string> lines = align_columns(rows, ColumnAlignment::kRight);
  std::size_t widest = 0;
  for (const std::string& line : lines) {
    widest = std::max(widest, count_letters(line));
  }
  std::string out = table.title.empty() ? "" : printable(table.title) + "\n";
  out += lines.front() + "\n" + std::string(widest, '-') + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) {
    out += lines[i] + "\n";
  }
  for (const std::string& note : table.notes) {
    out += printable(note) + "\n";
  }
  return out;
}

template <class Escape>
std::string joined(const std::vector<std::string>& row, Escape escape, std::string_view separator) {
  std::string line;
  for (std::size_t j = 0; j < row.size(); ++j) {
    line += (j == 0 ? "" : std::string(separator)) + escape(row[j]);
  }
  return line;
}

bool is_bold(const Table& table, std::size_t row, std::size_t column) {
  return !table.bold.empty() && table.bold[row][column];
}

/// Returns the row's entries, escaped, those in bold between `begin` and `end`.
template <class Escape>
std::string marked(const Table& table, std::size_t row, Escape escape, std::string_view separator,
                   std::string_view begin, std::string_view end) {
  std::string line;
  for (std::size_t j = 0; j < table.rows[row].size(); ++j) {
    const std::string entry = escape(table.rows[row][j]);
    line += j == 0 ? "" : separator;
    line += is_bold(table, row, j) ? fmt::format("{}{}{}", begin, entry, end) : entry;
  }
  return line;
}

std::string render_markdown(const Table& table) {
  std::string out =
      table.title.empty() ? "" : fmt::format("**{}**\n\n", markdown_text(table.title));
  out += fmt::format("| {} |\n|:--", joined(table.header, markdown_text, " | "));
  for (std::size_t j = 1; j < table.header.size(); ++j) {
    out += j < table.left_columns ? "|:--" : "|--:";
  }
  out += "|\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    out += fmt::format("| {} |\n", marked(table, i, markdown_text, " | ", "**", "**"));
  }
  for (const std::string& note : table.notes) {
    out += fmt::format("\n{}\n", markdown_paragraph(note));
  }
  return out;
}

std::string mark_of(const Table& table, std::size_t row, std::size_t column) {
  return table.marks.empty() ? std::string() : table.marks[row][column];
}

std::string without_blanks(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? std::string()
                                    : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Returns header and rows, with marks in columns of their own.
std::vector<std::vector<std::string>> csv_rows(const Table& table) {
  std::vector<std::vector<std::string>> rows(table.rows.size() + 1);
  for (std::size_t column = 0; column < table.header.size(); ++column) {
    bool any_marks = false;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      any_marks = any_marks || !mark_of(table, row, column).empty();
    }
    rows[0].push_back(without_blanks(table.header[column]));
    if (any_marks) {
      rows[0].push_back(rows[0].back() + " marks");
    }
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::string& entry = table.rows[row][column];
      const std::string mark = mark_of(table, row, column);
      rows[row + 1].push_back(without_blanks(entry.substr(0, entry.size() - mark.size())));
      if (any_marks) {
        rows[row + 1].push_back(without_blanks(mark));
      }
    }
  }
  return rows;
}

/// Returns the width of the table in letters: that of the widest entry of each column.
std::size_t letters_across(const Table& table) {
  std::size_t sum = 0;
  for (std::size_t column = 0; column < table.header.size(); ++column) {
    std::size_t widest = table.header[column].size();
    for (const std::vector<std::string>& row : table.rows) {
      widest = std::max(widest, row[column].size());
    }
    sum += widest;
  }
  return sum;
}

/// Returns the commands with which this number of rows of the table fits a page of LaTeX's article.
std::string compact_letters(const Table& table, std::size_t rows) {
  constexpr std::size_t kRowsOfScriptsize = 50;
  // In points: a page's text less what bold letters take, a letter of scriptsize, and the distance
  // of columns.
  constexpr std::size_t kWidth = 320;
  constexpr std::size_t kLetter = 4;
  constexpr std::size_t kDistance = 6;
  const bool is_wide = kLetter * letters_across(table) + kDistance * table.header.size() > kWidth;
  return fmt::format("{}\\setlength{{\\tabcolsep}}{{3pt}}\n",
                     rows > kRowsOfScriptsize || is_wide ? "\\tiny" : "\\scriptsize");
}

/// Writes these rows of the table as a float for the package booktabs. `part` follows the caption;
/// the last part has the notes.
std::string tex_float(const Table& table, std::size_t begin, std::size_t end,
                      const std::string& part) {
  std::string out = "\\begin{table}\n\\centering\n";
  if (!table.title.empty() || !part.empty()) {
    out += fmt::format("\\caption{{{}{}}}\n", tex_text(table.title), part);
  }
  out += table.is_compact ? compact_letters(table, end - begin) : "";
  const std::size_t left = std::min(table.left_columns, table.header.size());
  // A table that is wider than the text reaches into both margins.
  out += table.is_compact ? "\\makebox[\\textwidth][c]{%\n" : "";
  out += fmt::format("\\begin{{tabular}}{{{}{}}}\n\\toprule\n", std::string(left, 'l'),
                     std::string(table.header.size() - left, 'r'));
  out += joined(table.header, tex_text, " & ") + " \\\\\n\\midrule\n";
  for (std::size_t i = begin; i < end; ++i) {
    const std::string& first = table.rows[i][0];
    // The end of the previous row would take these characters for its own arguments.
    out += !first.empty() && (first[0] == '[' || first[0] == '*') ? "{}" : "";
    out += marked(table, i, tex_text, " & ", "\\textbf{", "}") + " \\\\\n";
  }
  out += fmt::format("\\bottomrule\n\\end{{tabular}}{}\n", table.is_compact ? "}" : "");
  if (end == table.rows.size()) {
    for (const std::string& note : table.notes) {
      out += fmt::format("\\par\\footnotesize {}\n", tex_text(note));
    }
  }
  return out + "\\end{table}\n";
}

/// Writes the table as one float or, if it is compact and too long for a page, as several.
std::string render_tex(const Table& table) {
  constexpr std::size_t kRowsOfPage = 70;
  const std::size_t rows = table.rows.size();
  const std::size_t parts =
      table.is_compact ? std::max<std::size_t>(1, (rows + kRowsOfPage - 1) / kRowsOfPage) : 1;
  std::string out = "% needs \\usepackage{booktabs}\n";
  for (std::size_t i = 0; i < parts; ++i) {
    out += tex_float(table, rows * i / parts, rows * (i + 1) / parts,
                     parts > 1 ? fmt::format(" (part {} of {})", i + 1, parts) : "");
  }
  return out;
}

}  // namespace

std::string markdown_text(const std::string& given) {
  const std::string text = one_line(given);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    const bool begins_entity =
        letter == '&' && (next == '#' || std::isalpha(static_cast<unsigned char>(next)) != 0);
    if (begins_entity || std::string_view("\\`*_[]<>|~").find(letter) != std::string_view::npos) {
      out += '\\';
    }
    out += letter;
  }
  return out;
}

std::string markdown_paragraph(const std::string& text) {
  std::string line = markdown_text(text);
  line.erase(0, line.find_first_not_of(" \t"));
  // "# heading", "+ item", "- item", "=== heading", "1. item", "1) item"
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const std::size_t at =
      digits < line.size() && std::string_view(".)").find(line[digits]) != std::string_view::npos
          ? digits
          : 0;
  if (!line.empty() &&
      (at > 0 || std::string_view("#+-=").find(line[0]) != std::string_view::npos)) {
    line.insert(at, 1, '\\');
  }
  return line;
}

std::string csv_of(const std::vector<Table>& tables) {
  std::vector<std::vector<std::string>> rows;
  for (const Table& table : tables) {
    if (tables.size() > 1) {
      rows.push_back({table.title});
    }
    for (std::vector<std::string>& row : csv_rows(table)) {
      rows.push_back(std::move(row));
    }
  }
  std::size_t width = 0;
  for (const std::vector<std::string>& row : rows) {
    width = std::max(width, row.size());
  }
  std::string out;
  for (std::vector<std::string>& row : rows) {
    row.resize(width);
    out += joined(row, csv_field, ",") + "\n";
  }
  return out;
}

std::optional<TableFormat> table_format_from_name(const std::string& name) {
  const std::vector<std::string> names = {"text", "md", "csv", "tex", "json"};
  const auto position = std::find(names.begin(), names.end(), name);
  if (position == names.end()) {
    throw InputError(fmt::format("--format: found \"{}\"{}; accepted: {}", name,
                                 did_you_mean(name, names), join(names)));
  }
  return name == "json" ? std::nullopt
                        : std::optional(static_cast<TableFormat>(position - names.begin()));
}

std::string render(const Table& table, TableFormat format) {
  SPCA_CHECK(!table.header.empty(), "a table without columns");
  for (const std::vector<std::string>& row : table.rows) {
    SPCA_CHECK(row.size() == table.header.size(), "a row as long as the header");
  }
  SPCA_CHECK(table.marks.empty() || table.marks.size() == table.rows.size(), "marks of every row");
  switch (format) {
    case TableFormat::kText:
      return render_text(table);
    case TableFormat::kMarkdown:
      return render_markdown(table);
    case TableFormat::kCsv:
      return csv_of({table});
    case TableFormat::kTex:
      break;
  }
  return render_tex(table);
}

}  // namespace spca
