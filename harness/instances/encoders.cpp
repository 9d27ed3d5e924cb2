/// Instances of linear encoders: r components on at most k columns of X, from which X is
/// reconstructed with the least loss.

#include "harness/instances/instance_class.h"
#include "spca/measure/encoder_metrics.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca::instances_encoders {
namespace {

std::vector<Component> settle(const Covariance& covariance, const std::vector<Support>& supports,
                              Index r) {
  return linear_encoder(covariance, supports.at(0), r).components;
}

std::string find_fault(const std::vector<Component>& components, const InstanceSize& size) {
  const std::string wrong = find_wrong_sizes(components, size);
  return wrong.empty() ? find_too_many_rows(components, size) : wrong;
}

/// Bounds the loss of all encoders on k rows from below. The metric information_loss_bound does so
/// for the number of rows that the answer has, which may be fewer than k.
ComputedBound least_loss_on_k_rows(const MetricContext& context) {
  return {least_loss_bound(context, context.cardinality.front())};
}

// The loss is relative to that of PCA, and no r components lose less than PCA (Eckart, Young).
double loss_of_pca() { return 1; }

const InstanceClass kEncoders = {
    .name = "encoders",
    .file = "",
    .tag = "encoder",
    .summary = "linear encoders on common variables, by what they lose",
    .problem = "min ||X - XH(XH)^+X||_F^2 / ||X - X_r||_F^2  s.t. at most k nonzero rows of H",
    .metric = "information_loss",
    .generality = 4,
    .has_common_support = true,
    .has_several_components = true,
    .find_fault = find_fault,
    .settle = settle,
    .bounds = {{.name = "information_loss_bound", .compute = least_loss_on_k_rows}},
    .plain_bound = loss_of_pca};

SPCA_INSTANCES(kEncoders);

}  // namespace
}  // namespace spca::instances_encoders
