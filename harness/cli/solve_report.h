#pragma once

/// What `spca solve` prints: the answer as the harness judged it (spca/measure/judge.h).

#include <map>
#include <string>
#include <vector>

#include "harness/cli/solve_request.h"

namespace spca::cli {

struct SolveReport {
  SolveOutcome outcome;  // status invalid and no components if the answer is wrong
  bool usable = false;
  std::map<std::string, std::vector<double>> metrics;  // empty unless usable
  double upper_bound = kNotMeasured;
  double gap = kNotMeasured;
  std::vector<std::string> notes = {};  // of whoever made the report, one line each
};

/// Judges what solve() returned. An invalid answer keeps its message and loses its components.
/// `known_bound` is a bound that somebody else proved, or NaN.
SolveReport judged_report(const PreparedSolve& prepared, SolveOutcome outcome,
                          double known_bound = kNotMeasured);

Json report_json(const PreparedSolve& prepared, const SolveReport& report);
/// Returns a table that a person reads: each component's variables by the magnitude of their
/// loadings.
std::string report_text(const PreparedSolve& prepared, const SolveReport& report);

}  // namespace spca::cli
