/// Tests nonnegative sparse PCA against the best of all supports, the guarantee of a net, and the
/// condition that its answers satisfy.

#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_selections.h"
#include "spca/solving/feasibility.h"
#include "spca/spectrum/low_rank.h"
#include "tests/properties/hunted_matrix.h"
#include "tests/solver_testing.h"

namespace spca::nonnegative_low_rank_test {
namespace {

Solution solved(const Covariance& covariance, Index k, const Json& options) {
  const SolverEntry& entry = SolverRegistry::instance().get("nonnegative-low-rank", "");
  Budget budget;
  const Problem problem{.covariance = covariance, .cardinality = {k}, .seed = 3};
  return entry.solve(problem, entry.complete_options(options, "/options"), budget);
}

/// Returns max v'Sv over nonnegative unit v with at most k nonzeros. An optimum that is positive on
/// I is an eigenvector of S_II, so all eigenvectors of one sign are tried. Needs simple
/// eigenvalues.
double nonnegative_optimum(const Matrix& matrix, Index k) {
  double best = -std::numeric_limits<double>::infinity();
  for (Index size = 1; size <= k; ++size) {
    trial::for_each_support(matrix.rows(), size, [&](const Support& support) {
      const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix(support, support));
      for (Index j = 0; j < size; ++j) {
        if ((pairs.vectors.col(j).array() >= 0).all() ||
            (pairs.vectors.col(j).array() <= 0).all()) {
          best = std::max(best, pairs.values[j]);
        }
      }
    });
  }
  return best;
}

// Rounding of values, relative to the largest variance.
constexpr double kRounding = 1e-9;

void expect_nonnegative(const Solution& solution, Index p, Index k) {
  ASSERT_EQ(solution.status, Status::kConverged) << solution.message;
  EXPECT_EQ(find_infeasibility(solution.components, p, {k}, Supports::kAny), "");
  EXPECT_GT(solution.components.at(0).values.minCoeff(), 0);
}

TEST(NonnegativeLowRank, FindsTheBestOfAllSupportsOfAFewVariables) {
  int found = 0;
  int cases = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Index p = 4 + static_cast<Index>(seed % 5);
    const auto covariance =
        trial::as_explicit(trial::random_data(static_cast<Index>(3 + seed % 8), p, seed));
    const Matrix matrix = covariance->submatrix(all_variables(p));
    for (Index k = 1; k <= p; ++k) {
      SCOPED_TRACE(fmt::format("seed {}, k = {}", seed, k));
      const Solution solution = solved(*covariance, k, {{"rank", 4}});
      expect_nonnegative(solution, p, k);
      const double value = covariance->quadratic_form(solution.components[0]);
      const double best = nonnegative_optimum(matrix, k);
      EXPECT_LE(value, best + kRounding * matrix.diagonal().maxCoeff());
      found += value >= best * (1 - 1e-6) ? 1 : 0;
      ++cases;
    }
  }
  EXPECT_GE(50 * found, 49 * cases) << found << " of " << cases;
}

TEST(NonnegativeLowRank, ANetIsWithinEpsilonOfTheOptimumOnTheSketch) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto covariance = trial::as_explicit(trial::random_data(9, 7, seed));
    for (const Index d : {1, 2, 3}) {
      const LowRank low_rank = low_rank_approximation(*covariance, d);
      const Matrix sketch = low_rank.factor * low_rank.factor.transpose();
      for (const Index k : {1, 3, 7}) {
        const Solution solution =
            solved(*covariance, k, {{"rank", d}, {"epsilon", 0.2}, {"score", "low-rank"}});
        expect_nonnegative(solution, 7, k);
        const Vector v = to_dense(solution.components[0], 7);
        // Only the eigenvalue zero of the sketch repeats, and it is not the optimum.
        EXPECT_GE(v.dot(sketch * v), (1 - 0.2) * nonnegative_optimum(sketch, k));
      }
    }
  }
}

/// On the support v is an eigenvector of S + tau I; outside it, if k leaves room, no entry of
/// (S + tau I)v is positive.
TEST(NonnegativeLowRank, AnswersAreStationaryOnEveryKindOfMatrix) {
  constexpr double kOfTheCondition = 1e-5;  // 100 times the root of the tolerance
  Random random(43);
  for (const std::string& kind : properties::kinds_of_matrices()) {
    for (const Index p : {2, 4, 7}) {
      const properties::HuntedMatrix drawn = properties::draw_matrix(kind, p, random);
      const Matrix matrix = properties::exact_covariance(drawn);
      const auto covariance = make_explicit_covariance(matrix);
      const Vector optima = trial::optima_by_enumeration(matrix);
      const double unit = matrix.diagonal().maxCoeff();
      for (Index k = 1; k <= p; ++k) {
        SCOPED_TRACE(fmt::format("{}, p = {}, k = {}", kind, p, k));
        const Solution solution =
            solved(*covariance, k, {{"tolerance", trial::kTightTolerance}, {"draws", 50}});
        expect_nonnegative(solution, p, k);
        const Vector v = to_dense(solution.components[0], p);
        const double value = v.dot(matrix * v);
        EXPECT_LE(value, optima[k - 1] + kRounding * unit);
        EXPECT_GE(value, unit * (1 - kRounding));  // the best variable alone
        const Vector product = matrix * v;
        for (Index i = 0; i < p; ++i) {
          if (v[i] > 0) {
            EXPECT_NEAR(product[i], value * v[i], kOfTheCondition * unit);
          } else if (solution.components[0].cardinality() < k) {
            EXPECT_LE(product[i], kOfTheCondition * unit);
          }
        }
      }
    }
  }
}

TEST(NonnegativeLowRank, RefusesANetOfTooManyPoints) {
  const auto covariance = trial::as_covariance(trial::random_data(20, 20, 1));
  const Solution solution = solved(*covariance, 3, {{"rank", 12}, {"epsilon", 0.01}});
  EXPECT_EQ(solution.status, Status::kSkipped);
  EXPECT_NE(solution.message.find("/options/epsilon"), std::string::npos);
}

}  // namespace
}  // namespace spca::nonnegative_low_rank_test
