#include "spca/measure/penalised_metrics.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Below this share of the largest eigenvalue of S_JJ, a direction holds no data.
constexpr double kNoData = 1e-12;

constexpr const char* kStart = "gpower-l0";

double value_of(const Covariance& covariance, const Component& v, double rho) {
  return v.support.empty()
             ? 0
             : covariance.quadratic_form(v) - rho * static_cast<double>(v.cardinality());
}

bool is_one_with_penalty(const MetricContext& context) {
  return context.components.size() == 1 && !std::isnan(context.penalty);
}

}  // namespace

double value_of_loadings(const MetricContext& context) {
  return is_one_with_penalty(context)
             ? value_of(context.covariance, context.components[0], context.penalty)
             : kNotMeasured;
}

double value_of_direction(const MetricContext& context) {
  if (!is_one_with_penalty(context)) {
    return kNotMeasured;
  }
  const Component& v = context.components[0];
  if (v.support.empty()) {
    return 0;
  }
  const SymmetricEigenpairs eigen = symmetric_eigenpairs(context.covariance.submatrix(v.support));
  const double negligible = kNoData * eigen.values.tail(1)[0];
  const Vector shares = transposed_times_vector(eigen.vectors, v.values).cwiseAbs2();
  double inverse = 0;  // 1 / c^2
  for (Index i = 0; i < shares.size(); ++i) {
    inverse += eigen.values[i] > negligible ? shares[i] / eigen.values[i] : 0;
  }
  return (v.values.array().square() / inverse - context.penalty).cwiseMax(0.0).sum();
}

double value_of_gpower(const MetricContext& context) {
  if (!is_one_with_penalty(context)) {
    return kNotMeasured;
  }
  const double largest = context.covariance.diagonal().maxCoeff();
  if (context.penalty >= largest) {
    return 0;  // no variable is worth its penalty
  }
  const SolverEntry* solver = SolverRegistry::instance().find(kStart);
  if (solver == nullptr) {
    return kNotMeasured;
  }
  Budget budget;
  const Json options = solver->complete_options({{"penalty", context.penalty / largest}}, "");
  const Solution solution = solver->solve(
      {.covariance = context.covariance, .components = 1, .cardinality = {}}, options, budget);
  return is_usable(solution.status) && solution.components.size() == 1
             ? value_of(context.covariance, solution.components[0], context.penalty)
             : kNotMeasured;
}

double gain_in_percent(double value, double reference) {
  return reference > 0 ? 100 * (value - reference) / reference : kNotMeasured;
}

}  // namespace spca
