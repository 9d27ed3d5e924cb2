#pragma once

/// Writes the result of `spca check` as text, as Markdown and as JSON: the verdict first, then the
/// differences, the gravest first. gate_junit.h writes it for CI viewers.

#include <string>

#include "harness/comparisons/gate.h"

namespace spca {

/// The kind of reference. The way to accept better results depends on it.
enum class ReferenceKind { kBaseline, kHistory };
struct GateReference {
  std::string name;  // the file as the user named it, and the part of it that was used
  ReferenceKind kind = ReferenceKind::kBaseline;
};

/// Returns the report for a terminal.
std::string gate_text(const GateReport& report, const GateReference& reference);
/// Returns the report for a comment on a pull request.
std::string gate_markdown(const GateReport& report, const GateReference& reference);
/// Returns every cell and every metric.
Json gate_json(const GateReport& report, const GateReference& reference);

/// Returns one metric's verdict and numbers in a line.
std::string metric_line(const MetricCheck& check);
/// Returns the reason why a cell with verdict "not gated" is outside the gate.
std::string why_not_gated(const CellCheck& cell);

}  // namespace spca
