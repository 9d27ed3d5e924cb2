/// Instances of one component.

#include "harness/instances/instance_class.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::instances_one_component {
namespace {

std::vector<Component> settle(const Covariance& covariance, const std::vector<Support>& supports,
                              Index) {
  return {best_on_support(covariance, supports.at(0)).component};
}

const InstanceClass kOneComponent = {.name = "one-component",
                                     .file = "",
                                     .tag = "",
                                     .summary = "one component",
                                     .problem = "max v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k",
                                     .metric = "projected_variance",
                                     .generality = 0,
                                     .find_fault = find_wrong_sizes,
                                     .settle = settle,
                                     .prover = "branch-bound",
                                     .bounds = {bound_by_metric("upper_bound_diagonal")}};

SPCA_INSTANCES(kOneComponent);

}  // namespace
}  // namespace spca::instances_one_component
