#pragma once

/// The answer to one solve as the harness judged it (spca/measure/judge.h), and as JSON.

#include <map>
#include <string>
#include <vector>

#include "harness/answers/prepared_solve.h"
#include "spca/measure/contradiction.h"

namespace spca {

struct SolveReport {
  SolveOutcome outcome;  // status invalid and no components if the answer is wrong
  bool usable = false;
  std::map<std::string, std::vector<double>> metrics;  // empty unless usable
  double upper_bound = kNotMeasured;
  double gap = kNotMeasured;
  std::vector<std::string> notes = {};  // one line each
  /// If the bound was searched for afterwards (certify.h): "problem", "cardinality",
  /// "cardinality_source" and "source" of the certificate. Otherwise null.
  Json certificate = nullptr;
};

/// Judges what solve() returned. An invalid answer keeps its message and loses its components.
/// `known_bound` is a bound that was proved elsewhere, or NaN.
SolveReport judged_report(const PreparedSolve& prepared, SolveOutcome outcome,
                          const SourcedNumber& known_bound = {kNotMeasured, ""});

/// The answer, with the components, cardinalities and deflation that were asked for.
Json report_json(const PreparedSolve& prepared, const SolveReport& report);
}  // namespace spca
