/// Tests randomised rounding: the optimum lies between the value of its answer and its
/// certificate, a tight relaxation needs no draw, and more draws are never worse.

#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "tests/properties/hunted_matrix.h"
#include "tests/solver_testing.h"

namespace spca::randomised_rounding_test {
namespace {

Solution solved(const Covariance& covariance, Index k, Index draws = 100, std::uint64_t seed = 3) {
  const SolverEntry& entry = SolverRegistry::instance().get("randomised-rounding", "");
  Budget budget;
  const Problem problem{.covariance = covariance, .cardinality = {k}, .seed = seed};
  return entry.solve(problem, entry.complete_options({{"draws", draws}}, "/options"), budget);
}

TEST(RandomisedRounding, EnclosesTheOptimumOnEveryKindOfMatrix) {
  constexpr double kRounding = 1e-9;  // relative to the largest variance
  Random random(41);
  int found = 0;
  int cases = 0;
  double widest = 0;
  for (const std::string& kind : properties::kinds_of_matrices()) {
    for (const Index p : {2, 5, 8}) {
      const properties::HuntedMatrix drawn = properties::draw_matrix(kind, p, random);
      const Matrix matrix = properties::exact_covariance(drawn);
      const auto covariance = make_explicit_covariance(matrix);
      const Vector optima = trial::optima_by_enumeration(matrix);
      const double tolerance = kRounding * matrix.diagonal().maxCoeff();
      for (Index k = 1; k <= p; k += 2) {
        SCOPED_TRACE(fmt::format("{}, p = {}, k = {}", kind, p, k));
        const Solution solution = solved(*covariance, k);
        ASSERT_EQ(solution.status, Status::kConverged) << solution.message;
        EXPECT_EQ(find_infeasibility(solution.components, p, {k}, Supports::kAny), "");
        const double value = covariance->quadratic_form(solution.components[0]);
        EXPECT_LE(value, optima[k - 1] + tolerance);
        found += value >= optima[k - 1] - tolerance ? 1 : 0;
        ++cases;
        ASSERT_NE(solution.certificate, nullptr);
        const double bound = solution.certificate->check(*covariance, k);
        EXPECT_GE(bound, optima[k - 1] - tolerance);
        EXPECT_GE(solution.certificate->check(*covariance, p), optima[p - 1] - tolerance);
        widest = std::max(widest, bound / optima[k - 1] - 1);
      }
    }
  }
  EXPECT_GE(10 * found, 9 * cases);
  // No bound is above twice the optimum.
  EXPECT_LE(widest, 1);
}

/// With S = x x' the relaxation is tight, and X = aa' has rank one: the first vector is the answer.
TEST(RandomisedRounding, NeedsNoDrawWhereTheRelaxationIsTight) {
  const Vector x{{3.0, -1.0, 2.0, 0.5, -4.0}};
  const auto covariance = make_explicit_covariance(x * x.transpose());
  for (Index k = 1; k <= 5; ++k) {
    const Solution solution = solved(*covariance, k, 0);
    EXPECT_NEAR(covariance->quadratic_form(solution.components.at(0)),
                restrict_to(x, top_k(x, k)).values.squaredNorm(), 1e-9);
  }
}

TEST(RandomisedRounding, MoreDrawsAreNeverWorse) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto covariance = trial::as_covariance(trial::random_data(12, 30, seed));
    double before = 0;
    for (const Index draws : {0, 10, 300}) {
      const double value =
          covariance->quadratic_form(solved(*covariance, 6, draws, seed).components.at(0));
      EXPECT_GE(value, before);
      before = value;
    }
  }
}

}  // namespace
}  // namespace spca::randomised_rounding_test
