/// Instances of several components whose supports share no variable.

#include "harness/instances/instance_class.h"
#include "spca/solving/feasibility.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::instances_disjoint {
namespace {

std::vector<Component> settle(const Covariance& covariance, const std::vector<Support>& supports,
                              Index) {
  std::vector<Component> components;
  components.reserve(supports.size());
  for (const Support& support : supports) {
    components.push_back(best_on_support(covariance, support).component);
  }
  return components;
}

std::string find_fault(const std::vector<Component>& components, const InstanceSize& size) {
  const std::string wrong = find_wrong_sizes(components, size);
  return wrong.empty() ? find_infeasibility(components, size.p, {}, Supports::kDisjoint) : wrong;
}

const InstanceClass kDisjoint = {
    .name = "disjoint",
    .file = "",
    .tag = "disjoint",
    .summary = "several components whose supports share no variable",
    .problem = "max sum_j v_j'Sv_j  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k, disjoint supports",
    .metric = "projected_variance",
    .generality = 1,
    .has_several_components = true,
    .find_fault = find_fault,
    .settle = settle,
    .deflation = "remove-support",
    .prover = "branch-price"};

SPCA_INSTANCES(kDisjoint);

}  // namespace
}  // namespace spca::instances_disjoint
