/// Another solver in each block of a thresholded S, with an additive bound.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     entries |S_ij| <= epsilon between variables are dropped. The connected components of
///          the remaining entries are blocks. `solver` solves each block B on S_BB; the best answer
///          is kept, and improved on all of S by exchanges (support_polish.h)
/// Start    epsilon is the least number of at least `threshold` for which no block has more than
///          `largest_block` variables. It follows from a maximum spanning tree of |S_ij|: its edges
///          are taken by falling weight until one of them would make too large a block
/// Stops    when no remaining block has a bound above the best value: blocks come by falling bound
/// Cost     p columns of S, one at a time, and O(p^2); then the blocks
/// Bound    with C = S outside of the blocks, v'Sv <= max_B v'S_BB v + max_i (sum of the k - 1
///          largest |C_ij|), and each such sum is at most (k - 1) epsilon. If `solver` is exact or
///          returns certificates, this is a certificate for all of S
/// Source   Del Pia, Zhou, Zhu, Efficient sparse PCA via block-diagonalization, ICLR 2025:
///          Algorithms 1 to 3; Theorem 1 has k epsilon for the entries outside of the blocks
/// Differs  S_BB is S itself; the paper also drops the small entries inside a block. The paper
///          finds epsilon by bisection. The exchanges at the end are this project's, and can be
///          switched off

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "spca/base/error.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/support_polish.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_block_diagonal {
namespace {

constexpr const char* kOwnName = "block-diagonal";
constexpr const char* kSolverOption = "/options/solver";

// At most this number of variables in a block: S of it takes 3.2 GB.
constexpr Index kLargestBlock = 20'000;

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
          between(1, kLargestBlock));
    visit("polish", polish, "improve the best answer on all of S by exchanges");
  }
};

/// S_BB of a block. Unlike make_explicit_covariance() it accepts any symmetric matrix: a deflated S
/// may be indefinite.
class BlockCovariance final : public Covariance {
 public:
  BlockCovariance(const Covariance& covariance, const Support& block)
      : matrix_(covariance.submatrix(block)),
        diagonal_(matrix_.diagonal()),
        largest_variances_(covariance.largest_variances()(block)),
        shift_(covariance.semidefinite_shift()) {}
  Index variables() const override { return matrix_.rows(); }
  Index samples() const override { return 0; }
  const Vector& diagonal() const override { return diagonal_; }
  // A deflation of S is also one of its blocks.
  double semidefinite_shift() const override { return shift_; }
  const Vector& largest_variances() const override { return largest_variances_; }
  Matrix submatrix(const Support& support) const override {
    return selected(matrix_, support, support);
  }
  Matrix columns(const Support& support) const override {
    return selected_columns(matrix_, support);
  }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override { out.noalias() = matrix_ * v; }
  void do_multiply(const Component& v, Vector& out) const override {
    out.setZero(variables());
    for (Index i = 0; i < v.cardinality(); ++i) {
      out += v.values[i] * matrix_.col(v.support[static_cast<std::size_t>(i)]);
    }
  }

 private:
  Matrix matrix_;
  Vector diagonal_, largest_variances_;
  double shift_;
};

/// An edge of the tree: |S_ij| of two variables.
struct Edge {
  double weight = 0;
  Index a = 0;
  Index b = 0;
};

/// A maximum spanning tree of |S_ij|, by Prim's algorithm: one column of S at a time. Ends early if
/// the budget does, with fewer than p - 1 edges. Falling weight, then rising variables.
std::vector<Edge> spanning_tree(const Covariance& covariance, Budget& budget) {
  const Index p = covariance.variables();
  Vector nearest = Vector::Constant(p, -1);  // the largest |S_ij| to a variable of the tree
  std::vector<Index> neighbour(static_cast<std::size_t>(p), 0);
  std::vector<bool> inside(static_cast<std::size_t>(p), false);
  std::vector<Edge> edges;
  Index added = 0;
  for (Index count = 1; count < p && budget.next(); ++count) {
    inside[static_cast<std::size_t>(added)] = true;
    const Matrix column = covariance.columns({added});
    Index next = -1;
    for (Index i = 0; i < p; ++i) {
      if (inside[static_cast<std::size_t>(i)]) {
        continue;
      }
      if (const double weight = std::abs(column(i, 0)); weight > nearest[i]) {
        nearest[i] = weight;
        neighbour[static_cast<std::size_t>(i)] = added;
      }
      if (next < 0 || nearest[i] > nearest[next]) {
        next = i;
      }
    }
    edges.push_back(
        {.weight = nearest[next], .a = neighbour[static_cast<std::size_t>(next)], .b = next});
    added = next;
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
    return std::tuple(-x.weight, x.a, x.b) < std::tuple(-y.weight, y.a, y.b);
  });
  return edges;
}

/// Disjoint sets of variables.
class VariableSets {
 public:
  explicit VariableSets(Index p)
      : parent_(static_cast<std::size_t>(p)), size_(static_cast<std::size_t>(p), 1) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index root(Index i) {
    while (parent(i) != i) {
      parent(i) = parent(parent(i));
      i = parent(i);
    }
    return i;
  }
  Index size(Index i) { return size_[static_cast<std::size_t>(root(i))]; }
  void join(Index a, Index b) {
    const Index kept = std::min(root(a), root(b));
    const Index joined = std::max(root(a), root(b));
    size_[static_cast<std::size_t>(kept)] += size_[static_cast<std::size_t>(joined)];
    parent(joined) = kept;
  }

 private:
  Index& parent(Index i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<Index> parent_;
  std::vector<Index> size_;
};

struct Blocks {
  double epsilon = 0;  // an upper bound on |S_ij| between two blocks
  // of at least two variables; each other variable is a block of its own
  std::vector<Support> blocks = {};
};

/// The least epsilon >= `threshold` that leaves no block with more than `largest` variables.
double epsilon_for(const std::vector<Edge>& edges, Index p, double threshold, Index largest) {
  VariableSets sets(p);
  for (const Edge& edge : edges) {
    if (edge.weight <= threshold) {
      break;
    }
    sets.join(edge.a, edge.b);
    if (sets.size(edge.a) > largest) {
      return edge.weight;  // all edges of this weight are dropped
    }
  }
  return threshold;
}

Blocks blocks_of(const std::vector<Edge>& edges, Index p, double epsilon) {
  Blocks result{.epsilon = epsilon};
  VariableSets sets(p);
  for (const Edge& edge : edges) {
    if (edge.weight > epsilon) {
      sets.join(edge.a, edge.b);
    }
  }
  std::vector<Support> members(static_cast<std::size_t>(p));
  for (Index i = 0; i < p; ++i) {
    members[static_cast<std::size_t>(sets.root(i))].push_back(i);
  }
  for (Support& block : members) {
    if (block.size() > 1) {
      result.blocks.push_back(std::move(block));
    }
  }
  return result;
}

/// A bound on a block that needs no solver.
double simple_bound(const Covariance& block, Index k) {
  const Index p = block.variables();
  Support all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), Index{0});
  const Matrix matrix = block.submatrix(all);
  // Gershgorin: a row of S_II has its diagonal entry and at most k - 1 others.
  double bound = -std::numeric_limits<double>::infinity();
  for (Index j = 0; j < p; ++j) {
    Vector others = matrix.col(j).cwiseAbs();
    others[j] = 0;
    const Index count = std::min(k - 1, p - 1);
    std::nth_element(others.begin(), others.begin() + count, others.end(), std::greater<>());
    bound = std::max(bound, matrix(j, j) + others.head(count).sum());
  }
  return bound;
}

/// The solver's answer on one block, which has more than k variables.
Solution solve_block(const Covariance& block, const std::string& solver, Index k,
                     std::uint64_t seed, int threads, Budget& budget) {
  return run_nested_solver(
      Problem{.covariance = block, .cardinality = {k}, .seed = seed, .threads = threads}, solver,
      {}, {k}, kSolverOption, budget);
}

/// An upper bound on v'Cv for k nonzeros: the largest sum of k - 1 entries of a row of S at
/// variables in other blocks. One column of S at a time. `owner` is the block of each variable.
/// Infinity if the budget is over.
double largest_remainder(const Covariance& covariance, const std::vector<Index>& owner, Index k,
                         Budget& budget) {
  const Index p = covariance.variables();
  const Index count = std::min(k - 1, p - 1);
  double largest = 0;
  for (Index j = 0; j < p && count > 0; ++j) {
    if (!budget.next()) {
      return std::numeric_limits<double>::infinity();
    }
    Vector column = covariance.columns({j}).col(0).cwiseAbs();
    for (Index i = 0; i < p; ++i) {
      if (owner[static_cast<std::size_t>(i)] == owner[static_cast<std::size_t>(j)]) {
        column[i] = 0;
      }
    }
    std::nth_element(column.begin(), column.begin() + count, column.end(), std::greater<>());
    largest = std::max(largest, column.head(count).sum());
  }
  return largest;
}

/// A block with the certificate of its solver.
struct CertifiedBlock {
  Support variables;
  std::shared_ptr<const BoundCertificate> certificate = nullptr;
  bool is_solved = false;  // by an exact solver that ended by its own rule
};

/// For v = sum of v_B over the blocks, v'Sv = sum v_B'S_BB v_B + v'Cv. The first is at most the
/// largest bound of a block, because the ||v_B||^2 sum to one. The second is at most the largest
/// row sum of |C| on the support (Gershgorin).
class BlockCertificate final : public BoundCertificate {
 public:
  BlockCertificate(std::vector<CertifiedBlock> blocks, std::string solver, std::uint64_t seed)
      : blocks_(std::move(blocks)), solver_(std::move(solver)), seed_(seed) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override {
    const Index p = covariance.variables();
    std::vector<Index> owner(static_cast<std::size_t>(p));
    for (Index i = 0; i < p; ++i) {
      owner[static_cast<std::size_t>(i)] = -1 - i;  // a block of one variable
    }
    double bound = covariance.diagonal().maxCoeff();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (const Index i : blocks_[b].variables) {
        if (i < 0 || i >= p || owner[static_cast<std::size_t>(i)] >= 0) {
          return std::numeric_limits<double>::infinity();  // not a partition
        }
        owner[static_cast<std::size_t>(i)] = static_cast<Index>(b);
      }
    }
    for (const CertifiedBlock& block : blocks_) {
      if (!budget.next()) {
        return std::numeric_limits<double>::infinity();
      }
      bound = std::max(bound, bound_of(covariance, block, k, bound, budget));
    }
    return bound + largest_remainder(covariance, owner, k, budget);
  }

 private:
  /// A bound of the block, or `enough` if that is one.
  double bound_of(const Covariance& covariance, const CertifiedBlock& block, Index k, double enough,
                  Budget& budget) const {
    const BlockCovariance part(covariance, block.variables);
    if (part.variables() <= k) {
      return symmetric_eigenvalues(part.submatrix(all_of(part))).maxCoeff();
    }
    const double simple = simple_bound(part, k);
    if (simple <= enough) {
      return enough;
    }
    if (block.is_solved) {
      // Solved again: the flag alone proves nothing.
      const Solution again = solve_block(part, solver_, k, seed_, 1, budget);
      return again.status == Status::kConverged && again.components.size() == 1
                 ? part.quadratic_form(again.components[0])
                 : simple;
    }
    return block.certificate == nullptr
               ? simple
               : std::min(simple, block.certificate->check(part, k, budget));
  }
  static Support all_of(const Covariance& part) {
    Support all(static_cast<std::size_t>(part.variables()));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }

  std::vector<CertifiedBlock> blocks_;
  std::string solver_;
  std::uint64_t seed_;
};

/// The best answer of the blocks.
class BlockSearch {
 public:
  BlockSearch(const Problem& problem, const BlockDiagonalOptions& options, Budget& budget)
      : problem_(problem),
        options_(options),
        budget_(budget),
        k_(problem.cardinality[0]),
        is_exact_(SolverRegistry::instance().get(options.solver, kSolverOption).traits.exact) {
    if (SolverRegistry::instance().get(options.solver, kSolverOption).traits.rule ==
        SparsityRule::kDense) {
      throw InputError(fmt::format("{}: {} is not sparse; accepted: a solver that is",
                                   kSolverOption, options.solver));
    }
  }

  void run(const Blocks& blocks);
  const Component& best() const { return best_; }
  double value() const { return value_; }
  double solved() const { return solved_; }
  const std::string& message() const { return message_; }
  std::vector<CertifiedBlock> certified() const { return certified_; }

 private:
  void offer(Component component) {
    const double value = problem_.covariance.quadratic_form(component);
    if (value > value_) {
      value_ = value;
      best_ = std::move(component);
    }
  }
  void solve(CertifiedBlock& block);

  const Problem& problem_;
  const BlockDiagonalOptions& options_;
  Budget& budget_;
  Index k_;
  bool is_exact_;
  Component best_;
  double value_ = -std::numeric_limits<double>::infinity();
  double solved_ = 0;
  std::string message_;
  std::vector<CertifiedBlock> certified_;
};

void BlockSearch::solve(CertifiedBlock& block) {
  const Covariance& covariance = problem_.covariance;
  if (std::ssize(block.variables) <= k_) {
    offer(best_on_support(covariance, block.variables).component);
    return;
  }
  const BlockCovariance part(covariance, block.variables);
  if (simple_bound(part, k_) <= value_ || !(part.diagonal().maxCoeff() > 0)) {
    return;
  }
  Solution solution =
      solve_block(part, options_.solver, k_, problem_.seed, problem_.threads, budget_);
  ++solved_;
  block.certificate = solution.certificate;
  block.is_solved = is_exact_ && solution.status == Status::kConverged;
  if (!is_usable(solution.status) && message_.empty()) {
    message_ = fmt::format("a block of {} variables: {}", part.variables(), solution.message);
  }
  if (is_usable(solution.status) && !solution.components.empty() &&
      !solution.components[0].support.empty()) {
    Component& component = solution.components[0];
    component.support = members_at(block.variables, component.support);
    offer(std::move(component));
  } else {
    offer(best_on_support(covariance,
                          members_at(block.variables, top_k(part.diagonal().cwiseMax(0.0), k_)))
              .component);
  }
}

void BlockSearch::run(const Blocks& blocks) {
  // A single variable, in any block.
  Index largest = 0;
  problem_.covariance.diagonal().maxCoeff(&largest);
  offer({.support = {largest}, .values = Vector::Ones(1)});
  // By the sum of the k largest variances, which bounds a block: a good value makes later blocks
  // unnecessary.
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
    certified_.push_back({.variables = blocks.blocks[b]});
    Vector variances = problem_.covariance.diagonal()(blocks.blocks[b]);
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
    return skipped("no variable with positive variance is left");
  }
  const std::vector<Edge> edges = spanning_tree(covariance, budget);
  budget.finish_phase("blocks");
  if (std::ssize(edges) < p - 1) {
    return make_solution(
        {best_on_support(covariance, top_k(covariance.diagonal().cwiseMax(0.0), k)).component},
        budget);
  }
  const Blocks blocks = blocks_of(
      edges, p, epsilon_for(edges, p, options.threshold * largest_variance, options.largest_block));
  BlockSearch search(problem, options, budget);
  search.run(blocks);
  budget.finish_phase("solver");
  Component best = search.best();
  if (options.polish && std::ssize(blocks.blocks) > 0 && !budget.out_of_time()) {
    best = polished(covariance, best, k, [&](double value) { return budget.next(value); });
    budget.finish_phase("polish");
  }
  Index largest_block = 1;
  for (const Support& block : blocks.blocks) {
    largest_block = std::max(largest_block, std::ssize(block));
  }
  Solution solution = make_solution({std::move(best)}, budget);
  if (!search.message().empty() && solution.status == Status::kConverged) {
    solution.message = search.message();
  }
  solution.facts = {{"epsilon", blocks.epsilon},
                    {"blocks", static_cast<double>(std::ssize(blocks.blocks))},
                    {"largest_block", static_cast<double>(largest_block)},
                    {"blocks_solved", search.solved()},
                    {"value_in_blocks", search.value()}};
  solution.certificate =
      std::make_shared<BlockCertificate>(search.certified(), options.solver, problem.seed);
  return solution;
}

SPCA_SOLVER(kOwnName, solve_block_diagonal,
            (Traits{.summary = "any solver in each block of a thresholded S; certified",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Del Pia, Zhou, Zhu, ICLR 2025",
                    .largest_p = 100'000}));

}  // namespace
}  // namespace spca::solver_block_diagonal
