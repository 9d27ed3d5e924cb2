#include "harness/calls/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/cli/cardinality_suggestion.h"
#include "harness/cli/describe.h"
#include "harness/cli/guarded_solver.h"
#include "harness/cli/output.h"
#include "harness/cli/path_report.h"
#include "harness/cli/solve_report.h"
#include "harness/cli/solve_request.h"
#include "harness/peers/peer.h"
#include "spca/algebra/joint_loadings.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/io/resources.h"
#include "spca/measure/cardinality_path.h"
#include "spca/measure/judge.h"

namespace spca::calls {
namespace {

// Bound and value are sums in different orders, as in metrics/gap.cpp.
constexpr double kRounding = 1e-12;

std::vector<Component> components_of(const Loadings& loadings) {
  std::vector<Component> components;
  for (const auto& [indices, values] : loadings) {
    components.push_back({.support = indices,
                          .values = Eigen::Map<const Vector>(values.data(), std::ssize(values))});
  }
  return components;
}

/// The loadings as components. Throws InputError if they are none.
std::vector<Component> checked_components(const Loadings& loadings, Index p) {
  std::vector<Component> components = components_of(loadings);
  const std::string wrong = find_infeasibility(components, p, {}, false);
  if (components.empty() || !wrong.empty()) {
    throw InputError(fmt::format("components: {}; accepted: unit vectors on {} variables",
                                 components.empty() ? "none" : wrong, p));
  }
  return components;
}

bool are_disjoint(const std::vector<Component>& components, Index p) {
  return find_infeasibility(components, p, {}, true).empty();
}

bool are_orthogonal(const std::vector<Component>& components) {
  const Matrix gram = loadings_gram(components);
  return (gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() <=
         kOrthogonalTolerance;
}

/// Which problem loadings answer, and what bounds its optimum beside the spectrum.
struct ProblemOfLoadings {
  std::string name;
  std::string prover;  // a solver, or empty
  std::string metric;  // a bound, or empty
};

ProblemOfLoadings problem_of(const std::vector<Component>& components, Index p) {
  if (components.size() == 1) {
    return {"one component", "branch-bound", ""};
  }
  if (are_disjoint(components, p)) {
    return {"disjoint supports", "branch-price", ""};
  }
  if (are_orthogonal(components)) {
    return {"orthogonal loadings", "", "upper_bound_orthogonal"};
  }
  return {"any loadings", "", ""};
}

std::vector<Index> cardinalities_of(const std::vector<Component>& components) {
  std::vector<Index> cardinalities;
  for (const Component& component : components) {
    cardinalities.push_back(component.cardinality());
  }
  return cardinalities;
}

/// Loadings that somebody else found, as the judge measures those of a solver.
Judgement judge_given(const Data& data, const std::vector<Component>& components,
                      const std::vector<std::string>& metrics, const CertifyWords& words) {
  const Covariance& covariance = *data.dataset->covariance;
  // Stands where an answer has no solver: the judge asks what may be expected of one.
  Traits traits;
  traits.multiple_components = true;
  traits.disjoint = are_disjoint(components, covariance.variables());
  const auto unused = [](const Problem&, const NoOptions&, Budget&) { return Solution(); };
  const SolverEntry solver = make_solver_entry("given", "", ErasedSolver(+unused), traits);
  const Json no_options = Json::object();
  Solution solution;
  solution.status = Status::kIterationLimit;  // nothing is known of how it ended
  solution.message.clear();
  solution.components = components;
  Spectrum spectrum(covariance);
  spectrum.limit(check_time_limit(words.seconds));
  Judgement judgement = judge({.solver = solver,
                               .options = no_options,
                               .solution = solution,
                               .components = std::ssize(components),
                               .cardinality = cardinalities_of(components),
                               .disjoint = traits.disjoint,
                               .check_limit = check_time_limit(words.seconds),
                               .seed = words.seed},
                              *data.dataset, spectrum, metrics);
  SPCA_CHECK(judgement.wrong.empty(), judgement.wrong);
  return judgement;
}

cli::PreparedSolve prepared_solve(const Data& data, const SolveWords& words) {
  const cli::SolveValues values = {.solver = words.solver,
                                   .options = words.options,
                                   .cardinality = words.cardinality,
                                   .components = words.components,
                                   .deflation = words.deflation,
                                   .seed = words.seed,
                                   .threads = words.threads,
                                   .seconds = words.seconds};
  const cli::ArgumentNames names = {
      .prefix = "",
      .options = "options",
      .cardinalities = "a whole number >= 1, or one for each component",
      .cardinality = words.cardinality_name,
      .components = words.components_name};
  cli::PreparedSolve prepared = cli::prepare_solve(values, names, [&] { return *data.dataset; });
  prepared.reading_seconds = data.reading_seconds;
  if (!words.bound) {
    prepared.metrics = metrics_without_bound();
  }
  if (words.cell_seed) {
    prepared.request.seed = *words.cell_seed;
  }
  return prepared;
}

}  // namespace

const SolverEntry& solver_named(const std::string& name, const std::string& where) {
  return cli::guarded_solver(find_solver(name, where));
}

struct Solve::State {
  cli::PreparedSolve prepared;
  SolveOutcome outcome = {};
};

Solve::Solve(const Data& data, const SolveWords& words)
    : state_(std::make_unique<State>(State{prepared_solve(data, words)})) {}
Solve::~Solve() = default;

void Solve::run() { state_->outcome = solve(state_->prepared.request); }

Json Solve::judged(bool is_cut_short) {
  if (is_cut_short) {
    state_->prepared.metrics = metrics_without_bound();
  } else if (stop_requested()) {
    return nullptr;
  }
  return cli::report_json(state_->prepared,
                          cli::judged_report(state_->prepared, std::move(state_->outcome)));
}

Json path(const Data& data, const PathWords& words) {
  PathRequest request;
  request.dataset = *data.dataset;
  request.cardinalities = words.cardinalities;
  request.resamples = words.resamples;
  request.folds = words.folds;
  request.seed = cli::derived_seed(words.seed, "path");
  request.seconds = words.seconds;
  for (const SolverEntry* solver : words.solvers) {
    request.solvers.push_back(
        {.entry = solver, .options = solver->complete_options(words.options, "options")});
  }
  return cli::path_json(request.dataset, request.cardinalities, solve_path(request));
}

Json certify(const Data& data, const Loadings& loadings, const CertifyWords& words) {
  const Index p = data.dataset->covariance->variables();
  const std::vector<Component> components = checked_components(loadings, p);
  const ProblemOfLoadings problem = problem_of(components, p);
  std::vector<std::string> metrics = {"projected_variance", "explained_variance", "gap"};
  if (!problem.metric.empty()) {
    metrics.push_back(problem.metric);
  }
  const Judgement judgement = judge_given(data, components, metrics, words);
  Json measured = Json::object();
  for (const auto& [name, numbers] : judgement.metrics) {
    measured[name] = cli::numbers_to_json(
        numbers, MetricRegistry::instance().get(name, "metrics").traits.per_component);
  }

  Json proof;
  std::vector<std::pair<double, std::string>> bounds = {{judgement.upper_bound, "spectrum"}};
  if (!problem.prover.empty()) {
    Solve search(data, {.solver = &solver_named(problem.prover, "solver"),
                        .options = Json::object(),
                        .cardinality = cardinalities_of(components),
                        .seed = words.seed,
                        .threads = words.threads,
                        .seconds = words.seconds});
    search.run();
    proof = search.judged();
    bounds.emplace_back(proof["upper_bound"].get<double>(), problem.prover);
  }
  if (!problem.metric.empty()) {
    bounds.emplace_back(measured[problem.metric].get<double>(), problem.metric);
  }
  std::erase_if(bounds, [](const auto& bound) { return !std::isfinite(bound.first); });
  if (bounds.empty()) {
    throw NumericalError("no bound was found: the eigenvalues of S do not converge");
  }
  // The first of equal ones, as they stand above.
  const auto [upper_bound, source] = *std::min_element(
      bounds.begin(), bounds.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const double value = measured["projected_variance"].get<double>();
  const double gap = (upper_bound - value) / upper_bound;
  return {{"value", value},
          {"upper_bound", upper_bound},
          {"gap", std::abs(gap) <= kRounding ? 0.0 : gap},
          {"problem", problem.name},
          {"cardinality", cardinalities_of(components)},
          {"source", source},
          {"metrics", measured},
          {"proof", proof}};
}

std::vector<double> projected_variances(const Data& data, const Loadings& loadings) {
  const Covariance& covariance = *data.dataset->covariance;
  const std::vector<Component> components = checked_components(loadings, covariance.variables());
  const Matrix gram = loadings_gram(components);
  const Matrix variances = variance_matrix(covariance, components);
  std::vector<double> sums;
  for (Index j = 1; j <= gram.cols(); ++j) {
    sums.push_back(trace_on_span(gram.topLeftCorner(j, j), variances.topLeftCorner(j, j)));
  }
  return sums;
}

Index default_cardinality(Index wanted, Index p, Index components) {
  return cli::default_cardinality(wanted, p, components);
}

void add_installed_folder(const std::string& folder) { spca::add_installed_folder(folder); }

Json list_of(const std::string& what) { return cli::list_of(what); }

Json describe(const std::string& kind, const std::string& name, const std::string& where) {
  if (kind == "solver") {
    return cli::solver_description(solver_named(name, where));
  }
  return cli::description_of(kind, name, {});
}

}  // namespace spca::calls
