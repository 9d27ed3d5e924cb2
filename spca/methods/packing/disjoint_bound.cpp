#include "spca/methods/packing/disjoint_bound.h"

#include <algorithm>
#include <functional>
#include <set>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/packing/column_generation.h"
#include "spca/methods/pairs/pair_descent.h"

namespace spca {
namespace {

// The limits of effort below without a source were chosen by trial, not measured.

// A core has at least kSmallestCore variables, if there are as many, and, if there is room, all
// whose variance is at least kVarianceOutside times the least that a variable adds to a good
// support.
constexpr Index kSmallestCore = 500;
constexpr double kVarianceOutside = 0.5;
// The program's price for a support of k variables is guessed to be kGuessedShare of the worth of
// the least support. k variables outside the core may add at most 1 - kGuessedSpare of this price.
constexpr double kGuessedShare = 0.6;
constexpr double kGuessedSpare = 0.4;

// The share of the program's price that is assumed to remain after the bound a + b on the variables
// outside (outside_variables.h).
constexpr double kSpareOfShare = 0.75;
// A core chosen by prices has at least this number of variables, if there are as many.
constexpr Index kSmallestPricedCore = 200;

// Supports of at least this number of variables are bounded by pairs first, as measured in
// bench/notes/2026-11-23-branch-price.md ("pairs begin at 18 variables"). That may take
// kShareForPairs of the time, or kShareIfNear if the bound comes within kNearPairs of the value,
// because the pricing search would not catch up. With fewer variables that search ends.
constexpr Index kFewestForPairs = 18;
constexpr double kShareForPairs = 0.6;
constexpr double kShareIfNear = 0.9;
constexpr double kNearPairs = 0.02;

/// Adds the known supports. If there are none, the variables in their order form the first ones.
void add_known(DisjointProblem& problem, const KnownSupports& known) {
  problem.improve(known.best);
  for (const Support& support : known.met) {
    problem.store(support);
  }
  if (problem.supports().empty()) {
    problem.round_off({});
  }
}

/// Branch and price: open programs are divided by rules on pairs.
class BranchAndPrice {
 public:
  BranchAndPrice(const Matrix& matrix, const std::vector<Index>& cardinality, double accuracy,
                 const OutsideVariables& outside, Budget& budget)
      : problem_(matrix, cardinality, accuracy, outside),
        outside_(outside.over(problem_.scale())),
        budget_(budget) {}

  void run(const KnownSupports& known);
  DisjointOptimum answer() const;

 private:
  struct Node {
    double bound = std::numeric_limits<double>::infinity();
    PairRules rules = {};
    Index position = 0;  // index in the proof
    PairRules::Pair pair{-1, -1};
    std::vector<SubsetRow> rows = {};
  };

  void bound_by_pairs();
  void add_pair_bound(PairBound by_pairs);
  void solve(std::unique_ptr<Node> node);
  void divide(const Node& node);
  /// An upper bound on the worth of disjoint supports, once the first node is solved.
  double bound() const;

  DisjointProblem problem_;
  OutsideVariables outside_;  // in the units of the problem
  Budget& budget_;
  PairBound by_pairs_;
  OpenNodes<Node> open_;  // to be divided
  double left_ = 0;       // the largest bound of the nodes that are not divided further
  DisjointProof proof_;
  Index programs_ = 0;
  Index proofs_ = 0;
  std::set<SubsetRow> cuts_;  // of all nodes
  Index branches_ = 0;
};

/// Bounds the worth by pairs: first without costs, where the bound is the sum of the r largest
/// eigenvalues plus the part of the variables outside, then, for large supports, by pair_bound().
void BranchAndPrice::bound_by_pairs() {
  const Index p = problem_.matrix().rows();
  PairProof none{.costs = Matrix::Zero(p, p), .prices = Vector::Zero(p)};
  const double value = pair_bound_at(problem_.matrix(), problem_.cardinality(), outside_, none);
  add_pair_bound({.value = value, .proof = std::move(none)});
  if (problem_.counts().rbegin()->first < kFewestForPairs) {
    return;
  }
  const double seconds = budget_.seconds_left();
  const auto keep_going = [&](double bound) {
    const bool is_near = bound <= (1 + kNearPairs) * problem_.value();
    const double spared = 1 - (is_near ? kShareIfNear : kShareForPairs);
    return !budget_.is_time_up() && !(budget_.seconds_left() < spared * seconds);
  };
  add_pair_bound(pair_bound(problem_.matrix(), problem_.cardinality(), outside_, problem_.value(),
                            keep_going));
}

void BranchAndPrice::add_pair_bound(PairBound by_pairs) {
  if (by_pairs.value < by_pairs_.value) {
    by_pairs_ = std::move(by_pairs);
    budget_.add_bound(std::max(by_pairs_.value, problem_.value()) * problem_.scale(),
                      problem_.value() * problem_.scale());
  }
}

/// Bounds the node. It has the proof of its parent until a better one is found.
void BranchAndPrice::solve(std::unique_ptr<Node> node) {
  ColumnGeneration generation(problem_, node->rules, node->rows, budget_);
  generation.run();
  programs_ += generation.programs();
  proofs_ += generation.proofs();
  node->rows = generation.rows();
  cuts_.insert(node->rows.begin(), node->rows.end());
  if (generation.bound() < node->bound) {
    node->bound = generation.bound();
    proof_.nodes[static_cast<std::size_t>(node->position)] = generation.proof();
  }
  if (generation.is_complete() && !problem_.is_closed(node->bound)) {
    node->pair = generation.divided_pair();
  }
  if (node->pair.first < 0) {
    left_ = std::max(left_, node->bound);
  } else {
    open_.push(std::move(node));
  }
}

void BranchAndPrice::divide(const Node& node) {
  ++branches_;
  const auto position = static_cast<std::size_t>(node.position);
  std::unique_ptr<Node> parts[2];
  for (std::unique_ptr<Node>& part : parts) {
    part = std::make_unique<Node>(node);
    part->position = std::ssize(proof_.nodes);
    part->pair = {-1, -1};  // it has no pair yet
    DisjointProof::Node inherited = proof_.nodes[position];
    proof_.nodes.push_back(std::move(inherited));
  }
  proof_.nodes[position].pair = node.pair;
  proof_.nodes[position].together = parts[0]->position;
  proof_.nodes[position].apart = parts[1]->position;
  parts[0]->rules.together.push_back(node.pair);
  parts[1]->rules.apart.push_back(node.pair);
  for (std::unique_ptr<Node>& part : parts) {
    solve(std::move(part));
  }
}

void BranchAndPrice::run(const KnownSupports& known) {
  add_known(problem_, known);
  bound_by_pairs();
  proof_.nodes.emplace_back();
  solve(std::make_unique<Node>());
  while (!open_.empty() && left_ < open_.largest_bound() &&
         !problem_.is_closed(open_.largest_bound()) && !budget_.is_time_up()) {
    divide(*open_.pop_largest());
    budget_.add_bound(bound() * problem_.scale(), problem_.value() * problem_.scale());
  }
  if (!problem_.is_closed(bound())) {
    budget_.record_end(problem_.value() * problem_.scale());
  }
}

double BranchAndPrice::bound() const {
  const double by_prices = std::max(open_.empty() ? 0 : open_.largest_bound(), left_);
  return std::max(std::min(by_prices, by_pairs_.value), problem_.value());
}

DisjointOptimum BranchAndPrice::answer() const {
  DisjointProof proof = proof_;
  for (DisjointProof::Node& node : proof.nodes) {
    node.prices *= problem_.scale();
    for (SubsetCharge& one : node.charges) {
      one.charge *= problem_.scale();
    }
    for (auto& [k, target] : node.enumerated) {
      target *= problem_.scale();
    }
    for (auto& [k, pricing] : node.pricing) {
      for (PricingDivision::Part& part : pricing.parts) {
        part.proof.target *= problem_.scale();
        part.proof.least *= problem_.scale();
        if (part.proof.by_pairs != nullptr) {
          OverlapProof by_pairs = *part.proof.by_pairs;
          by_pairs.scale(problem_.scale());
          part.proof.by_pairs = std::make_shared<const OverlapProof>(std::move(by_pairs));
        }
      }
    }
  }
  if (proof.nodes.front().prices.size() == 0) {
    proof.nodes.clear();
  }
  proof.pairs = by_pairs_.proof;
  proof.pairs.costs *= problem_.scale();
  proof.pairs.prices *= problem_.scale();
  return {.supports = problem_.supports(),
          .value = problem_.value() * problem_.scale(),
          .bound = bound() * problem_.scale(),
          .is_closed = problem_.is_closed(bound()),
          .proof = std::move(proof),
          .met = problem_.stored(),
          .columns = std::ssize(problem_.columns()),
          .programs = programs_,
          .proofs = proofs_,
          .rows = std::ssize(cuts_),
          .branches = branches_};
}

}  // namespace

DisjointOptimum disjoint_optimum(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 const KnownSupports& known, double accuracy,
                                 const OutsideVariables& outside, Budget& budget) {
  BranchAndPrice search(matrix, cardinality, accuracy, outside, budget);
  search.run(known);
  return search.answer();
}

DisjointPrices disjoint_prices(const Matrix& matrix, const std::vector<Index>& cardinality,
                               const KnownSupports& known, Budget& budget) {
  DisjointProblem problem(matrix, cardinality, 0, {});
  add_known(problem, known);
  ColumnGeneration generation(problem, {}, {}, budget);
  generation.find_prices();
  const PackingProgram& program = generation.program();
  DisjointPrices found{.share = std::numeric_limits<double>::infinity(),
                       .known = {.best = problem.supports(), .met = problem.stored()}};
  if (program.prices().size() == matrix.rows()) {
    found.prices = program.prices() * problem.scale();
    for (const auto& [k, count] : problem.counts()) {
      found.share = std::min(found.share, program.share(k) * problem.scale());
    }
    for (const PackingProgram::Taken& one : program.taken()) {
      found.taken.push_back(one.support);
    }
  }
  return found;
}

namespace {

/// The amount that each variable of the support adds to lambda_max on it.
Vector added_by_each(const Covariance& covariance, const Support& support) {
  const Matrix matrix = covariance.submatrix(support);
  const Index k = std::ssize(support);
  Vector added = Vector::Constant(k, symmetric_eigenvalues(matrix)[k - 1]);
  for (Index i = 0; i < k; ++i) {
    Matrix without = matrix;
    without.row(i).setZero();
    without.col(i).setZero();
    added[i] -= symmetric_eigenvalues(without)[k - 1];
  }
  return added;
}

/// The least amount that a variable adds to lambda_max on its support; 0 without supports.
double least_added(const Covariance& covariance, const std::vector<Support>& supports) {
  double least = supports.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const Support& support : supports) {
    least = std::min(least, added_by_each(covariance, support).minCoeff());
  }
  return least;
}

/// The least reduced cost: the amount that a variable adds to a support of the program beyond its
/// price. `core`: the variables of the prices.
double least_surplus(const Covariance& covariance, const Support& core,
                     const DisjointPrices& prices) {
  double least = std::numeric_limits<double>::infinity();
  for (const Support& support : prices.taken) {
    const Vector added = added_by_each(covariance, members_at(core, support));
    least = std::min(least, (added - prices.prices(support)).minCoeff());
  }
  return least;
}

}  // namespace

namespace {

Support by_falling(const Vector& scores) {
  Support falling = all_variables(scores.size());
  std::stable_sort(falling.begin(), falling.end(),
                   [&](Index a, Index b) { return scores[a] > scores[b]; });
  return falling;
}

/// A guess of the linear program's prices: `share` is the same for all supports, and the variables
/// of a support pay the rest of its worth in proportion to their squared loadings.
struct GuessedPrices {
  double share = 0;
  Vector prices;
};

GuessedPrices guess_prices(const Covariance& covariance, const std::vector<Support>& supports) {
  std::vector<SymmetricEigenpairs> pairs;
  double least = std::numeric_limits<double>::infinity();
  for (const Support& support : supports) {
    pairs.push_back(symmetric_eigenpairs(covariance.submatrix(support)));
    least = std::min(least, pairs.back().values.tail(1)[0]);
  }
  GuessedPrices guess{.share = kGuessedShare * least,
                      .prices = Vector::Zero(covariance.variables())};
  for (std::size_t j = 0; j < supports.size(); ++j) {
    const Index last = pairs[j].values.size() - 1;
    guess.prices(supports[j]) =
        (pairs[j].values[last] - guess.share) * pairs[j].vectors.col(last).cwiseAbs2();
  }
  return guess;
}

/// A rough estimate of the most that each variable can add to a support of `pillars` at these
/// prices.
Vector added_scores(const Covariance& covariance, const GuessedPrices& guess,
                    const Support& pillars, Index k) {
  const Matrix columns = covariance.columns(pillars);
  const Vector weights = (guess.prices(pillars).array() + kGuessedSpare * guess.share).inverse();
  const Index count = std::min(k - 1, std::ssize(pillars));
  Vector scores(covariance.variables());
  for (Index j = 0; j < scores.size(); ++j) {
    Vector terms = columns.row(j).transpose().cwiseAbs2().cwiseProduct(weights);
    std::nth_element(terms.begin(), terms.begin() + count, terms.end(), std::greater<>());
    scores[j] = std::min(covariance.diagonal()[j], terms.head(count).sum());
  }
  return scores;
}

}  // namespace

Support disjoint_core(const Covariance& covariance, const Support& before,
                      const DisjointPrices& prices, Index k, double part, Index max_variables) {
  if (prices.prices.size() != std::ssize(before) || !(prices.share > 0)) {
    return before;
  }
  std::set<Index> core;
  for (const std::vector<Support>& supports : {prices.known.best, prices.taken}) {
    for (const Support& support : supports) {
      for (const Index i : support) {
        core.insert(before[static_cast<std::size_t>(i)]);
      }
    }
  }
  Vector scores =
      outside_scores(covariance, before, prices.prices, kSpareOfShare * prices.share, k);
  // A variable with a price adds at least its price.
  for (std::size_t t = 0; t < before.size(); ++t) {
    scores[before[t]] += prices.prices[static_cast<Index>(t)];
  }
  const Support best = by_falling(scores);
  const double enough = part * least_surplus(covariance, before, prices);
  for (std::size_t t = 0; t < best.size() && std::ssize(core) < max_variables; ++t) {
    if (std::ssize(core) >= kSmallestPricedCore && !(scores[best[t]] > enough)) {
      break;
    }
    core.insert(best[t]);
  }
  return {core.begin(), core.end()};
}

Support disjoint_core(const Covariance& covariance, const std::vector<Support>& supports,
                      Index max_variables) {
  const Index p = covariance.variables();
  std::set<Index> core;
  Index k = 0;
  for (const Support& support : supports) {
    core.insert(support.begin(), support.end());
    k = std::max(k, std::ssize(support));
  }
  const Vector& variances = covariance.diagonal();
  const Support falling = by_falling(variances);
  const double enough = kVarianceOutside * least_added(covariance, supports);
  const auto is_wanted = [&](std::size_t position) {
    return static_cast<Index>(position) < std::min(p, kSmallestCore) ||
           variances[falling[position]] >= enough;
  };
  std::size_t wanted = 0;
  while (wanted < falling.size() && is_wanted(wanted)) {
    ++wanted;
  }
  if (supports.empty() || static_cast<Index>(wanted) <= max_variables) {
    for (std::size_t t = 0; t < wanted && std::ssize(core) < max_variables; ++t) {
      core.insert(falling[t]);
    }
    return {core.begin(), core.end()};
  }
  // Adds the largest variances, until k variables outside have no more than a part of the share.
  const GuessedPrices guess = guess_prices(covariance, supports);
  const double part = (1 - kGuessedSpare) * guess.share / static_cast<double>(k);
  for (std::size_t t = 0;
       t < wanted && std::ssize(core) < max_variables / 2 && variances[falling[t]] > part; ++t) {
    core.insert(falling[t]);
  }
  const Support pillars(core.begin(), core.end());
  const Support best = by_falling(added_scores(covariance, guess, pillars, k));
  for (std::size_t t = 0; t < best.size() && std::ssize(core) < max_variables; ++t) {
    core.insert(best[t]);
  }
  return {core.begin(), core.end()};
}

}  // namespace spca
