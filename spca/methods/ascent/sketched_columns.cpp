#include "spca/methods/ascent/sketched_columns.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "spca/base/random.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/few_vectors.h"
#include "spca/dense/sparsify.h"

namespace spca {
namespace {

constexpr Index kDirections = 128;
constexpr std::uint64_t kSeedOfSigns = 1;
// Number of directions, n numbers each, that are multiplied at a time.
constexpr Index kDirectionsTogether = 8;
// Number of columns of the sketched S at a time.
constexpr Index kColumnsTogether = 64;
constexpr Index kColumnsKept = 64;
// Twice the mean square of the errors.
constexpr double kNotableSquare = 2.0 / kDirections;

/// Rows of B'R for these variables, each of unit length; of B' itself, if R would be no smaller.
Matrix unit_rows_of_sketch(const Covariance& covariance, const Support& variables) {
  if (covariance.samples() <= kDirections) {
    const Matrix each = Matrix::Identity(covariance.samples(), covariance.samples());
    Matrix rows = selected_rows(covariance.transpose_product_block(each), variables);
    rows.rowwise().normalize();
    return rows;
  }
  Random random(kSeedOfSigns);
  Matrix rows(std::ssize(variables), kDirections);
  Matrix signs(covariance.samples(), kDirectionsTogether);
  for (Index first = 0; first < kDirections; first += kDirectionsTogether) {
    for (Index i = 0; i < signs.rows(); ++i) {
      const std::uint64_t word = random.bits();
      for (Index a = 0; a < kDirectionsTogether; ++a) {
        signs(i, a) = (word >> a & 1) != 0 ? 1 : -1;
      }
    }
    rows.middleCols(first, kDirectionsTogether) =
        selected_rows(covariance.transpose_product_block(signs), variables);
  }
  rows.rowwise().normalize();
  return rows;
}

/// The sum of the k largest squares of a column. `squares` is memory for them.
double sum_of_largest_squares(const VectorRef& column, Index k, std::vector<double>& squares) {
  squares.resize(static_cast<std::size_t>(column.size()));
  // Most entries are small, and are left out if the others are enough.
  std::size_t count = 0;
  for (Index i = 0; i < column.size(); ++i) {
    const double square = column[i] * column[i];
    squares[count] = square;
    count += square > kNotableSquare ? 1 : 0;
  }
  if (static_cast<Index>(count) < k) {
    Eigen::Map<Vector>(squares.data(), column.size()) = column.cwiseAbs2();
    count = squares.size();
  }
  return sum_of_largest({squares.data(), count}, k);
}

}  // namespace

Support best_sketched_columns(const Covariance& covariance, const Support& variables, Index k) {
  if (std::ssize(variables) <= kColumnsKept) {
    return variables;
  }
  const Matrix rows = unit_rows_of_sketch(covariance, variables);
  Vector scores(rows.rows());
  std::vector<double> squares;
  for (Index first = 0; first < rows.rows(); first += kColumnsTogether) {
    const Index count = std::min(kColumnsTogether, rows.rows() - first);
    const Matrix columns = times_few_vectors(rows, rows.middleRows(first, count).transpose());
    for (Index t = 0; t < count; ++t) {
      scores[first + t] = sum_of_largest_squares(columns.col(t), k, squares);
    }
  }
  Support best;
  for (const Index t : top_k_signed(scores, kColumnsKept)) {
    best.push_back(variables[static_cast<std::size_t>(t)]);
  }
  return best;
}

}  // namespace spca
