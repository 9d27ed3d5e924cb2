/// Compares the blocks of a thresholded S with a plain search of components, and the bound with
/// enumeration.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "spca/base/error.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/solve.h"
#include "tests/solver_testing.h"

namespace spca::block_diagonal_test {
namespace {

// Eigenvalues of matrices of at most 12 x 12 agree to about 1e-14; the rest is margin.
constexpr double kTolerance = 1e-10;

SolveOutcome solve_with(std::shared_ptr<const Covariance> covariance, Index k,
                        const Json& options) {
  const SolverEntry& solver = SolverRegistry::instance().get("block-diagonal", "");
  return solve({.covariance = std::move(covariance),
                .solver = &solver,
                .options = solver.complete_options(options, "/options"),
                .cardinality = {k},
                .seed = 3});
}

double counted(const SolveOutcome& outcome, const std::string& name) {
  return trial::fact(outcome.solution, name);
}

/// Returns the sizes of the connected components of the graph with the edges |S_ij| > epsilon, by
/// repeated flooding.
std::multiset<Index> component_sizes(const Matrix& matrix, double epsilon) {
  const Index p = matrix.rows();
  std::vector<Index> label(static_cast<std::size_t>(p));
  std::iota(label.begin(), label.end(), Index{0});
  for (Index round = 0; round < p; ++round) {
    for (Index i = 0; i < p; ++i) {
      for (Index j = 0; j < p; ++j) {
        if (i != j && std::abs(matrix(i, j)) > epsilon) {
          Index& a = label[static_cast<std::size_t>(i)];
          Index& b = label[static_cast<std::size_t>(j)];
          a = b = std::min(a, b);
        }
      }
    }
  }
  std::multiset<Index> sizes;
  for (Index i = 0; i < p; ++i) {
    const auto count = std::count(label.begin(), label.end(), i);
    if (count > 0) {
      sizes.insert(count);
    }
  }
  return sizes;
}

Matrix random_matrix_of(Index p, Random& random) {
  const Matrix data = trial::random_matrix(2 * p, p, random);
  const Matrix matrix = data.transpose() * data / static_cast<double>(2 * p);
  return 0.5 * (matrix + matrix.transpose());
}

TEST(BlockDiagonal, TakesTheLeastThresholdThatFitsTheBlocks) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Index p = 5 + static_cast<Index>(random.below(8));
    Matrix matrix = random_matrix_of(p, random);
    if (seed % 3 == 0) {
      matrix = (8 * matrix.array()).round() / 8;  // ties
      matrix += p * Matrix::Identity(p, p);
    }
    const auto covariance = make_explicit_covariance(matrix);
    for (const Index largest : {1, 2, 4, 20}) {
      for (const double threshold : {0.0, 0.05, 0.2}) {
        SCOPED_TRACE(fmt::format("seed={} largest={} threshold={}", seed, largest, threshold));
        const SolveOutcome outcome =
            solve_with(covariance, 2, {{"threshold", threshold}, {"largest_block", largest}});
        const double epsilon = counted(outcome, "epsilon");
        const double least = threshold * matrix.diagonal().maxCoeff();
        EXPECT_GE(epsilon, least);
        const auto sizes = component_sizes(matrix, epsilon);
        EXPECT_LE(*sizes.rbegin(), largest);
        EXPECT_EQ(counted(outcome, "largest_block"), static_cast<double>(*sizes.rbegin()));
        EXPECT_EQ(counted(outcome, "blocks"),
                  static_cast<double>(std::count_if(sizes.begin(), sizes.end(),
                                                    [](Index size) { return size > 1; })));
        if (epsilon > least) {  // a smaller epsilon leaves too large a block
          EXPECT_GT(*component_sizes(matrix, std::nextafter(epsilon, 0.0)).rbegin(), largest);
        }
      }
    }
  }
}

TEST(BlockDiagonal, BoundIsNeverBelowTheOptimumNorFarAbove) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Index p = 5 + static_cast<Index>(random.below(6));
    const Matrix matrix = random_matrix_of(p, random);
    const auto covariance = make_explicit_covariance(matrix);
    const Vector optima = trial::optima_by_enumeration(matrix);
    for (Index k = 1; k <= p; ++k) {
      for (const Index largest : {1, 3, 20}) {
        for (const char* inner : {"branch-bound", "exhaustive", "tpower"}) {
          SCOPED_TRACE(fmt::format("seed={} k={} largest={} {}", seed, k, largest, inner));
          const SolveOutcome outcome =
              solve_with(covariance, k, {{"largest_block", largest}, {"solver", inner}});
          ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
          const double optimum = optima[k - 1];
          const double value = covariance->quadratic_form(outcome.solution.components.at(0));
          EXPECT_LE(value, optimum + kTolerance);
          ASSERT_NE(outcome.solution.certificate, nullptr);
          const double bound = outcome.solution.certificate->check(*covariance, k);
          EXPECT_GE(bound, optimum - kTolerance);
          if (inner != std::string("tpower")) {  // the paper's bound
            const double additive = counted(outcome, "epsilon") * static_cast<double>(k - 1);
            EXPECT_LE(bound, counted(outcome, "value_in_blocks") + additive + kTolerance);
            EXPECT_GE(value, optimum - additive - kTolerance);
          }
        }
      }
    }
  }
}

TEST(BlockDiagonal, RefusesASolverThatIsNotSparse) {
  EXPECT_THROW(solve_with(trial::as_explicit(trial::random_matrix(5, 5, std::uint64_t{3})), 2,
                          {{"solver", "pca"}}),
               InputError);
}

/// Four interleaved blocks of 9 variables: the solver finds the blocks and proves the optimum.
TEST(BlockDiagonal, ProvesTheOptimumOfABlockDiagonalMatrix) {
  constexpr Index kBlocks = 4;
  constexpr Index kSize = 9;
  constexpr Index p = kBlocks * kSize;
  Random random(17);
  Matrix matrix = Matrix::Zero(p, p);
  double optimum = 0;
  constexpr Index k = 4;
  for (Index b = 0; b < kBlocks; ++b) {
    const Matrix part = random_matrix_of(kSize, random);
    optimum = std::max(optimum, trial::optima_by_enumeration(part)[k - 1]);
    for (Index i = 0; i < kSize; ++i) {
      for (Index j = 0; j < kSize; ++j) {
        matrix(b + kBlocks * i, b + kBlocks * j) = part(i, j);
      }
    }
  }
  const auto covariance = make_explicit_covariance(matrix);
  const SolveOutcome outcome = solve_with(covariance, k, {{"largest_block", kSize}});
  EXPECT_EQ(counted(outcome, "epsilon"), 0);
  EXPECT_EQ(counted(outcome, "blocks"), kBlocks);
  EXPECT_NEAR(covariance->quadratic_form(outcome.solution.components.at(0)), optimum, kTolerance);
  EXPECT_NEAR(outcome.solution.certificate->check(*covariance, k), optimum, kTolerance);
}

/// A certificate is a hint: if its blocks leave out large entries, its bound is loose, but true.
TEST(BlockDiagonal, CertificateHoldsForAnotherMatrix) {
  Random random(5);
  const Matrix first = random_matrix_of(9, random);
  const Matrix second = random_matrix_of(9, random);
  const SolveOutcome outcome = solve_with(make_explicit_covariance(first), 3,
                                          {{"largest_block", 4}, {"solver", "exhaustive"}});
  const auto other = make_explicit_covariance(second);
  const Vector optima = trial::optima_by_enumeration(second);
  for (Index k = 1; k <= 9; ++k) {
    EXPECT_GE(outcome.solution.certificate->check(*other, k), optima[k - 1] - kTolerance);
  }
}

}  // namespace
}  // namespace spca::block_diagonal_test
