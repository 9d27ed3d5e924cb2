#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "spca/covariance/covariance_explicit.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/orthogonal/orthogonal_bound.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "spca/methods/orthogonal/orthogonal_tree.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/solving/upper_bound.h"
#include "tests/orthogonal_case.h"
#include "tests/solver_testing.h"

namespace spca::orthogonal_branch_test {
namespace {

using trial::kSum;
using trial::OrthogonalCase;
using trial::random_orthogonal_case;

constexpr std::uint64_t kSeed = 71;
constexpr double kAccuracy = 1e-5;  // the default of the solver
const Json kQuick = {{"patience", 32}, {"rounds", 1}};

const SolverEntry& solver() { return SolverRegistry::instance().get("orthogonal-branch", ""); }

SolveRequest request(const OrthogonalCase& one, const Json& options) {
  SolveRequest request;
  request.covariance = make_explicit_covariance(one.matrix);
  request.solver = &solver();
  request.options = solver().complete_options(options, "/options");
  request.components = std::ssize(one.cardinality);
  request.cardinality = one.cardinality;
  request.seed = 1;
  return request;
}

double value_of(const OrthogonalCase& one, const SolveOutcome& outcome) {
  double value = 0;
  for (const Component& v : outcome.solution.components) {
    value += v.values.dot(one.matrix(v.support, v.support) * v.values);
  }
  return value;
}

/// The bound that the harness computes from S and the certificate.
double checked_bound(const SolveRequest& asked, const SolveOutcome& outcome) {
  return upper_bound(solver(), outcome.solution, asked.cardinality, *asked.covariance,
                     Spectrum(*asked.covariance));
}

/// Returns the value of the best orthonormal components on r supports of full size, by ascents from
/// every choice of supports.
double best_of_all_supports(const OrthogonalCase& one) {
  const OrthogonalSearch search(one.matrix, one.cardinality,
                                {.of_loadings = true, .of_scores = false});
  const Index p = one.matrix.rows();
  const Matrix near = Matrix::Zero(p, std::ssize(one.cardinality));
  std::vector<Support> chosen;
  double best = 0;
  const std::function<void()> choose = [&] {
    if (chosen.size() == one.cardinality.size()) {
      best = std::max(best, search.evaluate(chosen, near).value);
      return;
    }
    trial::for_each_support(p, one.cardinality[chosen.size()], [&](const Support& support) {
      chosen.push_back(support);
      choose();
      chosen.pop_back();
    });
  };
  choose();
  return best;
}

TEST(OrthogonalBranch, ProvesTheBestOfAllSupports) {
  Random random(kSeed);
  int proved = 0;
  constexpr int kProblems = trial::tries(12);
  for (int i = 0; i < kProblems; ++i) {
    const OrthogonalCase one = random_orthogonal_case(random, i, 5 + i % 4, 2, 3);
    SCOPED_TRACE(fmt::format("problem {}: k = {}, {}", i, one.cardinality[0], one.cardinality[1]));
    const double slack = kSum * one.matrix.trace();
    const double best = best_of_all_supports(one);
    const SolveRequest asked = request(one, kQuick);
    const SolveOutcome outcome = solve(asked);
    const double value = value_of(one, outcome);
    const double bound = outcome.facts.at("bound").at(0);
    EXPECT_GE(bound, best - slack);
    EXPECT_GE(checked_bound(asked, outcome), best - slack);
    EXPECT_LE(checked_bound(asked, outcome), std::max(bound, value) + kAccuracy * value);
    EXPECT_EQ(
        find_dependence(outcome.solution.components, *asked.covariance, {.of_loadings = true}), "");
    if (outcome.solution.status == Status::kConverged) {
      EXPECT_GE(value, best * (1 - 3 * kAccuracy) - slack);
      ++proved;
    } else {
      EXPECT_EQ(outcome.solution.status, Status::kIterationLimit);
      EXPECT_NE(outcome.solution.message.find("above the value"), std::string::npos);
    }
  }
  EXPECT_GE(proved, kProblems / 2);
}

/// The check may divide the problem in another order than the search. On these data it needs more
/// nodes.
TEST(OrthogonalBranch, TheCheckGivesTheBoundOfTheSearch) {
  for (const char* name : {"mtcars", "wine"}) {
    SCOPED_TRACE(name);
    const Dataset data = DatasetRegistry::instance().get(name, "test").load(Json::object(), {});
    const OrthogonalCase one = {
        .matrix = data.covariance->submatrix(all_variables(data.covariance->variables())),
        .cardinality = {3, 3}};
    const SolveRequest asked = request(one, Json::object());
    const SolveOutcome outcome = solve(asked);
    const double bound = outcome.facts.at("bound").at(0);
    EXPECT_LE(bound, value_of(one, outcome) * (1 + 2 * kAccuracy));
    EXPECT_LE(checked_bound(asked, outcome), bound * (1 + kAccuracy));
  }
}

TEST(OrthogonalBranch, SLOW_ProvesThreeComponentsAmongAllSupports) {
  Random random(kSeed + 1);
  for (int i = 0; i < trial::tries(4); ++i) {
    OrthogonalCase one = random_orthogonal_case(random, i, 6, 3, 1);
    one.cardinality = {2, 3, 2 + i % 2};
    SCOPED_TRACE(i);
    const double best = best_of_all_supports(one);
    const SolveRequest asked = request(one, kQuick);
    const SolveOutcome outcome = solve(asked);
    EXPECT_GE(checked_bound(asked, outcome), best - kSum * one.matrix.trace());
    if (outcome.solution.status == Status::kConverged) {
      EXPECT_GE(value_of(one, outcome), best * (1 - 3 * kAccuracy));
    }
  }
}

TEST(OrthogonalBranch, OtherConstraintsAreBoundedToo) {
  Random random(kSeed + 2);
  for (int i = 0; i < trial::tries(6); ++i) {
    OrthogonalCase one = random_orthogonal_case(random, 3, 8, 2, 1);
    one.cardinality = {4, 4};
    for (const char* constraint : {"uncorrelated", "both"}) {
      SCOPED_TRACE(constraint);
      Json options = kQuick;
      options["constraint"] = constraint;
      const SolveRequest asked = request(one, options);
      const SolveOutcome outcome = solve(asked);
      ASSERT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
      EXPECT_EQ(find_dependence(outcome.solution.components, *asked.covariance,
                                orthogonality_of(solver(), outcome.options)),
                "");
      const double value = value_of(one, outcome);
      EXPECT_GE(outcome.facts.at("bound").at(0), value * (1 - kSum));
      EXPECT_GE(checked_bound(asked, outcome), value * (1 - kSum));
    }
  }
}

TEST(OrthogonalBranch, OneComponentIsThatOfBranchBound) {
  Random random(kSeed + 3);
  const OrthogonalCase one = random_orthogonal_case(random, 3, 9, 1, 4);
  SolveRequest asked = request(one, Json::object());
  const SolveOutcome outcome = solve(asked);
  EXPECT_EQ(outcome.solution.status, Status::kConverged);
  EXPECT_NEAR(
      value_of(one, outcome),
      trial::best_by_enumeration(*make_explicit_covariance(one.matrix), one.cardinality[0]).value,
      kSum * one.matrix.trace());
}

/// The bound holds under a short time limit, and so does a check of it under a short limit.
TEST(OrthogonalBranch, BoundsHoldWhereverTimeRunsOut) {
  Random random(kSeed + 4);
  const OrthogonalCase one{.matrix = trial::covariance_of(trial::random_matrix(40, 24, random)),
                           .cardinality = {8, 8}};
  for (const double seconds : {0.0, 1e-3, 0.02, 0.1, 0.4}) {
    SCOPED_TRACE(seconds);
    SolveRequest asked = request(one, kQuick);
    asked.seconds = seconds;
    const SolveOutcome outcome = solve(asked);
    if (outcome.solution.components.size() < 2) {
      continue;
    }
    const double value = value_of(one, outcome);
    for (const double check_seconds : {0.0, 0.05, 1.0}) {
      EXPECT_GE(upper_bound_within(check_seconds, solver(), outcome.solution, asked.cardinality,
                                   *asked.covariance, Spectrum(*asked.covariance))
                    .value,
                value * (1 - kSum));
    }
  }
}

/// The supports of six of 24 variables are too many to enumerate all: the relaxation has gains.
TEST(OrthogonalBranch, WithGainsTheCheckGivesTheBoundOfTheSearch) {
  Random random(kSeed + 6);
  int with_gains = 0;
  const int problems = trial::tries(3);
  for (int i = 0; i < problems; ++i) {
    OrthogonalCase one = random_orthogonal_case(random, i, 24, 2 + i % 2, 6);
    one.cardinality[0] = 6;
    SCOPED_TRACE(i);
    ASSERT_FALSE(has_orthogonal_tree(24, one.cardinality));
    const double value = trial::best_of_starts(one, random);
    const double slack = kSum * one.matrix.trace();
    Budget budget({.iterations = 60});
    const OrthogonalBound found =
        orthogonal_bound(one.matrix, one.cardinality, {}, kAccuracy, budget);
    EXPECT_GE(found.value, value - slack);
    with_gains += found.proof.point.shares.size() > 0 ? 1 : 0;
    OrthogonalProof proof = found.proof;
    const auto checked = [&] {
      Budget unlimited;
      return check_orthogonal_proof(one.matrix, one.cardinality, proof, unlimited);
    };
    EXPECT_NEAR(checked(), found.value, 2 * kAccuracy * found.value);
    for (double& share : proof.point.shares) {
      share = random.uniform();
    }
    EXPECT_GE(checked(), value - slack);
    for (PricingProof& pricing : proof.pricing) {
      pricing.target -= random.uniform();
    }
    EXPECT_GE(checked(), value - slack);
  }
  EXPECT_GT(with_gains, problems / 3);
}

/// A proof with any contents gives a valid bound.
TEST(OrthogonalBranch, ProofsAreNotTrusted) {
  Random random(kSeed + 5);
  for (int i = 0; i < 8; ++i) {
    const OrthogonalCase one = random_orthogonal_case(random, i, 6, 2, 3);
    SCOPED_TRACE(i);
    const double best = best_of_all_supports(one);
    Budget budget;
    OrthogonalProof proof =
        orthogonal_bound(one.matrix, one.cardinality, {}, kAccuracy, budget).proof;
    const auto expect_a_bound = [&] {
      Budget unlimited;
      EXPECT_GE(check_orthogonal_proof(one.matrix, one.cardinality, proof, unlimited),
                best - kSum * one.matrix.trace());
    };
    expect_a_bound();
    proof.target *= 0.5;
    expect_a_bound();
    proof.point.factor = trial::random_matrix(6, 2, random);
    expect_a_bound();
    proof.point.shares = Vector::Constant(6, random.uniform());
    expect_a_bound();
    proof.pricing = {{.target = 0.1, .start = {0, 1}}};
    expect_a_bound();
    for (const double share : {2.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      proof.point.shares.setConstant(share);
      expect_a_bound();
    }
    proof.point.factor = Matrix::Zero(5, 2);
    proof.overlap = {.nodes = {{}}};
    expect_a_bound();
  }
}

}  // namespace
}  // namespace spca::orthogonal_branch_test
