/// Tests every solver and every bound on an S that Hotelling's deflation made indefinite, against
/// enumeration, and the message if nothing is left to explain.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/solving/upper_bound.h"
#include "spca/spectrum/remaining_variance.h"
#include "tests/solver_testing.h"

namespace spca::indefinite_test {
namespace {

using CovariancePointer = std::shared_ptr<const Covariance>;

// Relative to the largest variance before the deflation: eigenvalues of a few variables and the
// terms of two or three deflations agree to about 1e-14.
constexpr double kTolerance = 1e-10;

const SolverEntry& solver_named(const std::string& name) {
  return SolverRegistry::instance().get(name, "");
}
const DeflationEntry& deflation_named(const std::string& name) {
  return DeflationRegistry::instance().get(name, "");
}

SolveRequest request_of(const SolverEntry& solver, CovariancePointer covariance,
                        std::vector<Index> cardinality) {
  const bool is_dense = solver.traits.rule == SparsityRule::kDense;
  return {.covariance = std::move(covariance),
          .solver = &solver,
          .options = solver.complete_options(Json::object(), ""),
          .components = std::ssize(cardinality),
          .cardinality = is_dense ? std::vector<Index>{} : cardinality,
          .seed = 3};
}

/// A'A with whole entries of -3 to 3: equal values and zeros are common.
Matrix whole_covariance(Index p, std::uint64_t seed) {
  Random random(seed);
  Matrix data(p, p);
  for (double& entry : data.reshaped()) {
    entry = static_cast<double>(random.below(7)) - 3;
  }
  return data.transpose() * data;
}

Matrix all_of(const Covariance& covariance) {
  Support all(static_cast<std::size_t>(covariance.variables()));
  std::iota(all.begin(), all.end(), Index{0});
  return covariance.submatrix(all);
}

/// Returns max v'Sv over unit v with at most k nonzeros, which may be negative.
double optimum(const Matrix& matrix, Index k) {
  double best = matrix.diagonal().maxCoeff();
  trial::for_each_support(matrix.rows(), k, [&](const Support& support) {
    best = std::max(best, symmetric_eigenvalues(matrix(support, support)).maxCoeff());
  });
  return best;
}

/// Returns S after `count` optimal components of k variables and Hotelling's deflation of each.
CovariancePointer hotelling(CovariancePointer covariance, Index k, int count) {
  for (int t = 0; t < count; ++t) {
    Component best;
    double value = -std::numeric_limits<double>::infinity();
    trial::for_each_support(covariance->variables(), k, [&](const Support& support) {
      const SymmetricEigenpairs pairs = symmetric_eigenpairs(covariance->submatrix(support));
      if (pairs.values[k - 1] > value) {
        value = pairs.values[k - 1];
        best = {.support = support, .values = pairs.vectors.col(k - 1)};
      }
    });
    covariance = deflation_named("hotelling").deflate(covariance, best);
  }
  return covariance;
}

/// Returns the deflated S of 24 problems. A third of the problems are given as data.
std::vector<CovariancePointer> indefinite_problems() {
  std::vector<CovariancePointer> problems;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Index p = seed % 2 == 0 ? 4 : 5;
    const CovariancePointer given = seed % 3 == 0
                                        ? make_covariance(trial::random_matrix(6, p, seed), {})
                                        : make_explicit_covariance(whole_covariance(p, seed));
    const auto k = static_cast<Index>(1 + seed % 3);
    problems.push_back(hotelling(given, k, static_cast<int>(2 + seed % 2)));
  }
  return problems;
}

TEST(Indefinite, ProblemsAreWhatTheirNameSays) {
  int indefinite = 0;
  int without_variance = 0;
  for (const CovariancePointer& covariance : indefinite_problems()) {
    const Matrix matrix = all_of(*covariance);
    const Vector values = symmetric_eigenvalues(matrix);
    EXPECT_GE(values[0] + covariance->semidefinite_shift(), -kTolerance * matrix.norm());
    indefinite += values[0] < -0.01 * matrix.norm() ? 1 : 0;
    without_variance += matrix.diagonal().minCoeff() <= 0 ? 1 : 0;
  }
  EXPECT_GT(indefinite, 12);
  EXPECT_GT(without_variance, 4);
}

class IndefiniteSolver : public testing::TestWithParam<std::string> {};

TEST_P(IndefiniteSolver, IsNeverAboveTheOptimumAndExactIfItSaysSo) {
  const SolverEntry& solver = solver_named(GetParam());
  int answered = 0;
  for (const CovariancePointer& covariance : indefinite_problems()) {
    const Matrix matrix = all_of(*covariance);
    const double unit = covariance->largest_variances().maxCoeff();
    const Spectrum spectrum(*covariance);
    for (Index k = 1; k <= matrix.rows(); ++k) {
      const double best = optimum(matrix, k);
      std::ostringstream printed;
      printed << "k = " << k << ", optimum " << best << ", S =\n" << matrix;
      SCOPED_TRACE(printed.str());
      EXPECT_GE(spectrum.cardinality_bound(k), best - kTolerance * unit);
      const SolveOutcome outcome = solve(request_of(solver, covariance, {k}));
      const Solution& solution = outcome.solution;
      if (solution.status == Status::kSkipped) {
        EXPECT_TRUE(solution.message.find("positive variance") != std::string::npos ||
                    solution.message.find("made S indefinite") != std::string::npos)
            << solution.message;
        if (solver.traits.exact) {
          EXPECT_LE(best, kTolerance * unit);
        }
        continue;
      }
      // A penalty need not reach every cardinality: then the harness says so, without loadings.
      if (solver.traits.rule == SparsityRule::kPenalty &&
          solution.status == Status::kNumericalFailure) {
        continue;
      }
      ASSERT_TRUE(is_usable(solution.status)) << solution.message;
      const std::vector<Index> cardinality =
          solver.traits.rule == SparsityRule::kDense ? std::vector<Index>{} : std::vector<Index>{k};
      ASSERT_EQ(find_infeasibility(solution.components, matrix.rows(), cardinality, Supports::kAny),
                "");
      const Component& found = solution.components[0];
      const double value = found.values.dot(matrix(found.support, found.support) * found.values);
      if (solver.traits.rule != SparsityRule::kDense) {
        ++answered;
        EXPECT_LE(value, best + kTolerance * unit);
      }
      if (solver.traits.exact) {
        EXPECT_NEAR(value, best, kTolerance * unit);
      }
      const double bound = upper_bound(solver, solution, cardinality, *covariance, spectrum);
      // Written so that a bound that was not measured passes.
      EXPECT_FALSE(bound < best - kTolerance * unit) << "bound " << bound;
    }
  }
  if (solver.traits.exact) {
    EXPECT_GT(answered, 50);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Returns the names of the solvers in solvers/. Other tests of this program register solvers that
/// violate their traits.
std::vector<std::string> real_solvers() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : SolverRegistry::instance().entries()) {
    if (entry.file.find("tests/") == std::string::npos) {
      names.push_back(name);
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Solvers, IndefiniteSolver, testing::ValuesIn(real_solvers()), test_name);

/// In this example the third component was once below the optimum: the first variable then has the
/// variance -0.185 and is in the best support.
TEST(Indefinite, ExactSolversFindAVariableOfNegativeVariance) {
  Matrix matrix(4, 4);
  matrix << 15, -5, -3, -7, -5, 13, -2, -4, -3, -2, 6, 2, -7, -4, 2, 10;
  for (const char* name : {"exhaustive", "branch-bound"}) {
    SolveRequest request =
        request_of(solver_named(name), make_explicit_covariance(matrix), {2, 2, 2});
    request.deflation = &deflation_named("hotelling");
    const SolveOutcome outcome = solve(request);
    ASSERT_EQ(outcome.solution.components.size(), 3U) << name;
    CovariancePointer left = request.covariance;
    for (int t = 0; t < 2; ++t) {
      left = request.deflation->deflate(left,
                                        outcome.solution.components[static_cast<std::size_t>(t)]);
    }
    const Component& third = outcome.solution.components[2];
    EXPECT_LT(left->diagonal().minCoeff(), -0.18);
    EXPECT_NEAR(left->quadratic_form(third), optimum(all_of(*left), 2), 1e-12) << name;
    EXPECT_NEAR(left->quadratic_form(third), 7.2161, 5e-5) << name;
  }
}

/// After e_1 and e_2 the diagonal is zero, and yet the two together explain their covariance.
TEST(Indefinite, ZeroDiagonalMayHaveVariance) {
  Matrix matrix(2, 2);
  matrix << 1, 0.5, 0.5, 1;
  SolveRequest request =
      request_of(solver_named("exhaustive"), make_explicit_covariance(matrix), {1, 1, 2});
  // Three components need p >= 3, so a third variable of variance zero is added.
  Matrix wider = Matrix::Zero(3, 3);
  wider.topLeftCorner(2, 2) = matrix;
  request.covariance = make_explicit_covariance(wider);
  request.deflation = &deflation_named("hotelling");
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.components.size(), 3U) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[2].support, (Support{0, 1}));
  const CovariancePointer left = hotelling(request.covariance, 1, 2);
  EXPECT_EQ(left->diagonal().maxCoeff(), 0);
  EXPECT_NEAR(left->quadratic_form(outcome.solution.components[2]), 0.5, 1e-12);
}

/// Here the two variables together explain a positive variance, and neither does alone.
TEST(Indefinite, NoPositiveSupportIsSkippedWithTheReason) {
  Matrix matrix = Matrix::Identity(2, 2);
  matrix(0, 1) = matrix(1, 0) = 0.5;
  const CovariancePointer left = hotelling(make_explicit_covariance(matrix), 1, 2);
  ASSERT_TRUE(has_variance(*left));
  for (const char* name : {"exhaustive", "branch-bound", "exhaustive-disjoint"}) {
    const SolveOutcome outcome = solve(request_of(solver_named(name), left, {1}));
    EXPECT_EQ(outcome.solution.status, Status::kSkipped) << name;
    EXPECT_NE(outcome.solution.message.find("positive variance"), std::string::npos)
        << name << ": " << outcome.solution.message;
  }
}

struct FlatProblem {
  std::string name;
  Index rank;
  CovariancePointer covariance;
};

/// Returns problems in which nothing of S is left after `rank` components of p variables.
std::vector<FlatProblem> flat_problems() {
  const auto outer = [](const Vector& u) -> Matrix { return u * u.transpose(); };
  Vector signs(4);
  signs << 1, -1, 1, -1;
  Vector scales(5);  // variances over sixteen orders
  scales << 1, 1e-8, 3, 1e-4, 2;
  const DataForm raw{.centered = false};
  return {{"signs", 1, make_explicit_covariance(outer(signs))},
          {"ones", 1, make_explicit_covariance(Matrix::Ones(3, 3))},
          {"tiny", 1, make_explicit_covariance(1e-40 * outer(signs))},
          {"generic", 1, make_explicit_covariance(outer(trial::random_matrix(6, 1, 5).col(0)))},
          {"scales", 1, make_explicit_covariance(outer(scales))},
          {"one variable", 1, make_explicit_covariance(outer(Vector::Unit(4, 2)))},
          {"one sample", 1, make_covariance(trial::random_matrix(1, 7, 8), raw)},
          {"two centred samples", 1, make_covariance(trial::random_matrix(2, 7, 9), {})},
          {"rank two", 2, make_explicit_covariance(outer(signs) + outer(Vector::Ones(4)))},
          {"two samples", 2, make_covariance(trial::random_matrix(2, 6, 10), raw)}};
}

TEST_P(IndefiniteSolver, NothingLeftEndsTheAnswerAndIsNotFilledWithRounding) {
  const SolverEntry& solver = solver_named(GetParam());
  for (const FlatProblem& problem : flat_problems()) {
    const Index p = problem.covariance->variables();
    for (const auto& [name, deflation] : DeflationRegistry::instance().entries()) {
      for (const Index k : {Index{1}, Index{2}, p}) {
        SCOPED_TRACE(fmt::format("{}, {}, k = {}", problem.name, name, k));
        SolveRequest request =
            request_of(solver, problem.covariance,
                       std::vector<Index>(static_cast<std::size_t>(problem.rank + 1), k));
        request.deflation = &deflation;
        const SolveOutcome outcome = solve(request);
        const Status status = outcome.solution.status;
        EXPECT_TRUE(
            is_usable(status) || status == Status::kSkipped ||
            (solver.traits.rule == SparsityRule::kPenalty && status == Status::kNumericalFailure))
            << outcome.solution.message;
        // With k = p, each component of an exact solver is an eigenvector of what is left of S.
        if (solver.traits.exact && !solver.traits.multiple_components && k == p) {
          EXPECT_EQ(status, Status::kIncomplete);
          EXPECT_NE(outcome.solution.message.find("positive variance"), std::string::npos)
              << outcome.solution.message;
          // A disjoint deflation removes the variables of the first support, or a block of S.
          EXPECT_GE(std::ssize(outcome.solution.components), deflation.disjoint ? 1 : problem.rank);
          EXPECT_LE(std::ssize(outcome.solution.components), problem.rank);
        }
      }
      if (solver.traits.multiple_components) {
        break;  // it deflates nothing itself: the next answer would be the same
      }
    }
  }
}

}  // namespace
}  // namespace spca::indefinite_test
