#include "spca/dense/leading_eigenpair.h"

#include <cmath>
#include <optional>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/detail/lanczos.h"

namespace spca {
namespace {

/// A warm start is mixed with this share of a generic vector, so that it is not orthogonal to the
/// leading eigenvector. With a residual of 1e-12 a wrong eigenvalue can then pass only if it is
/// within 1e-9 of the right one.
constexpr double kPerturbation = 1e-3;

/// Returns a vector with entries uniform in [-1/2, 1/2). No structure of a matrix makes it
/// orthogonal to the leading eigenvector. A vector of ones would be orthogonal to it for centred
/// data.
Vector generic_vector(Index m) {
  Random random(1);
  return Vector::NullaryExpr(m, [&random](Index) { return random.uniform() - 0.5; });
}

/// Returns the leading pair, by Lanczos steps from `start`, or by the dense solver if the matrix is
/// small or Lanczos does not converge.
LeadingEigenpair leading_from(const Matrix& matrix, const Vector& start) {
  if (matrix.rows() >= kSmallestLanczos) {
    if (std::optional<LeadingEigenpair> pair = lanczos_leading(matrix, start)) {
      fix_sign(pair->vector);
      return *std::move(pair);
    }
  }
  const SymmetricEigenpairs all = symmetric_eigenpairs(matrix);
  LeadingEigenpair pair{.value = all.values[matrix.rows() - 1],
                        .vector = all.vectors.col(matrix.rows() - 1)};
  fix_sign(pair.vector);
  return pair;
}

}  // namespace

void fix_sign(Eigen::Ref<Vector> column) {
  Index largest = 0;
  for (Index i = 1; i < column.size(); ++i) {
    if (std::abs(column[i]) > std::abs(column[largest])) {
      largest = i;
    }
  }
  if (column[largest] < 0) {
    column = -column;
  }
}

LeadingEigenpair leading_eigenpair(const Matrix& matrix) {
  SPCA_CHECK(matrix.rows() >= 1 && matrix.rows() == matrix.cols(), "not a square matrix");
  return leading_from(matrix, generic_vector(matrix.rows()));
}

LeadingEigenpair leading_eigenpair(const Matrix& matrix, const Vector& start) {
  SPCA_CHECK(matrix.rows() >= 1 && matrix.rows() == matrix.cols(), "not a square matrix");
  SPCA_CHECK(matrix.rows() == start.size(), "a start of another length than the matrix");
  const double length = start.norm();
  if (!(length > 0) || !std::isfinite(length)) {
    return leading_eigenpair(matrix);
  }
  const Vector generic = generic_vector(matrix.rows());
  return leading_from(matrix, start / length + (kPerturbation / generic.norm()) * generic);
}

}  // namespace spca
