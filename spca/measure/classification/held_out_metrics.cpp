#include "spca/measure/classification/held_out_metrics.h"

#include <map>

#include "spca/base/random.h"

namespace spca {

HeldOutError held_out_error_of_scores(const MetricContext& context, const Machine& machine) {
  const Covariance& covariance = context.covariance;
  if (context.labels == nullptr || !covariance.has_data_form() ||
      std::ssize(*context.labels) != covariance.samples()) {
    return {};
  }
  // The factor 1 / sqrt(n) of X makes no difference to a machine that scales its features. Any
  // other machine needs X without the factor.
  std::shared_ptr<const Covariance> plain;
  if (!machine.scaled) {
    plain = covariance.in_form({.scale = Scale::kNone});
    if (!plain) {
      return {};
    }
  }
  const Covariance& data = plain ? *plain : covariance;
  Matrix scores(data.samples(), std::ssize(context.components));
  for (Index j = 0; j < scores.cols(); ++j) {
    scores.col(j) = data.data_product(context.components[static_cast<std::size_t>(j)]);
  }
  return held_out_error(scores, *context.labels, context.seed, machine);
}

HeldOutError held_out_error_of_variables(const MetricContext& context, const Machine& machine) {
  const Covariance& covariance = context.covariance;
  if (context.labels == nullptr || !covariance.has_data_form() ||
      std::ssize(*context.labels) != covariance.samples()) {
    return {};
  }
  // Several metrics (mean, standard error, balanced error) come from one validation, which may take
  // minutes. The data are identified by X'u for a random u. The newest validation of each kernel is
  // kept.
  struct Validation {
    Vector fingerprint;
    std::vector<int> labels;
    std::uint64_t seed = 0;
    Machine machine;
    HeldOutError error;
  };
  thread_local std::map<Machine::Kernel, Validation> newest;
  Validation& last = newest[machine.kernel];
  Random random(context.seed);
  Vector u(covariance.samples());
  for (double& entry : u) {
    entry = random.normal();
  }
  Vector fingerprint = covariance.transpose_product(u);
  if (last.seed != context.seed || last.machine != machine || last.labels != *context.labels ||
      last.fingerprint.size() != fingerprint.size() || last.fingerprint != fingerprint) {
    last = {.fingerprint = std::move(fingerprint),
            .labels = *context.labels,
            .seed = context.seed,
            .machine = machine,
            .error = held_out_error(covariance, *context.labels, context.seed, machine)};
  }
  return last.error;
}

}  // namespace spca
