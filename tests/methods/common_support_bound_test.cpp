/// Compares the bound on components with common variables with enumeration.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "spca/base/random.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/orthogonal/common_support_bound.h"
#include "tests/solver_testing.h"

namespace spca::common_support_bound_test {
namespace {

double optimum(const Covariance& covariance, Index r, Index k) {
  double best = 0;
  trial::for_each_support(covariance.variables(), k, [&](const Support& support) {
    best = std::max(best, symmetric_eigenvalues(covariance.submatrix(support)).tail(r).sum());
  });
  return best;
}

TEST(CommonSupportBound, IsTheOptimumAndWithoutTimeNeverBelowIt) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto covariance = trial::as_explicit(trial::random_matrix(5, 8, seed));
    for (const auto& [r, k] : {std::pair<Index, Index>{1, 3}, {2, 2}, {2, 4}, {3, 5}, {3, 8}}) {
      const double best = optimum(*covariance, r, k);
      EXPECT_GE(common_support_bound(*covariance, r, k, {}, 0).value, best) << seed;
      const double bound =
          common_support_bound(*covariance, r, k, {}, std::numeric_limits<double>::infinity())
              .value;
      EXPECT_GE(bound, best) << seed;
      EXPECT_LE(bound, best * (1 + 1e-9)) << seed;
    }
  }
}

TEST(CommonSupportBound, OfManyVariablesIsTheSumOfTheLargestVariances) {
  const Index p = kMostCommonVariables + 1;
  Vector variances(p);
  for (Index i = 0; i < p; ++i) {
    variances[i] = static_cast<double>((37 * i) % p);  // each number below p once
  }
  const auto covariance = make_explicit_covariance(variances.asDiagonal());
  const double bound = common_support_bound(*covariance, 2, 3, {}, 1).value;
  EXPECT_NEAR(bound, static_cast<double>(3 * p - 6), 1e-6);
}

}  // namespace
}  // namespace spca::common_support_bound_test
