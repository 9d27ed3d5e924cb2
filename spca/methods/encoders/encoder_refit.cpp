/// Block coordinate ascent on the variance that the encoder captures, over the loadings on fixed
/// supports. A turn is exact: the best loadings of one component solve an eigenproblem of k x k.

#include "spca/methods/encoders/encoder_refit.h"

#include <algorithm>

#include "spca/dense/dense_products.h"
#include "spca/methods/encoders/linear_encoder.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca {
namespace {

/// The infimum of the loss may be the limit in which two components become one. The iteration then
/// does not end, so the rounds are limited. Chosen by trial, not measured.
constexpr int kMostRefitRounds = 100;

class Refit {
 public:
  Refit(ColumnStore& store, const std::vector<Component>& components)
      : joint_(join_supports(components)) {
    const auto size = static_cast<Index>(joint_.support.size());
    gram_.resize(size, size);
    squared_.resize(size, size);
    for (Index i = 0; i < size; ++i) {
      const Index variable = joint_.support[static_cast<std::size_t>(i)];
      // The loadings have their support in U: only these entries of the columns of S and S^2
      // matter.
      gram_.col(i) = store.column(variable)(joint_.support);
      squared_.col(i) = store.twice(variable)(joint_.support);
    }
    for (const Component& component : components) {
      std::vector<Index> rows;
      for (const Index variable : component.support) {
        rows.push_back(std::lower_bound(joint_.support.begin(), joint_.support.end(), variable) -
                       joint_.support.begin());
      }
      rows_.push_back(std::move(rows));
    }
  }

  /// Gives component j its best loadings. Returns the variance that all components then capture.
  double turn(Index j) {
    Matrix others(joint_.loadings.rows(), joint_.loadings.cols() - 1);
    others << joint_.loadings.leftCols(j), joint_.loadings.rightCols(others.cols() - j);
    const ColumnSpan held = span_of(others);
    const std::vector<Index>& rows = rows_[static_cast<std::size_t>(j)];
    const Matrix basis = matrix_product(others, held.coefficients);
    const Matrix z = matrix_product(gram_(rows, Eigen::all), basis);
    const Matrix product = matrix_product(squared_(rows, Eigen::all), basis);
    // With A = S - ZZ': A^2 = S^2 - (SZ)Z' - Z(SZ)' + Z(Z'Z)Z'. Z'Z is diagonal: the variance that
    // the others capture.
    const Matrix cross = product_transposed(product, z);
    Matrix left = gram_(rows, rows);
    subtract_product_transposed(left, z, z);
    Matrix left_squared = squared_(rows, rows) - cross - cross.transpose();
    add_product_transposed(left_squared, scaled_columns(z, held.captured), z);
    const ColumnSpan span = column_span(left, left_squared, gram_.diagonal()(rows));
    joint_.loadings(rows, j) = encoder_loadings(span, 1).col(0);
    return held.captured.sum() + span.captured_by(1);
  }

  /// Extrapolates the change since `before` by `step` times its length. Accepts the result and
  /// returns true if it captures more. Turns of single components converge slowly if components
  /// compete for the same variance.
  bool extrapolate(const Matrix& before, double step, double& captured) {
    Matrix further = joint_.loadings;
    for (Index j = 0; j < further.cols(); ++j) {
      // A component and its negative are one encoder; the turn may have flipped the sign.
      const double sign = before.col(j).dot(further.col(j)) < 0 ? -1 : 1;
      further.col(j) += step * (further.col(j) - sign * before.col(j));
    }
    // Unit columns, so that a step means the same for every component.
    further.colwise().normalize();
    const double found = captured_by(further);
    if (!(found > captured)) {
      return false;
    }
    captured = found;
    joint_.loadings = std::move(further);
    return true;
  }

  const Matrix& loadings() const { return joint_.loadings; }

  std::vector<Component> components() const {
    std::vector<Component> result;
    for (Index j = 0; j < joint_.loadings.cols(); ++j) {
      result.push_back(components_on(joint_.support, joint_.loadings.col(j))[0]);
    }
    return result;
  }

 private:
  double captured_by(const Matrix& loadings) const { return span_of(loadings).captured.sum(); }
  /// The span of the scores of these loadings.
  ColumnSpan span_of(const Matrix& loadings) const {
    return column_span(matrix_product(transposed_product(loadings, gram_), loadings),
                       matrix_product(transposed_product(loadings, squared_), loadings),
                       loadings.cwiseAbs2().transpose() * gram_.diagonal());
  }

  JointLoadings joint_;
  Matrix gram_;                           // S_UU
  Matrix squared_;                        // (S^2)_UU
  std::vector<std::vector<Index>> rows_;  // of each component, in U
};

}  // namespace

RefitEncoder refit_encoder(ColumnStore& store, std::vector<Component> components, double tolerance,
                           Budget& budget) {
  Refit refit(store, components);
  const auto r = static_cast<Index>(components.size());
  double captured = refit.turn(0);
  double step = 1;
  for (int round = 0; round < kMostRefitRounds && r > 1 && budget.next(captured); ++round) {
    const double captured_before = captured;
    const Matrix before = refit.loadings();
    for (Index j = 0; j < r; ++j) {
      // Component 0 was updated before the first round, so it comes last.
      captured = refit.turn((j + 1) % r);
    }
    // A larger step after a success, a smaller one after a failure.
    step = refit.extrapolate(before, step, captured) ? 2 * step : std::max(step / 4, 1.0);
    if (captured - captured_before <= tolerance * captured) {
      break;
    }
  }
  return {.components = refit.components(), .captured = captured};
}

}  // namespace spca
