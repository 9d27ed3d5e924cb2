#include "harness/cli/solve_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/cli/output.h"
#include "harness/records/shown_message.h"
#include "harness/tables/number_text.h"
#include "spca/base/interrupt.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"
#include "spca/solving/tuning.h"

namespace spca::cli {
namespace {

// At most this relative difference between the explained and the projected variance is rounding:
// without overlap, the two are equal.
constexpr double kSameVariance = 1e-9;

/// Returns the name of a variable in the data; if they have no names, the variable's position,
/// counted as in --columns.
std::string variable_name(const Dataset& dataset, Index variable) {
  return dataset.variable_names.empty()
             ? fmt::format("place {}", variable + 1)
             : printable(dataset.variable_names[static_cast<std::size_t>(variable)]);
}

std::string component_text(const Request& request, const SolveReport& report, std::size_t j) {
  const Component& component = report.outcome.solution.components[j];
  const double variance = request.dataset.covariance->quadratic_form(component);
  std::string text =
      fmt::format("component {}: {} nonzero{}, explained variance {} ({} of the trace)\n", j + 1,
                  component.cardinality(), component.cardinality() == 1 ? "" : "s",
                  significant_text(variance, 6),
                  percent_text(variance / request.dataset.covariance->total_variance()));
  std::vector<Index> order(component.support.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(component.values[a]) > std::abs(component.values[b]);
  });
  std::vector<std::vector<std::string>> rows;
  rows.reserve(order.size());
  for (const Index i : order) {
    rows.push_back(
        {"  " + variable_name(request.dataset, component.support[static_cast<std::size_t>(i)]),
         fmt::format("{: .6f}", component.values[i])});
  }
  return text + aligned(rows) + "\n";
}

/// Returns a text such as "reading 3.1 s; solving 2.4 s (eigenpairs 80 %, rest 20 %); checking the
/// bound 0.2 s".
std::string time_text(const Request& request, const SolveCost& cost) {
  std::string text = fmt::format("reading {:.3g} s; solving {:.3g} s", request.reading_seconds,
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
  // The remaining time is called "rest", not "search", because a solver may have a phase "search".
  shares.push_back(
      fmt::format("rest {}", percent_text(std::max(rest, 0.0) / cost.solve_seconds, 0)));
  return fmt::format("{} ({}){}", text, fmt::join(shares, ", "), check);
}

std::string notes_text(const Request& request, const SolveReport& report) {
  std::string text;
  const SolveOutcome& outcome = report.outcome;
  if (outcome.tuned) {
    const std::string& option = request.solve.solver->traits.tuning.option;
    text += fmt::format("note: {} was tuned to the cardinality: {}\n", option,
                        json_line(outcome.options[option]));
  }
  if (outcome.cardinality_missed) {
    const bool is_cut = outcome.solution.status == Status::kTimeLimit;
    text += fmt::format("note: {} {} the requested cardinality; this is the closest one below it\n",
                        request.solve.solver->name, is_cut ? "did not reach" : "cannot reach");
  }
  if (outcome.truncated) {
    text += fmt::format(
        "note: the largest loadings of an answer with more nonzeros, refitted; with `--set "
        "{}=false` the answer has the closest cardinality below the requested one\n",
        kTruncateOption);
  }
  if (request.solve.solver->traits.rule == SparsityRule::kDense) {
    text += "note: this solver is not sparse; no orthonormal sparse components explain more\n";
  }
  for (const std::string& note : report.notes) {
    text += fmt::format("note: {}\n", printable(note));
  }
  return text;
}

/// Returns the line of bound and gap. `of_what` follows the bound.
std::string bound_text(const SolveReport& report, Index components, const char* of_what) {
  const Index found = std::ssize(report.outcome.solution.components);
  return found < components
             ? fmt::format("       no upper bound: {} of {} components are no answer to bound\n",
                           found, components)
             : fmt::format("       upper bound {}{}, gap {}\n",
                           significant_text(report.upper_bound, 6), of_what,
                           percent_text(report.gap));
}

}  // namespace

std::string reason_text(const Request& request, const SolveReport& report) {
  const Solution& solution = report.outcome.solution;
  const bool is_late = solution.status == Status::kTimeLimit && solution.message.empty() &&
                       std::isfinite(request.solve.seconds) && !stop_requested();
  return is_late && !report.usable ? fmt::format("time limit of {:g} s", request.solve.seconds)
                                   : shown_message(solution.message);
}

std::string report_text(const Request& request, const SolveReport& report) {
  const Covariance& covariance = *request.dataset.covariance;
  const SolveOutcome& outcome = report.outcome;
  const Solution& solution = outcome.solution;
  const std::string reason = reason_text(request, report);
  std::string text =
      fmt::format("{}: {}{}{}; {}p = {}\n\n", request.solve.solver->name,
                  status_name(solution.status), reason.empty() ? "" : ", ", reason,
                  covariance.samples() > 0 ? fmt::format("n = {}, ", covariance.samples()) : "",
                  covariance.variables());
  for (std::size_t j = 0; j < solution.components.size(); ++j) {
    text += component_text(request, report, j);
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
    // The plain sum counts the shared part of overlapping components twice, and may exceed the
    // bound.
    const bool counts_twice =
        r > 1 && metric("explained_variance") > (1 + kSameVariance) * metric("projected_variance");
    text += bound_text(report, request.solve.components,
                       counts_twice ? " of the projected variance" : "");
    if (report.standing) {
      text += fmt::format("       {} {}\n", standing_text(*report.standing),
                          instance_text(*report.standing));
    }
    text += fmt::format("       {}\n", time_text(request, outcome.cost));
  }
  for (const auto& [name, values] : outcome.facts) {
    text += fmt::format("       {}: {:.10g}\n", name, fmt::join(values, ", "));
  }
  return text + notes_text(request, report);
}

}  // namespace spca::cli
