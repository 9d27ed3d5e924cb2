#include "harness/cli/solve_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/cli/output.h"
#include "harness/verdicts/number_text.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/json_text.h"
#include "spca/base/parallel.h"
#include "spca/base/text.h"
#include "spca/measure/judge.h"
#include "spca/solving/tuning.h"

namespace spca::cli {
namespace {

constexpr double kMeasuringAfterStop = 2;  // seconds
// Variances of components that do not overlap differ by rounding alone.
constexpr double kSameVariance = 1e-9;

/// The source's name of a variable, otherwise its number as in the JSON output.
std::string variable_name(const Dataset& dataset, Index variable) {
  return dataset.variable_names.empty()
             ? fmt::format("variable {}", variable)
             : printable(dataset.variable_names[static_cast<std::size_t>(variable)]);
}

Json component_json(const Dataset& dataset, const Component& component) {
  Json names = Json::array();
  if (!dataset.variable_names.empty()) {
    for (const Index variable : component.support) {
      names.push_back(dataset.variable_names[static_cast<std::size_t>(variable)]);
    }
  }
  return {{"indices", component.support},
          {"values", std::vector<double>(component.values.begin(), component.values.end())},
          {"names", names},
          {"explained_variance", dataset.covariance->quadratic_form(component)}};
}

std::string component_text(const PreparedSolve& prepared, const SolveReport& report,
                           std::size_t j) {
  const Component& component = report.outcome.solution.components[j];
  const double variance = prepared.dataset.covariance->quadratic_form(component);
  std::string text =
      fmt::format("component {}: {} nonzero{}, explained variance {} ({} of the trace)\n", j + 1,
                  component.cardinality(), component.cardinality() == 1 ? "" : "s",
                  significant_text(variance, 6),
                  percent_text(variance / prepared.dataset.covariance->total_variance()));
  std::vector<Index> order(component.support.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(component.values[a]) > std::abs(component.values[b]);
  });
  std::vector<std::vector<std::string>> rows;
  rows.reserve(order.size());
  for (const Index i : order) {
    rows.push_back(
        {"  " + variable_name(prepared.dataset, component.support[static_cast<std::size_t>(i)]),
         fmt::format("{: .6f}", component.values[i])});
  }
  return text + aligned(rows) + "\n";
}

/// "reading 3.1 s; solving 2.4 s (eigenpairs 80 %, rest 20 %); checking the bound 0.2 s".
std::string time_text(const PreparedSolve& prepared, const SolveCost& cost) {
  std::string text = fmt::format("reading {:.3g} s; solving {:.3g} s", prepared.reading_seconds,
                                 cost.solve_seconds);
  const std::string check = std::isfinite(cost.check_seconds)
                                ? fmt::format("; checking the bound {:.3g} s", cost.check_seconds)
                                : "";
  if (cost.phases.empty()) {
    return text + check;
  }
  double rest = cost.solve_seconds;
  std::vector<std::string> shares;
  for (const auto& [name, seconds] : cost.phases) {
    shares.push_back(fmt::format("{} {}", name, percent_text(seconds / cost.solve_seconds, 0)));
    rest -= seconds;
  }
  // A solver may name a phase "search": what it does not name has a word of its own.
  shares.push_back(
      fmt::format("rest {}", percent_text(std::max(rest, 0.0) / cost.solve_seconds, 0)));
  return fmt::format("{} ({}){}", text, fmt::join(shares, ", "), check);
}

std::string notes_text(const PreparedSolve& prepared, const SolveReport& report) {
  std::string text;
  const SolveOutcome& outcome = report.outcome;
  if (outcome.tuned) {
    const std::string& option = prepared.request.solver->traits.tuning.option;
    text += fmt::format("note: {} was tuned to the cardinality: {}\n", option,
                        json_line(outcome.options[option]));
  }
  if (outcome.cardinality_missed) {
    const bool is_cut = outcome.solution.status == Status::kTimeLimit;
    text += fmt::format("note: {} {} the cardinality asked for; this is the nearest from below\n",
                        prepared.request.solver->name, is_cut ? "did not reach" : "cannot reach");
  }
  if (outcome.truncated) {
    text += fmt::format(
        "note: the largest loadings of a larger answer, refitted; `--set {}=false` gives the "
        "nearest "
        "from below\n",
        kTruncateOption);
  }
  if (prepared.request.solver->traits.rule == SparsityRule::kDense) {
    text += "note: this solver is not sparse; it is the ceiling for those that are\n";
  }
  for (const std::string& note : report.notes) {
    text += fmt::format("note: {}\n", printable(note));
  }
  return text;
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
    // Who has interrupted the solve waits for its answer; who interrupts now, for what is known.
    const double patience = stop_requested() ? kMeasuringAfterStop : prepared.measuring_limit;
    const double limit = std::min(check_time_limit(prepared.request.seconds), patience);
    Spectrum spectrum(*prepared.dataset.covariance);
    spectrum.limit(limit);
    if (!stop_requested()) {
      spectrum.end_at_stop();
    }
    // One solve, one answer: what it found of S need not be found again. The cells of a run share
    // what is computed apart from all solvers.
    for (const auto& [count, values] : report.outcome.eigenvalues) {
      spectrum.know(values);
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
  if (!report.usable) {
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
               {"facts", facts}};
  if (!report.certificate.is_null()) {
    json["certificate"] = report.certificate;
  }
  return json;
}

std::string report_text(const PreparedSolve& prepared, const SolveReport& report) {
  const Covariance& covariance = *prepared.dataset.covariance;
  const SolveOutcome& outcome = report.outcome;
  const Solution& solution = outcome.solution;
  std::string text = fmt::format(
      "{}: {}{}{}; {}p = {}\n\n", prepared.request.solver->name, status_name(solution.status),
      solution.message.empty() ? "" : ", ", solution.message,
      covariance.samples() > 0 ? fmt::format("n = {}, ", covariance.samples()) : "",
      covariance.variables());
  for (std::size_t j = 0; j < solution.components.size(); ++j) {
    text += component_text(prepared, report, j);
  }
  if (report.usable) {
    const std::size_t r = solution.components.size();
    const auto metric = [&](const char* name) { return report.metrics.at(name).front(); };
    text += fmt::format("total: explained variance {}, {} of {}, {} of the trace\n",
                        significant_text(metric("explained_variance"), 6),
                        fixed_text(metric("explained_variance_ratio"), 4),
                        r == 1 ? "lambda_1" : fmt::format("lambda_1 + ... + lambda_{}", r),
                        percent_text(metric("variance_share")));
    if (r > 1) {
      text += fmt::format("       adjusted variance {:.6g}, projected variance {:.6g}\n",
                          metric("adjusted_variance"), metric("projected_variance"));
    }
    // Components that overlap count twice what they share: their plain sum may exceed the bound.
    const bool counts_twice =
        r > 1 && metric("explained_variance") > (1 + kSameVariance) * metric("projected_variance");
    text +=
        fmt::format("       upper bound {}{}, gap {}\n", significant_text(report.upper_bound, 6),
                    counts_twice ? " of the projected variance" : "", percent_text(report.gap));
    text += fmt::format("       {}\n", time_text(prepared, outcome.cost));
  }
  for (const auto& [name, values] : outcome.facts) {
    text += fmt::format("       {}: {:.10g}\n", name, fmt::join(values, ", "));
  }
  return text + notes_text(prepared, report);
}

}  // namespace spca::cli
