/// The difficulty is rank. Columns of X that depend on one another make S_JJ singular, and rounding
/// determines their residuals. Every rank is therefore decided on vectors that are scaled by their
/// length before anything cancels (`origin`). captured_by_encoder() uses the data instead of S if
/// there are any, because squares lose half of the digits.

#include "spca/methods/encoders/linear_encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/error.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca {
namespace {

/// Residuals of a column of scores below this share of its length are rounding. This holds even if
/// the means are a million times the deviations.
constexpr double kDependentScores = 1e-8;

/// Returns 1 / sqrt(x) of each entry x, or 0 if x is zero, negative by rounding, or so small that
/// it has lost digits.
Vector inverse_roots(const Vector& squares) {
  return squares.unaryExpr([](double square) {
    return square >= std::numeric_limits<double>::min() ? 1 / std::sqrt(square) : 0;
  });
}

Vector origin_of(const Covariance& covariance, const std::vector<Component>& components) {
  Vector origin(std::ssize(components));
  for (Index j = 0; j < origin.size(); ++j) {
    origin[j] = variance_before_cancelling(covariance, components[static_cast<std::size_t>(j)]);
  }
  return origin;
}

double captured_by_scores(const Covariance& covariance, const std::vector<Component>& components) {
  const Vector scale = inverse_roots(origin_of(covariance, components));
  Matrix scores(covariance.samples(), scale.size());
  for (Index j = 0; j < scores.cols(); ++j) {
    // Scaled by the length before columns cancel: a score that cancelled stays small, and the basis
    // drops it.
    scores.col(j) = scale[j] * covariance.data_product(components[static_cast<std::size_t>(j)]);
  }
  // With Q the orthonormal basis of XH, ||XH(XH)^+X||_F^2 = ||Q'X||_F^2 = sum_j ||X'q_j||^2.
  const Matrix basis = orthonormal_basis(scores, kDependentScores);
  double captured = 0;
  for (Index j = 0; j < basis.cols(); ++j) {
    captured += covariance.transpose_product(basis.col(j)).squaredNorm();
  }
  return captured;
}

/// Completes orthonormal columns to r columns, by the unit vectors with the largest residuals.
Matrix complete_basis(Matrix basis, Index r) {
  while (basis.cols() < r) {
    Index least = 0;
    basis.rowwise().squaredNorm().minCoeff(&least);
    Vector column = Vector::Unit(basis.rows(), least);
    // Twice, for orthogonality to rounding.
    for (int pass = 0; pass < 2; ++pass) {
      subtract_projection(column, basis);
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
  return column_span(gram, squared, gram.diagonal());
}

ColumnSpan column_span(const Matrix& gram, const Matrix& squared, const Vector& origin) {
  if (gram.rows() == 0) {
    return {.coefficients = Matrix(0, 0), .captured = Vector()};
  }
  const Vector scale = inverse_roots(origin);
  // The correlations rather than S_JJ: the test of rank must not depend on the units of the
  // variables.
  const SymmetricEigenpairs correlation = symmetric_eigenpairs(scaled_both_sides(gram, scale));
  const Index rank = (correlation.values.array() > kDependentColumns).count();
  // M = D E L^{-1/2} with D = diag(scale): M'S_JJ M = I, so X_J M is orthonormal.
  const Matrix basis = scale.asDiagonal() * correlation.vectors.rightCols(rank) *
                       correlation.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  if (rank == 0) {
    return {.coefficients = basis, .captured = Vector()};
  }
  // A rotation of M makes Q'XX'Q = M'(S^2)_JJ M diagonal.
  const SymmetricEigenpairs held =
      symmetric_eigenpairs(matrix_product(transposed_product(basis, squared), basis));
  return {.coefficients = matrix_product(basis, reversed_columns(held.vectors)),
          .captured = held.values.reverse().cwiseMax(0.0)};
}

double variance_before_cancelling(const Covariance& covariance, const Component& v) {
  return v.values.cwiseAbs2().dot(covariance.diagonal()(v.support));
}

double captured_by_encoder(const Covariance& covariance, const std::vector<Component>& components) {
  if (components.empty()) {
    return 0;
  }
  if (covariance.has_data_form()) {
    return captured_by_scores(covariance, components);
  }
  Matrix products(covariance.variables(), std::ssize(components));  // SH
  Vector product(covariance.variables());
  for (Index j = 0; j < products.cols(); ++j) {
    covariance.multiply(components[static_cast<std::size_t>(j)], product);
    products.col(j) = product;
  }
  return column_span(variance_matrix(covariance, components),
                     transposed_product(products, products), origin_of(covariance, components))
      .captured.sum();
}

Matrix encoder_loadings(const ColumnSpan& span, Index r) {
  SPCA_CHECK(r <= span.coefficients.rows(), "more components than columns");
  const Index held = std::min(r, span.captured.size());
  // R^{-1}(Q'X)_r = M_r (Q_r'X), and Q_r'X has orthogonal rows of squared length `captured`. The
  // left singular vectors are therefore those of M_r sqrt(captured). They are computed through an
  // orthonormal basis, because the columns differ in length as the variables do.
  const Matrix product =
      scaled_columns(span.coefficients.leftCols(held), span.captured.head(held).cwiseSqrt());
  Matrix basis(product.rows(), 0);
  if (held > 0 && span.captured[0] > 0) {
    basis = orthonormal_basis(product, 0);
    const Matrix rotated = transposed_product(basis, product);
    // With product = basis * rotated, the left singular vectors of `rotated` turn the basis into
    // those of `product`, in descending order.
    const Matrix turn = symmetric_eigenpairs(product_transposed(rotated, rotated)).vectors;
    basis = matrix_product(basis, reversed_columns(turn));
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
  return linear_encoder(covariance, support, r, covariance.diagonal());
}

LinearEncoder linear_encoder(const Covariance& covariance, const Support& support, Index r,
                             const Vector& origin) {
  const Matrix columns = covariance.columns(support);
  const ColumnSpan span = column_span(covariance.submatrix(support),
                                      transposed_product(columns, columns), origin(support));
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
