/// Instances of several orthogonal components on k common variables (row sparsity).

#include "harness/instances/instance_class.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/methods/encoders/linear_encoder.h"
#include "spca/methods/orthogonal/common_support_bound.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca::instances_common_support {
namespace {

std::vector<Component> settle(const Covariance& covariance, const std::vector<Support>& supports,
                              Index r) {
  const Support& support = supports.at(0);
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(covariance.submatrix(support));
  return components_on(support, reversed_columns(pairs.vectors.rightCols(r)));
}

std::string find_fault(const std::vector<Component>& components, const InstanceSize& size) {
  std::string wrong = find_wrong_sizes(components, size);
  wrong = wrong.empty() ? find_too_many_rows(components, size) : wrong;
  return wrong.empty() ? find_oblique_loadings(components) : wrong;
}

/// The same as the metric upper_bound_common_support, with the best support of its search.
ComputedBound bound_by_search(const MetricContext& context) {
  const CommonSupportBound bound = common_support_bound(
      context.covariance, std::ssize(context.components), context.cardinality.front(),
      join_supports(context.components).support, context.search_seconds);
  ComputedBound computed{bound.value};
  if (!bound.support.empty()) {
    computed.supports = {bound.support};
  }
  return computed;
}

const InstanceClass kCommonSupport = {
    .name = "common-support",
    .file = "",
    .tag = "common",
    .summary = "several orthogonal components on common variables",
    .problem = "max tr(V'SV)  s.t. V'V = I, at most k nonzero rows of V",
    .metric = "projected_variance",
    .generality = 2,
    .has_common_support = true,
    .has_several_components = true,
    .find_fault = find_fault,
    .settle = settle,
    .solver = "row-sparse",
    .bounds = {{.name = "upper_bound_common_support", .compute = bound_by_search}}};

SPCA_INSTANCES(kCommonSupport);

}  // namespace
}  // namespace spca::instances_common_support
