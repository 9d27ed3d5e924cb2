#include "spca/dense/detail/lanczos.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spca {
namespace {

/// Estimated residual, relative to the norm of T, at which the steps end. It is well below
/// kLanczosResidual, so that the final check passes despite rounding.
constexpr double kEstimatedResidual = 1e-14;
constexpr double kSmallestScale = 1e-100;
constexpr double kLargestScale = 1e100;
constexpr int kNewtonSteps = 60;
constexpr double kSmallestPivot = 1e-3;  // in units of the resolution of lambda

/// The tridiagonal projection T of A, with `diagonal` alpha_1..alpha_j and `coupling`
/// beta_1..beta_j. beta_j leads out of the space so far.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> coupling;
  double norm = 0;  // increases to about ||A||

  void append(double alpha, double beta) {
    diagonal.push_back(alpha);
    coupling.push_back(beta);
    norm = std::max(norm, std::abs(alpha) + beta);
  }
};

/// Returns lambda_max(T_j), given lambda_max(T_{j-1}) = `previous`.
///
/// Newton's method on the characteristic polynomial decreases monotonically from any upper bound,
/// because all roots are real. The upper bound comes from
///
///   v'Tv <= theta |y|^2 + 2 beta |y||z| + alpha z^2,   v = (y, z), z the last entry,
///
/// with theta = `previous`: the larger eigenvalue of the 2 x 2 matrix of theta, beta and alpha.
///
/// `pivots` receives e_i = x - alpha_i - beta_i^2 / e_{i+1} at the result. They run from the last
/// row to the first, because the eigenvector is large in the first rows: only e_1 vanishes at the
/// root. Pivots in the forward order vanish one after the other as Lanczos converges, and would be
/// dominated by rounding.
double largest_eigenvalue(const Tridiagonal& t, double previous, std::vector<double>& pivots) {
  const std::size_t size = t.diagonal.size();
  const double resolution = std::numeric_limits<double>::epsilon() * t.norm;
  pivots.resize(size);
  double x = t.diagonal[0];
  if (size > 1) {
    const double half = 0.5 * (previous - t.diagonal[size - 1]);
    x = 0.5 * (previous + t.diagonal[size - 1]) + std::hypot(half, t.coupling[size - 2]);
    x += 4 * resolution;
  }
  for (int step = 0; step < kNewtonSteps; ++step) {
    double slope = 1;
    double logarithmic = 0;  // sum of e_i' / e_i = p'(x) / p(x)
    for (std::size_t i = size; i-- > 0;) {
      double pivot = x - t.diagonal[i];
      double derivative = 1;
      if (i + 1 < size) {
        const double ratio = t.coupling[i] / pivots[i + 1];
        pivot -= ratio * t.coupling[i];
        derivative += ratio * ratio * slope;
      }
      // At the root itself rounding may make a pivot zero or negative. x is then the answer.
      pivots[i] = std::max(pivot, kSmallestPivot * resolution);
      slope = derivative;
      logarithmic += slope / pivots[i];
    }
    const double next = x - 1 / logarithmic;
    if (!(x - next > resolution)) {
      break;
    }
    x = next;
  }
  return x;
}

/// Returns the unit eigenvector of T_j for lambda_max from its pivots. Every row of the eigenvector
/// equation but the first holds exactly.
Vector tridiagonal_eigenvector(const Tridiagonal& t, const std::vector<double>& pivots) {
  const Index size = static_cast<Index>(t.diagonal.size());
  Vector s(size);
  s[0] = 1;
  for (Index i = 1; i < size; ++i) {
    s[i] = s[i - 1] * t.coupling[static_cast<std::size_t>(i - 1)] /
           pivots[static_cast<std::size_t>(i)];
  }
  return s.normalized();
}

}  // namespace

std::optional<LeadingEigenpair> lanczos_leading(const Matrix& matrix, const Vector& start) {
  // Squares of entries outside this range lose digits. The dense solver then takes over; it scales
  // the matrix.
  const double scale = matrix.diagonal().cwiseAbs().maxCoeff();
  if (!(scale > kSmallestScale && scale < kLargestScale)) {
    return std::nullopt;
  }
  const Index m = matrix.rows();
  const Index limit = std::min(m, kLargestKrylov);
  Matrix basis(m, limit);
  basis.col(0) = start.normalized();
  Tridiagonal t;
  std::vector<double> pivots;
  Vector product(m);
  Vector overlap;
  double value = 0;
  for (Index j = 0; j < limit; ++j) {
    product.noalias() = matrix * basis.col(j);
    const double alpha = basis.col(j).dot(product);
    // Orthogonalised twice against all vectors: with the three-term recurrence alone, rounding
    // would bring the converged eigenvector back, and T would repeat its eigenvalue.
    for (int pass = 0; pass < 2; ++pass) {
      overlap.noalias() = basis.leftCols(j + 1).transpose() * product;
      product.noalias() -= basis.leftCols(j + 1) * overlap;
    }
    const double beta = product.norm();
    t.append(alpha, beta);
    value = largest_eigenvalue(t, value, pivots);
    const Vector s = tridiagonal_eigenvector(t, pivots);
    // The residual ||A V s - theta V s|| of the Ritz vector is beta_j |s_j|; it need not be formed.
    const double estimate = beta * std::abs(s[j]);
    if (estimate <= kEstimatedResidual * t.norm || j + 1 == limit) {
      LeadingEigenpair pair;
      pair.vector = (basis.leftCols(j + 1) * s).normalized();
      product.noalias() = matrix * pair.vector;
      pair.value = pair.vector.dot(product);
      product -= pair.value * pair.vector;
      // The value is compared too, because any other eigenvector would pass the residual test.
      if (product.norm() <= kLanczosResidual * t.norm &&
          std::abs(pair.value - value) <= kLanczosResidual * t.norm) {
        return pair;
      }
      return std::nullopt;
    }
    basis.col(j + 1) = product / beta;
  }
  return std::nullopt;
}

}  // namespace spca
