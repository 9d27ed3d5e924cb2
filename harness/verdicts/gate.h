#pragma once

/// The regression gate: a run is held against a baseline, cell by cell and metric by metric.
/// docs/REGRESSION_GATE.md says what each verdict means to a user.

#include <string>
#include <vector>

#include "harness/verdicts/baseline.h"

namespace spca {

/// One metric of one cell.
struct MetricCheck {
  std::string metric;
  Verdict verdict = Verdict::kNotComparable;
  GateRule rule;
  PairedComparison pairs;
  std::string reason;  // why it is not gated or not comparable, or what a difference is put down to
};

/// What keeps a whole cell, or a repeat of it, from being compared.
struct CellProblem {
  Verdict verdict = Verdict::kNotComparable;
  std::string reason;
};

/// A cell of the baseline. Its verdict is the largest of its problems and metrics, unless the
/// baseline takes all of its metrics out of the gate.
struct CellCheck {
  const ComparedCell* reference = nullptr;  // never null in a report
  Verdict verdict = Verdict::kNotComparable;
  std::vector<CellProblem> problems;
  std::vector<MetricCheck> metrics;
  std::vector<std::string> notes;  // what a reader should know, though no gate asks for it
};

struct GateReport {
  Verdict verdict = Verdict::kNotComparable;  // the largest of the cells
  std::string experiment;                     // of the baseline; another run's name is added
  std::vector<CellCheck> cells;               // of the baseline, in its order
  std::vector<std::string> new_cells;  // labels of the run's cells that the baseline does not have

  /// How many cells have this verdict.
  std::size_t count(Verdict verdict) const;
};

/// Holds `run` against `baseline`, which must outlive the report. If nothing was compared the whole
/// report is not comparable.
GateReport check_run(const Baseline& baseline, const ComparedRun& run);

}  // namespace spca
