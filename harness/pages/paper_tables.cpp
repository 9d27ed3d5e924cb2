#include "harness/pages/paper_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <tuple>

#include "harness/experiments/experiment_tables.h"
#include "harness/pages/paper_place.h"
#include "harness/pages/shared_beginning.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// A published table of one experiment.
struct TablePart {
  PaperTable table;
  PaperPlace place;
  std::string metric;  // "" if there are several
  std::string column;  // the end of `where`: its name, if it is one column of a paper's table
  bool has_number_of_paper = false;
  std::size_t order = 0;  // among the parts of a page
};

std::vector<TablePart> parts_of(const JudgedExperiment& run) {
  const Experiment& experiment = *run.experiment;
  std::map<std::size_t, TablePart> parts;
  for (const PublishedComparison& comparison : run.verdicts->comparisons) {
    const PublishedCell& published = *comparison.published;
    const PublishedTable& table = experiment.published_tables.at(published.table);
    TablePart& part = parts[published.table];
    if (part.table.experiments.empty()) {
      part.table.experiments = {experiment.name};
      part.place = place_in_paper(table.where);
      part.table.title = title_in_paper(table, part.place);
      part.table.columns = table.columns;
      part.table.place = part.place.name;
      part.metric = published.metric;
      part.column = comma_parts(table.where).back();
    }
    part.metric = part.metric == published.metric ? part.metric : "";
    part.has_number_of_paper = part.has_number_of_paper || is_of_paper(published);
    add_once(part.table.rows, published.row);
    add_once(part.table.columns, published.column);
    part.table.entries[{published.row, published.column}].push_back(&comparison);
  }
  std::vector<TablePart> of_paper;
  for (auto& [index, part] : parts) {
    if (part.has_number_of_paper) {
      of_paper.push_back(std::move(part));
    }
  }
  return of_paper;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns whether `more` is a column of `whole` or has further rows of it.
bool completes(const TablePart& more, const TablePart& whole) {
  if (more.place.name.empty() || more.place.name != whole.place.name ||
      more.metric != whole.metric || more.metric.empty()) {
    return false;
  }
  const bool is_column = more.table.columns == std::vector<std::string>{""};
  if (is_column) {
    return has(whole.table.columns, more.column);
  }
  return std::all_of(more.table.columns.begin(), more.table.columns.end(),
                     [&](const std::string& one) { return has(whole.table.columns, one); }) &&
         std::none_of(more.table.rows.begin(), more.table.rows.end(),
                      [&](const std::string& one) { return has(whole.table.rows, one); });
}

void join_into(TablePart& whole, const TablePart& more) {
  const bool is_column = more.table.columns == std::vector<std::string>{""};
  for (const auto& [place, comparisons] : more.table.entries) {
    auto& entry = whole.table.entries[{place.first, is_column ? more.column : place.second}];
    entry.insert(entry.end(), comparisons.begin(), comparisons.end());
  }
  for (const std::string& row : more.table.rows) {
    add_once(whole.table.rows, row);
  }
  for (const std::string& name : more.table.experiments) {
    add_once(whole.table.experiments, name);
  }
}

/// Returns the problem of each row, or of each column if `by_column`, whose cells all have the same
/// problem.
std::map<std::string, const PosedProblem*> shared_problems(const PaperTable& table,
                                                           const BestKnown& best, bool by_column) {
  std::map<std::string, std::vector<const PosedProblem*>> problems;
  for (const auto& [place, comparisons] : table.entries) {
    const PublishedComparison& shown = shown_of(comparisons);
    if (shown.variant != nullptr) {
      problems[by_column ? place.second : place.first].push_back(
          shown.published->metric == kBoundedMetric ? best.of(shown.variant) : nullptr);
    }
  }
  std::map<std::string, const PosedProblem*> shared;
  for (const auto& [line, of_line] : problems) {
    const PosedProblem* first = of_line.front();
    if (first != nullptr && first->measure == ValueMeasure::kVariance &&
        std::all_of(of_line.begin(), of_line.end(),
                    [&](const PosedProblem* one) { return one == first; })) {
      shared[line] = first;
    }
  }
  return shared;
}

void add_best_known(PaperTable& table, const BestKnown& best) {
  table.best_of_rows = shared_problems(table, best, false);
  if (table.best_of_rows.empty()) {
    table.best_of_columns = shared_problems(table, best, true);
  }
}

/// Removes the beginning that most places share (authors and venue) from titles of tables without
/// a title of their own, and distinguishes equal titles by their metrics.
void shorten_titles(std::vector<PaperTable>& tables) {
  std::vector<std::string> places;
  places.reserve(tables.size());
  for (const PaperTable& table : tables) {
    places.push_back(table.entries.begin()->second.front()->published->where);
  }
  const std::string beginning = tables.size() > 1 ? shared_beginning(places) : "";
  std::map<std::string, std::size_t> counts;
  for (PaperTable& table : tables) {
    table.title = without_beginning(table.title, beginning);
    table.title.front() =
        static_cast<char>(std::toupper(static_cast<unsigned char>(table.title.front())));
    ++counts[table.title];
  }
  for (PaperTable& table : tables) {
    if (counts[table.title] > 1 && !table.metric.empty()) {
      table.title += ": " + table.metric;
    }
  }
}

}  // namespace

bool is_of_paper(const PublishedCell& published) {
  return published.origin == Origin::kPaper && published.method != Method::kOther;
}

const PublishedComparison& shown_of(const std::vector<const PublishedComparison*>& comparisons) {
  const auto found =
      std::find_if(comparisons.begin(), comparisons.end(),
                   [](const PublishedComparison* one) { return is_of_paper(*one->published); });
  return found == comparisons.end() ? *comparisons.front() : **found;
}

std::string shared_source(const std::vector<JudgedExperiment>& runs) {
  std::vector<std::string> sources;
  sources.reserve(runs.size());
  for (const JudgedExperiment& run : runs) {
    sources.push_back(run.experiment->json.value("source", ""));
  }
  return shared_beginning(sources);
}

std::vector<PaperTable> paper_tables(const std::vector<JudgedExperiment>& runs,
                                     const BestKnown& best) {
  std::vector<TablePart> parts;
  for (const JudgedExperiment& run : runs) {
    for (TablePart& part : parts_of(run)) {
      part.order = parts.size();
      parts.push_back(std::move(part));
    }
  }
  // The largest tables first, so that columns and rows find the table that they complete.
  std::stable_sort(parts.begin(), parts.end(), [](const TablePart& a, const TablePart& b) {
    return a.table.entries.size() > b.table.entries.size();
  });
  std::vector<TablePart> wholes;
  for (TablePart& part : parts) {
    const auto whole = std::find_if(wholes.begin(), wholes.end(),
                                    [&](const TablePart& one) { return completes(part, one); });
    if (whole == wholes.end()) {
      wholes.push_back(std::move(part));
    } else {
      join_into(*whole, part);
    }
  }
  std::stable_sort(wholes.begin(), wholes.end(), [](const TablePart& a, const TablePart& b) {
    return std::tie(a.place.kind, a.place.number, a.order) <
           std::tie(b.place.kind, b.place.number, b.order);
  });
  std::vector<PaperTable> tables;
  tables.reserve(wholes.size());
  for (TablePart& whole : wholes) {
    whole.table.metric = whole.metric;
    add_best_known(whole.table, best);
    tables.push_back(std::move(whole.table));
  }
  shorten_titles(tables);
  return tables;
}

std::set<const PublishedComparison*> numbers_in(const std::vector<PaperTable>& tables) {
  std::set<const PublishedComparison*> numbers;
  for (const PaperTable& table : tables) {
    for (const auto& [place, comparisons] : table.entries) {
      numbers.insert(&shown_of(comparisons));
    }
  }
  return numbers;
}

}  // namespace spca
