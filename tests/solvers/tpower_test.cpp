/// Compares tpower on large data, where all starts are tried on the variables of largest variance,
/// with the same method on all variables.

#include <gtest/gtest.h>

#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/solve.h"
#include "tests/large_corpus.h"

namespace spca::tpower_test {
namespace {

SolveOutcome solved(std::shared_ptr<const Covariance> covariance, Index components,
                    const Json& options = Json::object()) {
  const SolverEntry& solver = SolverRegistry::instance().get("tpower", "");
  return solve({.covariance = std::move(covariance),
                .solver = &solver,
                .options = solver.complete_options(options, ""),
                .components = components,
                .cardinality = std::vector<Index>(static_cast<std::size_t>(components), 10),
                .deflation = &DeflationRegistry::instance().get("remove-support", "")});
}

/// S has condition 1e16. Schur's deflation leaves nothing of it but rounding: no start survives.
TEST(Tpower, HasNoComponentWhereAllStartsVanish) {
  Matrix s(4, 4);
  s << 0.123762400138604, 0.05643665828807832, 0.1747304181124244, -0.27336552588127355,
      0.05643665828807832, 0.025735737233738017, 0.07967730050785783, -0.12465634881141983,
      0.1747304181124244, 0.07967730050785783, 0.24669679704368666, -0.385947315480182,
      -0.27336552588127355, -0.12465634881141983, -0.385947315480182, 0.6038097071943491;
  const SolverEntry& solver = SolverRegistry::instance().get("tpower", "");
  const SolveOutcome outcome = solve({.covariance = make_explicit_covariance(s),
                                      .solver = &solver,
                                      .options = solver.complete_options(Json::object(), ""),
                                      .components = 3,
                                      .cardinality = {3, 3, 4},
                                      .deflation = &DeflationRegistry::instance().get("schur", ""),
                                      .seed = 1});
  EXPECT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
  EXPECT_GE(outcome.solution.components.size(), 1U);
}

TEST(Tpower, FindsTheSameOnLargeDataAsOnAllVariables) {
  const auto corpus = trial::large_corpus(11);
  const auto plain = std::make_shared<trial::WithoutSamples>(corpus);
  for (const Json& options :
       {Json::object(), Json{{"starts", {"columns", "path", "leading-eigenvector"}}}}) {
    const SolveOutcome found = solved(corpus, 2, options);
    const SolveOutcome expected = solved(plain, 2, options);
    ASSERT_EQ(found.solution.components.size(), 2u);
    for (std::size_t j = 0; j < 2; ++j) {
      const Component& one = found.solution.components[j];
      const Component& other = expected.solution.components[j];
      EXPECT_EQ(one.support, other.support);
      EXPECT_LE((one.values - other.values).norm(), 1e-9);
    }
    EXPECT_LT(found.cost.products, expected.cost.products);
  }
}

}  // namespace
}  // namespace spca::tpower_test
