/// Compares S of genotypes stored in two bits with S of the same numbers stored as doubles.

#include "spca/covariance/genotypes.h"
#include "spca/covariance/covariance_dense.h"

#include <gtest/gtest.h>

#include <cmath>

#include "spca/base/random.h"

namespace spca::genotypes_test {
namespace {

/// Rounding of sums of at most 3000 products of numbers near 1.
constexpr double kRounding = 1e-11;

struct Example {
  Genotypes genotypes;
  Matrix x;  // standardised, as the formula in genotypes.h says
};

/// Returns random genotypes and X. Variant 2 is missing everywhere, and variant 3 does not vary.
Example example(Index n, Index p) {
  constexpr double kNoCopy = -1;
  Random random(3);
  Matrix copies(n, p);
  for (Index j = 0; j < p; ++j) {
    const double frequency = 0.1 + 0.8 * random.uniform();
    for (Index i = 0; i < n; ++i) {
      copies(i, j) = static_cast<double>(random.uniform() < frequency) +
                     static_cast<double>(random.uniform() < frequency);
      if (random.uniform() < 0.1 || j == 2) {
        copies(i, j) = kNoCopy;
      }
      if (j == 3) {
        copies(i, j) = 2;
      }
    }
  }
  Example result;
  result.genotypes.samples = n;
  result.genotypes.variants = p;
  const Index line = result.genotypes.variant_bytes();
  const auto bytes =
      std::make_shared<std::vector<std::uint8_t>>(static_cast<std::size_t>(line * p));
  result.x = Matrix::Zero(n, p);
  for (Index j = 0; j < p; ++j) {
    double sum = 0;
    double known = 0;
    for (Index i = 0; i < n; ++i) {
      const double c = copies(i, j);
      const unsigned code = c == kNoCopy ? 1 : c == 2 ? 0 : c == 1 ? 2 : 3;
      std::uint8_t& byte = bytes->at(static_cast<std::size_t>(j * line + i / 4));
      byte = static_cast<std::uint8_t>(byte | code << (2 * (i % 4)));
      sum += c == kNoCopy ? 0 : c;
      known += c != kNoCopy;
    }
    const double f = known > 0 ? sum / (2 * known) : 0;
    for (Index i = 0; i < n && f > 0 && f < 1; ++i) {
      result.x(i, j) =
          copies(i, j) == kNoCopy ? 0 : (copies(i, j) - 2 * f) / std::sqrt(2 * f * (1 - f));
    }
  }
  result.genotypes.bytes = bytes->data();
  result.genotypes.memory = bytes;
  result.genotypes.counts = count_genotypes(result.genotypes);
  return result;
}

void expect_near(const Matrix& a, const Matrix& b, const char* what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), kRounding) << what;
}

class GenotypeShapes : public testing::TestWithParam<std::tuple<Index, Index, Scale>> {};

TEST_P(GenotypeShapes, GiveTheSOfTheStandardisedNumbers) {
  const auto& [n, p, scale] = GetParam();
  const Example data = example(n, p);
  const auto packed = make_covariance(data.genotypes, scale);
  const auto dense = make_covariance(data.x, {.centered = true, .scale = scale});
  Random random(8);
  Matrix block(p, 6);
  for (Index e = 0; e < block.size(); ++e) {
    block(e % p, e / p) = random.normal();
  }
  Vector v = block.col(0);
  const Component sparse{.support = {0, 3, p - 1}, .values = v.head(3)};
  EXPECT_EQ(packed->variables(), p);
  EXPECT_EQ(packed->samples(), n);
  EXPECT_TRUE(packed->is_centered());
  expect_near(packed->diagonal(), dense->diagonal(), "diagonal");
  Vector a, b;
  packed->multiply(v, a);
  dense->multiply(v, b);
  expect_near(a, b, "product");
  packed->multiply(sparse, a);
  dense->multiply(sparse, b);
  expect_near(a, b, "sparse product");
  Matrix many, expected;
  packed->multiply_block(block, many);
  dense->multiply_block(block, expected);
  expect_near(many, expected, "block");
  expect_near(packed->columns(sparse.support), dense->columns(sparse.support), "columns");
  expect_near(packed->submatrix(sparse.support), dense->submatrix(sparse.support), "submatrix");
  const Matrix own = packed->submatrix(sparse.support);
  EXPECT_EQ(own, Matrix(own.transpose()));
  EXPECT_NEAR(packed->quadratic_form(sparse), dense->quadratic_form(sparse), kRounding);
  expect_near(packed->data_product(sparse), dense->data_product(sparse), "scores");
  const Vector u = Vector::LinSpaced(n, -1, 1);
  expect_near(packed->transpose_product(u), dense->transpose_product(u), "transpose");
  expect_near(packed->squared_sample_norms(), dense->squared_sample_norms(), "norms");
  expect_near(*packed->gram(), *dense->gram(), "gram");
}

INSTANTIATE_TEST_SUITE_P(
    Genotypes, GenotypeShapes,
    testing::Combine(testing::Values<Index>(2, 7, 40, 1025), testing::Values<Index>(5, 70),
                     testing::Values(Scale::kSamples, Scale::kSamplesMinusOne, Scale::kNone)));

TEST(Genotypes, OfSomeSamplesAreStandardisedAnew) {
  const Example all = example(30, 9);
  std::vector<Index> chosen;
  for (Index i = 0; i < 30; i += 2) {
    chosen.push_back(29 - i);
  }
  const auto part = make_covariance(all.genotypes, Scale::kSamples)->of_samples(chosen);
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->samples(), 15);
  // Without missing genotypes, the variance of a column is that of its copies over 2f(1 - f), with
  // the frequency f in the chosen samples.
  const Genotypes& g = all.genotypes;
  for (Index j = 0; j < 9; ++j) {
    double sum = 0, squares = 0;
    bool is_known = true;
    for (const Index i : chosen) {
      const unsigned code = (unsigned{g.variant(j)[i / 4]} >> (2 * (i % 4))) & 3U;
      const double copies = code == 0 ? 2 : code == 2 ? 1 : 0;
      is_known = is_known && code != 1;
      sum += copies;
      squares += copies * copies;
    }
    const double f = sum / 30;
    if (is_known && f > 0 && f < 1) {
      const double variance = squares / 15 - 4 * f * f;
      EXPECT_NEAR(part->diagonal()[j], variance / (2 * f * (1 - f)), kRounding);
    }
  }
}

}  // namespace
}  // namespace spca::genotypes_test
