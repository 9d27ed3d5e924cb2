/// Compares column generation for disjoint supports with enumeration: the bound at any point where
/// it is stopped, and every answer that it reports as optimal.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "spca/base/cardinality.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/packing/disjoint_bound.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/solving/upper_bound.h"
#include "spca/spectrum/spectrum.h"
#include "tests/disjoint_case.h"
#include "tests/metric_testing.h"
#include "tests/solver_testing.h"

namespace spca::branch_price_test {
namespace {

using trial::DisjointCase;

SolveOutcome solve_with(const std::string& name, const DisjointCase& trial,
                        const Json& options = Json::object()) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "");
  return solve({.covariance = trial.covariance,
                .solver = &solver,
                .options = solver.complete_options(options, ""),
                .components = std::ssize(trial.cardinality),
                .cardinality = trial.cardinality});
}

double value_of(const DisjointCase& trial, const SolveOutcome& outcome) {
  double value = 0;
  for (const Component& component : outcome.solution.components) {
    value += trial.covariance->quadratic_form(component);
  }
  return value;
}

double rounding_of(const DisjointCase& trial) { return 1e-8 * (1 + trial.matrix.trace()); }

double fact(const SolveOutcome& outcome, const std::string& name) {
  for (const auto& [key, value] : outcome.solution.facts) {
    if (key == name) {
      return value;
    }
  }
  ADD_FAILURE() << "no fact " << name;
  return 0;
}

/// Rows with prices, for any variables and divisors.
std::vector<SubsetCharge> random_charges(const Matrix& matrix, Random& random) {
  std::vector<SubsetCharge> charges(2);
  for (SubsetCharge& one : charges) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      if (random.below(2) == 0) {
        one.row.variables.push_back(i);
      }
    }
    one.row.divisor = 1 + static_cast<Index>(random.below(3));
    one.charge = 0.3 * matrix.diagonal().maxCoeff() * random.uniform();
  }
  return charges;
}

TEST(BranchPrice, SLOW_FindsTheOptimumAndProvesIt) {
  constexpr int kTrials = trial::tries(200);
  for (int seed = 0; seed < kTrials; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed);
    const double rounding = rounding_of(trial);
    const double optimum = value_of(trial, solve_with("exhaustive-disjoint", trial));
    const SolveOutcome outcome = solve_with("branch-price", trial);
    ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
    EXPECT_EQ(find_infeasibility(outcome.solution.components, trial.covariance->variables(),
                                 trial.cardinality, Supports::kDisjoint),
              "");
    const double value = value_of(trial, outcome);
    const double bound =
        upper_bound(SolverRegistry::instance().get("branch-price", ""), outcome.solution,
                    trial.cardinality, *trial.covariance, Spectrum(*trial.covariance));
    EXPECT_GE(value, value_of(trial, solve_with("bipart-ascent", trial)) - rounding);
    EXPECT_NEAR(value, optimum, rounding);
    EXPECT_NEAR(bound, optimum, rounding);
  }
}

TEST(BranchPrice, ProvesTheOptimumIfThereAreMorePlacesThanVariables) {
  constexpr int kTrials = trial::tries(60);
  for (int seed = 0; seed < kTrials; ++seed) {
    SCOPED_TRACE(seed);
    DisjointCase trial = trial::random_disjoint_case(
        seed, {.fewest_variables = 3, .most_variables = 7, .most_components = 3});
    const Index p = trial.covariance->variables();
    if (trial.cardinality.size() < 2) {
      trial.cardinality = {p, 2};
    }
    trial.cardinality[static_cast<std::size_t>(seed) % 2] = p - seed % 3 / 2;
    const double optimum = value_of(trial, solve_with("exhaustive-disjoint", trial));
    const SolveOutcome outcome = solve_with("branch-price", trial);
    ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
    EXPECT_EQ(
        find_infeasibility(outcome.solution.components, p, trial.cardinality, Supports::kDisjoint),
        "");
    const double bound =
        upper_bound(SolverRegistry::instance().get("branch-price", ""), outcome.solution,
                    trial.cardinality, *trial.covariance, Spectrum(*trial.covariance));
    EXPECT_NEAR(value_of(trial, outcome), optimum, rounding_of(trial));
    EXPECT_NEAR(bound, optimum, rounding_of(trial));
    EXPECT_NEAR(trial::measure_one("upper_bound_disjoint", *trial.covariance,
                                   outcome.solution.components, {.cardinality = trial.cardinality}),
                optimum, rounding_of(trial));
  }
}

/// With few variables in its core the solver cannot prove much about the others.
TEST(BranchPrice, HasConvergedOnlyIfThereIsNoGap) {
  int open = 0, closed = 0;
  for (int seed = 0; seed < trial::tries(60); ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed);
    const SolveOutcome outcome = solve_with("branch-price", trial, {{"core", 1}});
    const bool has_gap = fact(outcome, "gap") > 1e-9;
    EXPECT_EQ(outcome.solution.status, has_gap ? Status::kIterationLimit : Status::kConverged);
    EXPECT_EQ(outcome.solution.message.empty(), !has_gap);
    open += has_gap ? 1 : 0;
    closed += has_gap ? 0 : 1;
  }
  EXPECT_GT(open, 0);
  EXPECT_GT(closed, 0);
}

TEST(BranchPrice, AllPricesYieldABound) {
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed);
    const double optimum = value_of(trial, solve_with("exhaustive-disjoint", trial));
    Random random(static_cast<std::uint64_t>(seed + 1000));
    Vector prices(trial.matrix.rows());
    for (double& price : prices) {
      price =
          random.below(2) == 0 ? 0 : 0.3 * trial.matrix.diagonal().maxCoeff() * random.uniform();
    }
    DisjointProof proof;
    proof.nodes.push_back({.prices = prices});
    if (seed % 2 == 1) {
      proof.nodes[0].charges = random_charges(trial.matrix, random);
    }
    for (const auto& [k, count] : counts_of(trial.cardinality)) {
      Support first(static_cast<std::size_t>(k));
      std::iota(first.begin(), first.end(), 0);
      PricingDivision& division = proof.nodes[0].pricing[k];
      division.parts = {{.proof = {.target = 0, .start = first}}};
      if (seed % 4 == 1) {
        division.parts.push_back(division.parts[0]);
        division.parts.push_back(division.parts[0]);
        division.parts[0].variable = seed % trial.matrix.rows();
        division.parts[0].with = 1;
        division.parts[0].without = 2;
      }
    }
    Budget budget;
    const double bound = check_disjoint_proof(trial.matrix, trial.cardinality, proof, {}, budget);
    EXPECT_GE(bound, optimum - rounding_of(trial));
    EXPECT_TRUE(std::isfinite(bound));
  }
}

/// The check of a proof must end, whatever the proof is.
TEST(BranchPrice, AProofInWhichNodesHaveTwoParentsProvesNothing) {
  constexpr Index kNodes = 60;  // would have 2^60 paths
  DisjointProof proof;
  for (Index i = 1; i <= kNodes; ++i) {
    proof.nodes.push_back({.pair = {0, 1}, .together = i, .apart = i});
  }
  proof.nodes.push_back({.prices = Vector::Ones(8)});
  Budget budget;
  EXPECT_EQ(check_disjoint_proof(Matrix::Identity(8, 8), {2, 2}, proof, {}, budget), INFINITY);
}

TEST(BranchPrice, TheBoundCoversVariablesOutsideOfTheCore) {
  int closed = 0;
  for (int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed);
    const double optimum = value_of(trial, solve_with("exhaustive-disjoint", trial));
    const Index p = trial.matrix.rows();
    const Index places = total_cardinality(trial.cardinality);
    // The core is the first variables, which need not be those of largest variance.
    Support core(static_cast<std::size_t>(std::max(places, p - 2)));
    std::iota(core.begin(), core.end(), 0);
    const OutsideVariables outside(*trial.covariance, core, 5);
    const Matrix matrix = trial.covariance->submatrix(core);
    Budget budget;
    const DisjointOptimum answer =
        disjoint_optimum(matrix, trial.cardinality, {}, 0, outside, budget);
    EXPECT_GE(answer.bound, optimum - rounding_of(trial));
    EXPECT_LE(answer.value, optimum + rounding_of(trial));
    Budget check;
    const double checked =
        check_disjoint_proof(matrix, trial.cardinality, answer.proof, outside, check);
    EXPECT_GE(checked, optimum - rounding_of(trial));
    // The check has unlimited time, so its bound may be below that of the search.
    EXPECT_LE(checked, answer.bound + rounding_of(trial));
    closed += answer.bound < answer.value + rounding_of(trial) ? 1 : 0;
  }
  EXPECT_LT(closed, 60);  // or nothing was outside
}

/// The variables of which S is formed are chosen again by prices, and the check covers all others.
TEST(BranchPrice, SLOW_ASmallCoreBoundsAllVariables) {
  constexpr int kTrials = trial::tries(200);
  int best = 0;
  for (int seed = 0; seed < kTrials; ++seed) {
    SCOPED_TRACE(seed);
    DisjointCase trial = trial::random_disjoint_case(seed, {.fewest_variables = 10});
    if (seed % 2 == 1) {  // no entry is negative
      trial.matrix = trial.matrix.cwiseAbs2();
      trial.covariance = make_explicit_covariance(trial.matrix);
    }
    trial.cardinality.resize(std::min<std::size_t>(trial.cardinality.size(), 2));
    const double optimum = value_of(trial, solve_with("exhaustive-disjoint", trial));
    const SolveOutcome outcome = solve_with("branch-price", trial, {{"core", 1 + seed % 7}});
    const double value = value_of(trial, outcome);
    const double bound =
        upper_bound(SolverRegistry::instance().get("branch-price", ""), outcome.solution,
                    trial.cardinality, *trial.covariance, Spectrum(*trial.covariance));
    EXPECT_EQ(find_infeasibility(outcome.solution.components, trial.covariance->variables(),
                                 trial.cardinality, Supports::kDisjoint),
              "");
    EXPECT_LE(value, optimum + rounding_of(trial));
    EXPECT_GE(bound, optimum - rounding_of(trial));
    EXPECT_GE(fact(outcome, "bound"), optimum - rounding_of(trial));
    best += bound < optimum + rounding_of(trial) ? 1 : 0;
  }
  EXPECT_GT(best, 0);
}

/// Tests the core that prices choose: it is ascending, within the variables, and holds the best
/// supports.
TEST(BranchPrice, TheCoreHoldsTheSupportsThatHavePrices) {
  for (int seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed, {.fewest_variables = 12});
    const Index p = trial.matrix.rows();
    const Index places = total_cardinality(trial.cardinality);
    Support core(static_cast<std::size_t>(std::max(places, p - 3)));
    std::iota(core.begin(), core.end(), 0);
    Budget budget;
    const DisjointPrices prices =
        disjoint_prices(trial.covariance->submatrix(core), trial.cardinality, {}, budget);
    ASSERT_EQ(prices.known.best.size(), trial.cardinality.size());
    const Support next = disjoint_core(*trial.covariance, core, prices, 5, 1, std::ssize(core));
    EXPECT_TRUE(std::is_sorted(next.begin(), next.end(), std::less_equal<>()));
    EXPECT_GE(next.front(), 0);
    EXPECT_LT(next.back(), p);
    for (const Support& support : prices.known.best) {
      EXPECT_TRUE(std::includes(next.begin(), next.end(), support.begin(), support.end()));
    }
  }
}

/// Many variables of descending variance, nearly uncorrelated.
DisjointCase many_variables() {
  constexpr Index kVariables = 900;
  Random random(5);
  Matrix data = trial::random_matrix(300, kVariables, random);
  for (Index j = 0; j < kVariables; ++j) {
    data.col(j) /= 1 + static_cast<double>(j) / 40;
  }
  DisjointCase drawn;
  drawn.matrix = data.transpose() * data;
  drawn.covariance = make_explicit_covariance(drawn.matrix);
  drawn.cardinality = {3, 3};
  return drawn;
}

/// The less a variable outside may add, the larger is the core.
TEST(BranchPrice, TheCoreIsAsSmallAsThePartOfTheSurplusAllows) {
  const DisjointCase trial = many_variables();
  Support before(500);
  std::iota(before.begin(), before.end(), 0);
  Budget budget;
  const DisjointPrices prices =
      disjoint_prices(trial.covariance->submatrix(before), trial.cardinality, {}, budget);
  Support smaller;
  std::vector<Index> sizes;
  for (const double part : {1e6, 0.1, 0.01, 0.001}) {
    const Support core = disjoint_core(*trial.covariance, before, prices, 3, part, 850);
    EXPECT_TRUE(std::includes(core.begin(), core.end(), smaller.begin(), smaller.end()));
    smaller = core;
    sizes.push_back(std::ssize(core));
  }
  EXPECT_EQ(sizes.front(), 200);
  EXPECT_GT(sizes.back(), 200);
  EXPECT_LE(sizes.back(), 850);
}

TEST(BranchPrice, ACoreOfFewVariablesProvesTheOptimumOfMany) {
  const DisjointCase trial = many_variables();
  const SolveOutcome outcome = solve_with("branch-price", trial);
  const double value = value_of(trial, outcome);
  EXPECT_LT(fact(outcome, "core"), 900);
  EXPECT_NEAR(fact(outcome, "bound"), value, 1e-8 * value);
  EXPECT_NEAR(upper_bound(SolverRegistry::instance().get("branch-price", ""), outcome.solution,
                          trial.cardinality, *trial.covariance, Spectrum(*trial.covariance)),
              value, 1e-8 * value);
  Budget budget;  // with S whole
  const DisjointOptimum whole =
      disjoint_optimum(trial.matrix, trial.cardinality, {}, 1e-9, {}, budget);
  EXPECT_NEAR(whole.value, value, 1e-8 * value);
}

/// Returns lambda_max(S_II), 0 if there are no variables.
double largest_on(const Matrix& matrix, const Support& support) {
  return support.empty() ? 0
                         : symmetric_eigenvalues(principal_submatrix(matrix, support)).tail(1)[0];
}

/// Tests every support of three of eight variables that is not in the core, the first five.
TEST(BranchPrice, VariablesOutsideOfTheCoreAddNoMoreThanTheirBound) {
  constexpr Index kCore = 5;
  constexpr Index kVariables = 8;
  int sharper = 0;
  int met = 0;
  for (int seed = 0; seed < trial::tries(600); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    Matrix data = trial::random_matrix(seed % 5 == 1 ? 2 : 6, kVariables, random);
    data.leftCols(kCore) *= seed % 3 == 1 ? 1.5 : 3;
    data.rightCols(kVariables - kCore) *= seed % 3 == 1 ? 0.7 : 0.3;
    if (seed % 5 == 2) {
      data = data.cwiseAbs();
    } else if (seed % 5 == 3) {  // ties
      data.col(kVariables - 1) = data.col(kCore);
      data.col(1) = data.col(0);
    } else if (seed % 5 == 4) {
      data.col(kCore + 1).setZero();
      data.col(2).setZero();
    }
    const Matrix matrix = data.transpose() * data;
    const auto covariance = make_explicit_covariance(matrix);
    const OutsideVariables outside(*covariance, {0, 1, 2, 3, 4}, 3);
    Vector prices(kCore);
    for (double& price : prices) {
      price = random.below(2) == 0 ? 0 : 20 * random.uniform();
    }
    const double largest = matrix.diagonal().tail(kVariables - kCore).maxCoeff();
    const double least = (1 + 3 * random.uniform()) * largest + 10 * random.uniform();
    const double most = outside.most_added(prices, least, 3);
    EXPECT_LE(most, largest);
    EXPECT_EQ(outside.most_added(prices, 0, 3), largest);
    sharper += most < 0.9 * largest ? 1 : 0;
    for (Index a = 0; a < kVariables; ++a) {
      for (Index b = a + 1; b < kVariables; ++b) {
        for (Index c = std::max(b + 1, kCore); c < kVariables; ++c) {
          const Support support = {a, b, c};
          const Support inside(support.begin(),
                               std::lower_bound(support.begin(), support.end(), kCore));
          const double whole = largest_on(matrix, support);
          if (whole - prices(inside).sum() > least) {
            const auto others = static_cast<double>(support.size() - inside.size());
            EXPECT_LE(whole, largest_on(matrix, inside) + others * most + 1e-9 * matrix.trace());
            ++met;
          }
        }
      }
    }
  }
  EXPECT_GT(sharper, 0);
  EXPECT_GT(met, 0);
}

/// Five variables of the largest variance outside would exceed the share if they were correlated.
TEST(BranchPrice, VariablesOutsideOfTheCoreThatAreUncorrelatedAddNothing) {
  Matrix matrix = Matrix::Identity(10, 10);
  matrix.topLeftCorner(2, 2) *= 10;
  const OutsideVariables outside(*make_explicit_covariance(matrix), {0, 1}, 5);
  EXPECT_EQ(outside.most_added(Vector::Zero(2), 4, 5), 0);
  EXPECT_EQ(outside.most_added(Vector::Zero(2), 0.5, 5), 1);  // one alone is worth more
}

TEST(BranchPrice, BoundHoldsWhereverItIsStopped) {
  for (int seed = 0; seed < trial::tries(60); ++seed) {
    const DisjointCase trial = trial::random_disjoint_case(seed);
    const double optimum = value_of(trial, solve_with("exhaustive-disjoint", trial));
    for (const Index iterations : {1, 2, 3, 5, 8}) {
      SCOPED_TRACE(fmt::format("seed={} iterations={}", seed, iterations));
      Budget budget({.iterations = iterations});
      const DisjointOptimum answer =
          disjoint_optimum(trial.matrix, trial.cardinality, {}, 0, {}, budget);
      EXPECT_GE(answer.bound, optimum - rounding_of(trial));
      EXPECT_LE(answer.value, optimum + rounding_of(trial));
    }
  }
}

TEST(BranchPrice, ManyVariablesAComponentAreBoundedByPairs) {
  Random random(7);
  const Matrix data = trial::random_matrix(20, 45, random);
  const Matrix matrix = data.transpose() * data;
  const std::vector<Index> cardinality = {18, 18};
  Budget budget({.iterations = 1});  // so that there is no proof by prices
  const DisjointOptimum answer = disjoint_optimum(matrix, cardinality, {}, 0, {}, budget);
  EXPECT_TRUE(answer.proof.nodes.empty());
  EXPECT_GE(answer.bound, answer.value);
  EXPECT_LT(answer.bound, symmetric_eigenvalues(matrix).tail(2).sum());
  Budget check;
  EXPECT_NEAR(check_disjoint_proof(matrix, cardinality, answer.proof, {}, check), answer.bound,
              1e-9 * answer.bound);
}

TEST(BranchPrice, TraceHasABoundThatFallsToTheValue) {
  int bounded = 0;
  for (int seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase trial = trial::random_disjoint_case(seed);
    Budget budget({.trace = true});
    const DisjointOptimum answer =
        disjoint_optimum(trial.matrix, trial.cardinality, {}, 1e-9, {}, budget);
    double before = std::numeric_limits<double>::infinity();
    for (const TracePoint& point : budget.trace()) {
      if (!std::isnan(point.bound)) {
        EXPECT_LE(point.bound, before);
        EXPECT_GE(point.bound, point.objective - rounding_of(trial));
        before = point.bound;
        ++bounded;
      }
    }
    EXPECT_NEAR(before, answer.value, rounding_of(trial));
  }
  EXPECT_GT(bounded, 20);
}

/// Five variables with correlations of 0.8, and two uncorrelated ones. The optimum of the program
/// has halves of supports and the value 5, while three pairs have 4.6. Rows close the gap without a
/// branch: at most two supports can each hold two of five variables.
TEST(BranchPrice, RowsCutOffAFractionalProgram) {
  DisjointCase trial;
  trial.matrix = Matrix::Identity(7, 7);
  trial.matrix.topLeftCorner(5, 5).setConstant(0.8);
  trial.matrix.diagonal().setOnes();
  trial.covariance = make_explicit_covariance(trial.matrix);
  trial.cardinality = {2, 2, 2};
  const SolveOutcome outcome = solve_with("branch-price", trial);
  EXPECT_NEAR(value_of(trial, outcome), 4.6, 1e-9);
  const double bound =
      upper_bound(SolverRegistry::instance().get("branch-price", ""), outcome.solution,
                  trial.cardinality, *trial.covariance, Spectrum(*trial.covariance));
  EXPECT_NEAR(bound, 4.6, 1e-7);
  EXPECT_GE(fact(outcome, "rows"), 1);
  EXPECT_EQ(fact(outcome, "branches"), 0);
}

/// Correlations of variables that share up to three factors and have little variance of their own.
DisjointCase overlapping_clusters(int seed) {
  Random random(static_cast<std::uint64_t>(seed));
  const auto below = [&](Index n) {
    return static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
  };
  const Index p = 7 + below(5);
  const Matrix factors = trial::random_matrix(40, 1 + below(3), random);
  Matrix data = (0.05 + 0.4 * random.uniform()) * trial::random_matrix(40, p, random);
  for (Index j = 0; j < p; ++j) {
    for (Index g = 0; g < factors.cols(); ++g) {
      data.col(j) += static_cast<double>(below(2)) * factors.col(g);
    }
  }
  data.colwise().normalize();
  DisjointCase drawn;
  drawn.matrix = data.transpose() * data;
  drawn.covariance = make_explicit_covariance(drawn.matrix);
  Index left = p;
  for (Index r = 2 + below(3); r > 0; --r) {
    const Index k = 2 + below(2);
    if (left >= k) {
      drawn.cardinality.push_back(k);
      left -= k;
    }
  }
  return drawn;
}

/// The program is fractional more often here: enumeration, rows or branches close it.
TEST(BranchPrice, SLOW_FractionalProgramsAreClosed) {
  constexpr int kTrials = trial::tries(400);
  double rows = 0;
  double branches = 0;
  for (int seed = 0; seed < kTrials; ++seed) {
    SCOPED_TRACE(seed);
    const DisjointCase clusters = overlapping_clusters(seed);
    const double optimum = value_of(clusters, solve_with("exhaustive-disjoint", clusters));
    const SolveOutcome outcome = solve_with("branch-price", clusters);
    const double bound =
        upper_bound(SolverRegistry::instance().get("branch-price", ""), outcome.solution,
                    clusters.cardinality, *clusters.covariance, Spectrum(*clusters.covariance));
    EXPECT_NEAR(value_of(clusters, outcome), optimum, rounding_of(clusters));
    EXPECT_NEAR(bound, optimum, rounding_of(clusters));
    rows += fact(outcome, "rows");
    branches += fact(outcome, "branches");
  }
  EXPECT_GT(rows, 0);
  if (kTrials == 400) {
    EXPECT_GT(branches, 0);
  }
}

}  // namespace
}  // namespace spca::branch_price_test
