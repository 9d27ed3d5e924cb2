/// Compares covariance thresholding with its formula on dense matrices, and tests that it recovers
/// more of a spike than the plain eigenvector does.

#include <gtest/gtest.h>

#include <cmath>

#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/solve.h"
#include "tests/solver_testing.h"

namespace spca::covariance_threshold_test {
namespace {

Component solved(std::shared_ptr<const Covariance> covariance, Index k, const Json& options,
                 const char* name = "covariance-threshold") {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "");
  const SolveOutcome outcome = solve({.covariance = std::move(covariance),
                                      .solver = &solver,
                                      .options = solver.complete_options(options, "/options"),
                                      .cardinality = {k}});
  EXPECT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  return outcome.solution.components.at(0);
}

/// The leading eigenvector of the thresholded matrix, cut to its k largest entries.
Vector by_formula(const Matrix& covariance, bool median, double share, Index k) {
  Matrix b = covariance;
  if (median) {
    std::vector<double> variances(b.rows());
    for (Index j = 0; j < b.rows(); ++j) {
      variances[static_cast<std::size_t>(j)] = b(j, j);
    }
    std::sort(variances.begin(), variances.end());
    b.diagonal().array() -= variances[variances.size() / 2];
  }
  double largest = 0;
  for (Index j = 0; j < b.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      largest = std::max(largest, std::abs(b(i, j)));
    }
  }
  const Matrix left = b.unaryExpr([&](double x) {
    return x > share * largest    ? x - share * largest
           : x < -share * largest ? x + share * largest
                                  : 0;
  });
  const Vector leading = symmetric_eigenpairs(left).vectors.rightCols(1);
  return to_dense(normalized(restrict_to(leading, top_k(leading, k))), b.rows());
}

TEST(CovarianceThreshold, IsTheFormulaOfThePapers) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    // 90 variables take more than one block of columns.
    const Index p = seed == 0 ? 90 : 11;
    Matrix data = trial::random_data(30, p, seed);
    if (seed % 3 == 1) {
      data.colwise().normalize();  // S is a correlation matrix: the median takes its whole diagonal
    }
    const auto from_data = trial::as_covariance(data);
    const Matrix matrix = data.transpose() * data;
    const auto from_matrix = trial::as_explicit(data);
    for (const bool median : {true, false}) {
      for (const double share : {0.0, 0.2, 0.6}) {
        const Json options = {
            {"threshold", share}, {"noise", median ? "median" : "none"}, {"refit", false}};
        const Vector expected = by_formula(matrix, median, share, 4);
        trial::expect_parallel(to_dense(solved(from_data, 4, options), p), expected, 1e-6);
        trial::expect_parallel(to_dense(solved(from_matrix, 4, options), p), expected, 1e-6);
      }
    }
  }
}

TEST(CovarianceThreshold, OfSeveralLevelsTheBestIsKept) {
  const std::vector<double> levels = {0.05, 0.4, 0.9};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto covariance = trial::as_explicit(trial::random_data(20, 12, seed));
    const double optimum = trial::best_by_enumeration(*covariance, 4).value;
    double best = 0;
    for (const double level : levels) {
      best =
          std::max(best, covariance->quadratic_form(solved(covariance, 4, {{"threshold", level}})));
    }
    const double value = covariance->quadratic_form(solved(covariance, 4, {{"threshold", levels}}));
    EXPECT_DOUBLE_EQ(value, best);
    EXPECT_LE(value, optimum * (1 + trial::kRounding));
  }
}

/// One spike on 12 of 300 variables, in 100 samples. Thresholded covariances find more of the 12
/// than the plain leading eigenvector does.
TEST(CovarianceThreshold, RecoversASpikeMoreOftenThanThePlainEigenvector) {
  constexpr Index kVariables = 300;
  constexpr Index kSize = 12;
  int by_threshold = 0;
  int by_eigenvector = 0;
  constexpr int kRepeats = 20;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    Random random(static_cast<std::uint64_t>(repeat));
    Matrix data = trial::random_matrix(100, kVariables, random);
    const Vector scores = trial::random_matrix(100, 1, random).col(0);
    Support truth;
    for (Index i = 0; i < kSize; ++i) {
      truth.push_back(7 + 20 * i);
      // Loadings of 1/sqrt(k) and a spike of size 5.
      data.col(truth.back()) += std::sqrt(5.0 / kSize) * scores;
    }
    const auto covariance = make_covariance(std::move(data), {});
    const auto hits = [&](const Component& component) {
      Support common;
      std::set_intersection(component.support.begin(), component.support.end(), truth.begin(),
                            truth.end(), std::back_inserter(common));
      return static_cast<int>(common.size());
    };
    by_threshold += hits(solved(covariance, kSize, {{"threshold", 0.4}}));
    by_eigenvector += hits(solved(covariance, kSize, Json::object(), "threshold"));
  }
  EXPECT_GT(by_threshold, by_eigenvector);
  EXPECT_GE(by_threshold, kRepeats * kSize * 9 / 10);
}

TEST(CovarianceThreshold, NothingLeftGivesTheLargestVariances) {
  Vector variances(5);
  variances << 2, 5, 1, 4, 3;
  const auto covariance = make_explicit_covariance(variances.asDiagonal());
  EXPECT_EQ(solved(covariance, 1, Json::object()).support, Support({1}));
}

}  // namespace
}  // namespace spca::covariance_threshold_test
