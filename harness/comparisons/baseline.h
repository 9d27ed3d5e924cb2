#pragma once

/// The reference with which `spca check` compares a run: a run without the parts that cannot be a
/// reference, and rules that replace those of the metrics. baseline_file.h defines its file.

#include <optional>
#include <string>
#include <vector>

#include "harness/comparisons/compared_run.h"
#include "harness/comparisons/paired_comparison.h"
#include "harness/experiments/experiment.h"

namespace spca {

/// A rule of the baseline that replaces a metric's own traits for some metrics of some cells.
struct GateOverride {
  CellMatch match;                           // empty: every cell
  std::string metric;                        // may have * and ?
  std::optional<Direction> direction;        // empty: the metric's own; likewise the next three
  std::optional<double> absolute, relative;  // >= 0
  std::optional<Gate> gate;
  Json json;  // as written
};

struct Baseline {
  ComparedRun run;
  std::vector<GateOverride> overrides;  // all that match apply; of two values the later is used

  /// Returns the rule for a metric of a cell: the metric's own rule with the overrides that match.
  /// Empty for a metric that this program does not have.
  std::optional<GateRule> rule(const ComparedCell& cell, const std::string& metric) const;
};

/// Returns whether the override matches a metric of one of the cells.
bool applies(const GateOverride& change, const std::vector<ComparedCell>& cells);

/// The part of a run that a baseline keeps.
struct BaselineContent {
  ComparedRun run;
  std::vector<std::string> not_measured;  // the omitted metrics: "metric: n cells"
};

/// Reduces a run to a baseline. A metric that no repeat of a cell measured cannot be a reference:
/// it is left out of that cell and listed. Unless `with_times`, times and other measures of the
/// machine are left out too.
BaselineContent baseline_content(ComparedRun run, bool with_times);

}  // namespace spca
