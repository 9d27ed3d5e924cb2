/// Compares bounds of a block of strong variables and the others with enumeration.

#include "spca/methods/bounds/strong_block.h"
#include "spca/covariance/covariance_dense.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/solver_testing.h"

namespace spca::strong_block_test {
namespace {

using namespace trial;

constexpr double kTolerance = 1e-9;
constexpr auto kAlways = [] { return true; };

/// Returns a planted block of `strong` variables, at scattered indices, among weak ones that share
/// a mean, as words do.
std::shared_ptr<const Covariance> planted(Index p, Index strong, double weak, std::uint64_t seed) {
  Random random(seed);
  const Index n = 40;
  Matrix data(n, p);
  for (Index i = 0; i < n; ++i) {
    const double topic = random.normal();
    for (Index j = 0; j < p; ++j) {
      data(i, j) = (j * 5) % p < strong ? 2 * topic + 0.3 * random.normal()
                                        : weak * (1 + 0.5 * random.normal());
    }
  }
  return make_covariance(std::move(data), {.centered = false, .scale = Scale::kSamples});
}

double value_of(const Covariance& covariance, const Support& support) {
  return support.empty() ? 0 : symmetric_eigenvalues(covariance.submatrix(support)).maxCoeff();
}

TEST(StrongBlock, BoundIsAboveEverySupportAndCloseIfTheBlockIsSearched) {
  const Index p = 11;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto covariance =
        seed % 2 == 0 ? planted(p, 4, 0.3, seed) : make_covariance(random_data(9, p, seed), {});
    for (const Index k : {1, 2, 4, 7}) {
      for (const Index count : {1, 4, 6, 10}) {
        SCOPED_TRACE(testing::Message() << seed << ' ' << k << ' ' << count);
        BlockBound block(*covariance, k, count, kAlways);
        ASSERT_TRUE(block.is_complete());
        const double optimum = best_by_enumeration(*covariance, k).value;
        EXPECT_GE(block.bound(), optimum);
        for (Index j = 1; j <= block.most(); ++j) {
          double best = 0;
          for_each_support(count, j, [&](const Support& inside) {
            best = std::max(best, value_of(*covariance, members_at(block.block(), inside)));
          });
          block.limit(j, best);
        }
        EXPECT_GE(block.bound(), optimum * (1 - kTolerance));
        // The bounds hold for each j as well.
        for_each_support(p, k, [&](const Support& support) {
          const Index inside = std::ssize(positions_among(block.block(), support));
          ASSERT_GE(inside, block.fewest());
          ASSERT_LE(inside, block.most());
          EXPECT_GE(block.bound(inside), value_of(*covariance, support) * (1 - kTolerance));
        });
        if (seed % 2 == 0 && count == 4 && k > 4) {
          EXPECT_LE(block.bound(), 1.01 * optimum);
        }
      }
    }
  }
}

TEST(StrongBlock, NoEliminatedVariableIsInABetterSupport) {
  const Index p = 12;
  Index eliminated = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto covariance = planted(p, 4, 0.1 + 0.1 * static_cast<double>(seed % 4), seed);
    for (const Index k : {4, 5}) {
      const trial::BestSupport best = best_by_enumeration(*covariance, k);
      const BlockElimination found =
          find_block(*covariance, k, best_on_support(*covariance, best.support).component,
                     best.value, 1, kAlways, kAlways);
      const Support& left = found.left.variables;
      eliminated += p - std::ssize(left);
      EXPECT_GE(found.left.bound, best.value * (1 - kTolerance));
      for_each_support(p, k, [&](const Support& support) {
        if (!std::includes(left.begin(), left.end(), support.begin(), support.end())) {
          EXPECT_LE(value_of(*covariance, support), best.value * (1 + kTolerance));
        }
      });
      // The certificate proves the same.
      const VariablesLeft checked =
          eliminate_by_block(*covariance, k, best.value, found.certificate, kAlways);
      EXPECT_EQ(checked.variables, left);
      EXPECT_NEAR(checked.bound, found.left.bound, kTolerance * best.value);
    }
  }
  EXPECT_GT(eliminated, 0);
}

TEST(StrongBlock, ACertificateOfAnythingBoundsAllTheSame) {
  const auto covariance = planted(12, 4, 0.3, 1);
  const Index k = 5;
  const trial::BestSupport best = best_by_enumeration(*covariance, k);
  const BlockElimination found =
      find_block(*covariance, k, best_on_support(*covariance, best.support).component, best.value,
                 1, kAlways, kAlways);
  ASSERT_GT(found.certificate.count, 0);
  ASSERT_FALSE(found.certificate.searches.empty());
  for (const Index count : {-1, 0, 1, 3, 7, 11, 12, 40}) {
    BlockCertificate wrong = found.certificate;
    wrong.count = count;
    const VariablesLeft left = eliminate_by_block(*covariance, k, best.value, wrong, kAlways);
    EXPECT_GE(left.bound, best.value * (1 - kTolerance)) << count;
  }
  // A search that claims to be for a single variable.
  BlockCertificate wrong = found.certificate;
  auto search = std::make_shared<RelaxationCertificate>(*wrong.searches.front());
  search->support = {0};
  wrong.searches = {search};
  EXPECT_GE(eliminate_by_block(*covariance, k, best.value, wrong, kAlways).bound,
            best.value * (1 - kTolerance));
  EXPECT_EQ(
      eliminate_by_block(*covariance, k, best.value, found.certificate, [] { return false; }).bound,
      std::numeric_limits<double>::infinity());
}

TEST(StrongBlock, ThereIsNoneIfSItselfIsGiven) {
  const auto covariance = as_explicit(random_data(9, 12, 3));
  const trial::BestSupport best = best_by_enumeration(*covariance, 3);
  const BlockElimination found =
      find_block(*covariance, 3, best_on_support(*covariance, best.support).component, best.value,
                 1, kAlways, kAlways);
  EXPECT_EQ(found.certificate.count, 0);
  EXPECT_EQ(std::ssize(found.left.variables), 12);
}

}  // namespace
}  // namespace spca::strong_block_test
