/// Tests of the bound by the spectrum for supports that hold given variables, against enumeration:
/// with prices, rules on pairs, equal and zero variables.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/pricing/largest_terms.h"
#include "spca/methods/pricing/loading_bound.h"
#include "spca/methods/pricing/spectrum_bound.h"
#include "tests/loading_family.h"
#include "tests/pricing_question.h"

namespace spca::spectrum_bound_test {
namespace {

using namespace trial;

/// Returns the family of all supports that a random variable leads and that hold `chosen` given
/// variables, the leader among them.
LoadingFamily family_of(const PricingQuestion& question, Index chosen, Random& random) {
  StrongestEntries strongest(question.matrix);
  const LoadingBound bound(question.matrix, question.pricing, question.k, strongest);
  LoadingFamily family = bound.of_leader(
      static_cast<Index>(random.below(static_cast<std::uint64_t>(question.matrix.rows()))));
  choose(family, chosen, random);
  return family;
}

/// Returns the loadings on a support, divided by that of the leader. Empty if the leading
/// eigenvector is not unique, or if the leader's loading is zero.
Vector loadings_on(const PricingQuestion& question, const Support& support, int leader) {
  const SymmetricEigenpairs pairs =
      symmetric_eigenpairs(principal_submatrix(question.matrix, support));
  const Index last = question.k - 1;
  const auto position = std::lower_bound(support.begin(), support.end(), leader) - support.begin();
  const double own = pairs.vectors(position, last);
  if ((last > 0 && pairs.values[last] - pairs.values[last - 1] < 1e-6) || std::abs(own) < 1e-6) {
    return {};
  }
  return pairs.vectors.col(last) / own;
}

bool obeys(const LoadingFamily& family, const Support& support, const Vector& loadings) {
  for (Index t = 0; t < loadings.size(); ++t) {
    const Index l = support[static_cast<std::size_t>(t)];
    if (loadings[t] > family.high[l] + 1e-7 || loadings[t] < family.low[l] - 1e-7) {
      return false;
    }
  }
  return true;
}

TEST(SpectrumBound, HoldsForSupportsThatExceedTheTarget) {
  int held = 0;
  int limited = 0;
  int close = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(seed);
    const PricingQuestion question(seed);
    if (question.k < 2) {
      continue;
    }
    Random random(seed + 1);
    const Index chosen =
        1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(question.k - 1)));
    const LoadingFamily family = family_of(question, chosen, random);
    const double least = std::max(0.0, question.optimum) * random.uniform();
    SpectrumBound bound(question.matrix, question.pricing, question.k);
    if (!bound.weigh(family, least)) {
      continue;
    }
    LoadingFamily narrow = family;
    bound.narrow(narrow);
    for (const Support& support : question.allowed) {
      const double net = question.net(support);
      if (!(net > least + question.rounding()) || !holds_chosen(family, support)) {
        continue;
      }
      const Vector loadings = loadings_on(question, support, family.leader());
      if (loadings.size() == 0 || !obeys(family, support, loadings)) {
        continue;  // another variable leads
      }
      ++held;
      EXPECT_GE(said(bound, family, support), net - question.rounding());
      EXPECT_TRUE(obeys(narrow, support, loadings));
      close += said(bound, family, support) < net + 0.02 * question.scale() ? 1 : 0;
    }
    limited += (narrow.high - narrow.low).sum() < 0.9 * (family.high - family.low).sum() ? 1 : 0;
  }
  // Otherwise the test would be vacuous.
  EXPECT_GT(held, 300);
  EXPECT_GT(limited, 100);
  EXPECT_GT(close, 50);
}

TEST(SpectrumBound, SaysNothingIfNoVariableIsMissing) {
  const PricingQuestion question(0);
  SpectrumBound bound(question.matrix, question.pricing, question.k);
  Random random(1);
  EXPECT_FALSE(bound.weigh(family_of(question, question.k, random), 0.0));
}

TEST(StrongestEntries, SumTheLargestPositiveTerms) {
  Random random(7);
  for (int attempt = 0; attempt < 50; ++attempt) {
    const Index p = 1 + static_cast<Index>(random.below(9));
    const Matrix data = random_matrix(4, p, random);
    const Matrix matrix = data.transpose() * data;
    const StrongestEntries strongest(matrix);
    std::vector<double> scratch;
    for (Index j = 0; j < p; ++j) {
      Vector shares(p);
      std::vector<double> terms;
      for (Index l = 0; l < p; ++l) {
        shares[l] = 3 * random.uniform() - 1;
        terms.push_back(std::max(0.0, shares[l] * matrix(l, j)));
      }
      std::sort(terms.begin(), terms.end(), std::greater<>());
      for (Index count = 0; count <= p; ++count) {
        double work = 0;
        const double sum = strongest.largest_sum(
            j, count, 2, [&](int l, double entry) { return shares[l] * entry; }, scratch, work);
        EXPECT_NEAR(sum, std::accumulate(terms.begin(), terms.begin() + count, 0.0), 1e-12);
        EXPECT_LE(work, 2 * static_cast<double>(p));
      }
    }
  }
}

TEST(LargestTerms, SumTheSameAsASort) {
  Random random(11);
  for (int attempt = 0; attempt < 60; ++attempt) {
    SCOPED_TRACE(attempt);
    const Index n = 1 + static_cast<Index>(random.below(70));
    const Index count = static_cast<Index>(random.below(static_cast<std::uint64_t>(n + 3)));
    LargestTerms largest;
    largest.begin(n, count);
    // Several sums in a row: each starts from the positions of the last one.
    for (int time = 0; time < 4; ++time) {
      Vector lifts(n);
      Vector costs(n);
      for (Index j = 0; j < n; ++j) {
        lifts[j] = std::round(8 * random.uniform()) - 2;  // ties, zeros, and negative ones
        costs[j] = random.uniform() < 0.5 ? 0 : random.uniform();
      }
      const double times = static_cast<double>(time % 3);
      Vector terms = (lifts - times * costs).cwiseMax(0.0);
      std::sort(terms.begin(), terms.end(), std::greater<>());
      EXPECT_NEAR(largest.sum(lifts, times, costs), terms.head(std::min(count, n)).sum(), 1e-12);
      const std::set<Index> positions(largest.positions().begin(), largest.positions().end());
      EXPECT_EQ(std::ssize(positions), std::min(count, n));
    }
  }
}

}  // namespace
}  // namespace spca::spectrum_bound_test
