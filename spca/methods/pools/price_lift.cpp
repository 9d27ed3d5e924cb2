#include "spca/methods/pools/price_lift.h"

#include <cmath>
#include <utility>

#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"

namespace spca {

Matrix symmetric_root(const SymmetricEigenpairs& pairs) {
  const Matrix scaled = pairs.vectors * pairs.values.cwiseMax(0).cwiseSqrt().asDiagonal();
  return product_transposed(scaled, pairs.vectors);
}

PriceLift::PriceLift(Matrix root, bool of_loadings)
    : root_(std::move(root)), of_loadings_(of_loadings) {}

Matrix PriceLift::lifted(const Matrix& factor, const Support& variables, double scale) const {
  if (is_identity()) {
    return selected_rows(factor, variables);
  }
  const Index p = root_.rows();
  const Matrix by_scores =
      std::sqrt(scale) * matrix_product(selected_rows(root_, variables), factor.topRows(p));
  if (!of_loadings_) {
    return by_scores;
  }
  Matrix lifted(by_scores.rows(), 2 * factor.cols());
  lifted << by_scores, selected_rows(factor.bottomRows(p), variables);
  return lifted;
}

Matrix PriceLift::lifted(const Matrix& factor, double scale) const {
  return is_identity() ? factor : lifted(factor, all_variables(root_.rows()), scale);
}

void PriceLift::subtract_slope(const Means& means, const Matrix& factor, const Support& variables,
                               Matrix& gradient) const {
  const auto subtract_rows = [&](Index first) {
    const Matrix change = matrix_product(
        means.plain, selected_rows(factor.middleRows(first, factor.rows() - first), variables));
    for (std::size_t row = 0; row < variables.size(); ++row) {
      gradient.row(first + variables[row]) -= 2 * change.row(static_cast<Index>(row));
    }
  };
  if (is_identity()) {
    subtract_rows(0);
    return;
  }
  const Index p = root_.rows();
  const Matrix root = selected_rows(root_, variables);
  const Matrix by_scores = matrix_product(root, factor.topRows(p));
  gradient.topRows(p) -= 2 * transposed_product(root, matrix_product(means.scaled, by_scores));
  if (of_loadings_) {
    subtract_rows(p);
  }
}

Matrix PriceLift::pulled(const Means& means, const Support& variables) const {
  if (is_identity()) {
    return means.plain;
  }
  const Index p = root_.rows();
  const Index rows = of_loadings_ ? 2 * p : p;
  Matrix pulled = Matrix::Zero(rows, rows);
  const Matrix root = selected_rows(root_, variables);
  pulled.topLeftCorner(p, p) = transposed_product(root, matrix_product(means.scaled, root));
  if (of_loadings_) {
    for (std::size_t j = 0; j < variables.size(); ++j) {
      for (std::size_t i = 0; i < variables.size(); ++i) {
        pulled(p + variables[i], p + variables[j]) =
            means.plain(static_cast<Index>(i), static_cast<Index>(j));
      }
    }
  }
  return pulled;
}

}  // namespace spca
