#include "spca/dense/few_vectors.h"

#include <gtest/gtest.h>

#include <tuple>

#include "spca/base/parallel.h"
#include "spca/base/random.h"

namespace spca::few_vectors_test {
namespace {

constexpr double kSumRounding = 1e-13;  // sums of up to 1100 terms near 1, in another order

Matrix random_matrix(std::uint64_t seed, Index rows, Index columns) {
  Random random(seed);
  return Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return random.normal(); });
}

/// The parameters are m, p and the number of vectors.
class FewVectors : public ::testing::TestWithParam<std::tuple<Index, Index, Index>> {
 protected:
  void SetUp() override {
    const auto [m, p, b] = GetParam();
    // a() is a block of this larger matrix, so its columns are not contiguous.
    whole_ = random_matrix(1, m + 3, p + 1);
    v_ = random_matrix(2, p, b);
    t_ = random_matrix(3, m, b);
  }

  MatrixRef a() const { return whole_.block(1, 1, t_.rows(), v_.rows()); }

  Matrix whole_, v_, t_;
};

TEST_P(FewVectors, HaveTheProductsOfEigen) {
  const Matrix product = a() * v_;
  EXPECT_LE((times_few_vectors(a(), v_) - product).norm(), kSumRounding * product.norm());
  const Matrix transposed = a().transpose() * t_;
  EXPECT_LE((transposed_times_few_vectors(a(), t_) - transposed).norm(),
            kSumRounding * transposed.norm());
}

TEST_P(FewVectors, AreTheSameOnEveryProcessorButForRounding) {
  const Matrix product = times_few_vectors(a(), v_);
  EXPECT_LE((times_few_vectors(a(), v_, Instructions::kOfEveryProcessor) - product).norm(),
            kSumRounding * product.norm());
  const Matrix transposed = transposed_times_few_vectors(a(), t_);
  EXPECT_LE(
      (transposed_times_few_vectors(a(), t_, Instructions::kOfEveryProcessor) - transposed).norm(),
      kSumRounding * transposed.norm());
}

TEST_P(FewVectors, HaveTheSameBytesForAnyNumberOfThreads) {
  const Matrix product = times_few_vectors(a(), v_);
  const Matrix transposed = transposed_times_few_vectors(a(), t_);
  for (const int threads : {1, 2, 3, 7}) {
    const ThreadAllowance allowance(threads);
    EXPECT_EQ(times_few_vectors(a(), v_), product) << threads;
    EXPECT_EQ(transposed_times_few_vectors(a(), t_), transposed) << threads;
  }
}

// Rows and columns around the sizes of blocks; the largest are shared by several threads.
INSTANTIATE_TEST_SUITE_P(Sizes, FewVectors,
                         ::testing::Combine(::testing::Values<Index>(1, 3, 4, 9, 512, 1037),
                                            ::testing::Values<Index>(1, 2, 5, 1022),
                                            ::testing::Values<Index>(1, 3, 4, 9)));

}  // namespace
}  // namespace spca::few_vectors_test
