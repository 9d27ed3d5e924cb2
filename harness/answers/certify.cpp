#include "harness/answers/certify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/answers/derived_seed.h"
#include "harness/answers/guarded_solver.h"
#include "harness/answers/numbers_json.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/parallel.h"
#include "spca/measure/judge.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/upper_bound.h"

namespace spca {
namespace {

/// At least this relative difference makes a value better; a smaller one may be rounding.
constexpr double kBetter = 1e-9;

constexpr const char* kSpectrum = "spectrum";
constexpr const char* kOrthogonalBound = "upper_bound_orthogonal";

/// Returns the solver that searches for a bound on answers of the kind, or null if there is none.
const char* prover_of(AnswerKind kind) {
  return kind == AnswerKind::kOne        ? "branch-bound"
         : kind == AnswerKind::kDisjoint ? "branch-price"
                                         : nullptr;
}

std::vector<Index> nonzeros_of(const std::vector<Component>& components) {
  std::vector<Index> nonzeros;
  for (const Component& component : components) {
    nonzeros.push_back(component.cardinality());
  }
  return nonzeros;
}

void check_given(const GivenAnswer& given, Index p) {
  const std::vector<Component>& components = given.components;
  check_loadings(components, p);
  const bool is_beyond = std::any_of(given.cardinality.begin(), given.cardinality.end(),
                                     [p](Index k) { return k < 1 || k > p; });
  const std::string wrong =
      is_beyond ? fmt::format("found {}", fmt::join(given.cardinality, ", "))
                : find_infeasibility(components, p, given.cardinality, Supports::kAny);
  if (!wrong.empty()) {
    throw InputError(fmt::format(
        "cardinality: {}; accepted: for each component its nonzeros or more, up to p = {}", wrong,
        p));
  }
}

/// Judges the loadings, whatever their source, by the same rules as a solver's answer.
Judgement judge_given(const Request& request, const GivenAnswer& given,
                      const Certificate& certificate, double seconds) {
  const double limit = check_time_limit(seconds);
  // The judge takes expectations from a solver's traits; default traits expect nothing.
  Traits traits;
  traits.multiple_components = true;
  traits.disjoint = certificate.kind == AnswerKind::kDisjoint;
  const auto unused = [](const Problem&, const NoOptions&, Budget&) { return Solution(); };
  const SolverEntry solver = make_solver_entry("given", "", ErasedSolver(+unused), traits);
  const Json no_options = Json::object();
  Solution solution;
  solution.status = Status::kIterationLimit;  // the loadings do not say how their solver ended
  solution.message.clear();
  solution.components = given.components;
  std::vector<std::string> metrics = {"projected_variance", "explained_variance", "gap"};
  if (certificate.kind == AnswerKind::kOrthonormal) {
    metrics.emplace_back(kOrthogonalBound);
  }
  Spectrum spectrum(*request.dataset.covariance);
  spectrum.limit(limit);
  if (!stop_requested()) {
    spectrum.end_at_stop();
  }
  for (const auto& [count, values] : given.eigenvalues) {
    spectrum.seed_with(values);
  }
  return judge({.solver = solver,
                .options = no_options,
                .solution = solution,
                .components = std::ssize(given.components),
                .cardinality = certificate.cardinality,
                .disjoint = traits.disjoint,
                .check_limit = limit,
                .search_seconds = seconds,
                .seed = request.seed},
               request.dataset, spectrum, metrics);
}

/// Solves the problem with the solver that proves bounds for it.
ProvenAnswer prove(const char* name, const Request& request, const std::vector<Index>& cardinality,
                   double seconds, SolveWatch* watch) {
  ProvenAnswer proof{.request = request, .report = {}};
  proof.request.unconstrained = false;
  proof.request.metrics.clear();
  proof.request.measuring_limit = check_time_limit(seconds);
  const SolverEntry& solver = guarded_solver(SolverRegistry::instance().get(name, "solver"));
  proof.request.solve = {.covariance = request.dataset.covariance,
                         .solver = &solver,
                         .options = solver.complete_options(Json::object(), "options"),
                         .components = std::ssize(cardinality),
                         .cardinality = cardinality,
                         .seed = derived_seed(request.seed, "solver"),
                         .seconds = seconds,
                         .threads = request.solve.threads,
                         .watch = watch};
  SolveOutcome outcome = solve(proof.request.solve);
  proof.report = judged_report(proof.request, std::move(outcome));
  return proof;
}

/// Adds the bound that the search proved to `bounds`, and stores the search in the certificate. If
/// the answer of the search is invalid, records that as the contradiction.
void add_proof(ProvenAnswer proof, std::vector<SourcedNumber>& bounds, Certificate& certificate) {
  const Solution& solution = proof.report.outcome.solution;
  if (solution.status == Status::kInvalid) {
    certificate.contradiction =
        fmt::format("{}: {}", proof.request.solve.solver->name, solution.message);
  }
  bounds.push_back({proof.report.upper_bound, proof.request.solve.solver->name});
  certificate.proof = std::move(proof);
}

/// Sets the certificate's bound to the least of the finite `bounds`, the first one among equal
/// ones. Records a contradiction if the value exceeds it.
void set_least_bound(std::vector<SourcedNumber> bounds, Certificate& certificate) {
  std::erase_if(bounds, [](const SourcedNumber& bound) { return !std::isfinite(bound.number); });
  if (bounds.empty()) {
    return;
  }
  const SourcedNumber least =
      *std::min_element(bounds.begin(), bounds.end(),
                        [](const auto& a, const auto& b) { return a.number < b.number; });
  certificate.contradiction =
      find_contradiction({certificate.value, "the variance that the loadings explain"},
                         {least.number, "the bound of " + least.source});
  certificate.upper_bound = raised_by_rounding(least.number, certificate.value);
  certificate.source = least.source;
  certificate.gap = relative_gap(least.number, certificate.value);
}

bool is_whole(const SolveRequest& solve, const Solution& solution) {
  return is_answer(solution.status, !solution.components.empty()) &&
         std::ssize(solution.components) == solve.components;
}

/// Proves a bound for the requested problem if no complete answer shows which problem it is.
/// Returns nothing if no solver proves bounds for the problem.
std::optional<ProvenAnswer> prove_asked(const Request& request, double seconds, SolveWatch* watch) {
  const SolveRequest& solve = request.solve;
  const bool is_disjoint = must_be_disjoint(*solve.solver, solve.components, solve.deflation);
  if (request.unconstrained || !(solve.components == 1 || is_disjoint)) {
    return std::nullopt;
  }
  const char* const prover = prover_of(is_disjoint ? AnswerKind::kDisjoint : AnswerKind::kOne);
  return prove(prover, request, solve.cardinality, seconds, watch);
}

/// Sets `request` to that of the search and returns the report on its answer, with the note `why`.
SolveReport taken_over(Request& request, ProvenAnswer proof, const std::string& why) {
  request = std::move(proof.request);
  proof.report.notes.push_back(fmt::format("{} {}", request.solve.solver->name, why));
  return std::move(proof.report);
}

SolveReport invalid_report(SolveOutcome outcome, const std::string& why) {
  SolveReport report;
  report.outcome = std::move(outcome);
  report.outcome.solution.status = Status::kInvalid;
  report.outcome.solution.message = why;
  report.outcome.solution.components = report.outcome.found_before;
  return report;
}

std::string note_on_bound(const Certificate& certificate) {
  std::string source = fmt::format("what {} proved", certificate.source);
  if (!std::isfinite(certificate.upper_bound)) {
    source = "not known: the eigenvalues of S do not converge, or their time ended";
  } else if (certificate.source == kSpectrum) {
    source = "what eigenvalues, variances and rows of S allow";
  } else if (certificate.proof) {
    source += fmt::format(" in {:.3g} s", certificate.proof->report.outcome.cost.solve_seconds);
  }
  const std::string held =
      certificate.is_cardinality_asked
          ? ""
          : fmt::format("; no cardinality was asked for, and it holds for the {} nonzeros found",
                        fmt::join(certificate.cardinality, ", "));
  return fmt::format("the bound on {} is {}{}", kind_name(certificate.kind), source, held);
}

/// Returns the members of certificate_json() that describe the problem, and "source".
Json certified_json(const Certificate& certificate) {
  Json json = certificate_json(certificate);
  for (const char* member : {"value", "upper_bound", "gap", "metrics", "proof"}) {
    json.erase(member);
  }
  return json;
}

}  // namespace

void check_loadings(const std::vector<Component>& components, Index p) {
  const std::string wrong =
      components.empty() ? "none" : find_infeasibility(components, p, {}, Supports::kAny);
  if (!wrong.empty()) {
    throw InputError(
        fmt::format("components: {}; accepted: unit vectors on {} variables", wrong, p));
  }
}

Certificate certify(const Request& request, const GivenAnswer& given, double seconds,
                    SolveWatch* watch) {
  const Index p = request.dataset.covariance->variables();
  check_given(given, p);
  const ThreadAllowance allowance(request.solve.threads);
  Certificate certificate;
  certificate.kind = kind_of(given.components, p);
  certificate.is_cardinality_asked = !given.cardinality.empty();
  certificate.cardinality =
      certificate.is_cardinality_asked ? given.cardinality : nonzeros_of(given.components);
  Judgement judgement = judge_given(request, given, certificate, seconds);
  if (!judgement.wrong.empty()) {
    certificate.contradiction = std::move(judgement.wrong);
    return certificate;
  }
  certificate.metrics = std::move(judgement.metrics);
  certificate.value = first_value(certificate.metrics, "projected_variance");
  std::vector<SourcedNumber> bounds = {{judgement.upper_bound, kSpectrum}};
  if (const char* prover = prover_of(certificate.kind); prover != nullptr && !stop_requested()) {
    add_proof(prove(prover, request, certificate.cardinality, seconds, watch), bounds, certificate);
    if (!certificate.contradiction.empty()) {
      return certificate;
    }
  }
  bounds.push_back({first_value(certificate.metrics, kOrthogonalBound), kOrthogonalBound});
  set_least_bound(std::move(bounds), certificate);
  if (certificate.contradiction.empty()) {
    certificate.contradiction = compare_with_library(installed_library(), request.origin,
                                                     {.solver = "the given loadings",
                                                      .covariance = *request.dataset.covariance,
                                                      .components = given.components})
                                    .contradiction;
  }
  return certificate;
}

Json certificate_json(const Certificate& certificate) {
  Json metrics = Json::object();
  for (const auto& [name, numbers] : certificate.metrics) {
    metrics[name] = numbers_to_json(
        numbers, MetricRegistry::instance().get(name, "metrics").traits.per_component);
  }
  return {{"value", certificate.value},
          {"upper_bound", certificate.upper_bound},
          {"gap", certificate.gap},
          {"problem", kind_name(certificate.kind)},
          {"cardinality", certificate.cardinality},
          {"cardinality_source", certificate.is_cardinality_asked ? "asked" : "nonzeros"},
          {"source", certificate.source},
          {"metrics", metrics},
          {"proof", certificate.proof
                        ? report_json(certificate.proof->request, certificate.proof->report)
                        : Json(nullptr)}};
}

SolveReport certified_report(Request& request, SolveOutcome outcome, double seconds,
                             SolveWatch* watch) {
  const std::string asked = request.solve.solver->name;
  const Solution& solution = outcome.solution;
  if (!is_whole(request.solve, solution)) {
    std::optional<ProvenAnswer> proof = prove_asked(request, seconds, watch);
    if (proof && proof->report.usable) {
      return taken_over(request, *std::move(proof),
                        fmt::format("found an answer, and {} no whole one", asked));
    }
  }
  // A bound on some of the components would be none on the problem.
  if (!is_whole(request.solve, solution)) {
    return judged_report(request, std::move(outcome));
  }
  const std::vector<Index> cardinality =
      request.unconstrained ? std::vector<Index>{} : request.solve.cardinality;
  if (!find_infeasibility(solution.components, request.dataset.covariance->variables(), cardinality,
                          outcome.disjoint ? Supports::kDisjoint : Supports::kAny)
           .empty()) {
    return judged_report(request, std::move(outcome));  // the report says why
  }
  Certificate certificate = certify(request,
                                    {.components = solution.components,
                                     .cardinality = cardinality,
                                     .eigenvalues = outcome.eigenvalues},
                                    seconds, watch);
  if (!certificate.contradiction.empty()) {
    return invalid_report(std::move(outcome), certificate.contradiction);
  }
  std::optional<ProvenAnswer>& proof = certificate.proof;
  if (proof && proof->report.usable &&
      first_value(proof->report.metrics, "projected_variance") >
          (1 + kBetter) * certificate.value) {
    return taken_over(
        request, *std::move(proof),
        fmt::format("found a better answer than {}, which has {:.6g}", asked, certificate.value));
  }
  SolveReport report = judged_report(
      request, std::move(outcome), {certificate.upper_bound, "the bound of " + certificate.source});
  report.notes.push_back(note_on_bound(certificate));
  report.certificate = certified_json(certificate);
  return report;
}

}  // namespace spca
