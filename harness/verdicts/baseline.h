#pragma once

/// The reference that `spca check` holds a run against: a run without what cannot be a reference,
/// and rules that replace those of the metrics. baseline_file.h has its file.

#include <optional>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "harness/verdicts/compared_run.h"
#include "harness/verdicts/paired_comparison.h"

namespace spca {

/// What a baseline says of some metrics of some cells in place of the metrics' own traits.
struct GateOverride {
  CellMatch match;                           // empty: every cell
  std::string metric;                        // may have * and ?
  std::optional<Direction> direction;        // empty: as the metric says; so the next three
  std::optional<double> absolute, relative;  // >= 0
  std::optional<Gate> gate;
  Json json;  // as written
};

struct Baseline {
  ComparedRun run;
  std::vector<GateOverride> overrides;  // of several that match, the last one counts

  /// How a metric of a cell is compared: its own rule with the overrides that match. Empty for a
  /// metric that this program does not know.
  std::optional<GateRule> rule(const ComparedCell& cell, const std::string& metric) const;
};

/// Whether the override matches a metric of one of the cells.
bool applies(const GateOverride& change, const std::vector<ComparedCell>& cells);

/// What a baseline keeps of a run.
struct BaselineContent {
  ComparedRun run;
  std::vector<std::string> not_measured;  // what was left out: "metric: n cells"
};

/// A metric that no repeat of a cell measured is no reference: it is left out of that cell and
/// listed. Unless `with_times`, times and other measures of the machine are left out too.
BaselineContent baseline_content(ComparedRun run, bool with_times);

}  // namespace spca
