#include "spca/methods/encoders/column_factor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/tolerances.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

/// A dependent column leaves a residual of at most this multiple of its rounding.
constexpr double kDependentRoundings = 8;
/// The rounding of a product over p variables is this multiple of p eps.
constexpr double kRoundingsOfVariable = 8;
/// At most this number of entries of the data are stored: 160 MB.
constexpr Index kMostDataEntries = 20'000'000;
/// Eigenvalues are used if their rounding is at most this share of a loss, otherwise singular
/// values.
constexpr double kShareOfLoss = 1e-12;

/// Columns K and an orthonormal basis Q of their span: A_K = QR.
struct PivotedBasis {
  Matrix basis;     // Q, m x d
  Matrix triangle;  // R, d x d, upper
  Support pivots;   // K, in descending order of length of the residual after the earlier pivots
};

/// Runs Gram-Schmidt with pivoting on the largest residual, until it is at most `negligible`.
PivotedBasis pivoted_basis(const Matrix& columns, double negligible) {
  Matrix rest = columns;
  PivotedBasis found{.basis = Matrix(columns.rows(), 0), .triangle = {}, .pivots = {}};
  while (std::ssize(found.pivots) < std::min(columns.rows(), columns.cols())) {
    Index pivot = 0;
    rest.colwise().squaredNorm().maxCoeff(&pivot);
    // A second pass, for orthogonality up to rounding.
    const Vector direction = outside_of_span(found.basis, rest.col(pivot));
    const double left = direction.norm();
    if (!(left > negligible)) {
      break;
    }
    found.pivots.push_back(pivot);
    found.basis.conservativeResize(Eigen::NoChange, found.basis.cols() + 1);
    found.basis.rightCols(1) = direction / left;
    subtract_product(rest, found.basis.rightCols(1),
                     transposed_product(found.basis.rightCols(1), rest));
    rest.col(pivot).setZero();
  }
  found.triangle = transposed_product(found.basis, selected_columns(columns, found.pivots));
  return found;
}

/// R^{-1} of an upper triangle.
Matrix inverse_of_triangle(const Matrix& triangle) {
  const Index size = triangle.rows();
  Matrix inverse = Matrix::Zero(size, size);
  for (Index j = 0; j < size; ++j) {
    for (Index i = j; i >= 0; --i) {
      const double sum =
          (i == j ? 1.0 : 0.0) -
          triangle.row(i).segment(i + 1, j - i).dot(inverse.col(j).segment(i + 1, j - i));
      inverse(i, j) = sum / triangle(i, i);
    }
  }
  return inverse;
}

Matrix product_of(const ColumnFactor& factor) {
  return scaled_columns(factor.unit, factor.lengths);
}

double rounding_of(Index samples, Index variables) {
  return kEpsilon *
         (static_cast<double>(samples) + kRoundingsOfVariable * static_cast<double>(variables));
}

Vector inverse_lengths(const Covariance& covariance, const Vector& lengths) {
  return (covariance.diagonal().array() > 0 && lengths.array() > 0)
      .select(lengths.cwiseInverse(), 0.0);
}

ColumnFactor factor_from_data(const Covariance& covariance) {
  const Index n = covariance.samples();
  const Index p = covariance.variables();
  Matrix columns(n, p);
  for (Index j = 0; j < p; ++j) {
    columns.col(j) = covariance.data_product({.support = {j}, .values = Vector::Ones(1)});
    if (covariance.is_centered()) {
      // The rounding of a large mean leaves a small mean in the centred column.
      columns.col(j).array() -= columns.col(j).mean();
    }
  }
  ColumnFactor factor{.unit = {},
                      .lengths = covariance.largest_variances().cwiseMax(0.0).cwiseSqrt(),
                      .rounding = rounding_of(n, p),
                      .is_from_data = true};
  factor.lengths = factor.lengths.cwiseMax(columns.colwise().norm().transpose());
  columns = scaled_columns(columns, inverse_lengths(covariance, factor.lengths));
  factor.unit = transposed_product(pivoted_basis(columns, factor.rounding).basis, columns);
  return factor;
}

ColumnFactor factor_from_matrix(const Covariance& covariance) {
  const Index p = covariance.variables();
  ColumnFactor factor{.unit = {},
                      .lengths = covariance.largest_variances().cwiseMax(0.0).cwiseSqrt(),
                      .rounding = rounding_of(covariance.samples(), p),
                      .is_from_data = false};
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(scaled_both_sides(
      covariance.submatrix(all_variables(p)), inverse_lengths(covariance, factor.lengths)));
  factor.unit = scaled_columns(pairs.vectors, pairs.values.cwiseMax(0.0).cwiseSqrt()).transpose();
  // No X has an X'X with a negative eigenvalue: the nearest matrix is used, at this distance.
  factor.rounding += std::max(0.0, -pairs.values[0]);
  return factor;
}

/// The basis of some combinations of columns, and the rounding of results on it.
struct KnownBasis {
  PivotedBasis span;
  Matrix inverse;  // R^{-1}
  double root_rounding = 0;
  double rounding = 0;
};

/// `columns`: combinations of the columns of BD^{-1}, each of which is off by eta.
KnownBasis known_basis(const ColumnFactor& factor, const Matrix& columns) {
  KnownBasis known{.span = pivoted_basis(columns, factor.negligible()), .inverse = {}};
  known.inverse = inverse_of_triangle(known.span.triangle);
  // At least 1 / s, with s of column_factor.h.
  const double inverse_norm = known.inverse.norm();
  const double root_count = std::sqrt(static_cast<double>(known.span.pivots.size()));
  const double of_span = factor.rounding * root_count * inverse_norm;
  if (factor.is_from_data) {
    known.root_rounding =
        of_span <= 0.5 ? (of_span / (1 - of_span) + factor.rounding) * std::sqrt(factor.total())
                       : std::numeric_limits<double>::infinity();
  } else {
    const double of_inverse = factor.rounding * inverse_norm * inverse_norm;
    known.rounding = of_inverse <= 0.25 ? (2 * of_inverse + 4 * of_span) * factor.total()
                                        : std::numeric_limits<double>::infinity();
  }
  return known;
}

/// Sets in `loss` the squared singular values of a matrix, accurate for the sum of all but the r
/// largest, and adds their rounding.
void set_captured(SpanLoss& loss, const Matrix& held, Index r, double total) {
  if (held.rows() == 0) {
    return;
  }
  loss.captured = symmetric_eigenvalues(product_transposed(held, held)).reverse().cwiseMax(0.0);
  const double rounding = kRoundingsOfVariable * static_cast<double>(held.rows()) * kEpsilon;
  if (rounding * total <= kShareOfLoss * loss.loss(r)) {
    loss.rounding += rounding * total;
    return;
  }
  loss.captured = singular_values(held).cwiseAbs2();
  loss.root_rounding += rounding * std::sqrt(total);
}

}  // namespace

double ColumnFactor::negligible() const {
  return is_from_data ? kDependentRoundings * rounding : std::sqrt(kDependentRoundings * rounding);
}

ColumnFactor column_factor(const Covariance& covariance) {
  const bool is_small = covariance.samples() <= kMostDataEntries / covariance.variables();
  return covariance.has_data_form() && is_small ? factor_from_data(covariance)
                                                : factor_from_matrix(covariance);
}

double SpanLoss::loss(Index r) const {
  return outside + captured.tail(std::max(Index{0}, captured.size() - r)).sum();
}

double SpanLoss::least(double loss) const {
  const double root = std::max(0.0, std::sqrt(loss) - root_rounding);
  return std::max(0.0, root * root - rounding);
}

double SpanLoss::most(double loss) const {
  const double root = std::sqrt(loss) + root_rounding;
  return root * root + rounding;
}

SpanLoss span_loss(const ColumnFactor& factor, const Support& rows, Index r) {
  const KnownBasis known = known_basis(factor, selected_columns(factor.unit, rows));
  const Matrix& basis = known.span.basis;
  Matrix rest = product_of(factor);
  const Matrix held = transposed_product(basis, rest);
  subtract_product(rest, basis, held);
  subtract_product(rest, basis, transposed_product(basis, rest));
  SpanLoss loss{.outside = rest.squaredNorm(),
                .captured = {},
                .root_rounding = known.root_rounding,
                .rounding = known.rounding};
  set_captured(loss, held, r, factor.total());
  return loss;
}

LossInterval principal_loss(const ColumnFactor& factor, Index r) {
  SpanLoss all;
  set_captured(all, product_of(factor), r, factor.total());
  const double value = all.loss(r);
  const double off = factor.rounding * factor.total();
  if (!factor.is_from_data) {
    // S is off by eta D_i D_j, so a sum of eigenvalues is off by at most eta T.
    return {.least = std::max(0.0, all.least(value) - off),
            .value = value,
            .most = all.most(value) + off};
  }
  const double root = all.root_rounding + factor.rounding * std::sqrt(factor.total());
  const double low = std::max(0.0, std::sqrt(value) - root);
  const double high = std::sqrt(value) + root;
  return {.least = std::max(0.0, low * low - all.rounding),
          .value = value,
          .most = high * high + all.rounding};
}

LossInterval encoder_loss(const ColumnFactor& factor, const std::vector<Component>& components) {
  Matrix scores(factor.unit.rows(), std::ssize(components));
  for (Index j = 0; j < scores.cols(); ++j) {
    const Component& component = components[static_cast<std::size_t>(j)];
    // The weights get unit length before columns cancel, so that a score that is only rounding
    // stays small.
    const Vector weights =
        component.values.cwiseProduct(selected_entries(factor.lengths, component.support));
    const double length = weights.norm();
    scores.col(j) = times_vector(selected_columns(factor.unit, component.support),
                                 length > 0 ? Vector(weights / length) : weights);
  }
  const KnownBasis known = known_basis(factor, scores);
  const Matrix& basis = known.span.basis;
  Matrix rest = product_of(factor);
  for (int pass = 0; pass < 2; ++pass) {
    subtract_product(rest, basis, transposed_product(basis, rest));
  }
  const SpanLoss loss{.outside = rest.squaredNorm(),
                      .captured = {},
                      .root_rounding = known.root_rounding,
                      .rounding = known.rounding};
  return {
      .least = loss.least(loss.outside), .value = loss.outside, .most = loss.most(loss.outside)};
}

ColumnSpan column_span(const ColumnFactor& factor, const Support& rows) {
  const KnownBasis known = known_basis(factor, selected_columns(factor.unit, rows));
  const Support& pivots = known.span.pivots;
  const Matrix held = transposed_product(known.span.basis, product_of(factor));
  ColumnSpan span{.coefficients = Matrix::Zero(std::ssize(rows), std::ssize(pivots)),
                  .captured = Vector()};
  if (pivots.empty()) {
    return span;
  }
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(product_transposed(held, held));
  span.captured = pairs.values.reverse().cwiseMax(0.0);
  const Matrix turned = matrix_product(known.inverse, reversed_columns(pairs.vectors));
  for (Index i = 0; i < std::ssize(pivots); ++i) {
    const Index position = pivots[static_cast<std::size_t>(i)];
    span.coefficients.row(position) =
        turned.row(i) / factor.lengths[rows[static_cast<std::size_t>(position)]];
  }
  return span;
}

std::vector<Component> encoder_on_rows(const ColumnFactor& factor, const Support& rows, Index r) {
  return components_on(rows, encoder_loadings(column_span(factor, rows), r));
}

}  // namespace spca
