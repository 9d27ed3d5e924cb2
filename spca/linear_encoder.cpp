#include "spca/linear_encoder.h"

#include <algorithm>
#include <cmath>

#include "spca/dense_decompositions.h"
#include "spca/error.h"
#include "spca/metric_formulas.h"

namespace spca {
namespace {

/// Orthonormal columns, completed to r of them by the unit vectors that they hold least of.
Matrix complete_basis(Matrix basis, Index r) {
  while (basis.cols() < r) {
    Index least = 0;
    basis.rowwise().squaredNorm().minCoeff(&least);
    Vector column = Vector::Unit(basis.rows(), least);
    for (int pass = 0; pass < 2; ++pass) {
      column -= basis * (basis.transpose() * column);
    }
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.rightCols(1) = column.normalized();
  }
  return basis;
}

}  // namespace

double ColumnSpan::captured_by(Index r) const {
  return captured.head(std::min(r, captured.size())).sum();
}

ColumnSpan column_span(const Matrix& gram, const Matrix& squared) {
  if (gram.rows() == 0) {
    return {.coefficients = Matrix(0, 0), .captured = Vector()};
  }
  const Vector scale = gram.diagonal().unaryExpr(
      [](double square) { return square > 0 ? 1 / std::sqrt(square) : 0; });
  const SymmetricEigenpairs correlation =
      symmetric_eigenpairs(scale.asDiagonal() * gram * scale.asDiagonal());
  const Index rank = (correlation.values.array() > kRankTolerance).count();
  const Matrix basis = scale.asDiagonal() * correlation.vectors.rightCols(rank) *
                       correlation.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  if (rank == 0) {
    return {.coefficients = basis, .captured = Vector()};
  }
  const SymmetricEigenpairs held = symmetric_eigenpairs(basis.transpose() * squared * basis);
  return {.coefficients = basis * held.vectors.rowwise().reverse(),
          .captured = held.values.reverse().cwiseMax(0.0)};
}

Matrix encoder_loadings(const ColumnSpan& span, Index r) {
  SPCA_CHECK(r <= span.coefficients.rows(), "more components than columns");
  const Index held = std::min(r, span.captured.size());
  // R^{-1}(Q'X)_r = M_r (Q_r'X), and Q_r'X has orthogonal rows of squared length `captured`: the
  // left singular vectors are those of M_r sqrt(captured). Through an orthonormal basis, because
  // the columns differ in length as the variables do.
  const Matrix product =
      span.coefficients.leftCols(held) * span.captured.head(held).cwiseSqrt().asDiagonal();
  Matrix basis(product.rows(), 0);
  if (held > 0 && span.captured[0] > 0) {
    basis = orthonormal_basis(product, 0);
    const Matrix rotated = basis.transpose() * product;
    const Matrix turn = symmetric_eigenpairs(rotated * rotated.transpose()).vectors;
    basis = basis * turn.rowwise().reverse();
  }
  return complete_basis(std::move(basis), r);
}

std::vector<Component> components_on(const Support& support, const Matrix& loadings) {
  std::vector<Component> components;
  for (Index j = 0; j < loadings.cols(); ++j) {
    Component component{.support = {}, .values = Vector(loadings.rows())};
    for (Index i = 0; i < loadings.rows(); ++i) {
      if (loadings(i, j) != 0) {
        component.values[component.cardinality()] = loadings(i, j);
        component.support.push_back(support[static_cast<std::size_t>(i)]);
      }
    }
    component.values.conservativeResize(component.cardinality());
    components.push_back(std::move(component));
  }
  return components;
}

LinearEncoder linear_encoder(const Covariance& covariance, const Support& support, Index r) {
  const Matrix columns = covariance.columns(support);
  const ColumnSpan span = column_span(covariance.submatrix(support), columns.transpose() * columns);
  return {.components = components_on(support, encoder_loadings(span, r)),
          .captured = span.captured_by(r)};
}

double deterministic_loss_bound(Index r, Index k) {
  const double share = 1 - std::sqrt(static_cast<double>(r) / static_cast<double>(k));
  return r < k ? 1 + 1 / (share * share) : kNotMeasured;
}

double expected_loss_bound(Index r, Index k) {
  const auto five = static_cast<double>(5 * r);
  return 5 * r < k ? 1 + five / (static_cast<double>(k) - five) : kNotMeasured;
}

}  // namespace spca
