/// Nonnegative and cumulative variants of expectation maximisation for sparse PCA.
///
/// Problem  one after the other: maximise w'S_Q w s.t. ||w||_2 = 1, ||w||_0 <= k, w >= 0 if
///            `nonnegative`; S_Q = (I - QQ') S (I - QQ'), Q a basis of the components before
///          `cumulative`: all r at once, minimise ||X - Z W'||_F^2 + gamma ||W'W - I||_F^2 over W,
///            Z = X W (W'W)^-1, gamma = `orthogonality` * Tr S; column j has k_j nonzeros
/// Step     E: the scores, of which only products with S are needed. M: w = S_Q w, or W by
///          projected gradient steps. Negative entries become zero if `nonnegative`. Each column is
///          soft-thresholded at its (k + 1)-th largest entry and made unit. At the end the
///          iteration is repeated without a threshold, on the support found
/// Start    standard normal vectors, their absolute values if `nonnegative`; `restarts` of them, of
///          which the best is kept (constrained_em.h)
/// Stops    if the objective changes by at most `tolerance` of itself, or after 1000
///          steps
/// Cost     a product of S with a sparse vector for each component and step: k-sparse for the first
///          component and if `cumulative`, otherwise on the supports of all components so far
/// Source   Sigg, Buhmann, Expectation-maximization for sparse and non-negative PCA, ICML 2008;
///          their R package nsprcomp defines the variants nsprcomp (generalised deflation of Mackey
///          2008) and nscumcomp (cumulative)
/// Differs  nscumcomp bounds the nonzeros of all components together; here each has its own k_j. It
///          calls L-BFGS-B for W; here projected gradient steps descend. Without sign constraints
///          the loadings of a single component end as the leading eigenvector on their support

#include <fmt/format.h>

#include "spca/methods/ascent/constrained_em.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_nsprcomp {
namespace {

struct NsprcompOptions {
  bool cumulative = false;
  ConstrainedEmRule rule = {};

  void describe(OptionVisitor& visit) {
    visit("nonnegative", rule.nonnegative, "no loading is below zero");
    visit("cumulative", cumulative, "all components at once; otherwise one after the other");
    visit("orthogonality", rule.orthogonality,
          "gamma relative to the total variance; without it cumulative components may coincide",
          at_least(0));
    visit("restarts", rule.restarts, "number of random starts, of which the best result is kept",
          at_least(1));
    visit("tolerance", rule.tolerance, "relative change of the objective that ends an iteration",
          at_least(0));
  }
};

Solution solve_nsprcomp(const Problem& problem, const NsprcompOptions& options, Budget& budget) {
  if (!has_positive_variance(problem.covariance)) {
    return skipped(kNoVariance);
  }
  // S has at most this rank. Cumulative components beyond it would coincide.
  const Index varying = std::ssize(varying_variables(problem.covariance));
  if (varying < problem.components) {
    return skipped(fmt::format("component {}: no variance is left for it", varying + 1));
  }
  // The cumulative variant needs several components.
  std::vector<Component> components = options.cumulative && problem.components > 1
                                          ? em_all_at_once(problem, options.rule, budget)
                                          : em_one_after_the_other(problem, options.rule, budget);
  for (std::size_t j = 0; j < components.size(); ++j) {
    if (components[j].support.empty()) {
      return skipped(fmt::format("component {}: no variance is left for it", j + 1));
    }
  }
  return make_solution(std::move(components), budget);
}

SPCA_SOLVER("nsprcomp", solve_nsprcomp,
            (Traits{.summary = "expectation maximisation, nonnegative or cumulative",
                    .problem = "max w'Sw s.t. ||w|| = 1, ||w||_0 <= k (, w >= 0)",
                    .source = "Sigg, Buhmann, ICML 2008",
                    .multiple_components = true,
                    .seeded = true}));

}  // namespace
}  // namespace spca::solver_nsprcomp
