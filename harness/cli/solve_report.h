#pragma once

/// What `spca solve` prints: the answer as the harness judged it (spca/measure/judge.h).

#include <map>
#include <string>
#include <vector>

#include "harness/cli/solve_request.h"

namespace spca::cli {

struct SolveReport {
  SolveOutcome outcome;  // status invalid and no components where the answer was found wrong
  bool usable = false;
  std::map<std::string, std::vector<double>> metrics;  // empty unless usable
  double upper_bound = kNotMeasured;
  double gap = kNotMeasured;
};

SolveReport judge(const PreparedSolve& prepared, SolveOutcome outcome);

Json report_json(const PreparedSolve& prepared, const SolveReport& report);
/// Returns a table that a person reads: each component's variables by the magnitude of their
/// loadings.
std::string report_text(const PreparedSolve& prepared, const SolveReport& report);

}  // namespace spca::cli
