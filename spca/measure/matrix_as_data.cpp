#include "spca/measure/matrix_as_data.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/measure/metric_formulas.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca {
namespace {

/// A remainder of a column below this share of the largest is rounding.
constexpr double kNoColumnLeft = 1e-10;

}  // namespace

MatrixAsData matrix_as_data(const MetricContext& context) {
  const Covariance& s = context.covariance;
  const Index p = s.variables();
  if (p > kLargestMatrix || std::isnan(pca_variance(context))) {
    return {};
  }
  MatrixAsData result{.total = 0, .pca = 0, .captured = 0, .explained = 0};
  for (Index i = 0; i < p; ++i) {
    result.total += s.columns({i}).squaredNorm();
  }
  const auto r = std::min(std::ssize(context.components), p);
  result.pca = context.spectrum.leading(r).head(r).squaredNorm();
  Matrix h(p, std::ssize(context.components));
  for (Index j = 0; j < h.cols(); ++j) {
    h.col(j) = to_dense(context.components[static_cast<std::size_t>(j)], p);
  }
  Matrix scores;  // XH = SH
  s.multiply_block(h, scores);
  Matrix held;
  s.multiply_block(orthonormal_basis(scores, kNoColumnLeft), held);
  result.captured = held.squaredNorm();
  s.multiply_block(orthonormal_basis(h, kNoColumnLeft), held);
  result.explained = held.squaredNorm();
  return result;
}

}  // namespace spca
