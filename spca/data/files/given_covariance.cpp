#include "spca/data/files/given_covariance.h"

#include <fmt/format.h>

#include <cmath>

#include "spca/base/error.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"

namespace spca {
namespace {

constexpr Index kMostVariables = 5000;
// At most this share of the largest entry is a difference due to rounding.
constexpr double kSymmetry = 1e-9;

/// Calls visit(i, j) for all i > j.
template <class Visit>
void each_below(Index p, const Visit& visit) {
  for (Index j = 0; j < p; ++j) {
    for (Index i = j + 1; i < p; ++i) {
      visit(i, j);
    }
  }
}

void mirror(Triangle triangle, Matrix& matrix) {
  each_below(matrix.rows(), [&](Index i, Index j) {
    (triangle == Triangle::kLower ? matrix(j, i) : matrix(i, j)) =
        triangle == Triangle::kLower ? matrix(i, j) : matrix(j, i);
  });
}

/// The number of missing entries and of zeros in a triangle.
struct Emptiness {
  Index missing = 0;
  Index zeros = 0;
  void count(double entry) {
    missing += std::isnan(entry) ? 1 : 0;
    zeros += entry == 0 ? 1 : 0;
  }
};

}  // namespace

Triangle triangle_from_name(const std::string& name) {
  if (name == "auto") {
    return Triangle::kWhole;
  }
  if (name == "lower") {
    return Triangle::kLower;
  }
  if (name == "upper") {
    return Triangle::kUpper;
  }
  throw InputError(fmt::format("triangle: found \"{}\"; accepted: auto, lower or upper", name));
}

void complete_covariance(Triangle triangle, FileContent& content) {
  if (content.sparse != nullptr && !content.is_bag_of_words &&
      content.sparse->rows() == content.sparse->cols()) {
    content.dense = Matrix(*content.sparse);  // S is dense in any case
    content.sparse = nullptr;
  }
  Matrix& matrix = content.dense;
  const Index p = matrix.rows();
  if (p < 2 || p != matrix.cols()) {
    return;
  }
  Emptiness below;
  Emptiness above;
  each_below(p, [&](Index i, Index j) {
    below.count(matrix(i, j));
    above.count(matrix(j, i));
  });
  const Index entries = p * (p - 1) / 2;
  if (triangle == Triangle::kWhole && (below.missing == entries || above.missing == entries) &&
      below.missing != above.missing) {
    triangle = above.missing == entries ? Triangle::kLower : Triangle::kUpper;
    content.notes.push_back(fmt::format("has the {} triangle of S alone, which was mirrored",
                                        triangle == Triangle::kLower ? "lower" : "upper"));
  } else if (triangle == Triangle::kWhole && below.zeros != above.zeros &&
             (below.zeros == entries || above.zeros == entries)) {
    const bool is_lower = above.zeros == entries;
    throw InputError(fmt::format(
        "the {} triangle is zero and the {} is not; accepted for kind covariance: a symmetric "
        "matrix, or `triangle` {}, which mirrors it",
        is_lower ? "upper" : "lower", is_lower ? "lower" : "upper", is_lower ? "lower" : "upper"));
  }
  if (triangle != Triangle::kWhole) {
    mirror(triangle, matrix);
  }
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < p; ++j) {
      if (std::isnan(matrix(i, j))) {
        throw InputError(fmt::format(
            "row {}, column {}: found NaN; accepted for kind covariance: finite numbers, or one "
            "triangle that is empty as a whole",
            i + 1, j + 1));
      }
    }
  }
}

void replace_by_nearest_semidefinite(FileContent& content) {
  const Index rows = content.sparse != nullptr ? content.sparse->rows() : content.dense.rows();
  const Index p = content.sparse != nullptr ? content.sparse->cols() : content.dense.cols();
  if (rows != p || p > kMostVariables) {
    throw InputError(
        fmt::format("found {} rows and {} columns; accepted for `nearest`: a square "
                    "matrix of at most {} variables",
                    rows, p, kMostVariables));
  }
  if (content.sparse != nullptr) {
    content.dense = Matrix(*content.sparse);
    content.sparse = nullptr;
  }
  Matrix& matrix = content.dense;
  const double largest = matrix.cwiseAbs().maxCoeff();
  if (!matrix.allFinite() ||
      (matrix - matrix.transpose()).cwiseAbs().maxCoeff() > kSymmetry * largest ||
      matrix.diagonal().minCoeff() < 0) {
    throw InputError(
        "accepted for `nearest`: a symmetric matrix of finite numbers, with a diagonal >= 0");
  }
  matrix = ((matrix + matrix.transpose()) / 2).eval();
  const SymmetricEigenpairs eigen = symmetric_eigenpairs(matrix);
  const double least = eigen.values.minCoeff();
  if (least >= 0) {
    return;
  }
  const Matrix root = scaled_columns(eigen.vectors, eigen.values.cwiseMax(0.0).cwiseSqrt());
  Vector lengths = root.rowwise().norm();
  const Vector scale =
      (lengths.array() > 0).select(matrix.diagonal().cwiseSqrt().cwiseQuotient(lengths), 0.0);
  const Matrix scaled = scale.asDiagonal() * root;
  Matrix nearest = matrix_product(scaled, Matrix(scaled.transpose()));
  nearest = ((nearest + nearest.transpose()) / 2).eval();
  nearest.diagonal() = matrix.diagonal();
  content.notes.push_back(
      fmt::format("had the eigenvalue {:.3g}: negative eigenvalues became zero, and no entry "
                  "changed by more than {:.3g}",
                  least, (nearest - matrix).cwiseAbs().maxCoeff()));
  matrix = std::move(nearest);
}

}  // namespace spca
