#include "harness/cli/path_text.h"

#include <fmt/format.h>

#include <cmath>

#include "harness/cli/output.h"
#include "harness/verdicts/number_text.h"
#include "spca/measure/contradiction.h"

namespace spca::cli {
namespace {

/// Returns the number as written by a function of number_text.h; "-" if it was not measured.
std::string number(std::string (*text)(double, int), int digits, double value) {
  return std::isnan(value) ? "-" : text(value, digits);
}

constexpr Index kNone = 0;

/// Returns a line with the suggestion of a rule. An error that is smallest at the end of the range
/// may decrease beyond it. `largest` is that end, or kNone if it is p.
std::string suggestion_line(const char* rule, const std::optional<Index>& k, Index largest,
                            const std::string& what) {
  const bool at_end = k && *k == largest;
  return fmt::format("  {:<28} {:<6} {}{}\n", rule, k ? fmt::format("k = {}", *k) : "-", what,
                     at_end ? "; the largest k that was tried: try larger ones" : "");
}

std::string solver_text(const std::vector<Index>& cardinalities, Index p, const PathReport& report,
                        const SolverPath& path) {
  std::vector<std::vector<std::string>> rows = {{"k", "nonzeros", "variance", "of lambda_1",
                                                 "upper bound", "gap", "stability",
                                                 "left-out error", "+-"}};
  std::string notes;
  for (std::size_t i = 0; i < cardinalities.size(); ++i) {
    const PathPointSummary& point = path.points[i];
    const double value = point.answer.value;
    const double bound = report.bounds[i].value;
    rows.push_back(
        {fmt::format("{}", cardinalities[i]),
         fmt::format("{}", point.answer.component.cardinality()),
         number(significant_text, 6, value), number(fixed_text, 4, value / report.lambda_1),
         number(significant_text, 6, bound), number(percent_text, 2, relative_gap(bound, value)),
         number(fixed_text, 3, point.stability), number(fixed_text, 4, point.reconstruction_error),
         number(fixed_text, 4, point.reconstruction_standard_error)});
    if (!point.answer.has_answer() || point.answer.message == kInterrupted) {
      notes += fmt::format("  k = {}: {}: {}\n", cardinalities[i], status_name(point.answer.status),
                           point.answer.message);
    }
  }
  if (!path.is_complete) {
    notes += "  interrupted: \"-\" was not finished, and nothing is suggested\n";
  }
  const PathSuggestion& suggestion = path.suggestion;
  const Index largest = cardinalities.back() < p ? cardinalities.back() : kNone;
  return fmt::format("{}\n", path.solver.entry->name) + aligned(rows) + notes + "suggested k\n" +
         suggestion_line("cross-validation", suggestion.cross_validation, largest,
                         "smallest reconstruction error on samples left out") +
         suggestion_line("one standard error", suggestion.one_standard_error, largest,
                         "smallest k whose error is within one standard error of that") +
         suggestion_line("knee", suggestion.knee, largest,
                         "where the variance, against k, bends most; no statistics");
}

}  // namespace

std::string path_text(const std::vector<Index>& cardinalities, Index p, const PathReport& report) {
  std::string text;
  for (const SolverPath& path : report.solvers) {
    text += solver_text(cardinalities, p, report, path) + "\n";
  }
  if (!report.without_resamples.empty()) {
    text += fmt::format("note: no stability: {}\n", report.without_resamples);
  }
  if (!report.without_folds.empty()) {
    text += fmt::format("note: no cross-validation: {}\n", report.without_folds);
  }
  return text;
}

}  // namespace spca::cli
