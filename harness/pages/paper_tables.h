#pragma once

/// The paper's own tables, in its order and shape, with the comparisons of their numbers.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/pages/best_known.h"
#include "harness/verdicts/tally.h"

namespace spca {

/// The verdicts on the records of one experiment. Refers to objects of the caller.
struct JudgedExperiment {
  const Experiment* experiment = nullptr;
  const RunVerdicts* verdicts = nullptr;
};

/// Returns the beginning of `source` that more than half of the experiments share: authors, title
/// and venue. "" if there is none.
std::string shared_source(const std::vector<JudgedExperiment>& runs);

/// One table of the paper in the paper's shape. Several experiments may fill it.
struct PaperTable {
  std::string title, place;              // place: such as "Table 1"; "" if there is none
  std::string metric;                    // "" if there are several
  std::vector<std::string> experiments;  // the one with the largest part of the table first
  std::vector<std::string> rows, columns;
  std::map<std::pair<std::string, std::string>, std::vector<const PublishedComparison*>> entries;
  /// The problem that all cells of a row share, with its best known answer. Columns are filled only
  /// if no row has one.
  std::map<std::string, const PosedProblem*> best_of_rows, best_of_columns;
};

/// Returns the tables that have a number of the paper's method or of its competitors, in the
/// paper's order: pages, sections, tables, figures, each by number. Tables of one place and metric
/// are joined if their rows or columns complete each other. `best` must outlive the tables.
std::vector<PaperTable> paper_tables(const std::vector<JudgedExperiment>& runs,
                                     const BestKnown& best);

/// Returns the numbers that the cells of the tables show.
std::set<const PublishedComparison*> numbers_in(const std::vector<PaperTable>& tables);

/// Returns whether the number is printed for the paper's method or for one of its competitors.
bool is_of_paper(const PublishedCell& published);

/// Returns the comparison that a cell shows: the first with is_of_paper(), or the first of all if
/// there is none.
const PublishedComparison& shown_of(const std::vector<const PublishedComparison*>& comparisons);

}  // namespace spca
