#include "spca/spectrum/heavy_variables.h"

#include <algorithm>
#include <vector>

#include "spca/dense/sparsify.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

/// The data are small if n p is at most this.
constexpr double kSmallData = 2e8;
/// At most one in this number of variables is heavy.
constexpr Index kOneIn = 16;
/// The smallest heavy variance is at most this share of the largest variance.
constexpr double kDecline = 0.5;

}  // namespace

bool is_large(const Covariance& covariance) {
  return static_cast<double>(covariance.samples()) * static_cast<double>(covariance.variables()) >
         kSmallData;
}

Support heavy_variables(const Covariance& covariance, Index count) {
  const Index p = covariance.variables();
  if (!is_large(covariance) || kOneIn * count > p) {
    return {};
  }
  const Vector& variances = covariance.largest_variances();
  Support heavy = top_k(variances, count);
  double least = variances[heavy.front()];
  for (const Index j : heavy) {
    least = std::min(least, variances[j]);
  }
  if (!(least <= kDecline * variances.maxCoeff())) {
    return {};
  }
  std::erase_if(heavy, [&](Index j) { return !(covariance.diagonal()[j] > 0); });
  return heavy;
}

}  // namespace spca
