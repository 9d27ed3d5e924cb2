#include "harness/answers/solve_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/answers/numbers_json.h"
#include "harness/answers/sparsity_notes.h"
#include "harness/answers/variable_names.h"
#include "spca/base/interrupt.h"
#include "spca/base/parallel.h"
#include "spca/measure/judge.h"

namespace spca {
namespace {

constexpr double kMeasuringAfterStop = 2;  // seconds
Json component_json(const Dataset& dataset, const Component& component) {
  return {{"indices", component.support},
          {"values", std::vector<double>(component.values.begin(), component.values.end())},
          {"names", names_of(dataset, component.support)},
          {"explained_variance", dataset.covariance->quadratic_form(component)}};
}

/// Makes the answer invalid if it lies beyond a bound of the library, or if its bound is below the
/// best known answer. Otherwise adds its standing, if the library has the instance.
void hold_against_library(const Request& request, SolveReport& report) {
  const SolveRequest& solve = request.solve;
  Solution& solution = report.outcome.solution;
  const bool is_whole = std::ssize(solution.components) == solve.components;
  LibraryComparison comparison = compare_with_library(
      installed_library(), request.origin,
      {.solver = solve.solver->name,
       .covariance = *request.dataset.covariance,
       .components = solution.components,
       .k = is_whole && !request.unconstrained ? shared_cardinality(solve.cardinality) : 0,
       .bound = report.upper_bound});
  report.standing = std::move(comparison.standing);
  if (!comparison.contradiction.empty()) {
    report.usable = false;
    report.metrics.clear();
    report.upper_bound = report.gap = kNotMeasured;
    solution.status = Status::kInvalid;
    solution.message = std::move(comparison.contradiction);
  }
}

}  // namespace

SolveReport judged_report(const Request& request, SolveOutcome outcome,
                          const SourcedNumber& known_bound) {
  SolveReport report;
  report.outcome = std::move(outcome);
  Solution& solution = report.outcome.solution;
  if (is_answer(solution.status, !solution.components.empty())) {
    const ThreadAllowance allowance(request.solve.threads);
    SolveCost cost = report.outcome.cost;
    cost.reading_seconds = request.reading_seconds;
    // A user who interrupted the solve waits for its answer; an interrupt from here on ends
    // measuring.
    const double patience = stop_requested() ? kMeasuringAfterStop : request.measuring_limit;
    const double limit = std::min(check_time_limit(request.solve.seconds), patience);
    Spectrum spectrum(*request.dataset.covariance);
    spectrum.limit(limit);
    if (!stop_requested()) {
      spectrum.end_at_stop();
    }
    // Seeds the spectrum with the eigenvalues that this solve computed. The cells of a run do not
    // do this: they share one spectrum that no solver influences.
    for (const auto& [count, values] : report.outcome.eigenvalues) {
      spectrum.seed_with(values);
    }
    Answer answer{
        .solver = *request.solve.solver,
        .options = report.outcome.options,
        .solution = solution,
        .components = request.solve.components,
        .cardinality = request.unconstrained ? std::vector<Index>{} : request.solve.cardinality,
        .disjoint = report.outcome.disjoint,
        .cost = std::move(cost),
        .check_limit = limit,
        .seed = request.seed};
    Judgement judgement = spca::judge(answer, request.dataset, spectrum, request.metrics);
    if (judgement.wrong.empty() && !(judgement.upper_bound <= known_bound.number) &&
        std::isfinite(known_bound.number)) {
      answer.upper_bound = known_bound.number;
      answer.bound_source = known_bound.source;
      // The first judgement checked the certificate; this one compares with the known bound.
      const Judgement checked = std::move(judgement);
      judgement = spca::judge(answer, request.dataset, spectrum, request.metrics);
      judgement.check_seconds = checked.check_seconds;
      if (!checked.note.empty() && judgement.note.find(checked.note) == std::string::npos) {
        judgement.note =
            judgement.note.empty() ? checked.note : checked.note + "; " + judgement.note;
      }
    }
    report.usable = judgement.wrong.empty();
    if (report.usable) {
      report.metrics = std::move(judgement.metrics);
      report.upper_bound = judgement.upper_bound;
      report.outcome.cost.check_seconds = judgement.check_seconds;
      solution.message += solution.message.empty() || judgement.note.empty()
                              ? judgement.note
                              : "; " + judgement.note;
      if (const auto gap = report.metrics.find("gap"); gap != report.metrics.end()) {
        report.gap = gap->second.front();
      }
    } else {
      solution.status = Status::kInvalid;
      solution.message = std::move(judgement.wrong);
    }
  }
  if (report.usable) {
    hold_against_library(request, report);
  }
  if (report.usable) {
    report.notes = notes_on_sparsity(request, solution.components);
  } else {
    solution.components = report.outcome.found_before;
  }
  return report;
}

Json report_json(const Request& request, const SolveReport& report) {
  const SolveOutcome& outcome = report.outcome;
  const Covariance& covariance = *request.dataset.covariance;
  Json components = Json::array();
  for (const Component& component : outcome.solution.components) {
    components.push_back(component_json(request.dataset, component));
  }
  Json metrics = Json::object();
  for (const auto& [name, values] : report.metrics) {
    metrics[name] = numbers_to_json(
        values, MetricRegistry::instance().get(name, "metrics").traits.per_component);
  }
  Json facts = Json::object();
  for (const auto& [name, values] : outcome.facts) {
    facts[name] = numbers_to_json(values, values.size() > 1);
  }
  const SolveRequest& solve = request.solve;
  Json json = {{"components_asked", solve.components},
               {"cardinality_asked", solve.cardinality},
               {"deflation", solve.deflation == nullptr || solve.components == 1
                                 ? Json(nullptr)
                                 : Json(solve.deflation->name)},
               {"solver", solve.solver->name},
               {"options", outcome.options},
               {"status", status_name(outcome.solution.status)},
               {"message", outcome.solution.message},
               {"n", covariance.samples() > 0 ? Json(covariance.samples()) : Json(nullptr)},
               {"p", covariance.variables()},
               {"components", components},
               {"metrics", metrics},
               {"upper_bound", report.upper_bound},
               {"gap", report.gap},
               {"reading_seconds", request.reading_seconds},
               {"solve_seconds", outcome.cost.solve_seconds},
               {"check_seconds", outcome.cost.check_seconds},
               {"phases", outcome.cost.phases},
               {"seed", request.seed},
               {"tuned", outcome.tuned},
               {"cardinality_missed", outcome.cardinality_missed},
               {"truncated", outcome.truncated},
               {"unconstrained", request.unconstrained},
               {"facts", facts},
               {"notes", report.notes}};
  if (!report.certificate.is_null()) {
    json["certificate"] = report.certificate;
  }
  if (report.standing) {
    json["instance"] = standing_json(*report.standing);
  }
  return json;
}

}  // namespace spca
