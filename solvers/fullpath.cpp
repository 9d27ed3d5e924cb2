/// Greedy path: every cardinality from 1 to k in one run.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= j, for j = 1..k
/// Step     with I the support so far and v its leading eigenvector (greedy_support.h):
///          approximate  I += argmax (S_{i,I} v_I)^2, which is v'Sv (a_i'x)^2 of the paper with
///                       x = X_I v_I / ||X_I v_I||, so S alone suffices
///          exact        I += argmax lambda_max(S_{I+i})
///          backward     I -= the variable whose removal lowers a bound of lambda_max least
/// Start    the variable of largest variance; backward: all variables. If several tie with it,
///          there is a path from each of these: for m = 2, 4, 8, ..., m <= 2k, the variable i that
///          maximises ||S_{I,i}||, I = I_m(S e_i) (column_starts.h). At cardinality j the best of
///          the paths for m <= 2j is kept, so that the answers do not depend on k
/// Stops    at cardinality k (backward: at 1, so that the path is complete)
/// Cost     approximate: two products with S a step (a j-sparse vector and one variable), and some
///          with S_II. exact: the same, and S_II once more for each candidate that bounds do not
///          rule out. backward: S whole, and some products with S_II a step, O(p^3) in all
/// Source   d'Aspremont, Bach, El Ghaoui, Full regularization path for sparse principal component
///          analysis, ICML 2007, and Optimal solutions for sparse PCA, JMLR 2008; backward:
///          Moghaddam, Weiss, Avidan, NIPS 2006
/// Order    variables that tie in every respect: the lower index
/// Differs  the authors' code (PathSPCA) starts at the first variable of largest variance even if
///          others tie with it: `start` largest-variance. Backward uses a first-order bound;
///          Moghaddam et al. solve one eigenproblem for each variable. Variables of variance zero
///          are never added

#include "spca/methods/ascent/greedy_path.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_fullpath {
namespace {

struct FullpathOptions {
  std::string variant = "approximate";
  std::string start = "columns";
  Index variables = 0;

  void describe(OptionVisitor& visit) {
    visit("variant", variant, "rule for the next variable", {"approximate", "exact", "backward"});
    visit("start", start,
          "if several variables have the largest variance: those of the best columns of S, or the "
          "first variable",
          {"columns", "largest-variance"});
    visit("variables", variables, "number of variables of largest variance to consider; 0: all",
          at_least(0));
  }
};

Solution grow(const Problem& problem, const FullpathOptions& options, Budget& budget) {
  const Index k = problem.cardinality[0];
  GreedyPath path =
      grow_path(problem.covariance, variables_to_try(problem.covariance, options.variables),
                options.start == "columns" ? GrowFrom::kBestColumns : GrowFrom::kFirst, k,
                options.variant == "exact", budget);
  Solution solution = make_solution({path.points.back().component}, budget);
  if (path.is_complete) {
    path.points.resize(static_cast<std::size_t>(k), path.points.back());
  }
  solution.path = std::move(path.points);
  return solution;
}

Solution shrink(const Problem& problem, const FullpathOptions& options, Budget& budget) {
  std::vector<Index> variables =
      indices_of(variables_to_try(problem.covariance, options.variables));
  if (std::ssize(variables) > kLargestBackward) {
    return skipped(fmt::format("variant backward takes at most {} variables; here are {}",
                               kLargestBackward, variables.size()));
  }
  GreedyPath path =
      shrink_path(problem.covariance, std::move(variables), problem.cardinality[0], false, budget);
  if (path.points.empty()) {
    return make_solution({}, budget);  // out of time before there was an answer
  }
  Solution solution = make_solution({path.points.back().component}, budget);
  if (path.is_complete) {
    solution.path = std::move(path.points);
  }
  return solution;
}

Solution solve_fullpath(const Problem& problem, const FullpathOptions& options, Budget& budget) {
  if (!has_positive_variance(problem.covariance)) {
    return skipped(kNoVariance);
  }
  return options.variant == "backward" ? shrink(problem, options, budget)
                                       : grow(problem, options, budget);
}

SPCA_SOLVER("fullpath", solve_fullpath,
            (Traits{.summary = "greedy path of all cardinalities up to k",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= j, j = 1..k",
                    .source = "d'Aspremont, Bach, El Ghaoui, ICML 2007 and JMLR 2008",
                    .path = true}));

}  // namespace
}  // namespace spca::solver_fullpath
