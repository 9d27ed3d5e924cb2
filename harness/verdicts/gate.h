#pragma once

/// The regression gate: a run held against a baseline, cell by cell and metric by metric.

#include <string>
#include <vector>

#include "harness/verdicts/baseline.h"

namespace spca {

/// In order of precedence: a cell's verdict is the largest of its metrics', the whole one the
/// largest of the cells'.
enum class GateVerdict {
  kNotGated,  // the gate is none, or a time cannot be compared
  kMatch,
  kBetter,
  kSlower,         // a metric that is gated on the same machine only is worse
  kNotComparable,  // nothing to compare: never a pass
  kWorse,
  kFailed,  // no answer, because the cell failed
};
/// "not gated", "match", "better", "slower", "not comparable", "worse", "failed".
const char* verdict_name(GateVerdict verdict);
/// 0, 6, 5, 4 or 3.
int exit_code(GateVerdict verdict);

struct MetricCheck {
  std::string metric;
  GateVerdict verdict = GateVerdict::kNotComparable;
  GateRule rule;
  PairedComparison pairs;
  std::string reason;  // why it is not gated or not comparable, or what a difference is put down to
};

/// What keeps a whole cell from being compared, or a repeat of it.
struct CellProblem {
  GateVerdict verdict = GateVerdict::kNotComparable;
  std::string reason;
};

/// A cell of the baseline.
struct CellCheck {
  const CellEvidence* reference = nullptr;
  GateVerdict verdict = GateVerdict::kNotComparable;
  std::vector<CellProblem> problems;
  std::vector<MetricCheck> metrics;
  std::vector<std::string> notes;  // what a reader should know and no gate asks
};

struct GateReport {
  GateVerdict verdict = GateVerdict::kNotComparable;
  std::string experiment;
  std::vector<CellCheck> cells;        // of the baseline, in its order
  std::vector<std::string> new_cells;  // labels of cells of the run that the baseline has not

  std::size_t count(GateVerdict verdict) const;
};

/// `baseline` must outlive the report. Not comparable as a whole where nothing was compared.
GateReport check_run(const Baseline& baseline, const RunEvidence& run);

}  // namespace spca
