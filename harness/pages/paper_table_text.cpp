#include "harness/pages/paper_table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/experiments/printed_number.h"
#include "harness/pages/best_known.h"
#include "harness/pages/lettered_notes.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/comparison_tables.h"
#include "spca/base/text.h"

namespace spca {
namespace {

constexpr const char* kBestKnown = "best known, proved gap";

/// Returns the footnote of a cell: why there is no verdict, or the explanation of a difference.
std::string note_of(const PublishedComparison& comparison) {
  if (comparison.verdict == NumberVerdict::kNoPublicData) {
    return "";  // the cell says so
  }
  if (!comparison.reason.empty()) {
    return comparison.reason;
  }
  const std::vector<std::string> explanations = explanation_texts(comparison);
  return explanations.empty() ? (comparison.on_wrong_side ? "Unexplained." : "")
                              : join(explanations, " ");
}

std::string without_star(const std::string& printed) {
  return printed.substr(0, printed.find('*'));
}

std::string cell_text(const PublishedComparison& comparison, LetteredNotes& notes) {
  const std::string printed = without_star(comparison.published->printed);
  const std::string note = note_of(comparison);
  const std::string mark = note.empty() ? "" : " " + notes.mark(note);
  if (comparison.verdict == NumberVerdict::kNoPublicData) {
    return printed + " no data";
  }
  if (!std::isfinite(comparison.ours)) {
    return fmt::format("{} {}{}", printed,
                       comparison.verdict == NumberVerdict::kNotRun ? "not run" : "? none", mark);
  }
  return fmt::format("{} {} {}{}{}", printed, verdict_sign(comparison.verdict),
                     in_format_of(printed, comparison.ours), tolerance_text(comparison), mark);
}

/// Returns a text such as "Ours: fullpath (FullPath, Greedy); threshold (PCA)": the solver of each
/// column, or else of each row. "" if rows and columns have several.
std::string solvers_text(const PaperTable& table) {
  for (const bool by_column : {true, false}) {
    std::map<std::string, std::vector<std::string>> solvers;
    for (const auto& [place, comparisons] : table.entries) {
      const PublishedComparison& shown = shown_of(comparisons);
      if (!shown.solver.empty()) {
        add_once(solvers[by_column ? place.second : place.first], shown.solver);
      }
    }
    const bool is_told = std::all_of(solvers.begin(), solvers.end(),
                                     [](const auto& one) { return one.second.size() == 1; });
    if (!is_told || solvers.empty()) {
      continue;
    }
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> names;  // key: solver
    for (const std::string& name : by_column ? table.columns : table.rows) {
      const auto found = solvers.find(name);
      if (found != solvers.end()) {
        add_once(order, found->second.front());
        names[found->second.front()].push_back(name);
      }
    }
    std::vector<std::string> texts;
    for (const std::string& solver : order) {
      const std::string where = join(names.at(solver));
      texts.push_back(where.empty() ? solver : fmt::format("{} ({})", solver, where));
    }
    return fmt::format("Ours: {}.", join(texts, "; "));
  }
  return "";
}

/// Returns the last printed number of a column.
std::string printed_in_column(const PaperTable& table, const std::string& column) {
  std::string printed;
  for (const auto& [place, comparisons] : table.entries) {
    printed =
        place.second == column ? without_star(shown_of(comparisons).published->printed) : printed;
  }
  return printed;
}

}  // namespace

Table table_of(const PaperTable& table) {
  LetteredNotes notes;
  Table shown{.title = table.title, .header = {table.metric}, .rows = {}, .notes = {}};
  for (const std::string& column : table.columns) {
    shown.header.push_back(column.empty() ? "printed = ours" : column);
  }
  const bool has_column = !table.best_of_rows.empty();
  if (has_column) {
    shown.header.emplace_back(kBestKnown);
  }
  for (const std::string& row : table.rows) {
    shown.rows.push_back({row});
    std::string printed;
    for (const std::string& column : table.columns) {
      const auto found = table.entries.find({row, column});
      const bool is_present = found != table.entries.end();
      shown.rows.back().push_back(is_present ? cell_text(shown_of(found->second), notes) : "-");
      printed = is_present ? without_star(shown_of(found->second).published->printed) : printed;
    }
    if (has_column) {
      const auto found = table.best_of_rows.find(row);
      shown.rows.back().push_back(
          found == table.best_of_rows.end() ? "-" : best_known_text(*found->second, printed));
    }
  }
  if (!table.best_of_columns.empty()) {
    shown.rows.push_back({kBestKnown});
    for (const std::string& column : table.columns) {
      const auto found = table.best_of_columns.find(column);
      shown.rows.back().push_back(
          found == table.best_of_columns.end()
              ? "-"
              : best_known_text(*found->second, printed_in_column(table, column)));
    }
  }
  shown.notes = notes.lines();
  if (const std::string solvers = solvers_text(table); !solvers.empty()) {
    shown.notes.push_back(solvers);
  }
  return shown;
}

Json paper_table_json(const PaperTable& table, const std::vector<PublishedComparison>& all) {
  const Table shown = table_of(table);
  Json rows = Json::array();
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < shown.rows[i].size(); ++j) {
      row.push_back({{"text", shown.rows[i][j]}});
      if (j == 0 || j > table.columns.size() || i >= table.rows.size()) {
        continue;
      }
      const auto found = table.entries.find({table.rows[i], table.columns[j - 1]});
      if (found != table.entries.end()) {
        const PublishedComparison& comparison = shown_of(found->second);
        row.back().update({{"verdict", verdict_name(comparison.verdict)},
                           {"wrong", comparison.on_wrong_side},
                           {"number", &comparison - all.data() + 1}});
      }
    }
    rows.push_back(row);
  }
  return {{"title", shown.title}, {"header", shown.header}, {"rows", rows}, {"notes", shown.notes}};
}

std::string markdown_of(const PaperTable& table) {
  Table shown = table_of(table);
  shown.title = "";
  std::vector<std::string> commands;
  commands.reserve(table.experiments.size());
  for (const std::string& name : table.experiments) {
    commands.push_back(fmt::format("`spca reproduce {}`", name));
  }
  return fmt::format("## {}\n\n{}\nRun it: {}\n\n", markdown_text(table.title),
                     render(shown, TableFormat::kMarkdown), join(commands));
}

std::string in_format_of(const std::string& printed, double value) {
  const PrintedNumber parts = printed_number(printed);
  double scaled = value;
  if (!parts.exponent.empty()) {
    scaled /= std::pow(10.0, parts.power);
    constexpr double kFarAway = 100;
    if (scaled != 0 && std::abs(std::log10(std::abs(scaled))) > std::log10(kFarAway)) {
      return significant_text(value, parts.decimals + 2);
    }
  }
  std::string text = fixed_text(scaled, parts.decimals + 1);
  const std::size_t zero = text.find_first_not_of('-');
  if (parts.mantissa.find('.') == parts.mantissa.find_first_not_of("+-") &&
      text.compare(zero, 2, "0.") == 0) {
    text.erase(zero, 1);
  }
  const bool has_sign = parts.mantissa.starts_with('+') || parts.mantissa.starts_with('-');
  return (has_sign && !text.starts_with('-') ? "+" : "") + text + parts.exponent;
}

}  // namespace spca
