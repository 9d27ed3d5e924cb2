#pragma once

/// Where each solver stands over all problems of many runs, and what is known of each data set.
/// Every number comes with the count that it is taken over.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/verdicts/problems.h"

namespace spca {

/// Answers of one solver: what they reach, and how long they take.
///
/// Shares and times compare, and so only problems count on which at least two solvers have a value,
/// or a time.
struct Standing {
  std::size_t problems = 0;  // different ones
  std::size_t cells = 0;     // that asked the solver
  std::size_t answered = 0;  // with a whole answer
  /// value / best value of the problem, in (0, 1].
  std::size_t shares = 0;  // of so many answers
  double median_share = kNotMeasured;
  double least_share = kNotMeasured;
  std::size_t best = 0;  // of these answers, those that hold the best value
  /// Problems with a certified optimum. A cell without an answer does not reach it; one that was
  /// skipped was not asked.
  std::size_t certified = 0;  // cells on such problems
  std::size_t reached = 0;    // of these
  /// Time over that of the fastest answer to the same problem on the same machine, alone each.
  std::size_t times = 0;             // of so many answers
  double mean_ratio = kNotMeasured;  // geometric mean, >= 1
  double median_seconds = kNotMeasured;
  std::size_t timed_alone = 0;  // answers behind median_seconds
  std::size_t failed = 0;       // cells without a whole answer that were not skipped
  std::size_t skipped = 0;
};

/// Cells of one solver without an answer, of one status and message.
struct StandingFailure {
  Status status = Status::kFailed;
  std::string message;
  std::size_t count = 0;
  std::vector<std::string> datasets, experiments;
};

/// The answers of a solver to problems that differ in the cardinality alone, or in the draw.
struct StandingOnGroup {
  ProblemIdentity group;                          // of the first problem
  std::vector<std::vector<Index>> cardinalities;  // ascending, each once
  Standing standing;
};

struct SolverStanding {
  std::string solver;  // as registered
  Standing overall;
  std::vector<std::pair<Json, Standing>>
      by_options;  // complete options, in the order of their text
  std::vector<StandingOnGroup> by_group;
  std::vector<StandingFailure> failures;  // most first
  std::vector<std::string> experiments;   // ascending
};

/// One for each solver that was asked, in the order of their names.
std::vector<SolverStanding> solver_standings(const std::vector<PosedProblem>& problems);

/// What one solver with certain options reached at one cardinality, over the draws and the repeats.
struct Entry {
  std::string solver;
  Json options;
  std::size_t cells = 0;
  std::size_t values = 0;       // answers with a value
  double value = kNotMeasured;  // their mean
  double share = kNotMeasured;  // mean of value / best value
  double least_share = kNotMeasured;
  std::size_t best = 0;                   // answers that hold the best value
  std::map<std::string, double> seconds;  // machine -> median of those that ran alone
};

/// The problems that differ in the draw alone: one cardinality of a table.
struct EntryRow {
  std::vector<Index> cardinality;
  std::size_t problems = 0;           // draws; 1 if the data are not drawn
  double best = kNotMeasured;         // mean over the draws of the best value
  double bound = kNotMeasured;        // the same of the bound, if every draw has one
  std::vector<std::string> bound_by;  // solvers
  std::size_t bounded = 0, certified = 0, contradicted = 0;  // draws
  double gap = kNotMeasured;   // mean over the draws that have a bound
  std::vector<Entry> entries;  // largest mean share first; without a value last
};

/// All cardinalities of one data set, prepared in one way, with one number of components and one
/// constraint.
struct EntryTable {
  ProblemIdentity group;                       // of the first problem
  ValueMeasure measure = ValueMeasure::kNone;  // of the first problem; see `is_mixed`
  bool is_mixed = false;                       // the rows have different measures
  Index n = 0, p = 0;
  double pca_variance = kNotMeasured;    // of the first problem that says it
  double total_variance = kNotMeasured;  // likewise
  std::vector<EntryRow> rows;
};

/// In the order of the problems.
std::vector<EntryTable> entry_tables(const std::vector<PosedProblem>& problems);

}  // namespace spca
