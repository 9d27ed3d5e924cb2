#include "spca/spectrum/detail/davidson_correction.h"

#include <cmath>
#include <limits>
#include <utility>

#include "spca/dense/dense_selections.h"
#include "spca/spectrum/heavy_variables.h"

namespace spca {
namespace {

/// M - theta may be singular. An eigenvalue nearer to zero than this share of theta is moved to
/// that distance from zero.
constexpr double kNearest = 1e-6;

/// Returns 1 / (value - theta), with the difference kept away from zero (kNearest).
double inverse(double value, double theta) {
  const double difference = value - theta;
  const double least = kNearest * std::abs(theta);
  return 1 / (std::abs(difference) > least ? difference : std::copysign(least, difference));
}

/// Returns x with Gx = y for a symmetric G, the shortest if there are several.
Vector solution(const Matrix& g, const Vector& y) {
  constexpr double kSingular = 1e-13;
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(g);
  Vector along = transposed_times_vector(pairs.vectors, y);
  const double least = kSingular * pairs.values.cwiseAbs().maxCoeff();
  for (Index i = 0; i < along.size(); ++i) {
    along[i] = std::abs(pairs.values[i]) > least ? along[i] / pairs.values[i] : 0;
  }
  return times_vector(pairs.vectors, along);
}

}  // namespace

DavidsonCorrection::DavidsonCorrection(Support heavy, const Covariance& covariance)
    : heavy_(std::move(heavy)),
      pairs_(symmetric_eigenpairs(covariance.submatrix(heavy_))),
      diagonal_(covariance.diagonal()) {}

std::optional<DavidsonCorrection> DavidsonCorrection::of(const Covariance& covariance) {
  Support heavy = heavy_variables(covariance);
  if (heavy.empty()) {
    return std::nullopt;
  }
  return DavidsonCorrection(std::move(heavy), covariance);
}

double DavidsonCorrection::value(Index i) const {
  const Index count = pairs_.values.size();
  return i < count ? pairs_.values[count - 1 - i] : -std::numeric_limits<double>::infinity();
}

Matrix DavidsonCorrection::leading(Index count) const {
  const Index found = std::min(count, pairs_.vectors.cols());
  Matrix vectors = Matrix::Zero(diagonal_.size(), found);
  for (Index c = 0; c < found; ++c) {
    set_entries(vectors.col(c), heavy_, pairs_.vectors.col(pairs_.vectors.cols() - 1 - c));
  }
  return vectors;
}

Matrix DavidsonCorrection::solved(const MatrixRef& x, double theta) const {
  const Vector factors = diagonal_.unaryExpr([=](double value) { return inverse(value, theta); });
  Matrix result(x.rows(), x.cols());
  for (Index c = 0; c < x.cols(); ++c) {
    result.col(c) = factors.cwiseProduct(x.col(c));
  }
  Matrix along = transposed_product(pairs_.vectors, selected_rows(x, heavy_));
  for (Index i = 0; i < along.rows(); ++i) {
    along.row(i) *= inverse(pairs_.values[i], theta);
  }
  const Matrix on_heavy = matrix_product(pairs_.vectors, along);
  for (Index c = 0; c < x.cols(); ++c) {
    set_entries(result.col(c), heavy_, on_heavy.col(c));
  }
  return result;
}

Matrix DavidsonCorrection::corrected(const MatrixRef& residuals, const Vector& thetas,
                                     const MatrixRef& ritz) const {
  Matrix result(residuals.rows(), residuals.cols());
  for (Index c = 0; c < residuals.cols(); ++c) {
    const Matrix along = solved(ritz, thetas[c]);
    const Vector step = solved(residuals.col(c), thetas[c]);
    const Vector share =
        solution(transposed_product(ritz, along), transposed_times_vector(ritz, step));
    result.col(c) = step - times_vector(along, share);
  }
  return result;
}

}  // namespace spca
