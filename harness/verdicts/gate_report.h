#pragma once

/// What `spca check` says, in every form: the verdict first, then what is worse.

#include <string>

#include "harness/verdicts/gate.h"

namespace spca {

/// `baseline_name` is the file, as the user gave it.
std::string gate_text(const GateReport& report, const std::string& baseline_name);
/// For a comment on a pull request.
std::string gate_markdown(const GateReport& report, const std::string& baseline_name);
Json gate_json(const GateReport& report, const std::string& baseline_name);
/// One metric's verdict and numbers in a line.
std::string metric_line(const MetricCheck& check);
/// JUnit XML as CI viewers read it: a test case a cell; `failure` for worse and slower, `error` for
/// failed and not comparable, `skipped` for a cell that no gate asks about.
std::string gate_junit(const GateReport& report);

}  // namespace spca
