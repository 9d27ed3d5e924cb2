/// Tests the semidefinite relaxation with an l1 penalty: both methods against each other and a
/// closed form, and bounds against enumeration.

#include <cmath>

#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/solving/solve.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/solver_testing.h"

namespace spca::dspca_test {
namespace {

using namespace trial;

Solution relax(const Covariance& covariance, const Json& options) {
  Budget budget;
  return run("dspca", covariance, options, 1, budget);
}

TEST(Dspca, BothMethodsCloseTheGap) {
  Random random(1);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const auto covariance = as_covariance(random_matrix(8, 12, random));
    for (const double penalty : {0.0, 0.05, 0.3}) {
      constexpr double kGap = 1e-4;
      const Solution rows = relax(*covariance, {{"penalty", penalty}, {"gap", kGap}});
      const Solution admm =
          relax(*covariance, {{"penalty", penalty}, {"gap", kGap}, {"method", "admm"}});
      for (const Solution* solution : {&rows, &admm}) {
        EXPECT_EQ(solution->status, Status::kConverged) << penalty;
        EXPECT_LE(fact(*solution, "primal"), fact(*solution, "dual") * (1 + kRounding));
        EXPECT_GE(fact(*solution, "primal"), fact(*solution, "dual") * (1 - kGap));
      }
      // Both enclose the same optimum, so the intervals from primal to dual overlap.
      EXPECT_LE(fact(rows, "primal"), fact(admm, "dual") * (1 + kRounding));
      EXPECT_LE(fact(admm, "primal"), fact(rows, "dual") * (1 + kRounding));
    }
  }
}

TEST(Dspca, BoundsAreNeverBelowTheTruth) {
  Random random(2);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const auto p = static_cast<Index>(2 + random.below(6));
    const Matrix data = random_matrix(static_cast<Index>(2 + random.below(8)), p, random);
    const auto covariance = repeat % 3 == 0 ? as_explicit(data) : as_covariance(data);
    const Solution solution =
        relax(*covariance, {{"penalty", 0.8 * random.uniform()},
                            {"method", repeat % 2 == 0 ? "admm" : "block-coordinate"},
                            {"gap", 1e-2}});
    ASSERT_NE(solution.certificate, nullptr);
    const auto k = static_cast<Index>(1 + random.below(static_cast<std::uint64_t>(p)));
    EXPECT_GE(solution.certificate->check(*covariance, k),
              best_by_enumeration(*covariance, k).value * (1 - kSameIterate));
  }
}

/// As the comment at the top of solvers/dspca.cpp says, elimination can lower the optimum of the
/// relaxation. The bound is valid nevertheless.
TEST(Dspca, EliminationIsSafeForTheCardinalityAndNotForTheRelaxation) {
  Matrix s(2, 2);
  s << 10, 2, 2, 0.9;
  const auto covariance = make_explicit_covariance(s);
  const Solution solution = relax(*covariance, {{"penalty", 0.1}, {"gap", 1e-8}});
  EXPECT_EQ(fact(solution, "variables"), 1);
  EXPECT_NEAR(fact(solution, "dual"), 9, kFixedPoint);
  Matrix rest = s;
  rest.array() -= 1;  // both loadings positive: -rho sum |Z_ij| is linear
  EXPECT_GT(symmetric_eigenvalues(rest)[1], 9.1);
  for (const Index k : {1, 2}) {
    EXPECT_GE(solution.certificate->check(*covariance, k),
              best_by_enumeration(*covariance, k).value);
  }
}

TEST(Dspca, RoundsToTheCardinalityAskedFor) {
  const auto covariance = as_covariance(random_data(20, 10, 3));
  const Solution solution = relax(*covariance, {{"penalty", 0.01}, {"round_to", 3}});
  EXPECT_EQ(solution.components.at(0).cardinality(), 3);
}

TEST(Dspca, UnusualPenaltiesAndColumnsAreAnswered) {
  Matrix data = random_data(8, 6, 4);
  data.col(2).setZero();
  for (const auto& covariance : {as_covariance(data), as_explicit(data)}) {
    EXPECT_TRUE(relax(*covariance, {{"penalty", 1.0}}).components.at(0).support.empty());
    for (const char* method : {"block-coordinate", "admm"}) {
      const Solution solution =
          relax(*covariance, {{"penalty", 0.0}, {"method", method}, {"gap", 1e-5}});
      EXPECT_NEAR(fact(solution, "dual"), leading_eigenpairs(*covariance, 1).values[0], 1e-3);
      for (const Index i : solution.components.at(0).support) {
        EXPECT_NE(i, 2);
      }
    }
  }
  EXPECT_THROW(relax(*as_covariance(data), {{"penalty", 1.5}}), InputError);
  EXPECT_THROW(relax(*as_covariance(data), {{"method", "nothing"}}), InputError);
}

}  // namespace
}  // namespace spca::dspca_test
