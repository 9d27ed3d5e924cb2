#include "spca/measure/classification/held_out_metrics.h"

#include "spca/base/random.h"

namespace spca {

HeldOutError held_out_error_of_scores(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
  if (context.labels == nullptr || !covariance.has_data_form() ||
      std::ssize(*context.labels) != covariance.samples()) {
    return {};
  }
  Matrix scores(covariance.samples(), std::ssize(context.components));
  for (Index j = 0; j < scores.cols(); ++j) {
    scores.col(j) = covariance.data_product(context.components[static_cast<std::size_t>(j)]);
  }
  return held_out_error(scores, *context.labels, context.seed);
}

HeldOutError held_out_error_of_variables(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
  if (context.labels == nullptr || !covariance.has_data_form() ||
      std::ssize(*context.labels) != covariance.samples()) {
    return {};
  }
  // The mean and its standard error are two metrics of one validation, which may take minutes. The
  // data are identified by X'u for a random u.
  struct Validation {
    Vector fingerprint;
    std::vector<int> labels;
    std::uint64_t seed = 0;
    HeldOutError error;
  };
  thread_local Validation last;
  Random random(context.seed);
  Vector u(covariance.samples());
  for (double& entry : u) {
    entry = random.normal();
  }
  Vector fingerprint = covariance.transpose_product(u);
  if (last.seed != context.seed || last.labels != *context.labels ||
      last.fingerprint.size() != fingerprint.size() || last.fingerprint != fingerprint) {
    last = {.fingerprint = std::move(fingerprint),
            .labels = *context.labels,
            .seed = context.seed,
            .error = held_out_error(covariance, *context.labels, context.seed)};
  }
  return last.error;
}

}  // namespace spca
