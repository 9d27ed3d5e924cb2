/// Instances of several orthogonal components, which may share variables. Their loadings do not
/// follow from their supports.

#include "harness/instances/instance_class.h"
#include "harness/instances/instance_tolerances.h"
#include "spca/measure/orthogonal_variance_bound.h"

namespace spca::instances_orthogonal {
namespace {

std::string find_fault(const std::vector<Component>& components, const InstanceSize& size) {
  const std::string wrong = find_wrong_sizes(components, size);
  return wrong.empty() ? find_oblique_loadings(components) : wrong;
}

/// At most this relative distance to the value of the relaxation or of the enumeration: a tenth of
/// the gap of a proved instance.
constexpr double kClassAccuracy = kProvedGap / 10;

/// The same as the metric upper_bound_orthogonal, with an accuracy that can prove an optimum.
ComputedBound bound_by_relaxation(const MetricContext& context) {
  return {orthogonal_variance_bound(context, kClassAccuracy)};
}

const InstanceClass kOrthogonal = {
    .name = "orthogonal",
    .file = "",
    .tag = "orthogonal",
    .summary = "several orthogonal components, which may share variables",
    .problem = "max tr(V'SV)  s.t. V'V = I, ||v_j||_0 <= k",
    .metric = "projected_variance",
    .generality = 3,
    .has_several_components = true,
    .find_fault = find_fault,
    .deflation = "remove-support",  // disjoint components are orthogonal
    .prover = "orthogonal-branch",
    .prover_options = {{"accuracy", kClassAccuracy}},
    .bounds = {{.name = "upper_bound_orthogonal", .compute = bound_by_relaxation}}};

SPCA_INSTANCES(kOrthogonal);

}  // namespace
}  // namespace spca::instances_orthogonal
