#include "harness/cli/certify.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cli/guarded_solver.h"
#include "spca/base/error.h"

namespace spca::cli {
namespace {

/// A better value, and not the same one with other rounding.
constexpr double kBetter = 1e-9;

const char* certifier_of(const SolveRequest& request) {
  return request.components == 1 ? "branch-bound" : "branch-price";
}

double value_of(const Covariance& covariance, const std::vector<Component>& components) {
  double value = 0;
  for (const Component& component : components) {
    value += covariance.quadratic_form(component);
  }
  return value;
}

}  // namespace

void check_certifiable(const PreparedSolve& prepared) {
  const SolveRequest& request = prepared.request;
  if (prepared.unconstrained || request.cardinality.empty()) {
    throw InputError("--certify: no cardinality binds; accepted: with --cardinality");
  }
  if (request.components > 1 &&
      !must_be_disjoint(*request.solver, request.components, request.deflation)) {
    throw InputError(
        "--certify: the components may share variables; accepted: one component, or several with "
        "--deflation remove-support or a disjoint solver");
  }
}

SolveReport certified_report(PreparedSolve& prepared, SolveOutcome outcome, double seconds,
                             SolveWatch* watch) {
  const std::string asked = prepared.request.solver->name;
  PreparedSolve certifier = prepared;
  SolveRequest& request = certifier.request;
  request.solver =
      &guarded_solver(SolverRegistry::instance().get(certifier_of(request), "--certify"));
  request.options = request.solver->complete_options(Json::object(), "--certify");
  request.deflation = nullptr;
  request.seconds = seconds;
  request.watch = watch;
  SolveOutcome proof = solve(request);
  const Covariance& covariance = *request.covariance;
  const double value = value_of(covariance, outcome.solution.components);
  const double proven_value = value_of(covariance, proof.solution.components);
  const bool has_answer = !outcome.solution.components.empty();
  const bool has_proof = is_usable(proof.solution.status) && !proof.solution.components.empty();
  if (has_proof && (!has_answer || proven_value > (1 + kBetter) * value)) {
    prepared = std::move(certifier);
    SolveReport report = judged_report(prepared, std::move(proof));
    report.notes.push_back(fmt::format("{} found a better answer than {}, which has {:.6g}",
                                       prepared.request.solver->name, asked, value));
    return report;
  }
  double bound = kNotMeasured;
  if (has_proof) {
    Spectrum spectrum(covariance);
    spectrum.limit(check_time_limit(seconds));
    bound = upper_bound_within(check_time_limit(seconds), *request.solver, proof.solution,
                               binding_cardinality(proof.solution, request.cardinality), covariance,
                               spectrum)
                .value;
  }
  SolveReport report = judged_report(prepared, std::move(outcome), bound);
  report.notes.push_back(fmt::format("the bound is what {} proved in {:.3g} s",
                                     request.solver->name, proof.cost.solve_seconds));
  return report;
}

}  // namespace spca::cli
