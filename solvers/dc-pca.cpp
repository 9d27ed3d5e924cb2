/// Sparse PCA by DC programming: a logarithm in place of the number of nonzeros.
///
/// Problem  maximise v'Sv - rho_e sum_i log(1 + |v_i| / e)  s.t. ||v||_2 <= 1, a difference of
///          convex functions; rho_e = rho / log(1 + 1/e). As e falls to zero the sum over log(1 +
///          1/e) becomes the number of nonzeros
/// Step     both convex terms are linearised at v: z_i = (S + tau I)v, soft thresholded at
///          rho_e / (2 (|v_i| + e)); v <- z / ||z||; tau makes S + tau I positive semidefinite
/// Start    the leading eigenvector u of S
/// Stops    when the objective grows by no more than `tolerance` times v'Sv
/// Cost     the leading eigenvector once; then a product of S with the sparse v and O(p) a step
/// Source   Sriperumbudur, Torres, Lanckriet, Sparse eigen methods by D.C. programming, ICML 2007
///          (DC-PCA); the closed form of a step is of A majorization-minimization approach to the
///          sparse generalized eigenvalue problem, Machine Learning 85, 2011
/// Differs  rho_e / 2 = penalty * max_i (lambda_1 + tau) |u_i| (|u_i| + e): a penalty of 1 cuts
///          everything in the first step. With the default `refit` the loadings are the leading
///          eigenvector on their support

#include <algorithm>
#include <cmath>

#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/low_rank.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_dc_pca {
namespace {

struct DcOptions {
  double penalty = 0.1;
  double epsilon = 1e-3;
  double tolerance = kObjectiveTolerance;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("penalty", penalty,
          "rho relative to the value that cuts all variables in the first step; 0 keeps all",
          between(0, 1));
    visit("epsilon", epsilon, "e, the loading at which the logarithm begins to count nonzeros",
          above(0));
    visit("tolerance", tolerance,
          "relative growth of the objective below which the iteration stops", at_least(0));
    visit("refit", refit,
          "replace the loadings by the leading eigenvector on their support; otherwise v itself");
  }
};

/// Relative rounding of the first step: a penalty of 1 cuts the largest entry too.
constexpr double kRoundingOfStep = 1e-12;

/// sum_i log(1 + |v_i| / e).
double logarithms(const Component& v, double epsilon) {
  return (v.values.array().abs() / epsilon).log1p().sum();
}

Solution solve_dc_pca(const Problem& problem, const DcOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const double epsilon = options.epsilon;
  const Eigenpairs leading = leading_eigenpairs(covariance, 1, Exact::kPairs, Copies::kAny);
  budget.phases().finish("eigenpairs");
  if (!(leading.values[0] > 0)) {
    throw NumericalError("S has no positive eigenvalue");
  }
  // An iterative eigensolver leaves rounding noise on the zero rows that a deflation makes.
  Matrix u = leading.vectors;
  zero_other_rows(varying_variables(covariance), u);
  const double tau = covariance.semidefinite_shift();
  const auto magnitudes = u.col(0).array().abs();
  const double largest =
      (leading.values[0] + tau) * (magnitudes * (magnitudes + epsilon)).maxCoeff();
  const double half_rho = options.penalty * largest * (1 + kRoundingOfStep);
  Component v = normalized(from_dense(u.col(0)));
  Vector product(covariance.variables());
  double objective = -std::numeric_limits<double>::infinity();
  while (!v.support.empty() && budget.next(objective)) {
    covariance.multiply(v, product);
    const double variance = sparse_dot(v, product);
    const double previous = objective;
    objective = variance - 2 * half_rho * logarithms(v, epsilon);
    if (objective - previous <= options.tolerance * std::abs(variance)) {
      break;
    }
    // The loadings that are zero have the largest threshold, half_rho / e.
    Vector thresholds = Vector::Constant(product.size(), half_rho / epsilon);
    for (std::size_t i = 0; i < v.support.size(); ++i) {
      thresholds[v.support[i]] = half_rho / (std::abs(v.values[static_cast<Index>(i)]) + epsilon);
    }
    add_scaled(tau, v, product);
    const Vector rest = (product.array().abs() - thresholds.array()).max(0.0);
    v = normalized(from_dense(product.cwiseSign().cwiseProduct(rest)));
  }
  Solution solution =
      make_solution({options.refit ? refitted(covariance, v) : std::move(v)}, budget);
  solution.facts = {{"rho", 2 * half_rho * std::log1p(1 / epsilon)}};
  return solution;
}

SPCA_SOLVER("dc-pca", solve_dc_pca,
            (Traits{.summary = "DC programming, a logarithmic penalty in place of the count",
                    .problem = "max v'Sv - rho_e sum log(1 + |v_i| / e) s.t. ||v||_2 <= 1",
                    .source = "Sriperumbudur, Torres, Lanckriet, ICML 2007",
                    .rule = SparsityRule::kPenalty,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_dc_pca
