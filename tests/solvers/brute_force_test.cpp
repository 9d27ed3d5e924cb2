/// Compares every solver with the optimum, for p so small that all supports can be tried.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "spca/base/random.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "tests/solver_testing.h"

namespace spca::brute_force_test {
namespace {

// Eigenvalues of matrices of at most 14 x 14 agree to about 1e-14; the rest is margin.
constexpr double kTolerance = 1e-10;

/// Returns X'X / n of n normal samples, 1 <= n <= 2p: from strongly dependent to nearly isotropic
/// variables.
Matrix random_covariance(Index p, Random& random) {
  const auto n = static_cast<Index>(1 + random.below(static_cast<std::uint64_t>(2 * p)));
  const Matrix data = trial::random_matrix(n, p, random);
  return data.transpose() * data / static_cast<double>(n);
}

/// The value that the component has on the matrix itself.
double value_of(const Matrix& covariance, const Component& component) {
  return component.values.dot(covariance(component.support, component.support) * component.values);
}

SolveOutcome solve_one(const SolverEntry& solver, std::shared_ptr<const Covariance> covariance,
                       Index k, std::uint64_t seed) {
  const bool dense = solver.traits.rule == SparsityRule::kDense;
  return solve({.covariance = std::move(covariance),
                .solver = &solver,
                .options = solver.complete_options(Json::object(), ""),
                .cardinality = dense ? std::vector<Index>{} : std::vector<Index>{k},
                .seed = seed});
}

struct SizeCase {
  Index p;
  int seeds;
};

// 200 seeds in all: many where a case takes a moment, few where there are 16383 supports.
constexpr std::array<SizeCase, 7> kSizes = {
    {{2, 20}, {4, 40}, {6, 50}, {8, 50}, {10, 30}, {12, 8}, {14, 2}}};
// The first seeds of the small sizes take a second.
constexpr std::array<SizeCase, 4> kFewSeeds = {{{2, 20}, {4, 8}, {6, 4}, {8, 2}}};

class BruteForce : public testing::TestWithParam<SizeCase> {};

TEST_P(BruteForce, ExhaustiveIsTheOptimumAndNothingExceedsIt) {
  const auto [p, seeds] = GetParam();
  for (int seed = 0; seed < trial::tries(seeds); ++seed) {
    Random random(static_cast<std::uint64_t>(1000 * p + seed));
    const Matrix matrix = random_covariance(p, random);
    const auto covariance = make_explicit_covariance(matrix);
    const Vector optima = trial::optima_by_enumeration(matrix);
    for (Index k = 1; k <= p; ++k) {
      const double limit = optima(k - 1) * (1 + kTolerance);
      for (const auto& [name, solver] : SolverRegistry::instance().entries()) {
        SCOPED_TRACE(fmt::format("{} p={} k={} seed={}", name, p, k, seed));
        const SolveOutcome outcome =
            solve_one(solver, covariance, k, static_cast<std::uint64_t>(seed));
        // A penalty need not reach every cardinality: then the harness says so, without loadings.
        const bool may_miss = solver.traits.rule == SparsityRule::kPenalty &&
                              outcome.solution.status == Status::kNumericalFailure;
        ASSERT_TRUE(is_usable(outcome.solution.status) || may_miss ||
                    outcome.solution.status == Status::kSkipped)
            << outcome.solution.message;
        if (solver.traits.rule == SparsityRule::kDense || !is_usable(outcome.solution.status)) {
          continue;
        }
        ASSERT_EQ(find_infeasibility(outcome.solution.components, p, {k}, Supports::kAny), "");
        const double value = value_of(matrix, outcome.solution.components.at(0));
        EXPECT_LE(value, limit);
        if (solver.traits.exact) {
          EXPECT_NEAR(value, optima(k - 1), kTolerance * optima(k - 1));
        }
      }
    }
  }
}

std::string size_name(const testing::TestParamInfo<SizeCase>& test) {
  return fmt::format("p{}", test.param.p);
}
INSTANTIATE_TEST_SUITE_P(SLOW_Sizes, BruteForce, testing::ValuesIn(kSizes), size_name);
INSTANTIATE_TEST_SUITE_P(FewSeeds, BruteForce, testing::ValuesIn(kFewSeeds), size_name);

TEST(Exhaustive, PitPropsOptimaAreThePrintedOnes) {
  const Dataset pitprops = DatasetRegistry::instance().get("pitprops", "").load(Json::object(), {});
  // The certified optima that experiments/quickstart.json prints for k >= 2, to five decimals.
  const std::array<double, 13> printed = {1,       1.954,   2.47533, 2.93748, 3.40615,
                                          3.77096, 3.99619, 4.06861, 4.13865, 4.17264,
                                          4.20828, 4.21825, 4.21863};
  constexpr double kHalfDigit = 0.5e-5;
  const SolverEntry& exhaustive = SolverRegistry::instance().get("exhaustive", "");
  for (Index k = 1; k <= 13; ++k) {
    const SolveOutcome outcome = solve_one(exhaustive, pitprops.covariance, k, 0);
    EXPECT_NEAR(pitprops.covariance->quadratic_form(outcome.solution.components.at(0)),
                printed[static_cast<std::size_t>(k - 1)], kHalfDigit)
        << "k = " << k;
  }
}

TEST(Exhaustive, AnswerDoesNotDependOnThreads) {
  Random random(7);
  const auto covariance = make_explicit_covariance(random_covariance(18, random));
  const SolverEntry& exhaustive = SolverRegistry::instance().get("exhaustive", "");
  SolveRequest request{.covariance = covariance,
                       .solver = &exhaustive,
                       .options = exhaustive.complete_options(Json::object(), ""),
                       .cardinality = {7}};
  const Component one = solve(request).solution.components.at(0);
  for (const int threads : {2, 5}) {
    request.threads = threads;
    const Component several = solve(request).solution.components.at(0);
    EXPECT_EQ(several.support, one.support);
    EXPECT_EQ(several.values, one.values);
  }
}

TEST(Exhaustive, EqualOptimaGiveTheLexicographicallyFirst) {
  const auto covariance = make_explicit_covariance(Matrix::Identity(9, 9));
  const SolverEntry& exhaustive = SolverRegistry::instance().get("exhaustive", "");
  const SolveOutcome outcome = solve_one(exhaustive, covariance, 1, 0);
  EXPECT_EQ(outcome.solution.components.at(0).support, Support{0});
}

TEST(Exhaustive, TooManySupportsAreSkippedWithTheNumber) {
  const auto covariance = make_explicit_covariance(Matrix::Identity(60, 60));
  const SolverEntry& exhaustive = SolverRegistry::instance().get("exhaustive", "");
  const SolveOutcome outcome = solve_one(exhaustive, covariance, 30, 0);
  EXPECT_EQ(outcome.solution.status, Status::kSkipped);
  EXPECT_NE(outcome.solution.message.find("largest_count"), std::string::npos);
}

TEST(Fullpath, ExactStepIsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Index p = 12;
    const Matrix matrix = random_covariance(p, random);
    const SolverEntry& fullpath = SolverRegistry::instance().get("fullpath", "");
    const SolveOutcome outcome =
        solve({.covariance = make_explicit_covariance(matrix),
               .solver = &fullpath,
               .options = fullpath.complete_options({{"variant", "exact"}}, ""),
               .cardinality = {p}});
    Support chosen;
    for (Index k = 1; k <= p; ++k) {
      double best_value = -1;
      Index best = 0;
      for (Index i = 0; i < p; ++i) {
        if (std::find(chosen.begin(), chosen.end(), i) != chosen.end()) {
          continue;
        }
        Support extended = chosen;
        extended.push_back(i);
        const double value = symmetric_eigenvalues(matrix(extended, extended)).maxCoeff();
        if (value > best_value) {
          best_value = value;
          best = i;
        }
      }
      chosen.push_back(best);
      const Component& found = outcome.solution.path.at(static_cast<std::size_t>(k - 1)).component;
      EXPECT_NEAR(value_of(matrix, found), best_value, kTolerance * best_value)
          << "seed " << seed << " k " << k;
    }
  }
}

}  // namespace
}  // namespace spca::brute_force_test
