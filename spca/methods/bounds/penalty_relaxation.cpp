#include "spca/methods/bounds/penalty_relaxation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/eigenpairs.h"
#include "spca/base/error.h"
#include "spca/methods/ascent/thresholded_power.h"

namespace spca {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Of the largest eigenvalue of YY': a direction with less carries nothing but rounding.
constexpr double kNegligibleWeight = 1e-15;
// A term's equation is solved in four or five steps; more are needed where its eigenvalue is about
// to vanish.
constexpr int kNewtonSteps = 100;

Support variables_above(const Vector& variances, double rho) {
  Support above;
  for (Index i = 0; i < variances.size(); ++i) {
    if (variances[i] > rho) {
      above.push_back(i);
    }
  }
  return above;
}

Matrix columns_of_data(const Covariance& covariance, const Support& variables) {
  Matrix columns(covariance.samples(), std::ssize(variables));
  for (std::size_t j = 0; j < variables.size(); ++j) {
    columns.col(static_cast<Index>(j)) =
        covariance.data_product({.support = {variables[j]}, .values = Vector::Ones(1)});
  }
  return columns;
}

// At the optimum the largest eigenvalue is as many times there as Y has columns, which Lanczos
// takes long to tell apart.
constexpr Index kLargestDense = 600;

std::shared_ptr<const Covariance> as_covariance(const Matrix& dual_columns) {
  return make_covariance(Matrix(dual_columns.transpose()),
                         {.centered = false, .scale = Scale::kNone});
}

/// The positive eigenvalue t of b b' - diag(c), c >= 0, if there is one, and its unit eigenvector
/// w: the root of sum b_j^2 / (c_j + t) = 1. The reciprocal of that sum is concave and increasing
/// in t, so that Newton's method rises to the root from the Rayleigh quotient at b.
struct PositiveEigenpair {
  double value = 0;
  Vector vector;

  void find(const Eigen::Ref<const Vector>& b, const Vector& c) {
    value = 0;
    const double squared_length = b.squaredNorm();
    if (!(squared_length > 0) || !exceeds_one(b, c)) {
      return;
    }
    double t = std::max(squared_length - b.cwiseAbs2().dot(c) / squared_length, 0.0);
    if (t == 0) {
      t = kEpsilon * kEpsilon * squared_length;
    }
    for (int step = 0; step < kNewtonSteps; ++step) {
      double sum = 0;
      double slope = 0;
      for (Index j = 0; j < b.size(); ++j) {
        const double share = b[j] / (c[j] + t);
        sum += b[j] * share;
        slope += share * share;
      }
      const double move = sum * (sum - 1) / slope;
      if (!(move > kEpsilon * t)) {
        break;
      }
      t += move;
    }
    value = t;
    vector = (b.array() / (c.array() + t)).matrix().normalized();
  }

 private:
  static bool exceeds_one(const Eigen::Ref<const Vector>& b, const Vector& c) {
    double sum = 0;
    for (Index j = 0; j < b.size(); ++j) {
      if (b[j] != 0) {
        sum += b[j] * b[j] / c[j];
      }
    }
    return sum > 1;
  }
};

}  // namespace

Matrix pivoted_cholesky(const Matrix& matrix) {
  const Index size = matrix.rows();
  Matrix rows(size, size);
  Vector residual = matrix.diagonal();
  const double negligible =
      static_cast<double>(size) * kEpsilon * std::max(residual.maxCoeff(), 0.0);
  Index rank = 0;
  for (; rank < size; ++rank) {
    Index pivot = 0;
    const double heaviest = residual.maxCoeff(&pivot);
    if (!(heaviest > negligible)) {
      break;
    }
    rows.col(rank) =
        (matrix.col(pivot) - rows.leftCols(rank) * rows.row(pivot).head(rank).transpose()) /
        std::sqrt(heaviest);
    residual -= rows.col(rank).cwiseAbs2();
    residual[pivot] = 0;
  }
  return rows.leftCols(rank).transpose();
}

Relaxation::Relaxation(const Covariance& covariance, double rho)
    : variables_(variables_above(covariance.diagonal(), rho)) {
  const double longest = longest_column(covariance);
  unit_ = longest * longest;
  rho_ = rho / unit_;
  const Index count = std::ssize(variables_);
  const bool by_data = covariance.has_data_form() && covariance.samples() < count;
  const auto rows = static_cast<double>(by_data ? covariance.samples() : count);
  if (rows * static_cast<double>(count) > kLargestFactor) {
    throw NumericalError(
        fmt::format("the penalty leaves {} variables and {} dimensions; accepted: a product of at "
                    "most {}",
                    count, rows, kLargestFactor));
  }
  if (count > 0) {
    factor_ = by_data ? columns_of_data(covariance, variables_)
                      : pivoted_cholesky(covariance.submatrix(variables_));
    factor_ /= longest;
  }
}

double Relaxation::value(const Matrix& y, double mu, Matrix* gradient) const {
  const Index q = y.cols();
  const SymmetricEigenpairs frame = symmetric_eigenpairs(y.transpose() * y);
  const double negligible = kNegligibleWeight * std::max(frame.values[q - 1], 0.0);
  // In the frame in which Y'Y is diagonal: a term is b b' - diag(c).
  const Vector costs = rho_ * frame.values.cwiseMax(negligible);
  Matrix correlations = frame.vectors.transpose() * (y.transpose() * factor_);  // q x |variables|
  Matrix outer = Matrix::Zero(q, q);                                            // sum of w w'
  double convex = 0;
  double concave = 0;
  PositiveEigenpair pair;
  for (Index i = 0; i < correlations.cols(); ++i) {
    auto b = correlations.col(i);
    const double excess = b.squaredNorm() - rho_;
    convex += std::max(excess, 0.0);
    pair.find(b, costs);
    concave += pair.value;
    if (gradient == nullptr) {
      continue;
    }
    const double of_convex = excess > 0 ? mu : 0;
    if (pair.value > 0) {
      const double along = b.dot(pair.vector);
      outer.noalias() += pair.vector * pair.vector.transpose();
      b = of_convex * b + (1 - mu) * along * pair.vector;
    } else {
      b *= of_convex;
    }
  }
  if (gradient != nullptr) {
    const Matrix turned = frame.vectors * correlations;
    *gradient = 2 * factor_ * turned.transpose();
    *gradient -= 2 * (1 - mu) * rho_ * (y * (frame.vectors * outer * frame.vectors.transpose()));
  }
  return mu * convex + (1 - mu) * concave;
}

double Relaxation::smoothed_value(const Matrix& y, double floor, Matrix* gradient) const {
  const Matrix columns = dual_columns(y, floor);
  const Matrix along = columns.transpose() * y;
  if (gradient != nullptr) {
    *gradient = 2 * columns * along;
  }
  return along.squaredNorm() + floor * y.squaredNorm() * columns.squaredNorm();
}

Matrix Relaxation::dual_columns(const Matrix& y, double floor) const {
  const Matrix basis = orthogonal_columns(y);
  const Index q = basis.cols();
  const Vector weights = basis.colwise().squaredNorm();
  const double step = floor * weights.sum();
  const Vector stretch = (1 + step / weights.array()).sqrt();
  Vector costs(q + 1);
  costs << rho_ * (weights.array() + step).matrix(), rho_ * step;
  const Matrix inside = basis.transpose() * factor_;
  Matrix off = Matrix::Zero(q, inside.cols());
  Vector along = Vector::Zero(inside.cols());
  PositiveEigenpair pair;
  Vector b(q + 1);
  for (Index i = 0; i < inside.cols(); ++i) {
    // a_i = basis shares + P a_i, and b b' - diag(costs) is the term in the frame of X, in which
    // everything off the basis is one more direction.
    const Vector shares = inside.col(i).cwiseQuotient(weights);
    const double left =
        std::max(factor_.col(i).squaredNorm() - inside.col(i).dot(shares), 0.0);  // ||P a_i||^2
    b << stretch.cwiseProduct(inside.col(i)), std::sqrt(step * left);
    pair.find(b, costs);
    if (!(pair.value > 0)) {
      continue;  // rounding: ||a_i||^2 exceeds rho
    }
    // The column is (a_i a_i' - rho I) z / sqrt(value), z = X^(1/2) w with w the unit eigenvector.
    const double last = left > 0 ? std::sqrt(step / left) * pair.vector[q] : 0;
    const double scale = 1 / std::sqrt(pair.value);
    along[i] = (b.dot(pair.vector) - rho_ * last) * scale;
    off.col(i) = -rho_ * scale * (stretch.cwiseProduct(pair.vector.head(q)) - last * shares);
  }
  return factor_ * along.asDiagonal() + basis * off;
}

Matrix orthogonal_columns(const Matrix& y) {
  constexpr double kNegligible = 1e-12;  // of the largest eigenvalue of YY'
  const SymmetricEigenpairs frame = symmetric_eigenpairs(y.transpose() * y);
  const Index q = y.cols();
  Index kept = 1;
  while (kept < q && frame.values[q - 1 - kept] > kNegligible * frame.values[q - 1]) {
    ++kept;
  }
  return y * frame.vectors.rightCols(kept).rowwise().reverse();
}

double largest_curvature(const Matrix& dual_columns) {
  const Index m = dual_columns.rows();
  if (m <= kLargestDense) {
    return symmetric_eigenvalues(dual_columns * dual_columns.transpose())[m - 1];
  }
  return leading_eigenpairs(*as_covariance(dual_columns), 1).values[0];
}

Curvature leading_curvature(const Matrix& dual_columns, Index count, double above) {
  const Index m = dual_columns.rows();
  Eigenpairs pairs;
  if (m <= kLargestDense) {
    const SymmetricEigenpairs all = symmetric_eigenpairs(dual_columns * dual_columns.transpose());
    pairs = {.values = all.values.reverse(), .vectors = all.vectors.rowwise().reverse()};
  } else {
    pairs = leading_eigenpairs(*as_covariance(dual_columns), std::min(count, m));
  }
  Index kept = 0;
  while (kept < std::min(count, pairs.vectors.cols()) && pairs.values[kept] > above) {
    ++kept;
  }
  return {.largest = pairs.values[0], .directions = pairs.vectors.leftCols(kept)};
}

double RelaxationCertificate::check(const Covariance& covariance, Index k) const {
  const Relaxation relaxation(covariance, rho_);
  const double price = rho_ * static_cast<double>(k);
  if (relaxation.variables().empty()) {
    return price;  // no term is positive
  }
  if (y_.rows() != relaxation.dimension()) {
    return std::numeric_limits<double>::infinity();
  }
  const Matrix columns = relaxation.dual_columns(y_, floor_);
  return price + relaxation.unit() * largest_curvature(columns);
}

}  // namespace spca
