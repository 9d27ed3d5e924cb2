#include "spca/data/files/low_rank_imputation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"

namespace spca {
namespace {

constexpr int kMostIterations = 2000;
/// A direction of a basis is rounding if its pivot is below this share of the largest.
constexpr double kNegligible = 1e-14;
/// The iterations have converged when no entry changes by more than this share of its column's
/// deviation.
constexpr double kSettled = 1e-9;

/// X with each column centred and divided by its standard deviation, both computed from the known
/// values, and with zeros in the holes.
struct ScaledColumns {
  explicit ScaledColumns(const Matrix& x)
      : numbers(x.rows(), x.cols()), means(x.cols()), deviations(x.cols()) {
    for (Index j = 0; j < x.cols(); ++j) {
      const auto column = x.col(j).array();
      const auto count = static_cast<double>((!column.isNaN()).count());
      if (count == 0) {
        throw InputError(
            fmt::format("column {} has no value; accepted: `missing` as drop-columns", j + 1));
      }
      means[j] = column.isNaN().select(0, column).sum() / count;
      const auto about = (column.isNaN().select(means[j], column) - means[j]).eval();
      const double deviation = std::sqrt(about.square().sum() / count);
      deviations[j] = deviation > 0 ? deviation : 1;
      numbers.col(j) = about / deviations[j];
      for (Index i = 0; i < x.rows(); ++i) {
        if (std::isnan(x(i, j))) {
          holes.emplace_back(i, j);
        }
      }
    }
  }
  /// Fills the holes of x with `numbers`, scaled back to the columns of x.
  void fill(Matrix& x) const {
    for (const auto& [i, j] : holes) {
      x(i, j) = means[j] + deviations[j] * numbers(i, j);
    }
  }

  Matrix numbers;
  Vector means, deviations;
  std::vector<std::pair<Index, Index>> holes;
};

void refuse_empty_rows(const Matrix& x) {
  for (Index i = 0; i < x.rows(); ++i) {
    if (x.row(i).array().isNaN().all()) {
      throw InputError(fmt::format("row {} has no value; accepted: `missing` as drop-rows", i + 1));
    }
  }
}

}  // namespace

Imputation impute_low_rank(Matrix& x, Index rank) {
  refuse_empty_rows(x);
  ScaledColumns scaled(x);
  Matrix& filled = scaled.numbers;
  rank = std::max<Index>(0, std::min({rank, x.rows() - 1, x.cols() - 1}));
  Imputation done{.rank = rank};
  if (rank == 0) {
    scaled.fill(x);  // with the means
    return done;
  }
  Random random(1);
  Matrix basis(x.cols(), rank);
  for (double& number : basis.reshaped()) {
    number = random.normal();
  }
  basis = orthonormal_basis(basis, kNegligible);
  for (done.has_converged = false; !done.has_converged && done.iterations < kMostIterations;
       ++done.iterations) {
    const Vector means = filled.colwise().mean();
    const Matrix centred = filled.rowwise() - means.transpose();
    if (basis.cols() > 0) {  // drops directions without variance
      basis = orthonormal_basis(transposed_product(centred, matrix_product(centred, basis)),
                                kNegligible);
    }
    const Matrix scores = matrix_product(centred, basis);
    double largest = 0;
    for (const auto& [i, j] : scaled.holes) {
      const double number = means[j] + scores.row(i).dot(basis.row(j));
      largest = std::max(largest, std::abs(number - filled(i, j)));
      filled(i, j) = number;
    }
    done.has_converged = largest <= kSettled;
  }
  scaled.fill(x);
  return done;
}

}  // namespace spca
