#pragma once

#include <string>

#include "harness/comparisons/gate.h"

namespace spca {

/// Returns JUnit XML for CI viewers, with a test case for each cell: `failure` for worse and
/// slower, `error` for failed and not comparable, `skipped` for a cell outside the gate.
/// Characters that XML 1.0 does not allow, and carriage returns, become U+FFFD.
std::string gate_junit(const GateReport& report);

}  // namespace spca
