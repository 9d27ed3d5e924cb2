#include "harness/calls/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/answers/cardinality_suggestion.h"
#include "harness/answers/certify.h"
#include "harness/answers/compared_solvers.h"
#include "harness/answers/component_suggestion.h"
#include "harness/answers/derived_seed.h"
#include "harness/answers/descriptions.h"
#include "harness/answers/guarded_solver.h"
#include "harness/answers/lists.h"
#include "harness/answers/path_against_library.h"
#include "harness/answers/path_json.h"
#include "harness/answers/path_solver.h"
#include "harness/answers/request.h"
#include "harness/answers/solve_report.h"
#include "harness/peers/peer.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/io/resources.h"
#include "spca/measure/cardinality_path.h"
#include "spca/measure/judge.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca::calls {
namespace {

std::vector<Component> components_of(const Loadings& loadings) {
  std::vector<Component> components;
  for (const auto& [indices, values] : loadings) {
    components.push_back({.support = indices,
                          .values = Eigen::Map<const Vector>(values.data(), std::ssize(values))});
  }
  return components;
}

/// Returns the loadings as components. Throws InputError if the loadings are not valid components.
std::vector<Component> checked_components(const Loadings& loadings, Index p) {
  std::vector<Component> components = components_of(loadings);
  check_loadings(components, p);
  return components;
}

std::optional<DataOrigin> origin_of(const Data& data) {
  return data.origin == nullptr ? std::nullopt : std::optional(*data.origin);
}

Request request_of(const Data& data, const SolveArguments& arguments) {
  const SolveValues values = {.solver = arguments.solver,
                              .options = arguments.options,
                              .cardinality = arguments.cardinality,
                              .components = arguments.components,
                              .deflation = arguments.deflation,
                              .seed = arguments.seed,
                              .threads = arguments.threads,
                              .seconds = arguments.seconds};
  const ArgumentNames names = {.prefix = "",
                               .options = "options",
                               .cardinalities = fmt::format("a whole number >= 1, or one for each "
                                                            "component; `{}` helps to choose",
                                                            arguments.suggest_name),
                               .cardinality = arguments.cardinality_name,
                               .components = arguments.components_name};
  Request request = make_request(values, names, [&] { return *data.dataset; });
  request.reading_seconds = data.reading_seconds;
  request.origin = origin_of(data);
  if (!arguments.bound) {
    request.metrics = metrics_without_bound();
  }
  if (arguments.cell_seed) {
    request.solve.seed = *arguments.cell_seed;
  }
  return request;
}

}  // namespace

const SolverEntry& solver_named(const std::string& name, const std::string& where) {
  return guarded_solver(find_solver(name, where));
}

struct Solve::State {
  Request request;
  SolveOutcome outcome = {};
};

Solve::Solve(const Data& data, const SolveArguments& arguments)
    : state_(std::make_unique<State>(State{request_of(data, arguments)})) {}
Solve::~Solve() = default;

void Solve::run() { state_->outcome = solve(state_->request.solve); }

Json Solve::judged(bool is_cut_short) {
  if (is_cut_short) {
    state_->request.metrics = metrics_without_bound();
  } else if (stop_requested()) {
    return nullptr;
  }
  return report_json(state_->request, judged_report(state_->request, std::move(state_->outcome)));
}

Json path(const Data& data, const PathArguments& arguments) {
  PathRequest request;
  request.dataset = *data.dataset;
  request.cardinalities = arguments.cardinalities.empty()
                              ? tried_cardinalities(data.dataset->covariance->variables())
                              : arguments.cardinalities;
  request.resamples = arguments.resamples;
  request.folds = arguments.folds;
  request.seed = derived_seed(arguments.seed, "path");
  request.seconds = arguments.seconds;
  for (const SolverEntry* solver : arguments.solvers) {
    request.solvers.push_back(path_solver(*solver, arguments.options, "options"));
  }
  PathReport report = solve_path(request);
  hold_against_library(*request.dataset.covariance, request.cardinalities, origin_of(data), report);
  return path_json(request.dataset, request.cardinalities, report);
}

Json suggest(const Data& data, const SuggestArguments& arguments) {
  const ComponentSuggestionRequest request = {
      .dataset = *data.dataset,
      .solver = suggestion_solver(),
      .cardinalities = arguments.cardinalities,
      .most = arguments.most,
      .permutations = arguments.permutations,
      .folds = arguments.folds,
      .deflation = &suggestion_deflation(arguments.deflation, "deflation"),
      .seed = arguments.seed,
      .seconds = arguments.seconds};
  return suggestion_json(request.dataset, suggest_components(request, "x"));
}

Json certify(const Data& data, const Loadings& loadings, const CertifyArguments& arguments) {
  Request request;
  request.dataset = *data.dataset;
  request.origin = origin_of(data);
  request.seed = arguments.seed;
  request.solve.threads = arguments.threads;
  GivenAnswer given{.components = components_of(loadings), .cardinality = arguments.cardinality};
  if (given.cardinality.size() == 1) {
    given.cardinality.resize(given.components.size(), given.cardinality[0]);
  }
  const Certificate certificate = spca::certify(request, given, arguments.seconds);
  if (!certificate.contradiction.empty()) {
    throw NumericalError(certificate.contradiction);
  }
  if (!std::isfinite(certificate.upper_bound)) {
    throw NumericalError("no bound was found: the eigenvalues of S do not converge");
  }
  return certificate_json(certificate);
}

std::vector<double> projected_variances(const Data& data, const Loadings& loadings) {
  const Covariance& covariance = *data.dataset->covariance;
  const std::vector<Component> components = checked_components(loadings, covariance.variables());
  const Matrix gram = loadings_gram(components);
  const Matrix variances = variance_matrix(covariance, components);
  std::vector<double> sums;
  for (Index j = 1; j <= gram.cols(); ++j) {
    sums.push_back(variance_of_span(covariance, {components.begin(), components.begin() + j},
                                    gram.topLeftCorner(j, j), variances.topLeftCorner(j, j)));
  }
  return sums;
}

Index default_cardinality(Index wanted, Index p, Index components) {
  return spca::default_cardinality(wanted, p, components);
}

void add_installed_folder(const std::string& folder) { spca::add_installed_folder(folder); }

std::vector<std::string> compared_solvers(Index components) {
  return spca::compared_solvers(components);
}

Json list_of(const std::string& what) { return spca::list_of(what); }

Json describe(const std::string& kind, const std::string& name, const std::string& where) {
  if (kind == "solver") {
    return solver_description(solver_named(name, where));
  }
  return description_of(kind, name, {});
}

}  // namespace spca::calls
