/// Compares blocks of a thresholded S, and bounds by sums of rows, with plain enumeration.

#include "spca/methods/bounds/covariance_blocks.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/solver_testing.h"

namespace spca::covariance_blocks_test {
namespace {

// Exceeds the rounding of eigenvalues and sums of 9 x 9 matrices.
constexpr double kTolerance = 1e-10;
constexpr Index kVariables = 9;

/// Returns the blocks of |S_ij| > epsilon with at least two variables, by repeated
/// joining.
std::vector<Support> flooded(const Matrix& matrix, double epsilon) {
  std::vector<Index> label(kVariables);
  std::iota(label.begin(), label.end(), Index{0});
  for (Index round = 0; round < kVariables; ++round) {
    for (Index i = 0; i < kVariables; ++i) {
      for (Index j = 0; j < kVariables; ++j) {
        if (i != j && std::abs(matrix(i, j)) > epsilon) {
          Index& a = label[static_cast<std::size_t>(i)];
          Index& b = label[static_cast<std::size_t>(j)];
          a = b = std::min(a, b);
        }
      }
    }
  }
  std::vector<Support> blocks(kVariables);
  for (Index i = 0; i < kVariables; ++i) {
    blocks[static_cast<std::size_t>(label[static_cast<std::size_t>(i)])].push_back(i);
  }
  std::erase_if(blocks, [](const Support& block) { return block.size() < 2; });
  return blocks;
}

TEST(CovarianceBlocks, AreTheConnectedComponents) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto covariance = trial::as_explicit(trial::random_matrix(12, kVariables, seed));
    const Matrix matrix = covariance->submatrix({0, 1, 2, 3, 4, 5, 6, 7, 8});
    Budget budget;
    const std::vector<CovarianceEdge> tree = spanning_tree(*covariance, budget);
    ASSERT_EQ(std::ssize(tree), kVariables - 1);
    for (const double epsilon : {0.0, 2.0, 4.0, 6.0, 100.0}) {
      EXPECT_EQ(blocks_of(tree, kVariables, epsilon), flooded(matrix, epsilon)) << seed;
    }
    for (const Index largest : {1, 3, 5, 9}) {
      // The least epsilon for which no block is too large: for a slightly smaller one, a block is.
      const double epsilon = epsilon_for(tree, kVariables, 0, largest);
      for (const Support& block : flooded(matrix, epsilon)) {
        EXPECT_LE(std::ssize(block), largest);
      }
      if (epsilon > 0) {
        Index size = 0;
        for (const Support& block : flooded(matrix, epsilon * (1 - kTolerance))) {
          size = std::max(size, std::ssize(block));
        }
        EXPECT_GT(size, largest);
      }
    }
  }
}

TEST(CovarianceBlocks, ABudgetThatEndsLeavesFewerEdges) {
  const auto covariance = trial::as_explicit(trial::random_matrix(12, kVariables, 1));
  Budget budget({.iterations = 3});
  EXPECT_EQ(spanning_tree(*covariance, budget).size(), 3U);
  Budget none({.iterations = 0});
  EXPECT_EQ(remainder_bound(*covariance, std::vector<Index>(kVariables, 0), 3, none),
            std::numeric_limits<double>::infinity());
}

TEST(RowBounds, HoldForEverySupport) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto covariance = trial::as_explicit(trial::random_matrix(12, kVariables, seed));
    // Three blocks; remainder_bound() bounds S outside them.
    const std::vector<Index> owner = {0, 0, 1, 1, 1, 2, 2, 0, 1};
    for (const Index k : {1, 2, 4, 9}) {
      const double rows = row_sum_bound(*covariance, k);
      Budget budget;
      const double remainder = remainder_bound(*covariance, owner, k, budget);
      for (unsigned mask = 1; mask < 1U << kVariables; ++mask) {
        Support support;
        for (Index i = 0; i < kVariables; ++i) {
          if ((mask >> i & 1U) != 0) {
            support.push_back(i);
          }
        }
        if (std::ssize(support) > k) {
          continue;
        }
        Matrix matrix = covariance->submatrix(support);
        EXPECT_LE(symmetric_eigenvalues(matrix).maxCoeff(), rows + kTolerance);
        for (std::size_t a = 0; a < support.size(); ++a) {
          for (std::size_t b = 0; b < support.size(); ++b) {
            if (owner[static_cast<std::size_t>(support[a])] ==
                owner[static_cast<std::size_t>(support[b])]) {
              matrix(static_cast<Index>(a), static_cast<Index>(b)) = 0;
            }
          }
        }
        EXPECT_LE(symmetric_eigenvalues(matrix).maxCoeff(), remainder + kTolerance);
      }
    }
  }
}

}  // namespace
}  // namespace spca::covariance_blocks_test
