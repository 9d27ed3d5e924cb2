#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "spca/metric_formulas.h"
#include "spca/metrics.h"

namespace spca {
namespace {

Matrix orthonormal_basis(const Matrix& columns) {
  Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  qr.setThreshold(std::sqrt(kRankTolerance));
  return Matrix(qr.householderQ() * Matrix::Identity(columns.rows(), qr.rank()));
}

/// Between the span of `smaller` and its nearest subspace in the span of `larger`.
double largest_angle(const Matrix& larger, const Matrix& smaller) {
  const Matrix cosines = larger.transpose() * smaller;
  const Matrix rest = smaller - larger * cosines;
  // The sine is accurate for small angles, the cosine for large ones.
  const double sine = Eigen::JacobiSVD<Matrix>(rest).singularValues()[0];
  const double cosine = Eigen::JacobiSVD<Matrix>(cosines).singularValues()[smaller.cols() - 1];
  return std::atan2(sine, cosine);
}

std::vector<double> angle_to_truth(const MetricContext& context) {
  if (context.truth.empty()) {
    return {kNotMeasured};
  }
  const auto r = static_cast<Index>(context.components.size());
  const Index t = std::min(r, static_cast<Index>(context.truth.size()));
  std::vector<Component> all = context.components;
  all.insert(all.end(), context.truth.begin(), context.truth.begin() + t);
  const Matrix loadings = join_supports(all).loadings;
  const Matrix found = orthonormal_basis(loadings.leftCols(r));
  const Matrix truth = orthonormal_basis(loadings.rightCols(t));
  if (found.cols() < truth.cols()) {
    return {std::numbers::pi / 2};  // a direction of the truth is orthogonal to all that was found
  }
  return {largest_angle(found, truth)};
}

SPCA_METRIC("angle_to_truth", angle_to_truth,
            (MetricTraits{.unit = "radians",
                          .direction = Direction::kLowerIsBetter,
                          .formula = "largest principal angle between span V and the span of the "
                                     "truth's first r components"}));

}  // namespace
}  // namespace spca
