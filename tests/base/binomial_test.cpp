#include "spca/base/binomial.h"

#include <gtest/gtest.h>

namespace spca::binomial_test {
namespace {

TEST(Binomial, RowsArePascals) {
  std::vector<Index> row = {1};
  for (Index n = 0; n <= 66; ++n) {  // C(66, 33) = 7.2e18 is the largest of these, and below 2^63
    for (Index k = 0; k <= n; ++k) {
      EXPECT_EQ(binomial(n, k), row[static_cast<std::size_t>(k)]) << n << ", " << k;
    }
    std::vector<Index> next(row.size() + 1, 1);
    for (std::size_t k = 1; k < row.size(); ++k) {
      next[k] = row[k - 1] + (n < 66 ? row[k] : 0);
    }
    row = next;
  }
}

TEST(Binomial, NothingOutsideOfTheRow) {
  EXPECT_EQ(binomial(5, -1), 0);
  EXPECT_EQ(binomial(5, 6), 0);
  EXPECT_EQ(binomial(0, 0), 1);
  EXPECT_EQ(binomial(0, 1), 0);
}

TEST(Binomial, LargeNumbersAreExactOrTheMost) {
  EXPECT_EQ(binomial(61, 30), 232714176627630544);
  EXPECT_EQ(binomial(1'000'000, 3), 166666166667000000);
  EXPECT_EQ(binomial(kLargestBinomial, 1), kLargestBinomial);
  EXPECT_EQ(binomial(kLargestBinomial, kLargestBinomial), 1);
  EXPECT_EQ(binomial(4'294'967'296, 2), 9223372034707292160);  // 2^31 (2^32 - 1), below 2^63
  EXPECT_EQ(binomial(4'294'967'297, 2), kLargestBinomial);
  EXPECT_EQ(binomial(67, 33), kLargestBinomial);
  EXPECT_EQ(binomial(1'000'000, 500'000), kLargestBinomial);
  EXPECT_EQ(binomial(kLargestBinomial, kLargestBinomial / 2), kLargestBinomial);
}

}  // namespace
}  // namespace spca::binomial_test
