/// Compares branch and bound with enumeration: its answers, and its bounds wherever it is stopped.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/zipf_corpus.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/certified_search.h"
#include "spca/methods/bounds/data_search.h"
#include "spca/methods/bounds/squares_bound.h"
#include "spca/methods/bounds/squares_tree.h"
#include "spca/methods/bounds/variable_elimination.h"
#include "spca/solving/solve.h"
#include "spca/solving/upper_bound.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/solver_testing.h"

namespace spca::branch_bound_test {
namespace {

// Eigenvalues of small matrices agree to about 1e-14, and kBoundRounding is 1e-11.
constexpr double kTolerance = 1e-10;

/// Returns a Wishart matrix (kind 0), or one with ties (kinds 1 to 5): copies of variables, zero
/// variables, data rounded to integers, a correlation matrix, the identity.
Matrix random_covariance(Index p, int kind, Random& random) {
  const auto n = static_cast<Index>(1 + random.below(static_cast<std::uint64_t>(2 * p)));
  Matrix data = trial::random_matrix(n, p, random);
  if (kind == 1) {
    data.col(p - 1) = -data.col(0);
    data.col(p / 2) = data.col(0);
  } else if (kind == 2) {
    data.col(0).setZero();
    data.col(p - 1).setZero();
  } else if (kind == 3) {
    data = data.array().round();
    data(0, 0) = 1;
  }
  Matrix matrix = data.transpose() * data;
  if (kind == 4) {
    const Vector lengths = matrix.diagonal().cwiseSqrt();
    matrix = matrix.array() / (lengths * lengths.transpose()).array();
  } else if (kind == 5) {
    matrix = Matrix::Identity(p, p);
  }
  return matrix;
}

double value_of(const Matrix& matrix, const Support& support) {
  return symmetric_eigenvalues(principal_submatrix(matrix, support)).maxCoeff();
}

Support first_variables(Index k) {
  Support support(static_cast<std::size_t>(k));
  std::iota(support.begin(), support.end(), 0);
  return support;
}

SolveOutcome solve_with(const std::string& name, std::shared_ptr<const Covariance> covariance,
                        Index k, int threads = 1) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "");
  return solve({.covariance = std::move(covariance),
                .solver = &solver,
                .options = solver.complete_options(Json::object(), ""),
                .cardinality = {k},
                .threads = threads});
}

/// The largest lambda_max(S_II) less the prices of I, |I| = k.
double priced_optimum(const Matrix& matrix, const Vector& prices, Index k) {
  double best = -std::numeric_limits<double>::infinity();
  trial::for_each_support(matrix.rows(), k, [&](const Support& support) {
    best = std::max(best, value_of(matrix, support) - prices(support).sum());
  });
  return best;
}

TEST(SquaresTree, FindsTheBestSupportLessItsPrices) {
  int searched = 0;
  for (int seed = 0; seed < 300; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Index p = 3 + static_cast<Index>(random.below(8));
    const Matrix matrix = random_covariance(p, seed % 6, random);
    const double scale = matrix.diagonal().maxCoeff() + 1e-3;
    Vector prices(p);
    for (double& price : prices) {
      price = random.below(3) == 0 ? 0 : scale * random.uniform();
    }
    for (Index k = 1; k <= std::min<Index>(p, 4); ++k) {
      SCOPED_TRACE(fmt::format("p={} k={} seed={}", p, k, seed));
      const double optimum = priced_optimum(matrix, prices, k);
      const double rounding = kTolerance * matrix.cwiseAbs().maxCoeff() * static_cast<double>(p);
      SquaresTree tree(matrix, first_variables(k), {.prices = prices}, [] { return true; });
      while (!tree.is_finished()) {
        EXPECT_GE(tree.bound(), optimum - rounding);
        EXPECT_LE(tree.value(), optimum + rounding);
        tree.advance(1);
        ++searched;
      }
      EXPECT_NEAR(tree.value(), optimum, rounding);
      EXPECT_NEAR(value_of(matrix, tree.support()) - prices(tree.support()).sum(), optimum,
                  rounding);
    }
  }
  EXPECT_GT(searched, 50) << "the root alone shows nothing of the search";
}

TEST(BranchBound, IsTheOptimumAndNoBoundIsBelowIt) {
  for (int seed = 0; seed < 120; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Index p = 3 + static_cast<Index>(random.below(seed < 100 ? 6 : 9));
    const Matrix matrix = random_covariance(p, seed % 6, random);
    const Vector optima = trial::optima_by_enumeration(matrix);
    const auto covariance = make_explicit_covariance(matrix);
    for (Index k = 1; k <= p; ++k) {
      SCOPED_TRACE(fmt::format("p={} k={} seed={}", p, k, seed));
      const double optimum = optima(k - 1);
      const SolveOutcome outcome = solve_with("branch-bound", covariance, k);
      ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
      EXPECT_NEAR(covariance->quadratic_form(outcome.solution.components.at(0)), optimum,
                  kTolerance * optimum);
      // Starts at a poor support, whose value lets the search drop little.
      SquaresTree tree(matrix, first_variables(k));
      EXPECT_GE(tree.bound(), optimum * (1 - kTolerance));
      while (!tree.is_finished()) {
        tree.advance(1);
        EXPECT_GE(tree.bound(), optimum * (1 - kTolerance));
      }
      EXPECT_NEAR(tree.value(), optimum, kTolerance * optimum);
      EXPECT_NEAR(value_of(matrix, tree.support()), optimum, kTolerance * optimum);
    }
  }
}

TEST(BranchBound, AgreesWithEnumerationWhereBranchesMatter) {
  for (int seed = 0; seed < 12; ++seed) {
    Random random(static_cast<std::uint64_t>(1000 + seed));
    const Index p = 20;
    const Index n = 3 + 2 * seed;
    Matrix data = trial::random_matrix(n, p, random);
    if (seed % 3 != 0) {  // two or three factors: large second eigenvalues
      const Index factors = 1 + seed % 3;
      data = 0.3 * data +
             trial::random_matrix(n, factors, random) * trial::random_matrix(factors, p, random);
    }
    const auto covariance =
        make_explicit_covariance(Matrix(data.transpose() * data / static_cast<double>(n)));
    for (const Index k : {3, 5, 7, 16}) {
      const Solution expected = solve_with("exhaustive", covariance, k).solution;
      const Solution found = solve_with("branch-bound", covariance, k).solution;
      EXPECT_EQ(found.components.at(0).support, expected.components.at(0).support)
          << "seed " << seed << " k " << k;
    }
  }
}

TEST(BranchBound, BoundFallsToTheOptimumWhicheverStepItIsStoppedAt) {
  Random random(3);
  const Matrix data = trial::random_matrix(60, 40, random);
  const Matrix matrix = data.transpose() * data;
  const Index k = 10;
  SquaresTree tree(matrix, first_variables(k));
  std::vector<double> bounds = {tree.bound()};
  while (!tree.is_finished()) {
    tree.advance(2);
    bounds.push_back(tree.bound());
  }
  EXPECT_GT(bounds.size(), 3U);
  EXPECT_TRUE(std::is_sorted(bounds.rbegin(), bounds.rend(),
                             [](double a, double b) { return a < b * (1 - kTolerance); }));
  EXPECT_GE(bounds.back(), value_of(matrix, tree.support()) * (1 - kTolerance));
}

/// Runs branch-bound and stops it after `steps` steps: the result after a number of steps does not
/// depend on the machine. The solver that it asks for a bound needs no time.
/// Without the bounds by pairs such problems have a gap of 15 % after 20 s.
TEST(BranchBound, SLOW_ProvesNoiseOfAHundredVariablesByPairs) {
  const Matrix data = trial::random_matrix(200, 100, 3);
  const auto covariance = make_explicit_covariance(data.transpose() * data / 200);
  const SolveOutcome outcome = solve_with("branch-bound", covariance, 12);
  EXPECT_EQ(outcome.solution.status, Status::kConverged);
  EXPECT_GT(outcome.facts.at("pair_nodes").at(0), 0);
}

Solution solve_stopped(const Covariance& covariance, Index k, Index steps) {
  const SolverEntry& solver = SolverRegistry::instance().get("branch-bound", "");
  Budget budget({.iterations = steps});
  return solver.solve({.covariance = covariance, .cardinality = {k}},
                      solver.complete_options({{"feeds", {"threshold"}}}, ""), budget);
}

double checked_bound(const Covariance& covariance, Index k, const Solution& solution) {
  return upper_bound(SolverRegistry::instance().get("branch-bound", ""), solution, {k}, covariance,
                     Spectrum(covariance));
}

TEST(BranchBound, StoppedSearchHandsInABoundThatTheHarnessComputesAnew) {
  Random random(4);
  const Matrix data = trial::random_matrix(200, 120, random);
  const auto covariance = make_explicit_covariance(Matrix(data.transpose() * data));
  constexpr Index kSteps = 200;
  const Solution solution = solve_stopped(*covariance, 20, kSteps);
  ASSERT_EQ(solution.status, Status::kIterationLimit);
  ASSERT_NE(solution.certificate, nullptr);
  const double bound = checked_bound(*covariance, 20, solution);
  EXPECT_GT(bound, covariance->quadratic_form(solution.components.at(0)));
  EXPECT_LT(bound, Spectrum(*covariance).cardinality_bound(20));
}

TEST(BranchBound, AnswerDoesNotDependOnThreads) {
  Random random(5);
  const Matrix data = trial::random_matrix(45, 40, random);
  const auto covariance = make_explicit_covariance(Matrix(data.transpose() * data));
  const SolveOutcome one = solve_with("branch-bound", covariance, 8);
  const SolveOutcome several = solve_with("branch-bound", covariance, 8, 3);
  EXPECT_EQ(several.solution.components.at(0).support, one.solution.components.at(0).support);
  EXPECT_EQ(several.facts, one.facts);
}

TEST(BranchBound, CertificateOfAStoppedSearchDoesNotDependOnThreads) {
  Random random(9);
  const Matrix data = trial::random_matrix(90, 60, random);
  const auto covariance = make_explicit_covariance(Matrix(data.transpose() * data));
  const SolverEntry& solver = SolverRegistry::instance().get("branch-bound", "");
  const auto stopped = [&](int threads) {
    Budget budget({.iterations = 20});
    return solver.solve({.covariance = *covariance, .cardinality = {12}, .threads = threads},
                        solver.complete_options(Json::object(), ""), budget);
  };
  const Solution one = stopped(1);
  ASSERT_EQ(one.status, Status::kIterationLimit);
  const auto& certificate = dynamic_cast<const SearchCertificate&>(*one.certificate);
  ASSERT_GT(certificate.work, 0);
  const double bound = checked_bound(*covariance, 12, one);
  for (const int threads : {2, 5}) {
    const Solution several = stopped(threads);
    EXPECT_EQ(several.facts, one.facts);
    EXPECT_EQ(several.components.at(0).support, one.components.at(0).support);
    EXPECT_EQ(several.components.at(0).values, one.components.at(0).values);
    EXPECT_EQ(dynamic_cast<const SearchCertificate&>(*several.certificate).work, certificate.work);
    EXPECT_EQ(checked_bound(*covariance, 12, several), bound);
  }
}

TEST(BranchBound, VariablesAreEliminatedWithoutFormingS) {
  Random random(6);
  const Index p = 1500;
  Matrix data = 0.1 * trial::random_matrix(40, p, random);
  // One after the other, because compilers evaluate the operands of a product in different orders.
  const Matrix loadings = trial::random_matrix(2, 30, random);
  const Matrix scores = trial::random_matrix(40, 2, random);
  data.leftCols(30) += scores * loadings;
  const auto covariance = make_covariance(Matrix(data), {});
  const SolveOutcome large = solve_with("branch-bound", covariance, 5);
  ASSERT_EQ(large.solution.status, Status::kConverged) << large.solution.message;
  const SolveOutcome small = solve_with(
      "branch-bound", make_explicit_covariance(covariance->submatrix(first_variables(60))), 5);
  EXPECT_EQ(large.solution.components.at(0).support, small.solution.components.at(0).support);
  const double value = covariance->quadratic_form(large.solution.components.at(0));
  for (const double share : {0.0, 0.2, 0.9}) {
    const Support left =
        eliminate_by_squares(*covariance, 5, value, share * value, [] { return true; });
    EXPECT_TRUE(std::ssize(left) < p || share > 0) << share;
    for (const Index j : large.solution.components.at(0).support) {
      EXPECT_TRUE(std::binary_search(left.begin(), left.end(), j)) << share;
    }
  }
}

/// If the relaxation leaves few variables of dense data, the squares, which leave more, add none.
TEST(BranchBound, SquaresOfDenseDataAddNoVariables) {
  Random random(7);
  const Index p = 1500;
  Matrix data = trial::random_matrix(60, p, random);
  data.leftCols(12) *= 20;
  const auto covariance = make_covariance(std::move(data), {});
  const Index k = 4;
  const Support support = solve_with("tpower", covariance, k).solution.components.at(0).support;
  const auto always = [] { return true; };
  const EliminationCertificate certificate =
      find_elimination(*covariance, k, support, always, always);
  const double value =
      covariance->quadratic_form(best_on_support(*covariance, certificate.support).component);
  const Support by_relaxation =
      eliminate_by_relaxation(*covariance, k, value, certificate, always).variables;
  const Support left =
      variables_to_search(*covariance, k, kMostSearched, certificate, always).variables;
  const Support by_squares = eliminate_by_squares(
      *covariance, k, value, squares_shift(*covariance, certificate.support), always);
  ASSERT_LT(by_relaxation.size(), by_squares.size());
  EXPECT_LE(std::ssize(left), std::ssize(by_relaxation) + k);
}

/// Says that the optimum is at most a millionth above the value of its own answer.
class BoldCertificate final : public BoundCertificate {
 public:
  explicit BoldCertificate(double value) : value_(value) {}

 protected:
  double do_check(const Covariance&, Index, Budget&) const override { return value_ * (1 + 1e-6); }

 private:
  double value_;
};

Solution solve_bold(const Problem& problem, const NoOptions&, Budget& budget) {
  Solution solution =
      SolverRegistry::instance()
          .get("tpower", "")
          .solve(problem,
                 SolverRegistry::instance().get("tpower", "").complete_options(Json::object(), ""),
                 budget);
  solution.certificate = std::make_shared<BoldCertificate>(
      problem.covariance.quadratic_form(solution.components.at(0)));
  return solution;
}

SPCA_SOLVER("bold", solve_bold,
            (Traits{.summary = "tpower with a bound that nothing proves", .source = "tests"}));

TEST(BranchBound, TraceHasABoundThatFallsToTheValue) {
  Random random(3);
  const Matrix data = trial::random_matrix(60, 40, random);
  const SolverEntry& solver = SolverRegistry::instance().get("branch-bound", "");
  const SolveOutcome outcome =
      solve({.covariance = make_explicit_covariance(Matrix(data.transpose() * data)),
             .solver = &solver,
             .options = solver.complete_options({}, ""),
             .cardinality = {10},
             .trace = true});
  const std::vector<TracePoint>& trace = outcome.trace;
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  ASSERT_GT(trace.size(), 3U);
  EXPECT_TRUE(std::isnan(trace.front().bound));  // the first ascents have no bound
  double before = std::numeric_limits<double>::infinity();
  for (const TracePoint& point : trace) {
    if (!std::isnan(point.bound)) {
      EXPECT_LE(point.bound, before);
      EXPECT_GE(point.bound, point.objective * (1 - kTolerance));
      before = point.bound;
    }
  }
  EXPECT_NEAR(trace.back().bound, trace.back().objective, kTolerance * before);
}

constexpr auto kAnytimeInstead =
    "not under a sanitizer: minutes; IsAnytimeBeyondItsCore... runs the same code in fewer steps";

TEST(BranchBound, SLOW_TakesInTheBoundsOfOtherSolvers) {
  if (trial::kSanitized) {
    GTEST_SKIP() << kAnytimeInstead;
  }
  Random random(7);
  const SolverEntry& solver = SolverRegistry::instance().get("branch-bound", "");
  // There are too many variables of one variance to rule any out: the solver does not end by
  // itself.
  const auto many = make_covariance(trial::random_matrix(12, 1100, random), {});
  const auto solve_fed = [&](const Json& feeds) {
    Budget budget({.iterations = 40});
    const Solution solution =
        solver.solve({.covariance = *many, .cardinality = {6}},
                     solver.complete_options({{"feeds", feeds}, {"core", 150}}, ""), budget);
    EXPECT_EQ(solution.status, Status::kIterationLimit) << solution.message;
    return std::make_pair(upper_bound(solver, solution, {6}, *many, Spectrum(*many)),
                          many->quadratic_form(solution.components.at(0)));
  };
  const auto [alone, value_alone] = solve_fed({"threshold"});
  const auto [fed, value_fed] = solve_fed({"threshold", "bold"});
  EXPECT_GE(value_fed, value_alone);
  EXPECT_GT(alone, 1.01 * value_fed);
  EXPECT_LT(fed, 1.01 * value_fed);
  EXPECT_THROW(solver.complete_options({{"feeds", {"branch-bound"}}}, ""), InputError);
  EXPECT_THROW(solver.complete_options({{"feeds", {"no-such-solver"}}}, ""), InputError);
  EXPECT_THROW(solver.complete_options({{"feeds", Json::array()}}, ""), InputError);
}

/// Returns S of variables of equal variance, too many beyond the core to rule any out at once.
std::shared_ptr<const Covariance> beyond_the_core(bool is_sparse, Index samples = 12,
                                                  Index variables = 1100) {
  Random random(9);
  Matrix data = trial::random_matrix(samples, variables, random);
  if (!is_sparse) {
    return make_covariance(std::move(data), {});
  }
  for (double& entry : data.reshaped()) {
    entry = random.uniform() < 0.2 ? entry : 0;
  }
  return make_covariance(SparseRows(data.sparseView()), {});
}

Solution solve_beyond(const Covariance& covariance, Index iterations, int threads = 1) {
  const SolverEntry& solver = SolverRegistry::instance().get("branch-bound", "");
  Budget budget({.iterations = iterations});
  return solver.solve({.covariance = covariance, .cardinality = {8}, .threads = threads},
                      solver.complete_options({{"feeds", {"threshold"}}, {"core", 150}}, ""),
                      budget);
}

TEST(BranchBound, SLOW_GoesOnBeyondItsCoreWithABoundThatIsCheckedAnew) {
  if (trial::kSanitized) {
    GTEST_SKIP() << kAnytimeInstead;
  }
  for (const bool is_sparse : {false, true}) {
    SCOPED_TRACE(is_sparse);
    const auto covariance = beyond_the_core(is_sparse);
    const double by_tpower =
        covariance->quadratic_form(solve_with("tpower", covariance, 8).solution.components.at(0));
    constexpr Index kSteps = 40;
    const Solution solution = solve_beyond(*covariance, kSteps);
    ASSERT_EQ(solution.status, Status::kIterationLimit) << solution.message;
    EXPECT_GE(covariance->quadratic_form(solution.components.at(0)), by_tpower);
    const double bound = trial::fact(solution, "bound");
    EXPECT_LT(bound, Spectrum(*covariance).cardinality_bound(8));
    EXPECT_GE(bound, trial::fact(solution, "value"));
    EXPECT_NEAR(checked_bound(*covariance, 8, solution), bound, 1e-4 * bound);
    EXPECT_GT(trial::fact(solution, "relaxation_nodes"), 1) << "it goes on after the root";
  }
}

/// Returns the data of beyond_the_core() as S itself, which has rank 11, or full rank with noise.
std::shared_ptr<const Covariance> given_beyond_the_core(double noise, Index variables = 1100) {
  const auto data = beyond_the_core(false, 12, variables);
  Support all(static_cast<std::size_t>(data->variables()));
  std::iota(all.begin(), all.end(), Index{0});
  Matrix s = data->submatrix(all);
  s.diagonal().array() += noise;
  return make_explicit_covariance(std::move(s));
}

TEST(BranchBound, SLOW_GoesOnBeyondItsCoreIfSItselfIsGiven) {
  if (trial::kSanitized) {
    GTEST_SKIP() << kAnytimeInstead;
  }
  const auto covariance = given_beyond_the_core(0);
  const double by_tpower =
      covariance->quadratic_form(solve_with("tpower", covariance, 8).solution.components.at(0));
  const Solution solution = solve_beyond(*covariance, 40);
  ASSERT_EQ(solution.status, Status::kIterationLimit) << solution.message;
  EXPECT_EQ(solution.message, "") << "it did not give up";
  EXPECT_GE(covariance->quadratic_form(solution.components.at(0)), by_tpower);
  const double bound = trial::fact(solution, "bound");
  EXPECT_LT(bound, Spectrum(*covariance).cardinality_bound(8));
  EXPECT_NEAR(checked_bound(*covariance, 8, solution), bound, 1e-4 * bound);
  EXPECT_GT(trial::fact(solution, "relaxation_nodes"), 1) << "it goes on after the root";
}

TEST(BranchBound, BoundOfAStoppedSearchIsCheckedAlsoIfTheCoreIsSmall) {
  Random random(11);
  const auto covariance = make_covariance(trial::random_matrix(12, 200, random), {});
  const Solution solution = solve_beyond(*covariance, 20);
  ASSERT_EQ(solution.status, Status::kIterationLimit) << solution.message;
  const double bound = trial::fact(solution, "bound");
  EXPECT_LT(bound, Spectrum(*covariance).cardinality_bound(8));
  EXPECT_LE(checked_bound(*covariance, 8, solution), bound * (1 + 1e-9));
}

/// Wherever it is stopped there are a support and a bound that its certificate proves.
TEST(BranchBound, IsAnytimeBeyondItsCoreIfSItselfIsGiven) {
  const auto covariance = given_beyond_the_core(0.1);
  double before = std::numeric_limits<double>::infinity();
  for (const Index iterations : {1, 3, 10, 20}) {
    SCOPED_TRACE(iterations);
    const Solution solution = solve_beyond(*covariance, iterations);
    ASSERT_EQ(solution.components.size(), 1U);
    const double value = covariance->quadratic_form(solution.components.at(0));
    const double bound = checked_bound(*covariance, 8, solution);
    EXPECT_GE(bound, value);
    EXPECT_LE(bound, before);
    before = bound;
  }
  EXPECT_LT(before, Spectrum(*covariance).cardinality_bound(8));
}

/// The check of the certificate completes the search. Without an allowance for rounding it would
/// return the value, computed by another formula.
TEST(BranchBound, NoBoundIsBelowTheValueByRounding) {
  for (const Index variables : {300, 400}) {
    SCOPED_TRACE(variables);
    const auto covariance = given_beyond_the_core(0.1, variables);
    const Solution solution = solve_beyond(*covariance, 20);
    ASSERT_EQ(solution.status, Status::kIterationLimit);
    const double value = covariance->quadratic_form(solution.components.at(0));
    ASSERT_NE(solution.certificate, nullptr);
    EXPECT_GT(solution.certificate->check(*covariance, 8), value) << "carries its rounding";
    const double bound = checked_bound(*covariance, 8, solution);
    EXPECT_GE(bound, value);
    EXPECT_NEAR(bound, value, kTolerance * value);
  }
}

TEST(BranchBound, SLOW_ImprovesItsSupportIfDataHaveTooManySamplesForTheRelaxation) {
  Random random(5);
  // One sample more than the relaxation searches; at most six nonzeros a row.
  const Index n = max_samples_searched(150) + 1;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) {
    for (int t = 0; t < 6; ++t) {
      entries.emplace_back(i, static_cast<Index>(random.below(1100)), 1.0);
    }
  }
  SparseRows rows(n, 1100);
  rows.setFromTriplets(entries.begin(), entries.end());
  const auto covariance = make_covariance(rows.markAsRValue(), {});
  const double by_tpower =
      covariance->quadratic_form(solve_with("tpower", covariance, 8).solution.components.at(0));
  const Solution solution = solve_beyond(*covariance, trial::kSanitized ? 36 : 60);
  ASSERT_EQ(solution.status, Status::kIterationLimit) << solution.message;
  EXPECT_GE(covariance->quadratic_form(solution.components.at(0)), by_tpower);
  EXPECT_EQ(trial::fact(solution, "relaxation_nodes"), 0);
  ASSERT_NE(solution.certificate, nullptr);
  Budget check;
  const double bound = trial::fact(solution, "bound");
  EXPECT_NEAR(solution.certificate->check(*covariance, 8, check), bound, 1e-9 * bound)
      << "by squares";
}

/// Words of a few topics, with more documents than the relaxation can take.
TEST(BranchBound, RulesOutWordsByABlockOfTopicsHoweverManyDocumentsThereAre) {
  ZipfCorpus corpus({.documents = max_samples_searched(150) + 1,
                     .words = 1500,
                     .nonzeros = 600'000,
                     .topics = 3,
                     .topic_words = 5,
                     .topic_count = 10},
                    1);
  const auto covariance =
      make_covariance(zipf_counts(corpus), {.centered = false, .scale = Scale::kSamples});
  constexpr Index k = 7;  // a topic, and two words more
  const SolverEntry& solver = SolverRegistry::instance().get("branch-bound", "");
  const auto solve_for = [&](Index iterations) {
    Budget budget({.iterations = iterations});
    return solver.solve({.covariance = *covariance, .cardinality = {k}},
                        solver.complete_options({{"core", 150}}, ""), budget);
  };
  const Solution proven = solve_for(std::numeric_limits<Index>::max());
  ASSERT_EQ(proven.status, Status::kConverged) << proven.message;
  EXPECT_LT(trial::fact(proven, "variables_left"), 150);
  const double optimum = covariance->quadratic_form(proven.components.at(0));
  const auto from_topic = [&](const Component& topic) {
    Vector product;
    covariance->multiply(topic, product);
    return best_on_support(*covariance, top_k(product, k)).value;
  };
  for (const Component& topic : corpus.topics()) {
    EXPECT_GE(optimum, from_topic(topic) * (1 - kTolerance));
  }
  const auto bound_after = [&](Index iterations) {
    const Solution stopped = solve_for(iterations);
    return stopped.certificate == nullptr ? std::numeric_limits<double>::infinity()
                                          : checked_bound(*covariance, k, stopped);
  };
  for (const Index iterations : {1, 4, 9}) {
    EXPECT_GE(bound_after(iterations), optimum * (1 - kTolerance)) << iterations;
  }
}

TEST(BranchBound, FindsTheSameOptimumBeyondTheCoreAsWithinIt) {
  for (const Index k : {4, 8}) {
    Random random(static_cast<std::uint64_t>(k));
    Matrix data = trial::random_matrix(60, 1100, random);
    data.leftCols(12).colwise() += Vector(trial::random_matrix(60, 1, random));
    for (Index j = 0; j < 1100; ++j) {  // too slowly for the variances alone to rule any out
      data.col(j) /= std::pow(1.0 + static_cast<double>(j), 0.05);
    }
    const auto covariance = make_covariance(std::move(data), {});
    const SolverEntry& solver = SolverRegistry::instance().get("branch-bound", "");
    const auto solve_with_core = [&](Index core) {
      return solve({.covariance = covariance,
                    .solver = &solver,
                    .options = solver.complete_options({{"core", core}}, ""),
                    .cardinality = {k}})
          .solution;
    };
    const Solution beyond = solve_with_core(150);
    const Solution within = solve_with_core(3000);
    ASSERT_EQ(beyond.status, Status::kConverged) << beyond.message;
    ASSERT_EQ(within.status, Status::kConverged) << within.message;
    EXPECT_EQ(beyond.components.at(0).support, within.components.at(0).support) << k;
  }
}

TEST(BranchBound, AnswerBeyondTheCoreDoesNotDependOnThreads) {
  const auto covariance = beyond_the_core(true, 6);
  const Solution one = solve_beyond(*covariance, 4);
  ASSERT_EQ(one.status, Status::kIterationLimit) << "it is still searching";
  const Solution several = solve_beyond(*covariance, 4, 3);
  EXPECT_EQ(several.components.at(0).support, one.components.at(0).support);
  EXPECT_EQ(several.facts, one.facts);
}

TEST(BranchBound, PhasesAreItsOwnAndAddUpToTheTime) {
  const SolverEntry& solver = SolverRegistry::instance().get("branch-bound", "");
  const auto covariance = beyond_the_core(false, 6);
  Budget budget({.iterations = 4});
  // spannogram-bound has phases "eigenpairs" and "search" of its own.
  solver.solve({.covariance = *covariance, .cardinality = {8}},
               solver.complete_options({{"feeds", {"spannogram-bound"}}, {"core", 150}}, ""),
               budget);
  double sum = 0;
  for (const auto& [name, seconds] : budget.phases().seconds()) {
    EXPECT_TRUE(name == "elimination" || name == "block" || name == "start" || name == "root" ||
                name == "search")
        << name;
    sum += seconds;
  }
  EXPECT_EQ(budget.phases().seconds().size(), 5U);
  EXPECT_LE(sum, budget.elapsed_seconds());
}

TEST(BranchBound, AProofByTheRelaxationIsCheckedAnew) {
  Random random(8);
  const Index p = 160;
  const Matrix data = trial::random_matrix(25, p, random);
  const auto covariance = make_covariance(Matrix(data), {});
  constexpr Index kSteps = 300;  // about 200 of them in nodes of the relaxation
  const Solution solution = solve_stopped(*covariance, 25, kSteps);
  ASSERT_EQ(solution.status, Status::kIterationLimit);
  EXPECT_GT(trial::fact(solution, "relaxation_nodes"), 1);
  const double claimed = trial::fact(solution, "bound");
  const double checked = checked_bound(*covariance, 25, solution);
  EXPECT_GE(checked, covariance->quadratic_form(solution.components.at(0)));
  EXPECT_NEAR(checked, claimed, 0.01 * claimed);
}

}  // namespace
}  // namespace spca::branch_bound_test
