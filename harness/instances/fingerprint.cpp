#include "harness/instances/fingerprint.h"

#include <cmath>

namespace spca {

double fingerprint(const Covariance& covariance) {
  constexpr double kStep = 0.6180339887498949;  // its multiples are spread evenly
  Vector x(covariance.variables());
  for (Index i = 0; i < x.size(); ++i) {
    const double multiple = static_cast<double>(i + 1) * kStep;
    x(i) = 2 * (multiple - std::floor(multiple)) - 1;
  }
  Vector product(x.size());
  covariance.multiply(x, product);
  return x.dot(product);
}

}  // namespace spca
