#pragma once

/// What `spca check` says, as text, as Markdown and as JSON: the verdict first, then what is worse.
/// gate_junit.h has it for CI viewers.

#include <string>

#include "harness/verdicts/gate.h"

namespace spca {

/// What a run was held against. Its user takes what is better into each in another way.
enum class ReferenceKind { kBaseline, kHistory };
struct GateReference {
  std::string name;  // the file, as the user gave it, and what was taken of it
  ReferenceKind kind = ReferenceKind::kBaseline;
};

/// For a terminal.
std::string gate_text(const GateReport& report, const GateReference& reference);
/// For a comment on a pull request.
std::string gate_markdown(const GateReport& report, const GateReference& reference);
/// Every cell and every metric.
Json gate_json(const GateReport& report, const GateReference& reference);

/// One metric's verdict and numbers in a line.
std::string metric_line(const MetricCheck& check);
/// Why no gate asks about a cell whose verdict is "not gated".
std::string why_not_gated(const CellCheck& cell);

}  // namespace spca
