/// Sparse PCA by a penalized matrix decomposition: SPC, the case without a penalty on u.
///
/// Problem  maximise u'Xv s.t. ||u||_2 <= 1, ||v||_2 <= 1, ||v||_1 <= c; in terms of S:
///          sqrt(v'Sv) under the bounds on v, c = 1 + bound * (sqrt(p) - 1)
/// Step     u <- Xv / ||Xv||; v <- the unit vector along X'u soft thresholded by the least amount
///          for which ||v||_1 <= c; in terms of S: X'u = Sv / sqrt(v'Sv)
/// Start    the leading eigenvector of S, thresholded as in a step
/// Stops    when u'Xv = sqrt(v'Sv) grows by no more than `tolerance` times itself
/// Cost     the leading eigenvector once; then a product of S with the sparse v, and a sort of p
///          numbers, a step
/// Source   Witten, Tibshirani, Hastie, A penalized matrix decomposition, Biostatistics 10, 2009,
///          problem (16), Algorithm 3 without the bound on u
/// Differs  the amount of thresholding is computed exactly instead of by bisection; loadings below
///          1e-8 are dropped. With the default `refit` the loadings are the leading eigenvector on
///          the support, without the shrinkage, because components of equal cardinality are
///          compared by variance; the paper's are v (`refit` false).
#include <cmath>

#include "spca/base/error.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_pmd {
namespace {

/// Loadings below this are dropped. For any c > 1 a unit vector of l1 norm c has at least two
/// nonzeros. Without this limit one nonzero would need c = 1 to the last bit.
constexpr double kDroppedLoading = 1e-8;

Component unit_within(const Vector& w, double bound) {
  return from_dense(hard_threshold(unit_within_l1_ball(w, bound), kDroppedLoading));
}

struct PmdOptions {
  double bound = 0.3;
  double tolerance = kObjectiveTolerance;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("bound", bound,
          "limit of ||v||_1: 0 is 1 (one variable), 1 is sqrt(p) (all variables), linear between",
          between(0, 1));
    visit("tolerance", tolerance,
          "relative growth of the objective below which the iteration stops", at_least(0));
    visit("refit", refit,
          "replace the loadings by the leading eigenvector on their support; otherwise v itself");
  }
};

Solution solve_pmd(const Problem& problem, const PmdOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const double largest_bound = std::sqrt(static_cast<double>(covariance.variables()));
  const double bound = 1 + options.bound * (largest_bound - 1);
  const Eigenpairs leading = leading_eigenpairs(covariance, 1, Exact::kPairs, Copies::kAny);
  if (!(leading.values[0] > 0)) {
    throw NumericalError("S has no positive eigenvalue");
  }
  Component v = unit_within(leading.vectors.col(0), bound);
  Vector product(covariance.variables());
  double objective = 0;
  while (budget.next(objective)) {
    covariance.multiply(v, product);
    const double squared_length = v.values.dot(product(v.support));
    // A Hotelling deflation can make S indefinite. Then there may be no variance on the support.
    if (!(squared_length > 0)) {
      break;
    }
    const double previous = objective;
    objective = std::sqrt(squared_length);
    if (objective - previous <= options.tolerance * objective) {
      break;
    }
    v = unit_within(product, bound);
  }
  Component component = options.refit ? refitted(covariance, v) : normalized(std::move(v));
  return make_solution({std::move(component)}, budget);
}

SPCA_SOLVER("pmd", solve_pmd,
            (Traits{
                .summary = "penalized matrix decomposition, an l1 bound on the loadings",
                .problem = "max v'Sv s.t. ||v||_2 <= 1, ||v||_1 <= c",
                .source = "Witten, Tibshirani, Hastie, Biostatistics 2009",
                .rule = SparsityRule::kPenalty,
                .tuning = {.option = "bound", .minimum = 0, .maximum = 1, .increasing = true}}));

}  // namespace
}  // namespace spca::solver_pmd
