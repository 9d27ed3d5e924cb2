#include "harness/verdicts/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "harness/verdicts/tex_text.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/base/unicode.h"

namespace spca {
namespace {

std::string render_text(const Table& table) {
  std::vector<std::vector<std::string>> rows = {table.header};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  const std::vector<std::string> lines = align_columns(rows, ColumnAlignment::kRight);
  std::size_t widest = 0;
  for (const std::string& line : lines) {
    widest = std::max(widest, count_letters(line));
  }
  std::string out = table.title.empty() ? "" : table.title + "\n";
  out += lines.front() + "\n" + std::string(widest, '-') + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) {
    out += lines[i] + "\n";
  }
  for (const std::string& note : table.notes) {
    out += note + "\n";
  }
  return out;
}

/// `text` with each of the letters of `special` replaced by what `replacement` gives for it.
template <class Replacement>
std::string escaped(const std::string& text, std::string_view special, Replacement replacement) {
  std::string out;
  for (const char letter : text) {
    if (special.find(letter) == std::string_view::npos) {
      out += letter;
    } else {
      out += replacement(letter);
    }
  }
  return out;
}

std::string csv(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) {
    return text;
  }
  return fmt::format("\"{}\"", escaped(text, "\"", [](char) { return "\"\""; }));
}

template <class Escape>
std::string joined(const std::vector<std::string>& row, Escape escape, std::string_view separator) {
  std::string line;
  for (std::size_t j = 0; j < row.size(); ++j) {
    line += (j == 0 ? "" : std::string(separator)) + escape(row[j]);
  }
  return line;
}

std::string render_markdown(const Table& table) {
  std::string out =
      table.title.empty() ? "" : fmt::format("**{}**\n\n", markdown_text(table.title));
  out += fmt::format("| {} |\n|:--", joined(table.header, markdown_text, " | "));
  for (std::size_t j = 1; j < table.header.size(); ++j) {
    out += "|--:";
  }
  out += "|\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += fmt::format("| {} |\n", joined(row, markdown_text, " | "));
  }
  for (const std::string& note : table.notes) {
    out += fmt::format("\n{}\n", markdown_text(note));
  }
  return out;
}

/// Header and rows alone: a program would read a title or a note as data.
std::string render_csv(const Table& table) {
  std::string out = joined(table.header, csv, ",") + "\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += joined(row, csv, ",") + "\n";
  }
  return out;
}

/// For the package booktabs.
std::string render_tex(const Table& table) {
  std::string out = "\\begin{table}\n\\centering\n";
  if (!table.title.empty()) {
    out += fmt::format("\\caption{{{}}}\n", tex_text(table.title));
  }
  out += fmt::format("\\begin{{tabular}}{{l{}}}\n\\toprule\n",
                     std::string(table.header.size() - 1, 'r'));
  out += joined(table.header, tex_text, " & ") + " \\\\\n\\midrule\n";
  for (const std::vector<std::string>& row : table.rows) {
    // The end of the row before would take these for its own arguments.
    out += !row[0].empty() && (row[0][0] == '[' || row[0][0] == '*') ? "{}" : "";
    out += joined(row, tex_text, " & ") + " \\\\\n";
  }
  out += "\\bottomrule\n\\end{tabular}\n";
  for (const std::string& note : table.notes) {
    out += fmt::format("\\par\\footnotesize {}\n", tex_text(note));
  }
  return out + "\\end{table}\n";
}

}  // namespace

std::string markdown_text(const std::string& text) {
  return escaped(text, "\\`*_[]<>|", [](char letter) { return std::string{'\\', letter}; });
}

TableFormat table_format_from_name(const std::string& name) {
  const std::vector<std::string> names = {"text", "md", "csv", "tex"};
  const auto position = std::find(names.begin(), names.end(), name);
  if (position == names.end()) {
    throw InputError(fmt::format("--format: found \"{}\"{}; accepted: {}", name,
                                 did_you_mean(name, names), join(names)));
  }
  return static_cast<TableFormat>(position - names.begin());
}

std::string render(const Table& table, TableFormat format) {
  SPCA_CHECK(!table.header.empty(), "a table without columns");
  for (const std::vector<std::string>& row : table.rows) {
    SPCA_CHECK(row.size() == table.header.size(), "a row as long as the header");
  }
  switch (format) {
    case TableFormat::kText:
      return render_text(table);
    case TableFormat::kMarkdown:
      return render_markdown(table);
    case TableFormat::kCsv:
      return render_csv(table);
    case TableFormat::kTex:
      break;
  }
  return render_tex(table);
}

}  // namespace spca
