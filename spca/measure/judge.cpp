#include "spca/measure/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <new>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/dense/dense_selections.h"
#include "spca/measure/contradiction.h"
#include "spca/measure/metric_formulas.h"
#include "spca/measure/rival.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/upper_bound.h"

namespace spca {
namespace {

// The text within a part of a message that unmeasured_note() makes, and the separator of parts.
constexpr char kIsUnmeasured[] = " is not measured: ";
constexpr char kBetweenNotes[] = "; ";

using Measured = std::map<std::string, std::vector<double>>;

bool lacks_components(const Answer& answer) {
  return std::ssize(answer.solution.components) < answer.components;
}

std::string find_wrong_components(const Answer& answer, const Covariance& covariance) {
  const Index p = covariance.variables();
  const std::vector<Component>& components = answer.solution.components;
  // The components found before a missing one are an answer.
  const bool is_cut = may_lack_components(answer.solution.status) && !components.empty() &&
                      lacks_components(answer);
  if (!is_cut && std::ssize(components) != answer.components) {
    return fmt::format("{} components, not {}", components.size(), answer.components);
  }
  const std::string wrong =
      find_infeasibility(components, p, binding_cardinality(answer.solution, answer.cardinality),
                         answer.disjoint ? Supports::kDisjoint : Supports::kAny);
  return wrong.empty() ? find_dependence(components, covariance,
                                         orthogonality_of(answer.solver, answer.options))
                       : wrong;
}

void add_note(Judgement& judgement, const std::string& note) {
  judgement.note += (judgement.note.empty() ? "" : kBetweenNotes) + note;
}

/// Measures the metric. If it fails, only its own numbers are lost, and the note says why.
std::vector<double> measure_guarded(const Answer& answer, const MetricEntry& metric,
                                    const MetricContext& context, Judgement& judgement) {
  const std::vector<double> nothing = unmeasured(metric, context.components.size());
  if (answer.without.contains(metric.name)) {
    return nothing;
  }
  if (answer.on_metric) {
    answer.on_metric(metric.name, judgement);
  }
  std::string why;
  try {
    return metric.measure(context);
  } catch (const NumericalError& error) {
    if (context.spectrum.was_stopped()) {
      return nothing;  // judge() adds one note for all metrics
    }
    why = kept_message(error.what());
  } catch (const std::bad_alloc&) {
    judgement.out_of_memory = true;
    why = "out of memory";
  } catch (const std::exception& error) {
    why = kept_message(error.what());
  } catch (...) {
    why = "an exception that is not a std::exception";
  }
  judgement.has_failed = true;
  add_note(judgement, unmeasured_note(metric.name, why));
  return nothing;
}

/// Returns an empty string, or the first law that the answer breaks. Metrics that are measured
/// already are reused.
std::string find_broken_law(const Answer& answer, const MetricContext& context,
                            Judgement& judgement) {
  const SolverEntry& solver = answer.solver;
  const Measured& measured = judgement.metrics;
  for (const std::string& law : solver.traits.laws) {
    const MetricEntry* metric = MetricRegistry::instance().find(law);
    SPCA_CHECK(metric != nullptr, "a law of solver " + solver.name + " is not a metric: " + law);
    const auto known = measured.find(law);
    for (const double value : known == measured.end()
                                  ? measure_guarded(answer, *metric, context, judgement)
                                  : known->second) {
      if (value < -metric->traits.absolute_tolerance) {
        return fmt::format("breaks its law {0} >= 0: found {1:.6g}, {0} = {2}", law, value,
                           metric->traits.formula);
      }
    }
  }
  return "";
}

/// Returns the sum of the r largest eigenvalues, which the spectrum has computed. A negative
/// eigenvalue counts as zero: loadings that depend on each other span fewer dimensions.
double largest_eigenvalues(const MetricContext& context) {
  const Index count = std::min(std::ssize(context.components), context.covariance.variables());
  return context.spectrum.leading(count).head(count).cwiseMax(0.0).sum();
}

/// Returns every measured bound that holds for the answer; NaN for a bound without a value.
std::vector<SourcedNumber> bounds_on(const MetricContext& context, const Measured& measured,
                                     const std::string& source_of_bound) {
  const std::vector<Component>& components = context.components;
  const Covariance& covariance = context.covariance;
  std::vector<SourcedNumber> bounds = {{context.upper_bound, source_of_bound}};
  // No metric is computed here: only measure_guarded() handles their time and their failures.
  if (std::isfinite(first_value(measured, "explained_variance_ratio"))) {
    bounds.push_back({largest_eigenvalues(context), "the largest eigenvalues of S"});
  }
  const auto add_metric = [&](const char* name) {
    bounds.push_back({first_value(measured, name), fmt::format("the metric {}", name)});
  };
  // These two hold for one component, and have no value for several.
  add_metric("upper_bound_greedy");
  add_metric("upper_bound_relaxation");
  if (measured.contains("upper_bound_orthogonal") &&
      find_dependence(components, covariance, {.of_loadings = true}).empty()) {
    add_metric("upper_bound_orthogonal");
  }
  if (measured.contains("upper_bound_disjoint") &&
      find_infeasibility(components, covariance.variables(), {}, Supports::kDisjoint).empty()) {
    add_metric("upper_bound_disjoint");
  }
  return bounds;
}

/// Returns the projected variance of the answer; NaN if it cannot be computed.
double value_of(const MetricContext& context, const Measured& measured) {
  if (measured.contains("projected_variance")) {
    return first_value(measured, "projected_variance");
  }
  try {
    return projected_variance_sum(context);
  } catch (const std::exception&) {
    return kNotMeasured;  // the metrics that need it report the reason
  }
}

/// Returns the variance that the answer explains, and that of the same number of single variables,
/// which are feasible for any cardinalities.
std::vector<SourcedNumber> feasible_values(const Answer& answer, const MetricContext& context,
                                           const Measured& measured) {
  Vector variances = context.covariance.diagonal();
  const Index count = std::min(std::ssize(context.components), variances.size());
  return {{value_of(context, measured),
           fmt::format("the variance that the answer of {} explains", answer.solver.name)},
          {sum_of_largest({variances.data(), static_cast<std::size_t>(variances.size())}, count),
           count == 1 ? "the variance of one variable" : "the variance of single variables"}};
}

/// Returns an empty string, or the reason why the bound that the solver gave is below the value of
/// a feasible answer near its own.
std::string find_better_answer(const MetricContext& context, const CheckedBound& bound) {
  if (!bound.is_of_solver || context.cardinality.size() != context.components.size() ||
      !find_infeasibility(context.components, context.covariance.variables(), context.cardinality,
                          Supports::kDisjoint)
           .empty()) {
    return "";
  }
  return find_contradiction(
      SourcedNumber{rival_value(context.covariance, context.components, context.cardinality),
                    "the variance of an answer that steps of power iteration find"},
      SourcedNumber{bound.value, bound.source});
}

/// Returns an empty string, or the first bound that is below a feasible value, as a contradiction.
std::string find_broken_bound(const Answer& answer, const MetricContext& context,
                              const Measured& measured, const std::string& source_of_bound) {
  std::vector<SourcedNumber> bounds = bounds_on(context, measured, source_of_bound);
  std::erase_if(bounds, [](const SourcedNumber& bound) { return std::isnan(bound.number); });
  return bounds.empty() ? ""
                        : find_contradiction(feasible_values(answer, context, measured), bounds);
}

}  // namespace

double first_value(const Measured& metrics, const char* name) {
  const auto found = metrics.find(name);
  return found == metrics.end() || found->second.empty() ? kNotMeasured : found->second.front();
}

std::string unmeasured_note(const std::string& metric, const std::string& why) {
  std::string note = metric + kIsUnmeasured + why;
  std::replace(note.begin(), note.end(), ';', ',');
  return note;
}

std::string without_unmeasured_notes(const std::string& message) {
  std::string kept;
  for (std::size_t begin = 0; begin < message.size();) {
    const std::size_t end = std::min(message.find(kBetweenNotes, begin), message.size());
    const std::string part = message.substr(begin, end - begin);
    if (part.find(kIsUnmeasured) == std::string::npos) {
      kept += (kept.empty() ? "" : kBetweenNotes) + part;
    }
    begin = end + std::size(kBetweenNotes) - 1;
  }
  return kept;
}

bool wants_metric(const std::vector<std::string>& metrics, const std::string& name) {
  if (!metrics.empty()) {
    return std::find(metrics.begin(), metrics.end(), name) != metrics.end();
  }
  const MetricEntry* metric = MetricRegistry::instance().find(name);
  return metric != nullptr && metric->traits.by_default;
}

bool any_metric(const std::vector<std::string>& metrics, bool MetricTraits::*trait) {
  const auto& entries = MetricRegistry::instance().entries();
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    return entry.second.traits.*trait && wants_metric(metrics, entry.first);
  });
}

std::vector<std::string> metrics_without_bound() {
  std::vector<std::string> names;
  for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
    if (metric.traits.by_default && !metric.traits.needs_bound) {
      names.push_back(name);
    }
  }
  return names;
}

Judgement judge(const Answer& answer, const Dataset& dataset, const Spectrum& spectrum,
                const std::vector<std::string>& metrics) {
  const Covariance& covariance = *dataset.covariance;
  Judgement judgement;
  judgement.wrong = find_wrong_components(answer, covariance);
  if (!judgement.wrong.empty()) {
    return judgement;
  }
  MetricContext context{.covariance = covariance,
                        .components = answer.solution.components,
                        .truth = dataset.truth,
                        .spectrum = spectrum,
                        .cost = answer.cost,
                        .penalty = answer.penalty,
                        .rank = rank_of(answer.solver, answer.options),
                        .labels = dataset.labels.empty() ? nullptr : &dataset.labels,
                        .seed = answer.seed,
                        .cardinality = binding_cardinality(answer.solution, answer.cardinality),
                        .search_seconds = answer.search_seconds};
  if (answer.on_metric) {
    answer.on_metric("", judgement);
  }
  CheckedBound bound{.value = kNotMeasured, .source = answer.bound_source};
  if (lacks_components(answer)) {
    // A bound on the components found would be none on the problem.
  } else if (answer.upper_bound) {
    bound.value = raised_by_rounding(*answer.upper_bound, value_of(context, {}));
  } else if (any_metric(metrics, &MetricTraits::needs_bound)) {
    bound = upper_bound_within(answer.check_limit, answer.solver, answer.solution,
                               context.cardinality, covariance, spectrum);
    judgement.check_seconds = bound.check_seconds;
    if (bound.was_stopped) {
      judgement.note = fmt::format(
          "the check of the certificate was stopped at its limit of {:.3g} s: the bound is a "
          "weaker one",
          answer.check_limit);
    }
  }
  context.upper_bound = bound.value;
  // Before metrics are measured, which may take long: a wrong answer ends the judgement here.
  judgement.wrong = find_broken_bound(answer, context, {}, bound.source);
  if (judgement.wrong.empty()) {
    judgement.wrong = find_better_answer(context, bound);
  }
  if (!judgement.wrong.empty()) {
    return judgement;
  }
  judgement.upper_bound = context.upper_bound;
  for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
    if (wants_metric(metrics, name)) {
      judgement.metrics[name] = measure_guarded(answer, metric, context, judgement);
    }
  }
  judgement.wrong = find_broken_law(answer, context, judgement);
  if (judgement.wrong.empty()) {
    judgement.wrong = find_broken_bound(answer, context, judgement.metrics, bound.source);
  }
  if (!judgement.wrong.empty()) {
    judgement.metrics.clear();
    judgement.upper_bound = kNotMeasured;
    return judgement;
  }
  if (spectrum.was_stopped()) {
    add_note(judgement,
             "the eigenvalues of S were not found within the time that measuring may take: metrics "
             "that need them are not measured");
  }
  return judgement;
}

std::string find_fault(const Answer& answer, const Dataset& dataset, const Spectrum& spectrum) {
  // No metric has an empty name, so this list asks for none. An empty list would ask for the
  // default ones.
  return judge(answer, dataset, spectrum, {""}).wrong;
}

}  // namespace spca
