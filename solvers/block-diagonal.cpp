/// Another solver in each block of a thresholded S, with an additive bound.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     entries |S_ij| <= epsilon between variables are dropped. The connected components of
///          the remaining entries are blocks. `solver` solves each block B on S_BB; the best answer
///          is kept, and improved on all of S by exchanges (support_polish.h)
/// Start    epsilon is the least number for which no block has more than `largest_block` variables,
///          but at least `threshold` times the largest variance. It follows from a maximum spanning
///          tree of |S_ij|: its edges are taken in descending order of weight until one of them
///          would make too large a block
/// Stops    after the last block. Blocks come in descending order of the sum of their k largest
///          variances; one whose row sums bound it by the best value is not solved
/// Cost     p columns of S, one at a time, and O(p^2); then the blocks
/// Bound    with C = S outside the blocks, v'Sv <= max_B v'S_BB v + max_i (sum of the k - 1
///          largest |C_ij|), and each such sum is at most (k - 1) epsilon. If `solver` is exact or
///          returns certificates, this is a certificate for all of S
/// Source   Del Pia, Zhou, Zhu, Efficient sparse PCA via block-diagonalization, ICLR 2025:
///          Algorithms 1 to 3; Theorem 1 has k epsilon for the entries outside the blocks
/// Differs  S_BB is S itself; the paper also drops the small entries inside a block. The paper
///          finds epsilon by bisection. The exchanges at the end are this project's, and can be
///          switched off

#include <algorithm>
#include <limits>

#include "spca/base/error.h"
#include "spca/covariance/submatrix_covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/support_polish.h"
#include "spca/methods/bounds/covariance_blocks.h"
#include "spca/methods/bounds/partition_certificate.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_block_diagonal {
namespace {

constexpr const char* kOwnName = "block-diagonal";
constexpr const char* kSolverOption = "/options/solver";

// At most this number of variables in a block: S of it takes 3.2 GB.
constexpr Index kMostVariablesOfBlock = 20'000;

struct BlockDiagonalOptions {
  std::string solver = "branch-bound";
  double threshold = 0;
  Index largest_block = 500;
  bool polish = true;

  void describe(OptionVisitor& visit) {
    visit("solver", solver, "the solver that is run in each block", solvers_other_than(kOwnName));
    visit("threshold", threshold,
          "covariances up to this share of the largest variance are dropped; 0: zeros only",
          between(0, 1));
    visit("largest_block", largest_block,
          "drop more covariances, the smallest first, until no block has more variables than this",
          between(1, kMostVariablesOfBlock));
    visit("polish", polish, "improve the best answer on all of S by exchanges");
  }
};

/// The best answer of the blocks.
class BlockSearch {
 public:
  BlockSearch(const Problem& problem, const BlockDiagonalOptions& options, Budget& budget)
      : problem_(problem),
        budget_(budget),
        k_(problem.cardinality[0]),
        solver_{.name = options.solver, .where = kSolverOption, .seed = problem.seed},
        traits_(SolverRegistry::instance().get(options.solver, kSolverOption).traits) {
    if (traits_.rule == SparsityRule::kDense) {
      throw InputError(fmt::format("{}: {} is not sparse; accepted: a solver that is",
                                   kSolverOption, options.solver));
    }
  }

  void run(const std::vector<Support>& blocks);
  const Component& best() const { return best_; }
  double value() const { return value_; }
  double solved() const { return solved_; }
  const std::string& message() const { return message_; }
  std::shared_ptr<const BoundCertificate> certificate() const {
    return partition_certificate(certified_, solver_);
  }

 private:
  void consider(Component component) {
    const double value = problem_.covariance.quadratic_form(component);
    if (value > value_) {
      value_ = value;
      best_ = std::move(component);
    }
  }
  void solve(CertifiedBlock& block);

  const Problem& problem_;
  Budget& budget_;
  Index k_;
  BlockSolver solver_;
  const Traits& traits_;
  Component best_;
  double value_ = -std::numeric_limits<double>::infinity();
  double solved_ = 0;
  std::string message_;
  std::vector<CertifiedBlock> certified_;
};

void BlockSearch::solve(CertifiedBlock& block) {
  const Covariance& covariance = problem_.covariance;
  if (std::ssize(block.variables) <= k_) {
    consider(best_on_support(covariance, block.variables).component);
    return;
  }
  const SubmatrixCovariance part(covariance, block.variables);
  if (row_sum_bound(part, k_) <= value_ || !(part.diagonal().maxCoeff() > 0)) {
    return;
  }
  Solution solution = solver_.solve(part, k_, problem_.threads, budget_);
  ++solved_;
  block.certificate = solution.certificate;
  block.is_solved = traits_.exact && solution.status == Status::kConverged;
  if (!is_usable(solution.status) && message_.empty()) {
    message_ = fmt::format("a block of {} variables: {}", part.variables(), solution.message);
  }
  if (is_usable(solution.status) && !solution.components.empty() &&
      !solution.components[0].support.empty()) {
    consider(part.in_base(std::move(solution.components[0])));
  } else {
    const Support largest = top_k(part.diagonal().cwiseMax(0.0), k_);
    consider(best_on_support(covariance, members_at(block.variables, largest)).component);
  }
}

void BlockSearch::run(const std::vector<Support>& blocks) {
  // The variable of largest variance alone, whatever its block.
  Index largest = 0;
  problem_.covariance.diagonal().maxCoeff(&largest);
  consider({.support = {largest}, .values = Vector::Ones(1)});
  // Blocks are sorted by the sum of their k largest variances, which bounds them: after a good
  // value later blocks need no solve.
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    certified_.push_back({.variables = blocks[b]});
    Vector variances = problem_.covariance.diagonal()(blocks[b]);
    const Index count = std::min(k_, variances.size());
    std::partial_sort(variances.begin(), variances.begin() + count, variances.end(),
                      std::greater<>());
    order.emplace_back(-variances.head(count).sum(), b);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [rank, b] : order) {
    if (!budget_.next(value_)) {
      break;
    }
    solve(certified_[b]);
  }
}

Solution solve_block_diagonal(const Problem& problem, const BlockDiagonalOptions& options,
                              Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index p = covariance.variables();
  const Index k = problem.cardinality[0];
  const double largest_variance = covariance.diagonal().maxCoeff();
  if (!(largest_variance > 0)) {
    return skipped(kNoVariance);
  }
  const std::vector<CovarianceEdge> tree = spanning_tree(covariance, budget);
  budget.phases().finish("blocks");
  if (std::ssize(tree) < p - 1) {
    return make_solution(
        {best_on_support(covariance, top_k(covariance.diagonal().cwiseMax(0.0), k)).component},
        budget);
  }
  const double epsilon =
      epsilon_for(tree, p, options.threshold * largest_variance, options.largest_block);
  const std::vector<Support> blocks = blocks_of(tree, p, epsilon);
  BlockSearch search(problem, options, budget);
  search.run(blocks);
  budget.phases().finish("solver");
  Component best = search.best();
  if (options.polish && std::ssize(blocks) > 0 && !budget.out_of_time()) {
    best = polished(covariance, best, k, [&](double value) { return budget.next(value); });
    budget.phases().finish("polish");
  }
  Index largest_block = 1;
  for (const Support& block : blocks) {
    largest_block = std::max(largest_block, std::ssize(block));
  }
  Solution solution = make_solution({std::move(best)}, budget);
  if (!search.message().empty() && solution.status == Status::kConverged) {
    solution.message = search.message();
  }
  solution.facts = {{"epsilon", epsilon},
                    {"blocks", static_cast<double>(std::ssize(blocks))},
                    {"largest_block", static_cast<double>(largest_block)},
                    {"blocks_solved", search.solved()},
                    {"value_in_blocks", search.value()}};
  solution.certificate = search.certificate();
  return solution;
}

SPCA_SOLVER(kOwnName, solve_block_diagonal,
            (Traits{.summary = "any solver in each block of a thresholded S; certified",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Del Pia, Zhou, Zhu, ICLR 2025",
                    .largest_p = 100'000}));

}  // namespace
}  // namespace spca::solver_block_diagonal
