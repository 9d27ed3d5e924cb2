#pragma once

/// Implements the regression gate: compares a run with a baseline, cell by cell and metric by
/// metric. docs/REGRESSION_GATE.md explains each verdict to users.

#include <string>
#include <vector>

#include "harness/comparisons/baseline.h"

namespace spca {

/// One metric of one cell.
struct MetricCheck {
  std::string metric;
  Verdict verdict = Verdict::kNotComparable;
  GateRule rule;
  PairedComparison pairs;
  std::string reason;  // why it is not gated or not comparable, or why a difference does not count
};

/// The reason why a whole cell, or a repeat of it, cannot be compared.
struct CellProblem {
  Verdict verdict = Verdict::kNotComparable;
  std::string reason;
};

/// A cell of the baseline. Its verdict is the largest one of its problems and metrics, unless the
/// baseline takes all of its metrics out of the gate.
struct CellCheck {
  const ComparedCell* reference = nullptr;  // never null in a report
  Verdict verdict = Verdict::kNotComparable;
  std::vector<CellProblem> problems;
  std::vector<MetricCheck> metrics;
  std::vector<std::string> new_metrics;  // measured here, and not in the reference
  std::vector<std::string> notes;        // remarks for the reader that do not affect the verdict
};

struct GateReport {
  Verdict verdict = Verdict::kNotComparable;  // the largest of the cells
  /// The name in the baseline, followed by the name in the run if that differs.
  std::string experiment;
  std::vector<CellCheck> cells;        // of the baseline, in its order
  std::vector<std::string> new_cells;  // labels of the run's cells that the baseline lacks

  /// Returns the number of cells with this verdict.
  std::size_t count(Verdict verdict) const;
};

/// Compares `run` with `baseline`, which must outlive the report. If every cell is outside the
/// gate, the whole report is not comparable.
GateReport check_run(const Baseline& baseline, const ComparedRun& run);

}  // namespace spca
