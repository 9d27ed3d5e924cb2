#include "harness/pages/paper_table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/pages/best_known.h"
#include "harness/verdicts/lettered_notes.h"
#include "harness/verdicts/printed_cell.h"
#include "spca/base/text.h"

namespace spca {
namespace {

constexpr const char* kBestKnown = "best known, proved gap";

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

/// Returns a printed number of a column, as an example of its format. "" if the column is empty.
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
      shown.rows.back().push_back(is_present ? printed_cell(shown_of(found->second), notes) : "-");
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
  std::vector<const PublishedComparison*> cells;
  for (const auto& [place, comparisons] : table.entries) {
    cells.push_back(&shown_of(comparisons));
  }
  for (std::string& note : notes_on_marks(cells)) {
    shown.notes.push_back(std::move(note));
  }
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

}  // namespace spca
