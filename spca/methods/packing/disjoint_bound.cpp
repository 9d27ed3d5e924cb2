#include "spca/methods/packing/disjoint_bound.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "spca/algebra/dense_decompositions.h"
#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/packing/column_generation.h"

namespace spca {
namespace {

// A core has so many variables, if there are as many, and all whose variance is at least this share of
// the least that a variable of a good support adds to it.
constexpr Index kSmallestCore = 200;
constexpr double kVarianceOutside = 0.5;

/// Programs that are not closed, divided by rules on pairs.
class BranchAndPrice {
 public:
  BranchAndPrice(const Matrix& matrix, const std::vector<Index>& cardinality, double accuracy,
                 double outside, Budget& budget)
      : problem_(matrix, cardinality, accuracy, outside), budget_(budget) {}

  void run(const std::vector<Support>& known);
  DisjointOptimum answer() const;

 private:
  struct Node {
    double bound = std::numeric_limits<double>::infinity();
    PairRules rules = {};
    Index place = 0;  // in the proof
    PairRules::Pair pair{-1, -1};
  };

  void begin(const std::vector<Support>& known);
  void solve(std::unique_ptr<Node> node);
  void divide(const Node& node);

  DisjointProblem problem_;
  Budget& budget_;
  OpenNodes<Node> open_;  // to be divided
  double left_ = 0;       // the largest bound of what is not divided any more
  DisjointProof proof_;
  Index programs_ = 0;
  Index proofs_ = 0;
  Index branches_ = 0;
};

/// Without a start, the variables in their order are one.
void BranchAndPrice::begin(const std::vector<Support>& known) {
  problem_.offer(known);
  if (problem_.supports().empty()) {
    problem_.round_off({});
  }
}

/// Bounds the node. Its proof is that of its parent until it has a better one.
void BranchAndPrice::solve(std::unique_ptr<Node> node) {
  ColumnGeneration generation(problem_, node->rules, budget_);
  generation.run();
  programs_ += generation.programs();
  proofs_ += generation.proofs();
  if (generation.bound() < node->bound) {
    node->bound = generation.bound();
    proof_.nodes[static_cast<std::size_t>(node->place)] = generation.proof();
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
  const auto place = static_cast<std::size_t>(node.place);
  std::unique_ptr<Node> parts[2];
  for (std::unique_ptr<Node>& part : parts) {
    part = std::make_unique<Node>(node);
    part->place = std::ssize(proof_.nodes);
    part->pair = {-1, -1};  // its own is not known yet
    DisjointProof::Node inherited = proof_.nodes[place];
    proof_.nodes.push_back(std::move(inherited));
  }
  proof_.nodes[place].pair = node.pair;
  proof_.nodes[place].together = parts[0]->place;
  proof_.nodes[place].apart = parts[1]->place;
  parts[0]->rules.together.push_back(node.pair);
  parts[1]->rules.apart.push_back(node.pair);
  for (std::unique_ptr<Node>& part : parts) {
    solve(std::move(part));
  }
}

void BranchAndPrice::run(const std::vector<Support>& known) {
  begin(known);
  proof_.nodes.emplace_back();
  solve(std::make_unique<Node>());
  while (!open_.empty() && left_ < open_.largest_bound() &&
         !problem_.is_closed(open_.largest_bound()) && !budget_.is_time_up()) {
    divide(*open_.pop_largest());
  }
}

DisjointOptimum BranchAndPrice::answer() const {
  const double open = open_.empty() ? 0 : open_.largest_bound();
  DisjointProof proof = proof_;
  for (DisjointProof::Node& node : proof.nodes) {
    node.prices *= problem_.scale();
    for (auto& [k, pricing] : node.pricing) {
      pricing.target *= problem_.scale();
    }
  }
  if (proof.nodes.front().prices.size() == 0) {
    proof.nodes.clear();
  }
  const double bound = std::max({open, left_, problem_.value()});
  return {.supports = problem_.supports(),
          .value = problem_.value() * problem_.scale(),
          .bound = bound * problem_.scale(),
          .proof = std::move(proof),
          .columns = std::ssize(problem_.columns()),
          .programs = programs_,
          .proofs = proofs_,
          .branches = branches_};
}

}  // namespace

DisjointOptimum disjoint_optimum(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 const std::vector<Support>& known, double accuracy, double outside,
                                 Budget& budget) {
  BranchAndPrice search(matrix, cardinality, accuracy, outside, budget);
  search.run(known);
  return search.answer();
}

namespace {

/// The least that a variable adds to lambda_max on its support; 0 without supports.
double least_added(const Covariance& covariance, const std::vector<Support>& supports) {
  double least = supports.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const Support& support : supports) {
    const Matrix matrix = covariance.submatrix(support);
    const Index k = std::ssize(support);
    const double whole = symmetric_eigenvalues(matrix)[k - 1];
    for (Index i = 0; i < k; ++i) {
      Matrix without = matrix;
      without.row(i).setZero();
      without.col(i).setZero();
      least = std::min(least, whole - symmetric_eigenvalues(without)[k - 1]);
    }
  }
  return least;
}

}  // namespace

Support disjoint_core(const Covariance& covariance, const std::vector<Support>& supports,
                      Index most) {
  std::set<Index> core;
  for (const Support& support : supports) {
    core.insert(support.begin(), support.end());
  }
  const Index p = covariance.variables();
  Support falling(static_cast<std::size_t>(p));
  std::iota(falling.begin(), falling.end(), Index{0});
  const Vector& variances = covariance.diagonal();
  std::stable_sort(falling.begin(), falling.end(),
                   [&](Index a, Index b) { return variances[a] > variances[b]; });
  const double enough = kVarianceOutside * least_added(covariance, supports);
  for (auto next = falling.begin(); next != falling.end() && std::ssize(core) < most; ++next) {
    if (std::ssize(core) >= kSmallestCore && variances[*next] < enough) {
      break;
    }
    core.insert(*next);
  }
  return {core.begin(), core.end()};
}

double variance_outside(const Covariance& covariance, const Support& core) {
  Vector others = covariance.diagonal();
  others(core).setZero();
  return std::max(others.maxCoeff(), 0.0);
}

}  // namespace spca
