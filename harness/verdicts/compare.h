#pragma once

/// Two runs side by side.

#include <string>
#include <vector>

#include "harness/verdicts/paired_comparison.h"
#include "harness/verdicts/run_evidence.h"

namespace spca {

/// One metric of one cell that both runs have.
struct MetricDifference {
  std::string metric;
  PairedComparison pairs;     // ours: the second run; reference: the first
  bool has_direction = true;  // false: `pairs` calls a larger number better, which it is not
  bool significant = false;
  std::string reason;  // why there is no number, or no significance
};

struct CellDifference {
  const CellEvidence* first = nullptr;
  const CellEvidence* second = nullptr;
  /// Which of the two lacks answers, and why; empty where both have all or neither has any.
  std::string answers = {};
  std::vector<MetricDifference> metrics;
};

struct RunComparison {
  std::vector<CellDifference> cells;                 // of both runs
  std::vector<std::string> only_first, only_second;  // labels
  std::string machine_difference;                    // "" where times can be compared
};

/// A difference is significant where it is beyond the metric's tolerance and, of at least
/// kFewestPairs repeats, a two-sided sign test over those that differ rejects at kSignificance; for
/// times and other measures of the machine, where the 95 % bootstrap interval of the ratio excludes
/// 1. Repeats of different seeds are different draws: they are not paired, and nothing is said of
/// significance. Both runs must outlive the comparison.
RunComparison compare_runs(const RunEvidence& first, const RunEvidence& second);

/// Dolan, More, Mathematical Programming 91, 2002: for each solver the share of the problems on
/// which its cost is at most tau times that of the best.
struct PerformanceProfile {
  std::string grid;
  std::string metric;  // what is compared
  std::vector<double> tau;
  struct Row {
    std::string solver;         // with "A: " or "B: " in front
    std::vector<double> share;  // one a tau
  };
  std::vector<Row> rows;
  std::size_t problems = 0;
  std::string reason;  // why there are no problems
};

/// One a grid that both runs have: the solvers of a grid have the same problems. A problem is a
/// data set, a cardinality and a repeat that both runs have; a solver is one of either run with its
/// deflation. Solvers that no cardinality binds do not take part. No answer counts as infinitely
/// bad. By value the ratio is best / value - a solver within factor tau reaches at least 1/tau of
/// the best value - of the first of these metrics that the grid has: explained_variance,
/// projected_variance, adjusted_variance, their shares and ratios, support_f1, support_recovery. By
/// time it is solve_seconds / best, over the problems that no solver solved beside other cells.
std::vector<PerformanceProfile> value_profiles(const RunEvidence& first, const RunEvidence& second);
std::vector<PerformanceProfile> time_profiles(const RunEvidence& first, const RunEvidence& second);

}  // namespace spca
