#pragma once

/// The reference that `spca check` holds a run against: one JSON file, made from a run, read by
/// people and kept under version control. docs/REGRESSION_GATE.md describes it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "harness/verdicts/paired_comparison.h"
#include "harness/verdicts/run_evidence.h"

namespace spca {

/// What a baseline says of some metrics of some cells in place of the metrics' own traits.
struct GateOverride {
  CellMatch match;     // empty: every cell
  std::string metric;  // may have * and ?
  std::optional<Direction> direction;
  std::optional<double> absolute, relative;
  std::optional<Gate> gate;
  Json json;  // as written
};

struct Baseline {
  RunEvidence evidence;
  std::vector<GateOverride> overrides;  // of several that match the last one counts

  /// Empty for a metric that this program does not know.
  std::optional<GateRule> rule(const CellEvidence& cell, const std::string& metric) const;
};

/// What of a run a baseline keeps. A metric of a cell that no repeat measured is no reference: it
/// is left out, and listed in `not_measured` as "metric: n cells".
struct BaselineContent {
  RunEvidence evidence;
  std::vector<std::string> not_measured;
};
/// Without times and other measures of the machine where not `with_times`.
BaselineContent baseline_content(RunEvidence evidence, bool with_times);

/// The same baseline is the same text. Loadings have kLoadingDigits digits, other numbers all.
std::string baseline_text(const Baseline& baseline);
/// Five digits turn a component by 5e-6 rad at most, a twentieth of the angle's tolerance.
inline constexpr int kLoadingDigits = 5;

/// Whether the override says something of a metric of one of the cells.
bool applies(const GateOverride& change, const std::vector<CellEvidence>& cells);

/// Throws InputError "file:line:column: pointer: found ...; accepted: ..." for whatever is not as
/// baseline_text writes it: an unknown or repeated key, a wrong type, an unknown word, lists of
/// different lengths, the same cell twice, an override that matches nothing.
Baseline read_baseline(const std::filesystem::path& path);

}  // namespace spca
