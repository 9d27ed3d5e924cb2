#pragma once

#include <string>

#include "harness/answers/solve_report.h"

namespace spca::cli {

/// Returns a table for people: the variables of each component, ordered by the magnitude of their
/// loadings.
std::string report_text(const Request& request, const SolveReport& report);

}  // namespace spca::cli
