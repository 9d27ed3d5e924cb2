/// Tests of the bound on components with uncorrelated scores: against searches on all supports,
/// principal components, and the sums of other bounds.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "spca/dense/dense_decompositions.h"
#include "spca/methods/orthogonal/all_supports.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "spca/methods/orthogonal/uncorrelated_bound.h"
#include "tests/orthogonal_case.h"
#include "tests/sanitized.h"

namespace spca::uncorrelated_bound_test {
namespace {

using namespace trial;

std::vector<Support> supports_of(Index p, Index k) {
  std::vector<Support> supports;
  for_all_supports(p, k, [&](const Support& support) { supports.push_back(support); });
  return supports;
}

/// The largest value of components on all supports, each from a few starts; 0 if none were found.
double best_found(const OrthogonalCase& one, bool of_loadings, Random& random) {
  const Index p = one.matrix.rows();
  const auto r = std::ssize(one.cardinality);
  const OrthogonalSearch search(one.matrix, one.cardinality,
                                {.of_loadings = of_loadings, .of_scores = true});
  double best = 0;
  std::vector<Support> supports(one.cardinality.size());
  const auto choose = [&](const auto& self, std::size_t t) -> void {
    if (t == supports.size()) {
      for (int start = 0; start < 2; ++start) {
        Matrix near = Matrix::Zero(p, r);
        if (start > 0) {
          near = random_matrix(p, r, random);
        }
        const OrthogonalComponents found = search.evaluate(supports, near);
        if (!found.is_empty()) {
          best = std::max(best, found.value);
        }
      }
      return;
    }
    for (const Support& support : supports_of(p, one.cardinality[t])) {
      supports[t] = support;
      self(self, t + 1);
    }
  };
  choose(choose, 0);
  return best;
}

UncorrelatedBound bound_of(const OrthogonalCase& one, bool of_loadings, double value = 0,
                           double seconds = std::numeric_limits<double>::infinity()) {
  Budget budget({.seconds = seconds, .iterations = 100'000});
  return uncorrelated_bound({.matrix = one.matrix,
                             .cardinality = one.cardinality,
                             .of_loadings = of_loadings,
                             .value = value,
                             .accuracy = 1e-6},
                            budget);
}

TEST(UncorrelatedBound, IsNoLessThanTheBestOnAllSupports) {
  Random random(31);
  int found = 0;
  int tight = 0;
  for (int i = 0; i < 24; ++i) {
    SCOPED_TRACE(i);
    OrthogonalCase one = random_orthogonal_case(random, i, 6, 2, 4);
    if (i % 2 == 0) {
      one.cardinality = {1 + i % 4, 1 + i % 4};
    }
    for (const bool of_loadings : {false, true}) {
      SCOPED_TRACE(of_loadings);
      const double best = best_found(one, of_loadings, random);
      // Without a value, and with one that ends the search early.
      for (const double value : {0.0, best}) {
        const double bound = bound_of(one, of_loadings, value).value;
        EXPECT_GE(bound, best - kSum * one.matrix.trace());
        tight += best > 0 && bound < 1.001 * best ? 1 : 0;
      }
      found += best > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(found, 20);
  EXPECT_GT(tight, 30);
}

TEST(UncorrelatedBound, HoldsForThreeComponents) {
  Random random(32);
  int found = 0;
  constexpr int kProblems = trial::tries(5);
  for (int i = 0; i < kProblems; ++i) {
    SCOPED_TRACE(i);
    OrthogonalCase one = random_orthogonal_case(random, 3, 5, 3, 1);
    one.cardinality = {3, 3, 3};
    for (const bool of_loadings : {false, true}) {
      const double best = best_found(one, of_loadings, random);
      found += best > 0 ? 1 : 0;
      EXPECT_GE(bound_of(one, of_loadings).value, best - kSum * one.matrix.trace());
    }
  }
  EXPECT_GE(found, kProblems);
}

TEST(UncorrelatedBound, IsTheSumOfEigenvaluesWithoutSparsity) {
  Random random(33);
  const Matrix matrix = covariance_of(random_matrix(20, 7, random));
  const Vector values = symmetric_eigenvalues(matrix);
  for (const bool of_loadings : {false, true}) {
    const double bound = bound_of({.matrix = matrix, .cardinality = {7, 7, 7}}, of_loadings).value;
    EXPECT_NEAR(bound, values.tail(3).sum(), kSum * matrix.trace());
  }
}

TEST(UncorrelatedBound, IsBelowTheSumOfOneComponentEach) {
  Random random(34);
  for (int i = 0; i < 5; ++i) {
    SCOPED_TRACE(i);
    const Matrix matrix = covariance_of(random_matrix(30, 10, random));
    double most = 0;
    for (const Support& support : supports_of(10, 4)) {
      const Matrix part = matrix(support, support);
      most = std::max(most, symmetric_eigenvalues(part)[3]);
    }
    const double bound = bound_of({.matrix = matrix, .cardinality = {4, 4}}, false).value;
    EXPECT_LT(bound, 2 * most * 0.999);
    EXPECT_LE(bound, symmetric_eigenvalues(matrix).tail(2).sum() * (1 + kSum));
  }
}

TEST(UncorrelatedBound, HoldsWhereverTimeRunsOut) {
  Random random(35);
  const OrthogonalCase one{.matrix = covariance_of(random_matrix(40, 24, random)),
                           .cardinality = {8, 8, 8}};
  const OrthogonalSearch search(one.matrix, one.cardinality,
                                {.of_loadings = false, .of_scores = true});
  OrthogonalComponents state = search.by_deflation();
  ASSERT_FALSE(state.is_empty());
  for (const double seconds : {0.0, 1e-3, 0.02, 0.1, 0.4}) {
    SCOPED_TRACE(seconds);
    EXPECT_GE(bound_of(one, false, 0, seconds).value, state.value * (1 - kSum));
  }
}

}  // namespace
}  // namespace spca::uncorrelated_bound_test
