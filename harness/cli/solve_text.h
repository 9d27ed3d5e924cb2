#pragma once

#include <string>

#include "harness/answers/solve_report.h"

namespace spca::cli {

/// Returns text for people: a table of the variables of each component, ordered by the magnitude of
/// their loadings, and below it the totals, the facts of the solver and the notes.
std::string report_text(const Request& request, const SolveReport& report);

}  // namespace spca::cli
