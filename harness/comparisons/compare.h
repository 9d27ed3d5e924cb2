#pragma once

/// Compares two runs cell by cell and metric by metric for `spca compare`. Neither run is a
/// reference that the other must reach, so tests are two-sided.

#include <string>
#include <vector>

#include "harness/comparisons/compared_run.h"
#include "harness/comparisons/paired_comparison.h"

namespace spca {

/// One metric of one cell that both runs have.
struct MetricDifference {
  std::string metric;
  PairedComparison pairs;     // ours: the second run; reference: the first
  bool has_direction = true;  // false: better and worse in `pairs` mean larger and smaller
  bool significant = false;
  std::string reason;  // why there is no number or no valid test; "" otherwise
};

struct CellDifference {
  const ComparedCell* first = nullptr;
  const ComparedCell* second = nullptr;
  /// Which run lacks an answer that the other has, and why. Empty if both answer the same repeats
  /// of the first run.
  std::string answers = {};
  std::string data = {};  // data_change of the second run against the first
  std::vector<MetricDifference> metrics;
};

struct RunComparison {
  std::vector<CellDifference> cells;                 // in both runs, in the order of the first
  std::vector<std::string> only_first, only_second;  // labels
  std::string machine_difference;                    // "" if times can be compared
};

/// Compares every metric of every cell that both runs have. Both runs must outlive the result.
///
/// A difference is significant if it exceeds the metric's tolerance and is more than chance, which
/// requires at least kFewestPairs repeats. For times and other measures of the machine, the 95 %
/// bootstrap interval of the ratio must exclude 1. For other metrics, a two-sided sign test over
/// the repeats that differ must reject at kSignificance. Repeats with different seeds are different
/// draws, unless only the options of the solver changed its seed: they are not paired, and their
/// significance is not tested.
RunComparison compare_runs(const ComparedRun& first, const ComparedRun& second);

}  // namespace spca
