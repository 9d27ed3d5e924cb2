/// Sparse PCA by a regularised singular value decomposition of rank one (sPCA-rSVD).
///
/// Problem  minimise over ||u||_2 = 1, v: ||X - uv'||_F^2 + P(v), P the penalty whose proximal map
///          is soft thresholding (2 lambda ||v||_1) or hard thresholding (lambda^2 ||v||_0)
/// Step     v <- h(X'u), u <- Xv / ||Xv||; in terms of S: X'u = Sv / sqrt(v'Sv)
/// Start    the best rank-one fit: X'u = sqrt(lambda_1) v_1, the leading eigenvector of S
/// Stops    when ||X||^2 minus the criterion grows by no more than `tolerance` times itself
/// Cost     the leading eigenvector once; then a product of S with the sparse v, and O(p), a step
/// Source   Shen, Huang, Sparse principal component analysis via regularized low rank matrix
///          approximation, J. Multivariate Analysis 99, 2008, Algorithm 1
/// Differs  lambda = penalty * max_i |X'u|_i at the start, so that one range fits all data: 1
///          cuts everything at once and gives an empty component. A single variable can be
///          unreachable: a second one that correlates strongly with it returns after the first
///          step. With the default `refit` the loadings are the leading eigenvector on the support,
///          without the shrinkage, because components of equal cardinality are compared by
///          variance; the paper's are v / ||v|| (`refit` false). The SCAD penalty of the paper is
///          omitted.
#include <cmath>

#include "spca/base/error.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_rsvd {
namespace {

struct RsvdOptions {
  std::string threshold = "soft";
  double penalty = 0.5;
  double tolerance = kObjectiveTolerance;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("threshold", threshold, "kind of threshold on X'u: shrink or cut", {"soft", "hard"});
    visit(
        "penalty", penalty,
        "level of the threshold relative to the largest |X'u| at the start; 1 cuts all variables, "
        "0 keeps all of them",
        between(0, 1));
    visit("tolerance", tolerance,
          "relative growth of the objective below which the iteration stops", at_least(0));
    visit("refit", refit,
          "replace the loadings by the leading eigenvector on their support; otherwise v / ||v||");
  }
};

Solution solve_rsvd(const Problem& problem, const RsvdOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Eigenpairs leading = leading_eigenpairs(covariance, 1, Exact::kPairs, Copies::kAny);
  if (!(leading.values[0] > 0)) {
    throw NumericalError("S has no positive eigenvalue");
  }
  Vector w = std::sqrt(leading.values[0]) * leading.vectors.col(0);
  const ThresholdedPower rule{
      .threshold = options.threshold == "soft" ? Threshold::kSoft : Threshold::kHard,
      .level = options.penalty * w.cwiseAbs().maxCoeff(),
      .tolerance = options.tolerance};
  Component component = thresholded_power(covariance, rule, std::move(w), budget);
  if (options.refit) {
    component = refitted(covariance, component);
  }
  return make_solution({std::move(component)}, budget);
}

SPCA_SOLVER("rsvd", solve_rsvd,
            (Traits{.summary = "regularised singular value decomposition of rank one",
                    .problem = "min ||X - uv'||_F^2 + P(v) s.t. ||u||_2 = 1",
                    .source = "Shen, Huang, J. Multivariate Analysis 2008",
                    .rule = SparsityRule::kPenalty,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_rsvd
