#include "spca/dense/dense_selections.h"
#include "spca/measure/metrics.h"
#include "spca/methods/relaxations/diagonal_relaxation.h"
#include "spca/solving/budget.h"

namespace spca::metric_upper_bound_diagonal {
namespace {

// At most this number of variables: an iteration takes two eigendecompositions.
constexpr Index kMostVariablesBounded = 300;

std::vector<double> upper_bound_diagonal(const MetricContext& context) {
  const Index p = context.covariance.variables();
  if (p > kMostVariablesBounded || context.components.size() != 1 ||
      context.components[0].cardinality() == 0) {
    return {kNotMeasured};
  }
  const Component& v = context.components[0];
  const Index k = context.cardinality.empty() ? v.cardinality() : context.cardinality[0];
  const Matrix matrix = context.covariance.submatrix(all_variables(p));
  const double value = context.variances.of_components().at(0);
  const Budget budget({.seconds = context.search_seconds});
  return {diagonal_relaxation(matrix, k, value, [&] { return !budget.is_time_up(); }).value};
}

SPCA_METRIC("upper_bound_diagonal", upper_bound_diagonal,
            (MetricTraits{.unit = "variance",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "max <S, X> over psd X of trace 1 with k Diag(X) - X psd, r = "
                                     "1; after 20 s the bound so far; p <= 300",
                          .source = "Cifuentes, Li, arXiv 2603.18215, 2026",
                          .by_default = false,
                          .relative_tolerance = 1e-3}));

}  // namespace
}  // namespace spca::metric_upper_bound_diagonal
