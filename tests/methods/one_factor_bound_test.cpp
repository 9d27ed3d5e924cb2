/// Compares bounds by one factor and a block with enumeration.

#include "spca/methods/bounds/one_factor_bound.h"
#include "spca/covariance/covariance_dense.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/solver_testing.h"

namespace spca::one_factor_bound_test {
namespace {

using namespace trial;

constexpr double kTolerance = 1e-9;
constexpr auto kAlways = [] { return true; };
constexpr auto kAnyValue = [](double) { return true; };

/// Returns variables of descending means, not centred, as counts of words are. Of the first
/// 2 * `topic` variables, every second one shares a topic instead of having a mean.
std::shared_ptr<const Covariance> words(Index p, Index topic, double noise, std::uint64_t seed) {
  Random random(seed);
  const Index n = 60;
  Matrix data(n, p);
  for (Index i = 0; i < n; ++i) {
    const double own = 3 * random.normal();
    for (Index j = 0; j < p; ++j) {
      const bool is_of_topic = j % 2 == 1 && j < 2 * topic;
      data(i, j) =
          (is_of_topic ? own : 2.0 / (1 + static_cast<double>(j) / 20)) + noise * random.normal();
    }
  }
  return make_covariance(std::move(data), {.centered = false, .scale = Scale::kSamples});
}

double value_of(const Covariance& covariance, const Support& support) {
  return support.empty() ? 0 : symmetric_eigenvalues(covariance.submatrix(support)).maxCoeff();
}

/// Returns `count` of the variables, drawn by the seed, in ascending order.
Support some_of(const Support& variables, Index count, std::uint64_t seed) {
  Random random(seed);
  Vector order(std::ssize(variables));
  for (double& entry : order) {
    entry = random.normal();
  }
  return count == 0 ? Support{} : members_at(variables, top_k_signed(order, count));
}

/// Expects that no support with an eliminated variable has more than `value`, and that none exceeds
/// the bound.
void expect_right(const Covariance& covariance, Index k, double value, const VariablesLeft& left) {
  const Index p = covariance.variables();
  EXPECT_GE(left.bound, value * (1 - kTolerance));
  for_each_support(p, k, [&](const Support& support) {
    const double found = value_of(covariance, support);
    EXPECT_LE(found, left.bound * (1 + kTolerance));
    if (!std::includes(left.variables.begin(), left.variables.end(), support.begin(),
                       support.end())) {
      EXPECT_LE(found, value * (1 + kTolerance));
    }
  });
}

TEST(OneFactorBound, IsAboveEverySupportForAnyBlock) {
  const Index p = 11;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto covariance =
        seed % 2 == 0 ? words(p, 3, 0.3, seed) : make_covariance(random_data(9, p, seed), {});
    for (const Index k : {1, 2, 4, 7}) {
      for (const Index considered : {7, 9, 11}) {
        const Support strongest = top_k(covariance->diagonal(), considered);
        const Matrix matrix = covariance->submatrix(strongest);
        for (const Index size : {Index{0}, Index{1}, Index{4}, considered}) {
          SCOPED_TRACE(testing::Message() << seed << ' ' << k << ' ' << considered << ' ' << size);
          OneFactorBound bounds(*covariance, k, strongest, matrix,
                                some_of(strongest, size, seed + 7), kAlways);
          ASSERT_TRUE(bounds.is_complete());
          for (Index j = 1; j <= bounds.most(); ++j) {
            double best = 0;
            for_each_support(size, j, [&](const Support& inside) {
              best = std::max(best, value_of(*covariance, members_at(bounds.block(), inside)));
            });
            EXPECT_GE(bounds.block_bound(j), best * (1 - kTolerance));
            bounds.limit(j, best);
          }
          double optimum = 0;
          for_each_support(p, k, [&](const Support& support) {
            const double value = value_of(*covariance, support);
            optimum = std::max(optimum, value);
            const Index inside = std::ssize(positions_among(bounds.block(), support));
            ASSERT_GE(inside, bounds.fewest());
            ASSERT_LE(inside, bounds.most());
            EXPECT_GE(bounds.bound(inside), value * (1 - kTolerance));
          });
          // The elimination is also right if only a lower value is known.
          for (const double known : {1.0, 0.97}) {
            OneFactorBound again(*covariance, k, strongest, matrix, bounds.block(), kAlways);
            expect_right(*covariance, k, known * optimum, again.eliminate(known * optimum));
          }
          expect_right(*covariance, k, optimum, bounds.eliminate(optimum));
        }
      }
    }
  }
}

TEST(OneFactorBound, MiddleIsBoundedWithinAPercentIfOneFactorIsAllThereIs) {
  const Index p = 12;
  const auto covariance = words(p, 0, 0.05, 3);
  for (const Index k : {2, 4, 6}) {
    const Support all = top_k(covariance->diagonal(), p);
    const OneFactorBound bounds(*covariance, k, all, covariance->submatrix(all), {}, kAlways);
    const double optimum = best_by_enumeration(*covariance, k).value;
    EXPECT_GE(bounds.bound(), optimum);
    EXPECT_LE(bounds.bound(), 1.01 * optimum);
  }
}

/// Returns a support for the search to start from: the first k variables, in general not the best.
Support first_of(Index k) {
  Support support(static_cast<std::size_t>(k));
  std::iota(support.begin(), support.end(), 0);
  return support;
}

TEST(OneFactorBound, NoEliminatedVariableIsInABetterSupport) {
  const Index p = 16;
  Index eliminated = 0;
  Index with_block = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto covariance = words(p, static_cast<Index>(seed % 4), 0.05, seed);
    for (const Index k : {3, 5}) {
      const OneFactorElimination found =
          find_one_factor(*covariance, k, first_of(k), 1, kAnyValue, kAlways);
      ASSERT_EQ(std::ssize(found.support), k);
      const double value = value_of(*covariance, found.support);
      eliminated += p - std::ssize(found.left.variables);
      with_block += found.certificate.block.empty() ? 0 : 1;
      expect_right(*covariance, k, value, found.left);
      // The certificate proves the same.
      if (found.certificate.considered > 0) {
        const VariablesLeft checked =
            eliminate_by_one_factor(*covariance, k, value, found.certificate, kAlways);
        EXPECT_EQ(checked.variables, found.left.variables);
        EXPECT_NEAR(checked.bound, found.left.bound, kTolerance * value);
      }
    }
  }
  EXPECT_GT(eliminated, 0);
  EXPECT_GT(with_block, 0);
}

TEST(OneFactorBound, ACertificateOfAnythingBoundsAllTheSame) {
  const Index p = 12;
  const Index k = 5;
  const auto covariance = words(p, 3, 0.1, 2);
  const trial::BestSupport best = best_by_enumeration(*covariance, k);
  const OneFactorElimination found =
      find_one_factor(*covariance, k, first_of(k), 1, kAnyValue, kAlways);
  for (const Index considered : {-1, 0, 1, 4, 5, 8, 11, 12, 13, 4000}) {
    for (const Support& block :
         {Support{}, Support{0, 1, 2}, Support{-1, 3}, Support{3, 1}, Support{2, 2}, Support{12},
          Support{11}, Support{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}) {
      OneFactorCertificate wrong = found.certificate;
      wrong.considered = considered;
      wrong.block = block;
      for (const Support& of_search :
           {Support{0}, Support{7, 3}, Support{-1}, Support{0, 40}, Support{0, 1, 2, 3, 4, 5, 6}}) {
        auto search = std::make_shared<RelaxationCertificate>();
        if (!found.certificate.searches.empty()) {
          *search = *found.certificate.searches.front();
        }
        search->support = of_search;
        wrong.searches = {search};
        expect_right(*covariance, k, best.value,
                     eliminate_by_one_factor(*covariance, k, best.value, wrong, kAlways));
      }
    }
  }
  EXPECT_EQ(
      eliminate_by_one_factor(*covariance, k, best.value, found.certificate, [] { return false; })
          .bound,
      std::numeric_limits<double>::infinity());
}

TEST(OneFactorBound, ThereIsNoneIfSItselfIsGiven) {
  const auto covariance = as_explicit(random_data(9, 12, 3));
  const OneFactorElimination found =
      find_one_factor(*covariance, 3, first_of(3), 1, kAnyValue, kAlways);
  EXPECT_EQ(found.certificate.considered, 0);
  EXPECT_EQ(std::ssize(found.left.variables), 12);
}

}  // namespace
}  // namespace spca::one_factor_bound_test
