#include "spca/methods/relaxations/diagonal_relaxation.h"

#include <algorithm>
#include <cmath>

#include "spca/base/tolerances.h"
#include "spca/dense/dense_decompositions.h"

namespace spca {
namespace {

// Numbers chosen by trial on matrices of 13 to 101 variables, not measured.
constexpr int kMostIterationsOfAdmm = 5000;
constexpr int kIterationsPerBound =
    10;  // iterations between bounds, each of which takes eigenvalues
constexpr int kBoundsWithoutFall = 20;  // successive bounds without a fall that end the iteration
constexpr double kLeastFall = 1e-7;     // less is not a fall; relative
constexpr double kLargestRatio = 10;    // ratio of the residuals beyond which the step changes

/// Returns w with 0 <= w and sum 1 that is nearest to `values`.
Vector nearest_in_simplex(const Vector& values) {
  Vector sorted = values;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double level = 0;
  double sum = 0;
  for (Index i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / static_cast<double>(i + 1);
    level = sorted[i] > candidate ? candidate : level;
  }
  return (values.array() - level).max(0);
}

Matrix with_values(const SymmetricEigenpairs& pairs, const Vector& values) {
  return pairs.vectors * values.asDiagonal() * pairs.vectors.transpose();
}

/// ADMM on an S whose largest variance is 1. X has a copy that is psd with trace 1, and
/// U = k Diag(X) - X a copy that is psd. The update of X is separate for each entry, because the
/// map from X to U is.
class DiagonalAdmm {
 public:
  DiagonalAdmm(Matrix matrix, Index k)
      : matrix_(std::move(matrix)),
        map_(Matrix::Constant(size(), size(), -1)),
        trace_part_(Matrix::Identity(size(), size()) / static_cast<double>(size())),
        x_(trace_part_),
        trace_multiplier_(Matrix::Zero(size(), size())),
        cone_multiplier_(trace_multiplier_) {
    map_.diagonal().setConstant(static_cast<double>(k) - 1);
    cone_part_ = map_.cwiseProduct(trace_part_);
  }

  void iterate() {
    before_ = x_;
    x_ = ((matrix_ / step_ + trace_part_ - trace_multiplier_).array() +
          map_.array() * (cone_part_ - cone_multiplier_).array()) /
         (1 + map_.array().square());
    const SymmetricEigenpairs of_trace = symmetric_eigenpairs(x_ + trace_multiplier_);
    trace_part_ = with_values(of_trace, nearest_in_simplex(of_trace.values));
    trace_multiplier_ += x_ - trace_part_;
    const SymmetricEigenpairs of_cone =
        symmetric_eigenpairs(map_.cwiseProduct(x_) + cone_multiplier_);
    cone_part_ = with_values(of_cone, of_cone.values.cwiseMax(0));
    cone_multiplier_ = with_values(of_cone, of_cone.values.cwiseMin(0));
    const Index negative = (of_cone.values.array() < 0).count();
    factor_ = of_cone.vectors.leftCols(negative) *
              (-step_ * of_cone.values.head(negative)).cwiseSqrt().asDiagonal();
  }

  /// L of the dual matrix after an iteration.
  const Matrix& factor() const { return factor_; }

  void balance_step() {
    const double primal = (x_ - trace_part_).norm() + (map_.cwiseProduct(x_) - cone_part_).norm();
    const double dual = step_ * (x_ - before_).norm();
    const double ratio = primal > kLargestRatio * dual   ? 2
                         : dual > kLargestRatio * primal ? 0.5
                                                         : 1;
    step_ *= ratio;
    trace_multiplier_ /= ratio;
    cone_multiplier_ /= ratio;
  }

 private:
  Index size() const { return matrix_.rows(); }

  Matrix matrix_;
  Matrix map_;  // k - 1 on the diagonal and -1 elsewhere: U = map * X, entry by entry
  Matrix trace_part_, cone_part_;
  Matrix x_, before_;
  Matrix trace_multiplier_, cone_multiplier_;
  Matrix factor_;
  double step_ = 1;
};

}  // namespace

double diagonal_bound(const Matrix& matrix, const Matrix& factor, Index k) {
  const Matrix dual = factor * factor.transpose();
  Matrix bounded = matrix - dual;
  bounded.diagonal() += static_cast<double>(k) * dual.diagonal();
  // Upper limits of the rounding, in units of kEpsilon: of the products and sums, by the norms of
  // the matrices; of the eigenvalues, ten times the norm for each variable.
  const double of_entries = static_cast<double>(factor.cols() + 4) *
                            (static_cast<double>(k + 1) * factor.squaredNorm() + matrix.norm());
  const double of_eigenvalues = 10 * static_cast<double>(matrix.rows()) * bounded.norm();
  return symmetric_eigenvalues(bounded).maxCoeff() + kEpsilon * (of_entries + of_eigenvalues);
}

DiagonalBound diagonal_relaxation(const Matrix& matrix, Index k, double target,
                                  const std::function<bool()>& keep_going) {
  DiagonalBound best;
  best.factor = Matrix::Zero(matrix.rows(), 1);
  best.value = diagonal_bound(matrix, best.factor, k);
  const double scale = matrix.diagonal().maxCoeff();
  if (!(scale > 0) || k >= matrix.rows()) {
    return best;
  }
  DiagonalAdmm admm(matrix / scale, k);
  int failures = 0;
  for (int i = 1;
       i <= kMostIterationsOfAdmm && best.value > target && failures < kBoundsWithoutFall; ++i) {
    if (!keep_going()) {
      break;
    }
    admm.iterate();
    if (i % kIterationsPerBound != 0) {
      continue;
    }
    Matrix factor = std::sqrt(scale) * admm.factor();
    const double value = diagonal_bound(matrix, factor, k);
    failures = value < best.value - kLeastFall * std::abs(best.value) ? 0 : failures + 1;
    if (value < best.value) {
      best = {.value = value, .factor = std::move(factor)};
    }
    admm.balance_step();
  }
  return best;
}

}  // namespace spca
