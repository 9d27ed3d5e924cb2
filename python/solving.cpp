#include "python/solving.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cli/output.h"
#include "harness/cli/path_report.h"
#include "harness/cli/solve_report.h"
#include "harness/cli/solve_request.h"
#include "python/interruption.h"
#include "python/json_value.h"
#include "python/python_solver.h"
#include "spca/algebra/joint_loadings.h"
#include "spca/base/error.h"
#include "spca/measure/cardinality_path.h"
#include "spca/measure/judge.h"

namespace spca::python {
namespace {

namespace py = pybind11;

const cli::ArgumentNames kNames = {
    .prefix = "",
    .options = "options",
    .cardinalities = "a whole number >= 1, or one for each component"};

Json options_of(const py::dict& options) { return to_json(options, "options"); }

std::vector<Component> components_of(const Loadings& loadings) {
  std::vector<Component> components;
  for (const auto& [indices, values] : loadings) {
    components.push_back({.support = indices,
                          .values = Eigen::Map<const Vector>(values.data(), std::ssize(values))});
  }
  return components;
}

void require_feasible(const std::vector<Component>& components, Index p) {
  const std::string wrong = find_infeasibility(components, p, {}, false);
  if (components.empty() || !wrong.empty()) {
    throw InputError(fmt::format("components: {}; accepted: unit vectors on {} variables",
                                 components.empty() ? "none" : wrong, p));
  }
}

/// Stands where an answer has no solver: the judge asks what may be expected of one.
SolverEntry solver_of(const std::vector<Component>& components, const Data& data) {
  Traits traits;
  traits.multiple_components = true;
  traits.disjoint = find_infeasibility(components, data.covariance().variables(), {}, true).empty();
  const auto unused = [](const Problem&, const NoOptions&, Budget&) { return Solution(); };
  return make_solver_entry("given", "", ErasedSolver(+unused), traits);
}

/// What is measured by default and needs no bound.
std::vector<std::string> metrics_without_bound() {
  std::vector<std::string> names;
  for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
    if (metric.traits.by_default && !metric.traits.needs_bound) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace

py::dict solve(const Data& data, const SolveWords& words) {
  const FoundSolver found = find_any_solver(words.solver, "solver");
  cli::SolveValues values;
  values.solver = found.entry.get();
  values.options = options_of(words.options);
  values.cardinality = words.cardinality;
  values.components = words.components;
  values.deflation = words.deflation;
  values.seed = words.seed;
  values.threads = words.threads;
  values.seconds = words.seconds;
  cli::PreparedSolve prepared =
      cli::prepare_solve(values, kNames, [&data] { return data.dataset; });
  prepared.reading_seconds = data.reading_seconds;
  if (!words.bound) {
    prepared.metrics = metrics_without_bound();
  }
  if (words.cell_seed) {
    prepared.request.seed = *words.cell_seed;
  }
  SolveOutcome outcome;
  Json json;
  const auto judge_outcome = [&] {
    json = cli::report_json(prepared, cli::judged_report(prepared, std::move(outcome)));
  };
  run_interruptibly(found.is_python, [&] {
    outcome = spca::solve(prepared.request);
    if (!stop_requested() && !*found.error) {
      judge_outcome();
    }
  });
  found.rethrow();
  if (json.is_null()) {
    // Interrupted, and the user's own handler did not throw: what was found before is the answer.
    prepared.metrics = metrics_without_bound();
    run_interruptibly(false, judge_outcome);
  }
  return to_python(json).cast<py::dict>();
}

py::dict path(const Data& data, const std::vector<std::string>& solvers, const py::dict& options,
              const std::vector<Index>& cardinalities, Index resamples, Index folds,
              std::uint64_t seed, double seconds) {
  PathRequest request;
  request.dataset = data.dataset;
  request.cardinalities = cardinalities;
  request.resamples = resamples;
  request.folds = folds;
  request.seed = cli::derived_seed(seed, "path");
  request.seconds = seconds;
  std::vector<FoundSolver> found;
  bool calls_python = false;
  for (const std::string& name : solvers) {
    found.push_back(find_any_solver(name, "solver"));
    calls_python = calls_python || found.back().is_python;
    request.solvers.push_back(
        {.entry = found.back().entry.get(),
         .options = found.back().entry->complete_options(options_of(options), "options")});
  }
  Json json;
  run_interruptibly(calls_python, [&] {
    json = cli::path_json(request.dataset, request.cardinalities, solve_path(request));
  });
  for (const FoundSolver& solver : found) {
    solver.rethrow();
  }
  return to_python(json).cast<py::dict>();
}

py::dict judge(const Data& data, const Loadings& loadings, const std::vector<std::string>& metrics,
               std::uint64_t seed, double seconds) {
  const std::vector<Component> components = components_of(loadings);
  const Covariance& covariance = data.covariance();
  require_feasible(components, covariance.variables());
  for (const std::string& metric : metrics) {
    MetricRegistry::instance().get(metric, "metrics");
  }
  const SolverEntry solver = solver_of(components, data);
  const Json no_options = Json::object();
  std::vector<Index> cardinality;
  for (const Component& component : components) {
    cardinality.push_back(component.cardinality());
  }
  Solution solution;
  solution.status = Status::kIterationLimit;  // nothing is known of how it ended
  solution.message.clear();
  solution.components = components;
  Judgement judgement;
  run_interruptibly(false, [&] {
    Spectrum spectrum(covariance);
    spectrum.limit(check_time_limit(seconds));
    judgement = spca::judge({.solver = solver,
                             .options = no_options,
                             .solution = solution,
                             .components = std::ssize(components),
                             .cardinality = cardinality,
                             .disjoint = solver.traits.disjoint,
                             .check_limit = check_time_limit(seconds),
                             .seed = seed},
                            data.dataset, spectrum, metrics);
  });
  SPCA_CHECK(judgement.wrong.empty(), judgement.wrong);
  Json measured = Json::object();
  for (const auto& [name, numbers] : judgement.metrics) {
    measured[name] = cli::numbers_to_json(
        numbers, MetricRegistry::instance().get(name, "metrics").traits.per_component);
  }
  return to_python({{"upper_bound", judgement.upper_bound},
                    {"message", judgement.note},
                    {"metrics", measured}})
      .cast<py::dict>();
}

std::vector<double> projected_variances(const Data& data, const Loadings& loadings) {
  const std::vector<Component> components = components_of(loadings);
  require_feasible(components, data.covariance().variables());
  const py::gil_scoped_release others_may_run;
  const Matrix gram = loadings_gram(components);
  const Matrix variances = variance_matrix(data.covariance(), components);
  std::vector<double> sums;
  for (Index j = 1; j <= gram.cols(); ++j) {
    sums.push_back(trace_on_span(gram.topLeftCorner(j, j), variances.topLeftCorner(j, j)));
  }
  return sums;
}

}  // namespace spca::python
