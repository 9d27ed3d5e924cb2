/// Tests the division of several orthogonal components by the number of supports that have a
/// variable: wherever it is stopped, and whatever its proof says, it bounds every answer.

#include "spca/methods/pairs/overlap_tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spca/base/parallel.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "tests/orthogonal_case.h"
#include "tests/solver_testing.h"

namespace spca::overlap_tree_test {
namespace {

using trial::best_of_starts;
using trial::kSum;
using trial::OrthogonalCase;
using trial::random_orthogonal_case;

constexpr std::uint64_t kSeed = 61;
constexpr int kProblems = 16;
// The target of a tree that is to close exceeds the optimum by this share.
constexpr double kAccuracy = 1e-3;

/// Returns the value of the best orthonormal components on any two supports of full size.
double best_of_pairs(const OrthogonalCase& one) {
  const OrthogonalSearch search(one.matrix, one.cardinality,
                                {.of_loadings = true, .of_scores = false});
  const Index p = one.matrix.rows();
  const Matrix near = Matrix::Zero(p, 2);
  double best = 0;
  trial::for_each_support(p, one.cardinality[0], [&](const Support& a) {
    trial::for_each_support(p, one.cardinality[1], [&](const Support& b) {
      best = std::max(best, search.evaluate({a, b}, near).value);
    });
  });
  return best;
}

/// The conditions on supports that may overlap, or on a common support.
PairConditions shared(const OrthogonalCase& one) {
  return PairConditions::shared(one.cardinality, one.matrix.rows());
}

PairConditions common(const OrthogonalCase& one) {
  return PairConditions::common(std::ssize(one.cardinality), one.cardinality.front(),
                                one.matrix.rows());
}

double checked(const OrthogonalCase& one, const PairConditions& conditions,
               const OverlapProof& proof) {
  Budget budget;
  return check_overlap_proof(one.matrix, one.cardinality, conditions, proof, budget);
}

double checked(const OrthogonalCase& one, const OverlapProof& proof) {
  return checked(one, shared(one), proof);
}

double value_of_common(const Matrix& matrix, const Support& support, Index r) {
  return symmetric_eigenvalues(matrix(support, support)).tail(r).sum();
}

/// Returns the value of the best components on one support of full size.
double best_of_common(const OrthogonalCase& one) {
  double best = 0;
  trial::for_each_support(one.matrix.rows(), one.cardinality[0], [&](const Support& support) {
    best = std::max(best, value_of_common(one.matrix, support, std::ssize(one.cardinality)));
  });
  return best;
}

/// Puts random numbers into the proof, one node after the other.
void expect_a_bound_of_any_proof(const OrthogonalCase& one, const PairConditions& conditions,
                                 OverlapProof proof, double best, Random& random) {
  const double slack = kSum * one.matrix.trace();
  for (OverlapProof::Node& node : proof.nodes) {
    const PairProof kept = node.pairs;
    const Index size = kept.prices.size();  // of the core
    for (const double noise : {0.1, 3.0}) {
      if (kept.costs.size() > 0) {
        node.pairs.costs = kept.costs + noise * trial::random_matrix(size, size, random);
        node.pairs.prices = kept.prices + noise * trial::random_matrix(size, 1, random).col(0);
        EXPECT_GE(checked(one, conditions, proof), best - slack);
        node.pairs.union_factor = noise * trial::random_matrix(size, 2, random);
        EXPECT_GE(checked(one, conditions, proof), best - slack);
      }
    }
    node.pairs = kept;
    const double target = proof.target;
    proof.target = best * (1 + random.uniform());
    EXPECT_GE(checked(one, conditions, proof), best - slack);
    proof.target = target;
    const Index at_most = node.at_most;
    node.at_most = static_cast<Index>(random.below(3));
    EXPECT_GE(checked(one, conditions, proof), best - slack);
    node.at_most = at_most;
  }
}

void expect_bounds(const OrthogonalCase& one, const PairConditions& conditions, double best,
                   Index most_nodes, Random& random, int& closed) {
  const double slack = kSum * one.matrix.trace();
  for (const double share : {0.9, 1 + kAccuracy}) {
    OverlapTree tree(one.matrix, one.cardinality, conditions, share * best);
    double last = std::numeric_limits<double>::infinity();
    for (const Index nodes : {Index{1}, Index{5}, most_nodes}) {
      Budget budget;
      tree.run(nodes, 1, budget);
      EXPECT_GE(tree.bound(), best - slack) << share << ", " << nodes << " nodes";
      EXPECT_LE(tree.bound(), last + slack);
      // A node may have its parent's proof, which gives a lower bound under the node's own limits.
      EXPECT_LE(checked(one, conditions, tree.proof()), tree.bound() + slack);
      EXPECT_GE(checked(one, conditions, tree.proof()), best - slack);
      last = tree.bound();
    }
    closed += share > 1 && tree.bound() <= share * best + slack ? 1 : 0;
    if (share < 1) {
      expect_a_bound_of_any_proof(one, conditions, tree.proof(), best, random);
    }
  }
}

TEST(OverlapTree, BoundsTheBestOfAllPairsOfSupports) {
  Random random(kSeed);
  int closed = 0;
  constexpr int kPairs = trial::tries(kProblems);
  for (int i = 0; i < kPairs; ++i) {
    OrthogonalCase one = random_orthogonal_case(random, i, 5 + i % 3, 2, 3);
    SCOPED_TRACE(fmt::format("problem {}: k = {}, {}", i, one.cardinality[0], one.cardinality[1]));
    expect_bounds(one, shared(one), best_of_pairs(one), 300, random, closed);
  }
  // In the leaves all assignments of variables are enumerated, so every gap closes.
  EXPECT_EQ(closed, kPairs);
}

TEST(OverlapTree, BoundsTheBestSupportOfOneComponent) {
  Random random(kSeed + 7);
  int closed = 0;
  for (int i = 0; i < kProblems; ++i) {
    OrthogonalCase one = random_orthogonal_case(random, i, 6 + i % 4, 2, 3);
    one.cardinality = {2 + i % 3};
    SCOPED_TRACE(fmt::format("problem {}: k = {}", i, one.cardinality[0]));
    double best = 0;
    trial::for_each_support(one.matrix.rows(), one.cardinality[0], [&](const Support& support) {
      best = std::max(best, value_of_common(one.matrix, support, 1));
    });
    expect_bounds(one, shared(one), best, 300, random, closed);
  }
  EXPECT_EQ(closed, kProblems);
}

/// A support need not have all k variables: some cost more than they add.
TEST(OverlapTree, BoundsWhatASupportIsWorthBeyondItsCharges) {
  Random random(kSeed + 9);
  int closed = 0;
  int smaller = 0;
  for (int i = 0; i < kProblems; ++i) {
    OrthogonalCase one = random_orthogonal_case(random, i, 6 + i % 4, 2, 3);
    const Index p = one.matrix.rows();
    one.cardinality = {2 + i % 3};
    const double most = one.matrix.diagonal().maxCoeff() / static_cast<double>(1 + i % 4);
    Vector charges(p);
    for (double& charge : charges) {
      charge = std::max(0.0, random.uniform() - 0.3) * most;
    }
    SCOPED_TRACE(fmt::format("problem {}: k = {}", i, one.cardinality[0]));
    double best = 0;
    Index size = 0;
    for (Index k = 1; k <= one.cardinality[0]; ++k) {
      trial::for_each_support(p, k, [&](const Support& support) {
        const double worth = value_of_common(one.matrix, support, 1) - charges(support).sum();
        size = worth > best ? k : size;
        best = std::max(best, worth);
      });
    }
    smaller += size < one.cardinality[0] ? 1 : 0;
    expect_bounds(one, PairConditions::charged(one.cardinality[0], charges), best, 300, random,
                  closed);
  }
  EXPECT_EQ(closed, kProblems);
  EXPECT_GT(smaller, 0);
}

TEST(OverlapTree, BoundsThreeComponents) {
  Random random(kSeed + 1);
  int closed = 0;
  const int problems = trial::tries(kProblems / 2);
  for (int i = 0; i < problems; ++i) {
    const OrthogonalCase one = random_orthogonal_case(random, i, 7 + i % 2, 3, 4);
    SCOPED_TRACE(i);
    expect_bounds(one, shared(one), best_of_starts(one, random), 100, random, closed);
  }
  if (!trial::kSanitized) {
    EXPECT_GT(closed, 0);
  }
}

/// Most variables are noise. The nodes take their steps without these, but their bounds hold for
/// all variables.
TEST(OverlapTree, TheCoreBoundsAllVariables) {
  Random random(kSeed + 4);
  for (int i = 0; i < 4; ++i) {
    const Index p = 24;
    Matrix data = 0.4 * trial::random_matrix(60, p, random);
    const Matrix scores = trial::random_matrix(60, 2, random);
    for (Index j = 0; j < 7; ++j) {
      data.col(j) += scores.col(j % 2) + 0.5 * scores.col(0);
    }
    const OrthogonalCase one{.matrix = trial::covariance_of(data), .cardinality = {3, 3}};
    SCOPED_TRACE(i);
    const double best = best_of_starts(one, random);
    OverlapTree tree(one.matrix, one.cardinality, shared(one), 0.98 * best);
    Budget budget;
    tree.run(60, 1, budget);
    const double slack = kSum * one.matrix.trace();
    const auto nodes_with_core = [&](const OverlapProof& proof) {
      return std::count_if(proof.nodes.begin(), proof.nodes.end(), [&](const auto& node) {
        return !node.core.empty() && std::ssize(node.core) < p;
      });
    };
    EXPECT_GT(nodes_with_core(tree.proof()), 0);
    EXPECT_GE(tree.bound(), best - slack);
    EXPECT_GE(checked(one, tree.proof()), best - slack);
    EXPECT_LE(checked(one, tree.proof()), tree.bound() + slack);
    OverlapProof proof = tree.proof();
    for (OverlapProof::Node& node : proof.nodes) {
      if (!node.core.empty()) {
        node.core.pop_back();
      }
    }
    EXPECT_GE(checked(one, proof), best - slack);
  }
}

TEST(OverlapTree, BoundsCommonSupports) {
  Random random(kSeed + 7);
  int closed = 0;
  constexpr int kSupports = trial::tries(kProblems);
  for (int i = 0; i < kSupports; ++i) {
    const Index r = 1 + i % 3;
    OrthogonalCase one = random_orthogonal_case(random, i, 7 + i % 3, 2, 3);
    one.cardinality.assign(static_cast<std::size_t>(r), r + 1 + i % 2);
    SCOPED_TRACE(fmt::format("problem {}: r = {}, k = {}", i, r, one.cardinality[0]));
    expect_bounds(one, common(one), best_of_common(one), 300, random, closed);
  }
  EXPECT_EQ(closed, kSupports);
}

/// The root takes its steps among some variables, to which others are added.
TEST(OverlapTree, BoundsACommonSupportOfManyVariables) {
  Random random(kSeed + 8);
  const Index p = 200;
  Matrix data = 0.4 * trial::random_matrix(80, p, random);
  const Matrix scores = trial::random_matrix(80, 2, random);
  Support planted;
  for (Index j = 0; j < 6; ++j) {
    planted.push_back(20 * j + 3);
    data.col(planted.back()) += scores.col(j % 2);
  }
  const OrthogonalCase one{.matrix = trial::covariance_of(data), .cardinality = {6, 6}};
  const double value = value_of_common(one.matrix, planted, 2);
  const double slack = kSum * one.matrix.trace();
  OverlapTree tree(one.matrix, one.cardinality, common(one), value * (1 + kAccuracy));
  Budget budget;
  tree.run(40, 1, budget);
  EXPECT_FALSE(tree.proof().nodes.front().core.empty());
  EXPECT_LT(std::ssize(tree.proof().nodes.front().core), p);
  EXPECT_GE(tree.bound(), value - slack);
  EXPECT_LE(tree.bound(), value * (1 + 2 * kAccuracy));
  EXPECT_LE(checked(one, common(one), tree.proof()), tree.bound() + slack);
  EXPECT_GE(checked(one, common(one), tree.proof()), value - slack);
}

TEST(OverlapTree, TheBoundDoesNotDependOnTheThreads) {
  Random random(kSeed + 6);
  Index nodes = 0;
  for (int i = 0; i < trial::tries(8); ++i) {
    const OrthogonalCase one = random_orthogonal_case(random, i, 9, 2, 4);
    const double target = 0.5 * best_of_starts(one, random);
    double bound = 0;
    for (const int threads : {1, 3}) {
      OverlapTree tree(one.matrix, one.cardinality, shared(one), target);
      Budget budget;
      tree.run(40, threads, budget);
      EXPECT_TRUE(threads == 1 || tree.bound() == bound) << tree.bound() << ", " << bound;
      bound = tree.bound();
      nodes = std::max(nodes, tree.nodes());
    }
  }
  if (!trial::kSanitized) {
    EXPECT_GE(nodes, 40);
  }
}

TEST(OverlapTree, TheRootDoesNotDependOnTheThreadsThatShareAStep) {
  Random random(kSeed + 7);
  const Index p = 70;  // enough for threads within a step
  Matrix data(2 * p, p);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  const Matrix matrix = data.transpose() * data;
  double bound = 0;
  for (const int threads : {1, 3}) {
    const ThreadAllowance allowance(threads);
    OverlapTree tree(matrix, {4, 4}, PairConditions::shared({4, 4}, p), 0);
    Budget budget;
    tree.run(1, threads, budget);
    EXPECT_TRUE(threads == 1 || tree.bound() == bound) << tree.bound() << ", " << bound;
    bound = tree.bound();
  }
}

TEST(OverlapTree, AProofServesSInAnotherUnit) {
  Random random(kSeed + 10);
  for (const double factor : {1e-6, 7.0, 1e9}) {
    OrthogonalCase one = random_orthogonal_case(random, 3, 8, 2, 3);
    OverlapTree tree(one.matrix, one.cardinality, shared(one), 0.9 * best_of_pairs(one));
    Budget budget;
    tree.run(30, 1, budget);
    OverlapProof proof = tree.proof();
    const double bound = checked(one, proof);
    one.matrix *= factor;
    proof.scale(factor);
    EXPECT_NEAR(checked(one, proof), factor * bound, kSum * factor * bound);
  }
}

/// Values and bounds are in the units of S, also if the entries of S are far from 1.
TEST(OverlapTree, TheUnitsOfSDoNotMatter) {
  Random random(kSeed + 2);
  for (const double scale : {1e-120, 1e-9, 1e9, 1e120}) {
    OrthogonalCase one = random_orthogonal_case(random, 3, 6, 2, 3);
    SCOPED_TRACE(scale);
    const double best = scale * best_of_pairs(one);
    one.matrix *= scale;
    OverlapTree tree(one.matrix, one.cardinality, shared(one), best * (1 + kAccuracy));
    Budget budget;
    tree.run(50, 1, budget);
    EXPECT_GE(tree.bound(), best * (1 - 1e-9));
    EXPECT_LE(tree.bound(), one.matrix.trace() * (1 + 1e-9));
  }
}

/// Two components on {1, 2, 3} and {3, 4, 5} alone would explain more than any orthogonal ones.
TEST(OverlapTree, SupportsNeverShareOneVariableAlone) {
  Matrix matrix = Matrix::Identity(5, 5);
  for (const Index i : {0, 1, 3, 4}) {
    matrix(i, 2) = matrix(2, i) = 0.7;
  }
  const OrthogonalCase one{.matrix = matrix, .cardinality = {3, 3}};
  const double best = best_of_pairs(one);
  OverlapTree tree(matrix, one.cardinality, shared(one), best * (1 + kAccuracy));
  Budget budget;
  tree.run(500, 1, budget);
  EXPECT_GE(tree.bound(), best - kSum);
  EXPECT_LE(tree.bound(), 3.4 + kSum);  // 3.98 if they could share it
}

TEST(OverlapTree, AnInvalidProofGivesNoBound) {
  Random random(kSeed + 3);
  const OrthogonalCase one = random_orthogonal_case(random, 3, 5, 2, 3);
  EXPECT_TRUE(std::isinf(checked(one, {})));
  EXPECT_TRUE(std::isinf(checked(one, {.nodes = {{}}})));
  const OverlapProof::Node leaf{.pairs = {.costs = Matrix::Zero(5, 5), .prices = Vector::Zero(5)}};
  const double whole = checked(one, {.nodes = {leaf}});
  EXPECT_NEAR(whole, symmetric_eigenvalues(one.matrix).tail(2).sum(), kSum * whole);
  OverlapProof::Node divided{.variable = 1, .at_most = 1, .fewer = 1, .more = 2};
  EXPECT_LE(checked(one, {.nodes = {divided, leaf, leaf}}), whole * (1 + kSum));
  EXPECT_TRUE(std::isinf(checked(one, {.nodes = {divided, leaf}})));
  divided.fewer = 0;
  EXPECT_TRUE(std::isinf(checked(one, {.nodes = {divided, leaf, leaf}})));
  divided.fewer = 1;
  divided.variable = 5;
  EXPECT_TRUE(std::isinf(checked(one, {.nodes = {divided, leaf, leaf}})));
  Budget over({.seconds = 0});
  EXPECT_TRUE(std::isinf(
      check_overlap_proof(one.matrix, one.cardinality, shared(one), {.nodes = {leaf}}, over)));
}

}  // namespace
}  // namespace spca::overlap_tree_test
