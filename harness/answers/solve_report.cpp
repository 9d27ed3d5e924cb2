#include "harness/answers/solve_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

/// Makes an answer invalid that lies beyond a bound of the library. Otherwise adds its standing.
void hold_against_library(const PreparedSolve& prepared, SolveReport& report) {
  if (!prepared.origin) {
    return;
  }
  const SolveRequest& request = prepared.request;
  Solution& solution = report.outcome.solution;
  const bool is_whole = std::ssize(solution.components) == request.components;
  LibraryComparison comparison = compare_with_library(
      installed_library(), *prepared.origin,
      {.solver = request.solver->name,
       .covariance = *prepared.dataset.covariance,
       .components = solution.components,
       .k = is_whole && !prepared.unconstrained ? shared_cardinality(request.cardinality) : 0});
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

SolveReport judged_report(const PreparedSolve& prepared, SolveOutcome outcome,
                          const SourcedNumber& known_bound) {
  SolveReport report;
  report.outcome = std::move(outcome);
  Solution& solution = report.outcome.solution;
  if (is_answer(solution.status, !solution.components.empty())) {
    const ThreadAllowance allowance(prepared.request.threads);
    SolveCost cost = report.outcome.cost;
    cost.reading_seconds = prepared.reading_seconds;
    // A user who interrupted the solve waits for its answer; an interrupt from here on ends
    // measuring.
    const double patience = stop_requested() ? kMeasuringAfterStop : prepared.measuring_limit;
    const double limit = std::min(check_time_limit(prepared.request.seconds), patience);
    Spectrum spectrum(*prepared.dataset.covariance);
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
        .solver = *prepared.request.solver,
        .options = report.outcome.options,
        .solution = solution,
        .components = prepared.request.components,
        .cardinality = prepared.unconstrained ? std::vector<Index>{} : prepared.request.cardinality,
        .disjoint = report.outcome.disjoint,
        .cost = std::move(cost),
        .check_limit = limit,
        .seed = prepared.seed};
    Judgement judgement = spca::judge(answer, prepared.dataset, spectrum, prepared.metrics);
    if (judgement.wrong.empty() && !(judgement.upper_bound <= known_bound.number) &&
        std::isfinite(known_bound.number)) {
      answer.upper_bound = known_bound.number;
      answer.bound_source = known_bound.source;
      judgement = spca::judge(answer, prepared.dataset, spectrum, prepared.metrics);
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
    hold_against_library(prepared, report);
  }
  if (report.usable) {
    report.notes = notes_on_sparsity(prepared, solution.components);
  } else {
    solution.components = report.outcome.found_before;
  }
  return report;
}

Json report_json(const PreparedSolve& prepared, const SolveReport& report) {
  const SolveOutcome& outcome = report.outcome;
  const Covariance& covariance = *prepared.dataset.covariance;
  Json components = Json::array();
  for (const Component& component : outcome.solution.components) {
    components.push_back(component_json(prepared.dataset, component));
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
  const SolveRequest& request = prepared.request;
  Json json = {{"components_asked", request.components},
               {"cardinality_asked", request.cardinality},
               {"deflation", request.deflation == nullptr || request.components == 1
                                 ? Json(nullptr)
                                 : Json(request.deflation->name)},
               {"solver", request.solver->name},
               {"options", outcome.options},
               {"status", status_name(outcome.solution.status)},
               {"message", outcome.solution.message},
               {"n", covariance.samples() > 0 ? Json(covariance.samples()) : Json(nullptr)},
               {"p", covariance.variables()},
               {"components", components},
               {"metrics", metrics},
               {"upper_bound", report.upper_bound},
               {"gap", report.gap},
               {"reading_seconds", prepared.reading_seconds},
               {"solve_seconds", outcome.cost.solve_seconds},
               {"check_seconds", outcome.cost.check_seconds},
               {"phases", outcome.cost.phases},
               {"seed", prepared.seed},
               {"tuned", outcome.tuned},
               {"cardinality_missed", outcome.cardinality_missed},
               {"truncated", outcome.truncated},
               {"unconstrained", prepared.unconstrained},
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
