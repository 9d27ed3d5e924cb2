/// Compares the bound by the dominance of the diagonal, for supports that contain given variables,
/// with enumeration: with prices, rules on pairs, equal and zero variables.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/pricing/dominance_bound.h"
#include "tests/loading_family.h"
#include "tests/pricing_question.h"

namespace spca::dominance_bound_test {
namespace {

using namespace trial;

/// Returns the family of all supports that hold `chosen` random variables, the first of which is
/// the leader. Its limits do not restrict the loadings yet.
LoadingFamily family_of(const PricingQuestion& question, Index chosen, Random& random) {
  const Index p = question.matrix.rows();
  LoadingFamily family;
  family.candidates.resize(static_cast<std::size_t>(p));
  std::iota(family.candidates.begin(), family.candidates.end(), 0);
  choose(family, chosen, random);
  family.high = Vector::Constant(p, 1e9);
  family.low = -family.high;
  return family;
}

TEST(DominanceBound, HoldsForSupportsThatExceedTheTarget) {
  int held = 0;
  int limited = 0;
  int close = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(seed);
    const PricingQuestion question(seed);
    if (question.k < 2) {
      continue;
    }
    Random random(seed + 1);
    const Index chosen =
        1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(question.k - 1)));
    LoadingFamily family = family_of(question, chosen, random);
    const double least = std::max(0.0, question.optimum) * random.uniform();
    StrongestEntries strongest(question.matrix);
    DominanceBound bound(question.matrix, question.pricing, question.k, strongest);
    if (!bound.weigh(family, least)) {
      continue;
    }
    bound.narrow(family);
    for (const Support& support : question.allowed) {
      const double net = question.net(support);
      if (!(net > least + question.rounding()) || !holds_chosen(family, support)) {
        continue;
      }
      ++held;
      EXPECT_GE(said(bound, family, support), net - question.rounding());
      close += said(bound, family, support) < net + 0.02 * question.scale() ? 1 : 0;
      const SymmetricEigenpairs pairs =
          symmetric_eigenpairs(principal_submatrix(question.matrix, support));
      const Index last = question.k - 1;
      if (question.k > 1 && pairs.values[last] - pairs.values[last - 1] < 1e-6) {
        continue;  // no single eigenvector
      }
      const auto loading = [&](int i) {
        const auto position = std::lower_bound(support.begin(), support.end(), i) - support.begin();
        return pairs.vectors(position, last);
      };
      for (const int i : family.chosen) {
        if (i != family.leader() && family.high[i] < 1e9) {
          ++limited;
          const double ratio = loading(i) / loading(family.leader());
          EXPECT_LE(ratio, family.high[i] + 1e-7);
          EXPECT_GE(ratio, family.low[i] - 1e-7);
        }
      }
    }
  }
  // Otherwise the test would be vacuous.
  EXPECT_GT(held, 300);
  EXPECT_GT(limited, 100);
  EXPECT_GT(close, 50);
}

TEST(DominanceBound, SaysNothingIfNoVariableIsMissing) {
  const PricingQuestion question(0);
  StrongestEntries strongest(question.matrix);
  DominanceBound bound(question.matrix, question.pricing, question.k, strongest);
  Random random(1);
  EXPECT_FALSE(bound.weigh(family_of(question, question.k, random), 0.0));
}

}  // namespace
}  // namespace spca::dominance_bound_test
