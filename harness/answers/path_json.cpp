#include "harness/answers/path_json.h"

#include <nlohmann/json.hpp>

#include "harness/answers/variable_names.h"
#include "spca/measure/contradiction.h"

namespace spca {
namespace {

Json point_json(const Dataset& dataset, Index k, const PathReport& report, std::size_t i,
                const PathPointSummary& point) {
  const CardinalityAnswer& answer = point.answer;
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
          {"score_correlation", point.score_correlation},
          {"score_correlation_standard_error", point.score_correlation_standard_error},
          {"repeat_correlation", point.repeat_correlation},
          {"repeat_correlation_standard_error", point.repeat_correlation_standard_error},
          {"indices", answer.component.support},
          {"values", std::vector<double>(values.begin(), values.end())},
          {"names", names_of(dataset, answer.component.support)},
          {"solve_seconds", answer.seconds}};
}

}  // namespace

Json number_or_null(const std::optional<Index>& number) {
  return number ? Json(*number) : Json(nullptr);
}

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
                       {"solver_on_samples", path.solver.for_samples().entry->name},
                       {"complete", path.is_complete},
                       {"suggested",
                        {{"cross_validation", number_or_null(path.suggestion.cross_validation)},
                         {"one_standard_error", number_or_null(path.suggestion.one_standard_error)},
                         {"scores", number_or_null(path.suggestion.scores)},
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

}  // namespace spca
