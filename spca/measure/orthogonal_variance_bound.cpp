#include "spca/measure/orthogonal_variance_bound.h"

#include "spca/dense/dense_selections.h"
#include "spca/methods/orthogonal/orthogonal_bound.h"

namespace spca {
namespace {

constexpr Index kMostOrthogonalVariables = 2000;

}  // namespace

double orthogonal_variance_bound(const MetricContext& context, double accuracy) {
  const Index p = context.covariance.variables();
  if (p > kMostOrthogonalVariables || context.components.empty()) {
    return kNotMeasured;
  }
  std::vector<Index> cardinality = context.cardinality;
  std::vector<Support> known;
  for (const Component& component : context.components) {
    if (context.cardinality.empty()) {
      cardinality.push_back(component.cardinality());
    }
    known.push_back(component.support);
  }
  Budget budget({.seconds = context.search_seconds});
  return orthogonal_bound(context.covariance.submatrix(all_variables(p)), cardinality, known,
                          accuracy, budget)
      .value;
}

}  // namespace spca
