/// Tests iterative thresholding: with one column it ends at a fixed point of the truncated power
/// method, and without a cut it is orthogonal iteration.

#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/solving/feasibility.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/properties/hunted_matrix.h"
#include "tests/solver_testing.h"

namespace spca::iterative_thresholding_test {
namespace {

Solution solved(const Covariance& covariance, std::vector<Index> cardinality, const Json& options) {
  const SolverEntry& entry = SolverRegistry::instance().get("iterative-thresholding", "");
  Budget budget;
  const Problem problem{.covariance = covariance,
                        .components = std::ssize(cardinality),
                        .cardinality = std::move(cardinality)};
  return entry.solve(problem, entry.complete_options(options, "/options"), budget);
}

TEST(IterativeThresholding, OneColumnEndsAtAFixedPointOfTheTruncatedPowerMethod) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto covariance = trial::as_covariance(trial::random_data(10, 25, seed));
    for (const bool soft : {false, true}) {
      const Solution solution = solved(*covariance, {6},
                                       {{"threshold", soft ? "soft" : "hard"},
                                        {"tolerance", trial::kTightTolerance},
                                        {"refit", false}});
      const Vector v = to_dense(solution.components.at(0), 25);
      Vector product;
      covariance->multiply(v, product);
      const Component top = restrict_to(product, top_k(product, 6));
      Vector next = to_dense(top, 25);
      if (soft) {
        next = soft_threshold(next, (product - next).cwiseAbs().maxCoeff());
      }
      trial::expect_parallel(v, next.normalized(), trial::kFixedPoint);
      EXPECT_EQ(solution.components[0].cardinality(), 6);
    }
  }
}

/// Without a cut, the columns of Q converge to the leading eigenvectors, and so do those of T = SQ.
TEST(IterativeThresholding, WithoutACutItIsOrthogonalIteration) {
  const auto covariance = trial::as_covariance(trial::random_data(40, 8, 9));
  const Eigenpairs pairs = leading_eigenpairs(*covariance, 3);
  const Solution solution = solved(*covariance, {8, 8, 8}, {{"refit", false}});
  for (Index j = 0; j < 3; ++j) {
    trial::expect_parallel(to_dense(solution.components.at(static_cast<std::size_t>(j)), 8),
                           pairs.vectors.col(j), 1e-5);
  }
}

TEST(IterativeThresholding, FindsPlantedComponentsOfDisjointSupports) {
  // Two spikes in noise, on variables 0 to 3 and 10 to 12.
  Matrix s = Matrix::Identity(20, 20);
  s.topLeftCorner(4, 4).array() += 2;
  s.block(10, 10, 3, 3).array() += 1.5;
  const Solution solution = solved(*make_explicit_covariance(s), {4, 3}, Json::object());
  EXPECT_EQ(solution.components.at(0).support, (Support{0, 1, 2, 3}));
  EXPECT_EQ(solution.components.at(1).support, (Support{10, 11, 12}));
}

TEST(IterativeThresholding, IsNeverAboveTheOptimumOnAnyKindOfMatrix) {
  constexpr double kRounding = 1e-10;  // of eigenvalues of a few variables
  Random random(37);
  for (const std::string& kind : properties::kinds_of_matrices()) {
    for (const Index p : {2, 4, 7}) {
      const properties::HuntedMatrix drawn = properties::draw_matrix(kind, p, random);
      const Matrix matrix = properties::exact_covariance(drawn);
      const auto covariance = make_explicit_covariance(matrix);
      const Vector optima = trial::optima_by_enumeration(matrix);
      for (Index k = 1; k <= p; ++k) {
        for (Index r = 1; r <= std::min<Index>(p, 3); ++r) {
          SCOPED_TRACE(fmt::format("{}, p = {}, k = {}, r = {}", kind, p, k, r));
          const std::vector<Index> cardinality(static_cast<std::size_t>(r), k);
          const Solution solution = solved(*covariance, cardinality, Json::object());
          if (solution.status == Status::kSkipped) {
            EXPECT_GT(r, 1);
            continue;
          }
          ASSERT_TRUE(is_usable(solution.status)) << solution.message;
          EXPECT_EQ(find_infeasibility(solution.components, p, cardinality, Supports::kAny), "");
          for (const Component& component : solution.components) {
            EXPECT_LE(covariance->quadratic_form(component),
                      optima[k - 1] + kRounding * matrix.diagonal().maxCoeff());
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace spca::iterative_thresholding_test
