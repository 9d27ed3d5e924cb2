/// Thresholded PCA: the k largest loadings of the leading eigenvector.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     I = I_k(u), u the leading eigenvector of S; v is u on I, or with `refit` (default) the
///          leading eigenvector of S_II
/// Start    none
/// Stops    after the one step
/// Cost     that of the leading eigenvector; k^3 for the refit
/// Source   Cadima, Jolliffe, Journal of Applied Statistics 1995; with the refit it is the rank-1
///          algorithm of Papailiopoulos, Dimakis, Korokythakis, ICML 2013
/// Differs  variables of variance zero are never chosen, so fewer than k may remain

#include "spca/dense/sparsify.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_threshold {
namespace {

struct ThresholdOptions {
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("refit", refit,
          "replace the loadings by the leading eigenvector of S restricted to their support");
  }
};

Solution solve_threshold(const Problem& problem, const ThresholdOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  Vector loadings = leading_eigenpairs(covariance, 1, Exact::kPairs, Copies::kAny).vectors.col(0);
  budget.phases().finish("eigenpairs");
  // An iterative eigensolver leaves rounding noise on the zero rows that a deflation makes.
  loadings = (covariance.diagonal().array() > 0).select(loadings, 0.0);
  const Component thresholded =
      normalized(restrict_to(loadings, top_k(loadings, problem.cardinality[0])));
  if (thresholded.support.empty()) {
    return skipped(kNoVariance);
  }
  return make_solution(
      {options.refit ? best_on_support(covariance, thresholded.support).component : thresholded},
      budget);
}

SPCA_SOLVER("threshold", solve_threshold,
            (Traits{.summary = "the k largest loadings of the leading eigenvector",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Cadima, Jolliffe 1995; rank 1 of Papailiopoulos et al., ICML "
                              "2013",
                    .rank = 1}));

}  // namespace
}  // namespace spca::solver_threshold
