#pragma once

/// What `spca check` says, as text, as Markdown and as JSON: the verdict first, then what is worse.
/// gate_junit.h has it for CI viewers.

#include <string>

#include "harness/verdicts/gate.h"

namespace spca {

/// For a terminal. `baseline_name` is the file, as the user gave it.
std::string gate_text(const GateReport& report, const std::string& baseline_name);
/// For a comment on a pull request.
std::string gate_markdown(const GateReport& report, const std::string& baseline_name);
/// Every cell and every metric.
Json gate_json(const GateReport& report, const std::string& baseline_name);

/// One metric's verdict and numbers in a line.
std::string metric_line(const MetricCheck& check);
/// Why no gate asks about a cell whose verdict is "not gated".
std::string why_not_gated(const CellCheck& cell);

}  // namespace spca
