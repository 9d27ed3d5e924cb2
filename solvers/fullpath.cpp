/// Greedy path: every cardinality from 1 to k in one run.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= j, for j = 1..k
/// Step     with I the support so far and v its leading eigenvector (greedy_support.h):
///          approximate  I += argmax (S_{i,I} v_I)^2, which is v'Sv (a_i'x)^2 of the paper with
///                       x = X_I v_I / ||X_I v_I||, so that S alone suffices
///          exact        I += argmax lambda_max(S_{I+i})
///          backward     I -= the variable whose removal lowers a bound of lambda_max least
/// Start    the variable of largest variance; backward: all variables. If several tie with it,
///          there is a path from each of these: for m = 2, 4, 8, ..., m <= 2k, the variable j that
///          maximises ||S_{I,j}||, I = I_m(S e_j) (column_starts.h). At cardinality j the best of
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

#include <algorithm>
#include <iterator>

#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/column_starts.h"
#include "spca/methods/ascent/greedy_support.h"
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

/// The variables of positive variance; if `count` > 0, the `count` largest of them. Among equals
/// the lower index.
VariableFlags variables_to_try(const Covariance& covariance, Index count) {
  VariableFlags flags = covariance.diagonal().array() > 0;
  if (count > 0) {
    const Support largest = top_k(covariance.diagonal(), std::min(count, covariance.variables()));
    VariableFlags chosen = VariableFlags::Constant(flags.size(), false);
    for (const Index i : largest) {
      chosen[i] = flags[i];
    }
    flags = chosen;
  }
  return flags;
}

// At most this number of variables: backward needs the whole of S and p eigenvectors, half a
// minute.
constexpr Index kLargestBackward = 2000;

/// The first variable of a path, and the least cardinality at which the path counts.
struct Start {
  Index variable = 0;
  Index cardinality = 1;
};

/// Only variables that `may_enter` are starts; the first one of largest variance always may.
std::vector<Start> starts(const Covariance& covariance, const VariableFlags& may_enter,
                          const std::string& start, Index k) {
  const std::vector<Start> largest = {
      {.variable = first_of_largest(covariance.diagonal().cwiseMax(0.0))}};
  const Support tied = variables_of_largest_variance(covariance);
  if (tied.size() == 1 || start == "largest-variance") {
    return largest;
  }
  const Support tried = start_variables(covariance);
  Support candidates;
  std::set_intersection(tied.begin(), tied.end(), tried.begin(), tried.end(),
                        std::back_inserter(candidates));
  std::erase_if(candidates, [&](Index i) { return !may_enter[i]; });
  if (candidates.empty()) {
    return largest;
  }
  std::vector<Start> starts;
  for (Index m = 2; m <= 2 * k; m *= 2) {
    const Index size = std::min(m, covariance.variables());
    const Index variable = best_columns(covariance, candidates, size, 1).at(0).variable;
    if (std::none_of(starts.begin(), starts.end(),
                     [&](const Start& other) { return other.variable == variable; })) {
      starts.push_back({.variable = variable, .cardinality = m / 2});
    }
  }
  return starts;
}

struct Path {
  std::vector<PathPoint> points;  // for 1, 2, ... variables
  std::vector<double> values;
  bool is_complete = false;  // there are k variables, or no further one adds anything
};

Path grow_from(const Covariance& covariance, const VariableFlags& candidates, Index first, Index k,
               bool exact, Budget& budget) {
  GrowingSupport support(covariance, candidates, first, k, exact);
  Path path;
  const auto keep = [&] {
    path.points.push_back({.component = support.component(), .seconds = budget.elapsed_seconds()});
    path.values.push_back(support.value());
  };
  keep();
  while (std::ssize(path.points) < k && support.has_candidates() && budget.next(support.value())) {
    exact ? support.grow_exactly() : support.grow_approximately();
    keep();
  }
  path.is_complete = std::ssize(path.points) == k || !support.has_candidates();
  return path;
}

/// Takes the better components of `other` from `cardinality` on.
void improve(Path& path, const Path& other, Index cardinality) {
  for (std::size_t j = static_cast<std::size_t>(cardinality - 1);
       j < std::min(path.points.size(), other.points.size()); ++j) {
    if (other.values[j] * (1 - kTiedByRounding) > path.values[j]) {
      path.points[j] = other.points[j];
      path.values[j] = other.values[j];
    }
  }
}

Solution grow(const Problem& problem, const FullpathOptions& options, Budget& budget) {
  const Index k = problem.cardinality[0];
  const bool exact = options.variant == "exact";
  const VariableFlags candidates = variables_to_try(problem.covariance, options.variables);
  Path path;
  for (const Start& start : starts(problem.covariance, candidates, options.start, k)) {
    if (budget.out_of_time() && !path.points.empty()) {
      break;
    }
    budget.begin_loop();
    Path found = grow_from(problem.covariance, candidates, start.variable, k, exact, budget);
    if (path.points.empty()) {
      path = std::move(found);
    } else {
      improve(path, found, start.cardinality);
    }
  }
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
  const Index k = problem.cardinality[0];
  ShrinkingSupport support(problem.covariance, std::move(variables));
  while (support.size() > k && budget.next(support.value())) {
    support.shrink();
  }
  if (support.size() > k) {
    return make_solution({}, budget);  // out of time before there was an answer
  }
  const Component answer = support.component();
  std::vector<PathPoint> path(static_cast<std::size_t>(k),
                              {.component = answer, .seconds = budget.elapsed_seconds()});
  while (support.size() > 1 && budget.next(support.value())) {
    support.shrink();
    path[static_cast<std::size_t>(support.size() - 1)] = {.component = support.component(),
                                                          .seconds = budget.elapsed_seconds()};
  }
  Solution solution = make_solution({answer}, budget);
  if (support.size() == 1) {
    solution.path = std::move(path);
  }
  return solution;
}

Solution solve_fullpath(const Problem& problem, const FullpathOptions& options, Budget& budget) {
  if (!(problem.covariance.diagonal().maxCoeff() > 0)) {
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
