#pragma once

#include <string>

#include "harness/answers/solve_report.h"

namespace spca::cli {

/// Returns text for people: a table of the variables of each component, ordered by the magnitude of
/// their loadings, and below it the totals, the facts of the solver and the notes.
std::string report_text(const Request& request, const SolveReport& report);

/// Returns the message of the solution for one line, cut if it is long (shown_message()). If the
/// solver only ran out of time, says the limit.
std::string reason_text(const Request& request, const SolveReport& report);

}  // namespace spca::cli
