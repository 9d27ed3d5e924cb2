#include <algorithm>
#include <cmath>

#include "spca/measure/metrics.h"

namespace spca::metric_decay_exponent {
namespace {

constexpr Index kEigenvaluesFitted = 10;
// Eigenvalues below this share of the largest are rounding.
constexpr double kNoEigenvalue = 1e-12;

std::vector<double> decay_exponent(const MetricContext& context) {
  const Index count = std::min(kEigenvaluesFitted, context.covariance.variables());
  const Vector& values = context.spectrum.leading(count);
  Index m = 0;
  while (m < count && values[m] > kNoEigenvalue * values[0]) {
    ++m;
  }
  if (m < 2) {
    return {kNotMeasured};
  }
  // log lambda_i = log C - a log i: a is minus the slope of the straight line that fits the
  // logarithms.
  const Vector x = Vector::LinSpaced(m, 1, static_cast<double>(m)).array().log();
  const Vector y = values.head(m).array().log();
  const Vector centered = x.array() - x.mean();
  return {-centered.dot(y) / centered.squaredNorm()};
}

SPCA_METRIC("decay_exponent", decay_exponent,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kNone,
                .formula = "the exponent a of the power law lambda_i = C i^-a that fits the "
                           "ten largest eigenvalues of S best (least squares of the "
                           "logarithms; fewer where fewer are positive)",
                .source = "Papailiopoulos, Dimakis, Korokythakis, ICML 2013, Corollary 2",
                .by_default = false,
                .absolute_tolerance = 1e-6}));

}  // namespace
}  // namespace spca::metric_decay_exponent
