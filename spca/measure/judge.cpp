#include "spca/measure/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "spca/base/error.h"

namespace spca {
namespace {

using Measured = std::map<std::string, std::vector<double>>;

std::string find_wrong_components(const Answer& answer, const Covariance& covariance) {
  const Index p = covariance.variables();
  const std::vector<Component>& components = answer.solution.components;
  if (components.size() == 1 && components[0].support.empty() && components[0].values.size() == 0 &&
      answer.components == 1 && may_be_empty(answer.solver, answer.cardinality)) {
    return "";
  }
  // If the time ran out, the components found before are an answer.
  const bool is_cut = answer.solution.status == Status::kTimeLimit && !components.empty() &&
                      std::ssize(components) < answer.components;
  if (!is_cut && std::ssize(components) != answer.components) {
    return fmt::format("{} components, not {}", components.size(), answer.components);
  }
  const std::string wrong = find_infeasibility(
      components, p, binding_cardinality(answer.solution, answer.cardinality), answer.disjoint);
  return wrong.empty() ? find_dependence(components, covariance,
                                         orthogonality_of(answer.solver, answer.options))
                       : wrong;
}

/// Empty, or the first law that the answer breaks. What is measured already is taken from there.
std::string find_broken_law(const SolverEntry& solver, const MetricContext& context,
                            const Measured& measured) {
  for (const std::string& law : solver.traits.laws) {
    const MetricEntry* metric = MetricRegistry::instance().find(law);
    SPCA_CHECK(metric != nullptr, "a law of solver " + solver.name + " is no metric: " + law);
    const auto known = measured.find(law);
    for (const double value : known == measured.end() ? measure(*metric, context) : known->second) {
      if (value < -metric->traits.absolute_tolerance) {
        return fmt::format("breaks its law {0} >= 0: found {1:.6g}, {0} = {2}", law, value,
                           metric->traits.formula);
      }
    }
  }
  return "";
}

}  // namespace

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
                        .cardinality = binding_cardinality(answer.solution, answer.cardinality)};
  if (answer.upper_bound) {
    context.upper_bound = *answer.upper_bound;
  } else if (any_metric(metrics, &MetricTraits::needs_bound)) {
    const CheckedBound bound = upper_bound_within(
        answer.check_limit, answer.solver, answer.solution,
        binding_cardinality(answer.solution, answer.cardinality), covariance, spectrum);
    context.upper_bound = bound.value;
    judgement.check_seconds = bound.check_seconds;
    if (bound.was_stopped) {
      judgement.note = fmt::format(
          "the check of the certificate was stopped at its limit of {:.3g} s: the bound is a "
          "weaker one",
          answer.check_limit);
    }
  }
  for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
    if (wants_metric(metrics, name)) {
      judgement.metrics[name] = measure(metric, context);
    }
  }
  judgement.wrong = find_broken_law(answer.solver, context, judgement.metrics);
  if (!judgement.wrong.empty()) {
    judgement.metrics.clear();
    return judgement;
  }
  judgement.upper_bound = context.upper_bound;
  if (spectrum.was_stopped()) {
    judgement.note += fmt::format(
        "{}the eigenvalues of S were not found within the time that measuring may take: "
        "what needs them is not measured",
        judgement.note.empty() ? "" : "; ");
  }
  return judgement;
}

std::string find_fault(const Answer& answer, const Dataset& dataset, const Spectrum& spectrum) {
  // No metric has an empty name, so this list asks for none. An empty list would ask for the
  // default ones.
  return judge(answer, dataset, spectrum, {""}).wrong;
}

}  // namespace spca
