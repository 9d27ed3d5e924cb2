#include "spca/methods/relaxations/box_admm.h"

#include <algorithm>
#include <cmath>

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of iterations.
constexpr Index kMostAdmmIterations = 20'000;
// The dual value takes another eigendecomposition, so a dual is considered once in this number of
// iterations.
constexpr Index kIterationsPerDual = 10;
// Ratio of the two residuals beyond which the step changes.
constexpr double kUnbalanced = 10;

}  // namespace

Matrix run_box_admm(const Matrix& covariance, double rho, Matrix& h, const BoxAdmm& rules) {
  double step = 1;  // weight of the augmented term; fits variances of at most 1
  Matrix copy = Matrix::Zero(h.rows(), h.cols());
  Matrix multiplier = Matrix::Zero(h.rows(), h.cols());
  bool has_begun = false;
  for (Index i = 0; i < kMostAdmmIterations && rules.keep_going(); ++i) {
    has_begun = true;
    h = rules.project(copy - multiplier + covariance / step);
    const Matrix before = std::move(copy);
    const Matrix sum = h + multiplier;
    copy = sum.unaryExpr([level = rho / step](double entry) {
      return std::copysign(std::max(std::abs(entry) - level, 0.0), entry);
    });
    multiplier = sum - copy;
    if ((i + 1) % kIterationsPerDual != 0) {
      continue;
    }
    rules.consider_dual(-step * multiplier);
    if (rules.has_closed()) {
      break;
    }
    const double primal = (h - copy).norm();
    const double dual = step * (copy - before).norm();
    const double factor = primal > kUnbalanced * dual ? 2 : dual > kUnbalanced * primal ? 0.5 : 1;
    step *= factor;
    multiplier /= factor;
  }
  return has_begun ? copy : h;
}

}  // namespace spca
