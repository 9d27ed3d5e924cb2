#pragma once

/// Holds the answer to one solve as the judge rated it (spca/measure/judge.h), and writes it as
/// JSON.

#include <map>
#include <string>
#include <vector>

#include "harness/answers/request.h"
#include "spca/measure/contradiction.h"

namespace spca {

struct SolveReport {
  SolveOutcome outcome;  // status invalid and no components if the judge rejected the answer
  bool usable = false;
  std::map<std::string, std::vector<double>> metrics;  // empty if the answer is not usable
  double upper_bound = kNotMeasured;
  double gap = kNotMeasured;
  std::vector<std::string> notes = {};  // one line each
  /// The members "problem", "cardinality", "cardinality_source" and "source" of the certificate if
  /// a bound was searched for afterwards (certify.h). Otherwise null.
  Json certificate = nullptr;
  /// How the answer compares with the best known one, if the library has the instance.
  std::optional<InstanceStanding> standing = {};
};

/// Judges the outcome of solve(). An answer that the judge rejects, or that is beyond a bound of
/// the library (Request::origin), becomes invalid, with the reason as its message. If the report is
/// not usable, its components are SolveOutcome::found_before. `known_bound` is a bound proved
/// elsewhere, or NaN.
SolveReport judged_report(const Request& request, SolveOutcome outcome,
                          const SourcedNumber& known_bound = {kNotMeasured, ""});

/// Returns the answer with the requested components, cardinalities and deflation.
Json report_json(const Request& request, const SolveReport& report);
}  // namespace spca
