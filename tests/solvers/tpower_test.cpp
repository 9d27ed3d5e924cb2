/// tpower on large data, where all starts are tried on the variables of largest variance, against
/// the same on all variables.

#include <gtest/gtest.h>

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

TEST(Tpower, FindsOnLargeDataWhatItFindsOnAllVariables) {
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
