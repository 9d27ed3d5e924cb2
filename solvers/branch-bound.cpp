/// The optimum for a given cardinality with a proof, by branch and bound; anytime.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     the subtrees of largest bound are searched for a while (support_tree.h): bounds by sums
///          of squares of S and by the two largest eigenvalues of a submatrix drop variables and
///          choose others; one more is then branched on. A search that takes longer than the dual
///          bound of the best support (greedy_bound.h) computes that, which often proves large k
/// Start    truncated power ascents from every variable, greedy growth, pairwise exchanges
///          (support_ascent.h); of more than kDense variables first those that the bound by squares
///          cannot rule out (support_candidates.h) against ascents from the largest variances
/// Stops    when no open subtree has a bound above the best value
/// Cost     O(p^2 log p) to begin; a node O(|C| (m p / |C| + k) + k^3), C the candidates left and m
///          the variables still to choose, and O((|P| + |C|)^3) where it is bounded spectrally.
///          The number of nodes is exponential at worst
/// Bound    the value where it stops by itself. Where time runs out, the largest bound of an open
///          subtree; the harness searches again for a thirtieth of the time, from the support
///          alone, and takes the bound that it finds
/// Source   the bound by squares is Frobenius's, with the sum of pairs bounded as by Gilmore (1962)
///          and Lawler (1963); the search is this project's
/// Differs  variables without variance are left out first: they add nothing. Threads search eight
///          subtrees at a time, chosen before: the answer does not depend on their number

#include <algorithm>
#include <numeric>

#include "spca/eigenpairs.h"
#include "spca/greedy_bound.h"
#include "spca/solver.h"
#include "spca/sparsify.h"
#include "spca/support_ascent.h"
#include "spca/support_candidates.h"
#include "spca/support_tree.h"

namespace spca {
namespace {

// S is formed at once up to so many variables, and after the elimination at most of so many: its
// tables take 16 bytes an entry and more.
constexpr Index kDense = 1024;
constexpr Index kLargestDense = 3000;
// Ascents before S is formed, from the variables of largest variance.
constexpr Index kFirstStarts = 32;
constexpr int kFirstSteps = 20;

// The check of a bound may take this share of the search's time, and so many multiplications: the
// harness kills a cell that takes a tenth and a second more than its limit.
constexpr double kCheckShare = 1.0 / 32;
constexpr double kFreeWork = 3e7;

/// The best of some truncated power ascents, from products with S alone.
SupportOptimum first_optimum(const Covariance& covariance, Index k, Budget& budget) {
  SupportOptimum best;
  const Index p = covariance.variables();
  for (const Index j : top_k(covariance.diagonal(), std::min(kFirstStarts, p))) {
    if (!budget.next(best.value)) {
      break;
    }
    Component v{.support = {j}, .values = Vector::Ones(1)};
    for (int step = 0; step < kFirstSteps; ++step) {
      Vector w;
      covariance.multiply(v, w);
      Component next = normalized(restrict_to(w, top_k(w, k)));
      const bool is_settled = next.support == v.support || next.support.empty();
      v = std::move(next);
      if (is_settled) {
        break;
      }
    }
    if (v.support.empty()) {
      continue;
    }
    SupportOptimum found = best_on_support(covariance, v.support);
    if (found.value > best.value) {
      best = std::move(found);
    }
  }
  return best;
}

/// Variables that may be in a support better than `value`, without those whose rows are zero.
Support variables_to_search(const Covariance& covariance, Index k, double value,
                            const std::function<bool()>& keep_going) {
  if (covariance.variables() > kDense) {
    return support_candidates(covariance, k, value, keep_going);
  }
  Support variables;
  for (Index j = 0; j < covariance.variables(); ++j) {
    if (covariance.diagonal()[j] > 0) {
      variables.push_back(j);
    }
  }
  return variables;
}

Support in(const Support& variables, const Support& positions) {
  Support support;
  for (const Index i : positions) {
    support.push_back(variables[static_cast<std::size_t>(i)]);
  }
  return support;
}

/// Roughly what the dual bound takes: some dozens of eigenvalues by some dozens of products. Beyond
/// kDense variables it is not computed.
double dual_work(const Matrix& matrix) {
  constexpr double kProducts = 2000;
  return matrix.rows() > kDense
             ? std::numeric_limits<double>::infinity()
             : kProducts * static_cast<double>(matrix.rows()) * static_cast<double>(matrix.rows());
}

/// Nothing is trusted: the value of the support is computed from S, and the search that shows how
/// much better another might be is made again, as far as `work` allows.
class SearchCertificate final : public BoundCertificate {
 public:
  SearchCertificate(Support support, double work, GreedyBound dual)
      : support_(std::move(support)), work_(work), dual_(std::move(dual)) {}

  double check(const Covariance& covariance, Index k) const override {
    const double value = best_on_support(covariance, support_).value;
    const Support variables = variables_to_search(covariance, k, value, [] { return true; });
    Support positions;
    for (const Index j : support_) {
      const auto place = std::lower_bound(variables.begin(), variables.end(), j);
      if (place == variables.end() || *place != j) {
        return std::numeric_limits<double>::infinity();
      }
      positions.push_back(place - variables.begin());
    }
    if (std::ssize(positions) != std::min(k, std::ssize(variables)) ||
        std::ssize(variables) > kLargestDense) {
      return std::numeric_limits<double>::infinity();
    }
    SupportTree tree(covariance.submatrix(variables), positions);
    while (!tree.is_finished() && tree.work() < work_) {
      tree.advance(1);
    }
    return std::min(tree.bound(), dual_bound(covariance, k));
  }

 private:
  double dual_bound(const Covariance& covariance, Index k) const {
    if (dual_.vector.support.empty()) {
      return std::numeric_limits<double>::infinity();
    }
    const Vector overlaps = greedy_overlaps(covariance, dual_.vector);
    return greedy_bound(covariance, greedy_dual(covariance, overlaps, dual_.rho), k);
  }

  Support support_;
  double work_;
  GreedyBound dual_;
};

/// The proof, among few enough variables that S is formed.
Solution search_among(const Support& variables, const Problem& problem, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index k = std::min(problem.cardinality[0], std::ssize(variables));
  const Matrix matrix = covariance.submatrix(variables);
  SupportAscent ascent(matrix, k);
  ascent.search([&](double value) { return budget.next(value); });
  budget.finish_phase("start");
  if (budget.out_of_time()) {
    return make_solution({best_on_support(covariance, in(variables, ascent.support())).component},
                         budget);
  }
  SupportTree tree(matrix, ascent.support());
  GreedyBound dual;
  bool has_dual = false;
  while (!tree.is_finished() && budget.next(tree.value())) {
    tree.advance(problem.threads);
    if (!has_dual && !tree.is_finished() && tree.work() > dual_work(matrix)) {
      dual = greedy_bound(covariance,
                          best_on_support(covariance, in(variables, tree.support())).component, k);
      tree.limit(dual.value);
      has_dual = true;
    }
  }
  budget.finish_phase("search");
  const Support support = in(variables, tree.support());
  Solution solution = make_solution({best_on_support(covariance, support).component}, budget);
  solution.facts = {{"start_value", ascent.value()},
                    {"value", tree.value()},
                    {"bound", tree.bound()},
                    {"gap", tree.bound() / tree.value() - 1},
                    {"nodes", static_cast<double>(tree.nodes())},
                    {"work", tree.work()},
                    {"variables_left", static_cast<double>(tree.variables_left())}};
  const double check_work = kCheckShare * tree.work() / problem.threads + kFreeWork;
  if (!tree.is_finished() && tree.setup_work() < check_work) {
    solution.certificate =
        std::make_shared<SearchCertificate>(support, check_work, std::move(dual));
  }
  return solution;
}

Solution solve_branch_bound(const Problem& problem, const NoOptions&, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index asked = problem.cardinality[0];
  SupportOptimum first;
  if (covariance.variables() > kDense) {
    first = first_optimum(covariance, asked, budget);
    if (first.component.support.empty()) {
      return make_solution({}, budget);
    }
  }
  const Support variables =
      variables_to_search(covariance, asked, first.value, [&] { return budget.next(first.value); });
  if (std::ssize(variables) > kLargestDense ||
      (budget.out_of_time() && !first.component.support.empty())) {
    Solution solution = make_solution({std::move(first.component)}, budget);
    if (solution.status == Status::kConverged) {
      solution.status = Status::kIterationLimit;
      solution.message = fmt::format("{} variables cannot be ruled out; the search takes {}",
                                     variables.size(), kLargestDense);
    }
    return solution;
  }
  if (variables.empty() && first.component.support.empty()) {
    return skipped("no variable with positive variance is left");
  }
  if (!first.component.support.empty() && std::ssize(variables) < asked) {
    return make_solution({std::move(first.component)}, budget);  // no other support can be better
  }
  return search_among(variables, problem, budget);
}

SPCA_SOLVER("branch-bound", solve_branch_bound,
            (Traits{.summary = "certified optimum by branch and bound; anytime, with its gap",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "this project",
                    .exact = true}));

}  // namespace
}  // namespace spca
