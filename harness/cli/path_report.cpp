#include "harness/cli/path_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/cli/output.h"
#include "harness/verdicts/number_text.h"
#include "spca/measure/contradiction.h"

namespace spca::cli {
namespace {

Json number_or_null(const std::optional<Index>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json point_json(const Dataset& dataset, Index k, const PathReport& report, std::size_t i,
                const PathPointSummary& point) {
  const CardinalityAnswer& answer = point.answer;
  Json names = Json::array();
  if (!dataset.variable_names.empty()) {
    for (const Index j : answer.component.support) {
      names.push_back(dataset.variable_names[static_cast<std::size_t>(j)]);
    }
  }
  const Vector& values = answer.component.values;
  return {{"cardinality", k},
          {"status", status_name(answer.status)},
          {"message", answer.message},
          {"nonzeros", answer.component.cardinality()},
          {"cardinality_missed", answer.cardinality_missed},
          {"truncated", answer.truncated},
          {"value", answer.value},
          {"ratio", answer.value / report.lambda_1},
          {"variance_share", answer.value / report.total_variance},
          {"gap", relative_gap(report.bounds[i].value, answer.value)},
          {"stability", point.stability},
          {"reconstruction_error", point.reconstruction_error},
          {"reconstruction_standard_error", point.reconstruction_standard_error},
          {"indices", answer.component.support},
          {"values", std::vector<double>(values.begin(), values.end())},
          {"names", names},
          {"solve_seconds", answer.seconds}};
}

/// The number as one of the functions in number_text.h writes it; "-" if it was not measured.
std::string number(std::string (*text)(double, int), int digits, double value) {
  return std::isnan(value) ? "-" : text(value, digits);
}

constexpr Index kNone = 0;

/// An error that is smallest at the end of the range may fall on beyond it. `largest`: that end, or
/// kNone if it is p.
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

Json path_json(const Dataset& dataset, const std::vector<Index>& cardinalities,
               const PathReport& report) {
  const Covariance& covariance = *dataset.covariance;
  Json bounds = Json::array();
  for (std::size_t i = 0; i < report.bounds.size(); ++i) {
    bounds.push_back({{"cardinality", cardinalities[i]},
                      {"upper_bound", report.bounds[i].value},
                      {"source", report.bounds[i].source}});
  }
  Json solvers = Json::array();
  for (const SolverPath& path : report.solvers) {
    Json points = Json::array();
    for (std::size_t i = 0; i < cardinalities.size(); ++i) {
      points.push_back(point_json(dataset, cardinalities[i], report, i, path.points[i]));
    }
    solvers.push_back({{"solver", path.solver.entry->name},
                       {"options", path.solver.options},
                       {"complete", path.is_complete},
                       {"suggested",
                        {{"cross_validation", number_or_null(path.suggestion.cross_validation)},
                         {"one_standard_error", number_or_null(path.suggestion.one_standard_error)},
                         {"knee", number_or_null(path.suggestion.knee)}}},
                       {"points", points}});
  }
  return {{"n", covariance.samples() > 0 ? Json(covariance.samples()) : Json(nullptr)},
          {"p", covariance.variables()},
          {"lambda_1", report.lambda_1},
          {"trace", report.total_variance},
          {"without_stability", report.without_resamples},
          {"without_cross_validation", report.without_folds},
          {"bounds", bounds},
          {"solvers", solvers}};
}

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
