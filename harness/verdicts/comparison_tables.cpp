#include "harness/verdicts/comparison_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/experiments/experiment_published.h"
#include "harness/experiments/printed_number.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/printed_cell.h"
#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {
std::string case_cells_text(const ClaimCase& one) {
  const Variant& left = *one.cells.left;
  const std::string place =
      fmt::format("on {}, k={}", left.dataset_label, cardinality_text(left.cardinality));
  if (one.cells.right == nullptr) {
    return fmt::format("{} {}", left.solver_label, place);
  }
  const Variant& right = *one.cells.right;
  const bool is_same_place =
      left.dataset_label == right.dataset_label && left.cardinality == right.cardinality;
  return is_same_place
             ? fmt::format("{} and {} {}", left.solver_label, right.solver_label, place)
             : fmt::format("{} {} and {} on {}, k={}", left.solver_label, place, right.solver_label,
                           right.dataset_label, cardinality_text(right.cardinality));
}

namespace {

/// Returns the number of significant digits of a printed number: "0.0120" has three; an exponent
/// has none.
std::size_t significant_digits(const std::string& printed) {
  const std::string mantissa = printed_number(printed).mantissa;
  const std::size_t first = mantissa.find_first_of("123456789");
  return first == std::string::npos
             ? 1
             : static_cast<std::size_t>(std::count_if(
                   mantissa.begin() + static_cast<std::ptrdiff_t>(first), mantissa.end(),
                   [](char letter) { return letter >= '0' && letter <= '9'; }));
}

/// Returns the measured number with two more digits than the paper prints, at least 4 and at most
/// 12, so that the verdict can be understood.
std::string ours_text(const PublishedComparison& comparison) {
  if (!std::isfinite(comparison.ours)) {
    return "none";
  }
  const std::size_t digits = significant_digits(comparison.published->printed) + 2;
  return significant_text(comparison.ours,
                          static_cast<int>(std::clamp<std::size_t>(digits, 4, 12))) +
         answer_marks(
             {.missed = comparison.cardinality_missed, .truncated = comparison.truncated}) +
         interval_suffix(comparison);
}

/// Numbered notes, each text once.
class Footnotes {
 public:
  std::string mark(const std::string& text) {
    add_once(texts_, text);
    const auto at = std::find(texts_.begin(), texts_.end(), text) - texts_.begin();
    return fmt::format(" [{}]", at + 1);
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      lines.push_back(fmt::format("[{}] {}", i + 1, texts_[i]));
    }
    return lines;
  }

 private:
  std::vector<std::string> texts_;
};

std::string verdict_text(const PublishedComparison& comparison, Footnotes& footnotes) {
  std::string text = verdict_name(comparison.verdict);
  if (!comparison.reason.empty()) {
    text += footnotes.mark(comparison.reason);
  }
  for (const std::string& explanation : explanation_texts(comparison)) {
    text += footnotes.mark(explanation);
  }
  return text;
}

std::vector<std::string> comparison_row(const PublishedComparison& comparison,
                                        Footnotes& footnotes) {
  const PublishedCell& published = *comparison.published;
  const std::string solver =
      comparison.solver + (published.select == Selection::kBest ? " (best)" : "");
  const bool has_cell = comparison.variant != nullptr;
  return {published.row,
          published.column,
          comparison.grid,
          comparison.dataset,
          solver,
          comparison.deflation.empty() && has_cell ? "none" : comparison.deflation,
          has_cell ? cardinality_text(comparison.cardinality) : "",
          published.metric,
          published.origin == Origin::kPaper ? method_name(published.method) : "",
          published.printed.empty() ? "none" : published.printed,
          ours_text(comparison),
          std::isfinite(comparison.standard_error)
              ? fmt::format("{:.2g}", comparison.standard_error)
              : "",
          fmt::format("{:.2g}", comparison.tolerance),
          verdict_text(comparison, footnotes)};
}

/// Drops the `droppable` columns that have the same entry in every row, because they do not inform
/// a reader.
void drop_constant_columns(Table& table, const std::vector<std::string>& droppable) {
  for (std::size_t j = table.header.size(); j-- > 0;) {
    const bool constant = std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
      return row[j] == table.rows.front()[j];
    });
    if (constant &&
        std::find(droppable.begin(), droppable.end(), table.header[j]) != droppable.end()) {
      const auto at = static_cast<std::ptrdiff_t>(j);
      table.header.erase(table.header.begin() + at);
      for (std::vector<std::string>& row : table.rows) {
        row.erase(row.begin() + at);
      }
    }
  }
}

/// Adds the notes on all rows: the rules of the tolerance and the meaning of the marks.
void add_notes(const std::vector<const PublishedComparison*>& comparisons, Table& table) {
  std::vector<std::string> rules;
  for (const PublishedComparison* comparison : comparisons) {
    add_once(rules, fmt::format("Tolerance: {}.", comparison->published->tolerance_rule));
    if (comparison->published->published_repeats > 0) {
      const double repeats = comparison->published->published_repeats;
      add_once(rules, fmt::format("Against a mean over {} repeat{}: {}, where that is more.",
                                  repeats, repeats == 1 ? "" : "s", kHalfWidthRule));
    }
  }
  const std::vector<std::string> marks = notes_on_marks(comparisons);
  rules.insert(rules.end(), marks.begin(), marks.end());
  table.notes.insert(table.notes.end(), rules.begin(), rules.end());
}

/// Comparisons that differ only in solver and cardinality, and read best as a matrix.
struct ComparisonMatrix {
  std::vector<const PublishedComparison*> comparisons;
  std::vector<std::string> solvers;
  std::vector<std::string> cardinalities;

  /// Returns whether the matrix has one comparison for each solver and cardinality, and is large
  /// enough: small ones read better as a list.
  bool is_worth_it() const {
    constexpr std::size_t kFewestCardinalities = 3;
    return solvers.size() > 1 && cardinalities.size() >= kFewestCardinalities &&
           comparisons.size() == solvers.size() * cardinalities.size();
  }
};

std::vector<ComparisonMatrix> group_into_matrices(
    const std::vector<PublishedComparison>& comparisons) {
  std::vector<std::string> keys;
  std::vector<ComparisonMatrix> matrices;
  for (const PublishedComparison& comparison : comparisons) {
    const PublishedCell& published = *comparison.published;
    const std::string key = join(
        {fmt::format("{}", published.table), published.is_of_curve ? published.row : "",
         comparison.grid, comparison.dataset, comparison.deflation, published.metric,
         method_name(published.method), published.select == Selection::kBest ? "best" : "each"},
        "\n");
    add_once(keys, key);
    matrices.resize(keys.size());
    const auto at = std::find(keys.begin(), keys.end(), key) - keys.begin();
    ComparisonMatrix& matrix = matrices[static_cast<std::size_t>(at)];
    matrix.comparisons.push_back(&comparison);
    add_once(matrix.solvers, comparison.solver);
    add_once(matrix.cardinalities,
             comparison.variant == nullptr ? "" : cardinality_text(comparison.cardinality));
  }
  return matrices;
}

/// Returns the table and the kind of its numbers: "Table 2 (printed)" for those of a paper,
/// otherwise a text such as "Table 2 (proved optimum)".
std::string heading(const Experiment& experiment, const PublishedCell& published) {
  const PublishedTable& table = experiment.published_tables.at(published.table);
  const std::string where = table.where == table.title ? "" : ": " + table.where;
  return fmt::format("{}{} ({})", table.title, where,
                     table.origin == Origin::kPaper ? "printed" : count_name(count_of(published)));
}

Table matrix_table(const Experiment& experiment, const ComparisonMatrix& matrix) {
  const PublishedComparison& first = *matrix.comparisons.front();
  Table table{.title = fmt::format("{}{}: {} on {}, published beside ours",
                                   heading(experiment, *first.published),
                                   first.published->is_of_curve ? ", " + first.published->row : "",
                                   first.published->metric, first.dataset),
              .header = {"solver \\ k"},
              .rows = {{"published"}},
              .notes = {}};
  std::map<std::pair<std::string, std::string>, const PublishedComparison*> entries;
  for (const PublishedComparison* comparison : matrix.comparisons) {
    entries[{comparison->solver, cardinality_text(comparison->cardinality)}] = comparison;
  }
  for (const std::string& k : matrix.cardinalities) {
    table.header.push_back(k + "  ");
    table.rows[0].push_back(entries.at({matrix.solvers.front(), k})->published->printed + "  ");
  }
  LetteredNotes notes;
  for (const std::string& solver : matrix.solvers) {
    table.rows.push_back({solver});
    for (const std::string& k : matrix.cardinalities) {
      const PublishedComparison& comparison = *entries.at({solver, k});
      table.rows.back().push_back(
          measured_cell(comparison, number_text(comparison.ours, false), notes));
    }
  }
  table.notes = notes.lines();
  table.notes.emplace_back(kSignsNote);
  return table;
}

std::vector<std::string> claim_row(const JudgedClaim& judged, Footnotes& footnotes) {
  const Claim& claim = *judged.claim;
  const ClaimCase* hardest = judged.hardest();
  const std::string note = claim_note(judged);
  const auto text = [](double value) {
    return std::isfinite(value) ? number_text(value, false) : std::string("none");
  };
  const bool has_numbers = hardest != nullptr && std::isfinite(hardest->left);
  return {claim_verdict_words(judged.verdict) + (note.empty() ? "" : footnotes.mark(note)),
          claim.text + footnotes.mark(claim_text(claim)),
          claim.where.empty() ? "ours" : claim.where,
          judged.cases.empty() ? "none in this run" : cases_text(judged),
          has_numbers ? text(hardest->left) : "none",
          has_numbers ? text(hardest->right) : "none",
          has_numbers ? fmt::format("{:.2g}", hardest->standard_error) : "",
          hardest == nullptr ? "" : case_cells_text(*hardest)};
}

Table list_table(const std::string& title,
                 const std::vector<const PublishedComparison*>& comparisons) {
  Table table{.title = title,
              .header = {"row", "column", "grid", "dataset", "solver", "deflation", "k", "metric",
                         "method", "published", "ours", "s.e.", "tolerance", "verdict"},
              .rows = {},
              .notes = {}};
  Footnotes footnotes;
  for (const PublishedComparison* comparison : comparisons) {
    table.rows.push_back(comparison_row(*comparison, footnotes));
  }
  drop_constant_columns(table, {"column", "grid", "deflation", "metric", "method", "s.e."});
  table.notes = footnotes.lines();
  return table;
}

/// The comparisons of one published table by its own rows and columns.
struct PrintedTable {
  std::vector<const PublishedComparison*> comparisons;
  std::vector<std::string> rows, columns;
  std::map<std::pair<std::string, std::string>, const PublishedComparison*> entries;

  /// Returns whether each entry has one comparison, and there are several columns.
  bool has_its_shape() const { return entries.size() == comparisons.size() && columns.size() > 1; }
};

std::map<std::size_t, PrintedTable> by_printed_table(
    const std::vector<PublishedComparison>& comparisons) {
  std::map<std::size_t, PrintedTable> tables;
  for (const PublishedComparison& comparison : comparisons) {
    const PublishedCell& published = *comparison.published;
    PrintedTable& table = tables[published.table];
    table.comparisons.push_back(&comparison);
    add_once(table.rows, published.row);
    add_once(table.columns, published.column);
    table.entries.emplace(std::make_pair(published.row, published.column), &comparison);
  }
  return tables;
}

/// Returns the row as printed, each printed number with the measured one behind it.
std::vector<std::string> printed_row(const PrintedTable& table, const std::string& row,
                                     LetteredNotes& notes) {
  std::vector<std::string> entries;
  std::vector<std::string> solvers;
  for (const std::string& column : table.columns) {
    const auto found = table.entries.find({row, column});
    if (found == table.entries.end()) {
      entries.emplace_back("-");
      continue;
    }
    entries.push_back(printed_cell(*found->second, notes));
    if (!found->second->solver.empty()) {
      add_once(solvers, found->second->solver);
    }
  }
  std::vector<std::string> texts = {row, join(solvers)};
  texts.insert(texts.end(), entries.begin(), entries.end());
  return texts;
}

Table printed_table(const Experiment& experiment, const PrintedTable& printed) {
  Table table{.title = heading(experiment, *printed.comparisons.front()->published),
              .header = {"", "solver"},
              .rows = {},
              .notes = {}};
  table.header.insert(table.header.end(), printed.columns.begin(), printed.columns.end());
  LetteredNotes notes;
  for (const std::string& row : printed.rows) {
    table.rows.push_back(printed_row(printed, row, notes));
  }
  table.notes = notes.lines();
  table.notes.push_back(std::string(kCellsNote) + kSignsNote);
  add_notes(printed.comparisons, table);
  return table;
}

}  // namespace

std::vector<Table> printed_tables(const Experiment& experiment,
                                  const std::vector<PublishedComparison>& comparisons) {
  std::vector<Table> tables;
  for (const auto& [index, printed] : by_printed_table(comparisons)) {
    if (printed.has_its_shape()) {
      tables.push_back(printed_table(experiment, printed));
      continue;
    }
    std::vector<PublishedComparison> of_table;
    for (const PublishedComparison* comparison : printed.comparisons) {
      of_table.push_back(*comparison);
    }
    for (Table& table : comparison_tables(experiment, of_table)) {
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

std::vector<Table> comparison_tables(const Experiment& experiment,
                                     const std::vector<PublishedComparison>& comparisons) {
  std::vector<Table> tables;
  // Key: index of the published table.
  std::map<std::size_t, std::vector<const PublishedComparison*>> listed;
  for (const ComparisonMatrix& matrix : group_into_matrices(comparisons)) {
    if (matrix.is_worth_it()) {
      tables.push_back(matrix_table(experiment, matrix));
      add_notes(matrix.comparisons, tables.back());
      continue;
    }
    std::vector<const PublishedComparison*>& list =
        listed[matrix.comparisons.front()->published->table];
    list.insert(list.end(), matrix.comparisons.begin(), matrix.comparisons.end());
  }
  for (const auto& [table, list] : listed) {
    tables.push_back(list_table(heading(experiment, *list.front()->published), list));
    add_notes(list, tables.back());
  }
  return tables;
}

std::vector<Table> claim_tables(const std::vector<JudgedClaim>& claims) {
  Table table{.title = "Claims",
              .header = {"verdict", "claim", "of", "pairs", "left", "right", "s.e.", "decided by"},
              .rows = {},
              .notes = {},
              .left_columns = 3};
  Footnotes footnotes;
  for (const JudgedClaim& judged : claims) {
    table.rows.push_back(claim_row(judged, footnotes));
  }
  table.notes = footnotes.lines();
  table.notes.emplace_back(
      "can't tell: the 99 % interval of the paired differences (Student's t) decides neither way.");
  return claims.empty() ? std::vector<Table>() : std::vector<Table>{table};
}

std::vector<std::string> stale_lines(const Experiment& experiment,
                                     const std::vector<PublishedComparison>& comparisons) {
  std::vector<std::string> lines;
  for (const KnownDifference* difference : stale_differences(experiment, comparisons)) {
    lines.push_back(
        fmt::format("/known_differences/{} no longer explains anything: no number of {} is {} by "
                    "{:g} to {:g}{}",
                    difference - experiment.known_differences.data(), difference->metric,
                    difference->better ? "better" : "worse", difference->least, difference->most,
                    difference->is_relative ? " of the published one" : ""));
  }
  return lines;
}

}  // namespace spca
