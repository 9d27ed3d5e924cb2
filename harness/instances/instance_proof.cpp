#include "harness/instances/instance_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/records/build_facts.h"
#include "harness/records/manifest.h"
#include "spca/base/error.h"
#include "spca/base/parallel.h"
#include "spca/measure/judge.h"
#include "spca/solving/solve.h"
#include "spca/solving/upper_bound.h"

namespace spca {
namespace {

constexpr const char* kSpectrum = "spectrum";
constexpr const char* kChecked = "checked";
constexpr const char* kRecomputed = "recomputed";
// The seed of a prover. Its bound holds for every seed.
constexpr std::uint64_t kSeed = 1;

/// Collects bounds and keeps the best.
class BestBound {
 public:
  BestBound(const ProofRequest& request) : request_(request), direction_(request.of->direction()) {}

  void add(ProvedBound bound) {
    const bool is_less = bound.value < best_.value;
    const bool is_stronger =
        direction_ == Direction::kLowerIsBetter ? bound.value > best_.value : is_less;
    if (std::isfinite(bound.value) && (!std::isfinite(best_.value) || is_stronger)) {
      best_ = std::move(bound);
    }
  }
  bool is_enough() const { return is_proved(direction_, request_.value, best_.value); }
  const ProvedBound& best() const { return best_; }

 private:
  const ProofRequest& request_;
  Direction direction_;
  ProvedBound best_;
};

/// Returns "Intel(R) Xeon(R) Processor, 2 cores, 24 GiB".
std::string machine_in_words() {
  const Json machine = machine_information();
  constexpr double kGibibyte = 1U << 30U;
  return fmt::format("{}, {} cores, {:.0f} GiB", machine.at("processor").get<std::string>(),
                     machine.at("cores").get<Index>(),
                     machine.at("memory_bytes").get<double>() / kGibibyte);
}

ProvedBound bound_of(const std::string& by, const char* certificate, double value, double seconds,
                     const ProofRequest& request) {
  return {.value = value,
          .by = by,
          .version = build_facts().version,
          .options = nullptr,
          .seconds = seconds,
          .limit = request.seconds,
          .certificate = certificate,
          .machine = machine_in_words()};
}

std::vector<Index> cardinalities(const ProofRequest& request) {
  return std::vector<Index>(static_cast<std::size_t>(request.r), request.k);
}

/// Runs the prover of the class, and checks its certificate. Returns whether it gave a bound.
bool add_prover(const LoadedInstanceData& data, const ProofRequest& request, BestBound& best,
                InstanceProof& proof) {
  const SolverEntry& solver = SolverRegistry::instance().get(request.of->prover, request.of->name);
  const Json options = solver.complete_options(request.of->prover_options, "options");
  const Budget clock;
  SolveOutcome outcome = solve({.covariance = data.dataset.covariance,
                                .solver = &solver,
                                .options = options,
                                .components = request.r,
                                .cardinality = cardinalities(request),
                                .seed = kSeed,
                                .seconds = request.seconds,
                                .threads = request.threads});
  if (!is_answer(outcome.solution.status, !outcome.solution.components.empty()) ||
      std::ssize(outcome.solution.components) != request.r) {
    return false;
  }
  std::vector<Component> found = outcome.solution.components;
  const Judgement judgement = judge({.solver = solver,
                                     .options = outcome.options,
                                     .solution = std::move(outcome.solution),
                                     .components = request.r,
                                     .cardinality = cardinalities(request),
                                     .disjoint = outcome.disjoint,
                                     .check_limit = check_time_limit(request.seconds),
                                     .seed = kSeed},
                                    data.dataset, data.spectrum, {"upper_bound"});
  if (!judgement.wrong.empty()) {
    proof.contradiction = fmt::format("{}: {}", solver.name, judgement.wrong);
    return false;
  }
  proof.found = std::move(found);
  proof.found_by = solver.name;
  proof.found_options = options;
  ProvedBound bound =
      bound_of(solver.name, kChecked, judgement.upper_bound, clock.elapsed_seconds(), request);
  bound.options = options;
  best.add(std::move(bound));
  return std::isfinite(judgement.upper_bound);
}

/// Computes a bounding metric of the class.
void add_metric(const ClassBound& bound, const LoadedInstanceData& data,
                const ProofRequest& request, BestBound& best, InstanceProof& proof) {
  const SolveCost no_cost;
  const std::vector<Component> no_truth;
  const MetricContext context{.covariance = *data.dataset.covariance,
                              .components = request.components,
                              .truth = no_truth,
                              .spectrum = data.spectrum,
                              .cost = no_cost,
                              .cardinality = cardinalities(request),
                              .search_seconds = request.seconds};
  const Budget clock;
  const ComputedBound computed = bound.compute(context);
  best.add(bound_of(bound.name, kRecomputed, computed.value, clock.elapsed_seconds(), request));
  if (!computed.supports.empty()) {
    proof.found = request.of->settle(*data.dataset.covariance, computed.supports, request.r);
    proof.found_by = bound.name;
    proof.found_options = nullptr;
  }
}

/// Returns the smaller of lambda_1 + ... + lambda_r and r times the bound on one component. NaN if
/// the eigenvalues do not converge.
double variance_bound(const LoadedInstanceData& data, const ProofRequest& request) {
  try {
    const Index count = std::min(request.r, data.dataset.covariance->variables());
    return std::min(data.spectrum.leading(count).head(count).cwiseMax(0.0).sum(),
                    static_cast<double>(request.r) * data.spectrum.cardinality_bound(request.k));
  } catch (const NumericalError&) {
    return kNotMeasured;
  }
}

void add_plain(const LoadedInstanceData& data, const ProofRequest& request, BestBound& best) {
  const Budget clock;
  const double value =
      request.of->plain_bound ? request.of->plain_bound() : variance_bound(data, request);
  best.add(bound_of(kSpectrum, kRecomputed, value, clock.elapsed_seconds(), request));
}

}  // namespace

InstanceProof prove_instance(const LoadedInstanceData& data, const ProofRequest& request) {
  const ThreadAllowance allowance(request.threads);
  InstanceProof proof;
  BestBound best(request);
  add_plain(data, request, best);
  const bool is_bounded =
      !request.of->prover.empty() && !best.is_enough() && add_prover(data, request, best, proof);
  for (const ClassBound& bound : request.of->bounds) {
    if (!is_bounded && !best.is_enough()) {
      add_metric(bound, data, request, best, proof);
    }
  }
  if (!std::isfinite(best.best().value)) {
    throw NumericalError("no bound was found: the eigenvalues of S do not converge");
  }
  proof.bound = best.best();
  const Direction direction = request.of->direction();
  if (proof.contradiction.empty() && is_better(direction, request.value, proof.bound.value)) {
    proof.contradiction =
        fmt::format("contradiction: the value {:.12g} lies beyond the bound {:.12g} of {}",
                    request.value, proof.bound.value, proof.bound.by);
  }
  proof.bound.value = carried_outward(direction, proof.bound.value, request.value);
  return proof;
}

}  // namespace spca
