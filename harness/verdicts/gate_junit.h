#pragma once

#include <string>

#include "harness/verdicts/gate.h"

namespace spca {

/// JUnit XML as CI viewers read it, with a test case for each cell: `failure` for worse and slower,
/// `error` for failed and not comparable, `skipped` for a cell that no gate asks about. Text that
/// XML 1.0 does not admit becomes U+FFFD.
std::string gate_junit(const GateReport& report);

}  // namespace spca
