#pragma once

/// Summarises each solver over all problems of many runs, and the knowledge about each data set.
/// Every number comes with the count of its terms.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/verdicts/problems.h"

namespace spca {

/// A summary of one solver's answers: their values and their times.
///
/// Shares and times are comparisons, so only problems count on which at least two solvers have
/// a value, or a time.
struct Standing {
  std::size_t problems = 0;  // number of different problems
  std::size_t cells = 0;     // number of cells of the solver
  std::size_t answered = 0;  // number of cells with a complete answer
  /// Shares: value / best value of the problem, in (0, 1].
  std::size_t shares = 0;  // number of answers with a share
  double median_share = kNotMeasured;
  double least_share = kNotMeasured;
  std::size_t best = 0;  // number of these answers with the best value
  /// Problems with a certified optimum. A cell without an answer does not reach it. A skipped cell
  /// is not counted, nor is an answer whose value was not measured.
  std::size_t certified = 0;  // number of cells on such problems
  std::size_t reached = 0;    // number of these cells
  /// Ratios: time divided by that of the fastest answer to the same problem on the same machine,
  /// both measured alone.
  std::size_t times = 0;             // number of answers with a ratio
  double mean_ratio = kNotMeasured;  // geometric mean, >= 1
  double median_seconds = kNotMeasured;
  std::size_t timed_alone = 0;  // number of answers behind median_seconds
  std::size_t failed = 0;       // number of cells without a complete answer that were not skipped
  std::size_t skipped = 0;
};

/// The cells of one solver without an answer that share a status and a message.
struct StandingFailure {
  Status status = Status::kFailed;
  std::string message;
  std::size_t count = 0;
  std::vector<std::string> datasets, experiments;
};

/// The answers of a solver to problems that differ only in the cardinality or in the draw.
struct StandingOnGroup {
  ProblemIdentity group;                          // identity of the last problem
  std::vector<std::vector<Index>> cardinalities;  // ascending, without repetition
  Standing standing;
};

struct SolverStanding {
  std::string solver;  // registered name
  Standing overall;
  std::vector<std::pair<Json, Standing>>
      by_options;  // complete options, in the order of their text
  std::vector<StandingOnGroup> by_group;
  std::vector<StandingFailure> failures;  // most frequent first
  std::vector<std::string> experiments;   // ascending
};

/// Returns one standing for each solver with cells, in the order of their names.
std::vector<SolverStanding> solver_standings(const std::vector<PosedProblem>& problems);

/// The result of one solver with certain options at one cardinality, over the draws and the
/// repeats.
struct Entry {
  std::string solver;
  Json options;
  std::size_t cells = 0;
  std::size_t values = 0;       // number of answers with a value
  double value = kNotMeasured;  // their mean
  double share = kNotMeasured;  // mean of value / best value
  double least_share = kNotMeasured;
  std::size_t best = 0;                   // number of answers with the best value
  std::map<std::string, double> seconds;  // machine -> median over cells that ran alone
};

/// The problems that differ only in the draw: one cardinality of a table.
struct EntryRow {
  std::vector<Index> cardinality;
  std::size_t problems = 0;           // number of draws; 1 if the data are not drawn
  double best = kNotMeasured;         // mean over the draws of the best value
  double bound = kNotMeasured;        // mean of the bound, if every draw has one
  std::vector<std::string> bound_by;  // solvers
  std::size_t bounded = 0, certified = 0, contradicted = 0;  // numbers of draws
  double gap = kNotMeasured;   // mean over the draws that have a bound
  std::vector<Entry> entries;  // largest mean share first; without a share last
};

/// All cardinalities of one data set, prepared in one way, with one number of components and one
/// constraint.
struct EntryTable {
  ProblemIdentity group;                       // identity of the first problem
  ValueMeasure measure = ValueMeasure::kNone;  // measure of the first problem; see `is_mixed`
  bool is_mixed = false;                       // the rows have different measures
  Index n = 0, p = 0;
  double pca_variance = kNotMeasured;    // from the first problem that has it
  double total_variance = kNotMeasured;  // likewise
  std::vector<EntryRow> rows;
};

/// Returns the tables in the order of the problems.
std::vector<EntryTable> entry_tables(const std::vector<PosedProblem>& problems);

}  // namespace spca
