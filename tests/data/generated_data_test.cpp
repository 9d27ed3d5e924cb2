/// Data sets that are drawn or built in: their distributions.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spca/data/content/file_content.h"
#include "spca/data/data_folder.h"
#include "spca/data/readers/read_file.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/dataset_testing.h"
#include "tests/dense_reference.h"

namespace spca::generated_data_test {
namespace {

using namespace trial;

TEST(Pitprops, IsBuiltInAndEqualsThePublishedFile) {
  const Dataset dataset = load("pitprops");
  EXPECT_EQ(dataset.covariance->variables(), 13);
  EXPECT_EQ(dataset.covariance->total_variance(), 13);
  NEED_FILE("pitprops/pitprops_corr_13x13.csv");
  const FileContent file =
      read_file(find_data_file(data_directory(""), "pitprops/pitprops_corr_13x13.csv"));
  EXPECT_EQ(whole_matrix(dataset), file.dense);
  EXPECT_EQ(dataset.variable_names, file.variable_names);
}

TEST(Pitprops, AsTypedForMspcaDifferInFiveCorrelationsOfTheLastVariable) {
  const Dataset ours = load("pitprops");
  const Dataset typed = load("correlation", {{"of", "pitprops-retyped"}});
  const Matrix difference = whole_matrix(typed) - whole_matrix(ours);
  EXPECT_EQ((difference.array() != 0).count(), 10);
  EXPECT_EQ((difference.col(12).array() != 0).count(), 5);
  EXPECT_EQ(whole_matrix(typed)(9, 12), -0.545);
  EXPECT_EQ(typed.variable_names, ours.variable_names);
}

TEST(Spiked, HasTheCovarianceThatItIsDrawnFrom) {
  constexpr Index kSamples = 20'000;
  constexpr Index kVariables = 30;
  const Dataset dataset =
      load("spiked", {{"samples", kSamples}, {"variables", kVariables}, {"cardinality", 5}});
  ASSERT_EQ(dataset.truth.size(), 2U);
  EXPECT_EQ(dataset.truth[0].support, (Support{0, 1, 2, 3, 4}));
  EXPECT_EQ(dataset.truth[1].support, (Support{5, 6, 7, 8, 9}));
  Matrix v = Matrix::Zero(kVariables, 2);
  for (Index j = 0; j < 2; ++j) {
    const Component& truth = dataset.truth[static_cast<std::size_t>(j)];
    EXPECT_NEAR(truth.values.norm(), 1, 1e-15);
    v(truth.support, j) = truth.values;
  }
  Matrix sigma = 400 * v.col(0) * v.col(0).transpose() + 300 * v.col(1) * v.col(1).transpose();
  sigma += Matrix::Identity(kVariables, kVariables) - v * v.transpose();
  const Matrix sample = whole_matrix(dataset);
  // Six standard errors of an entry of a sample covariance:
  // var(S_ij) = (sigma_ii sigma_jj + sigma_ij^2) / n.
  for (Index i = 0; i < kVariables; ++i) {
    for (Index j = 0; j < kVariables; ++j) {
      const double variance = sigma(i, i) * sigma(j, j) + sigma(i, j) * sigma(i, j);
      EXPECT_NEAR(sample(i, j), sigma(i, j), 6 * std::sqrt(variance / kSamples)) << i << " " << j;
    }
  }
  // Along v1 the samples have only the score of v1, of variance 400.
  EXPECT_NEAR(dataset.covariance->quadratic_form(dataset.truth[0]), 400,
              6 * 400 * std::sqrt(2.0 / kSamples));
}

TEST(Spiked, GivesTheSameDataForTheSameSeedAndOthersForAnother) {
  const auto diagonal = [](std::uint64_t seed) {
    return Vector(load("spiked", Json::object(), seed).covariance->diagonal());
  };
  EXPECT_EQ(diagonal(7), diagonal(7));
  EXPECT_NE(diagonal(7), diagonal(8));
  EXPECT_EQ(diagonal(7).size(), 500);
}

TEST(Spiked, SupportsThatCannotBeDisjointAreAnError) {
  try {
    load("spiked", {{"variables", 15}});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("/options/cardinality: 10"), std::string::npos);
  }
}

TEST(SpikedWishart, HasTheCovarianceThatItIsDrawnFrom) {
  constexpr Index kSamples = 20'000;
  constexpr Index kVariables = 30;
  constexpr double kStrength = 3;
  const Dataset dataset = load("spiked-wishart", {{"samples", kSamples},
                                                  {"variables", kVariables},
                                                  {"cardinality", 5},
                                                  {"strength", kStrength}});
  ASSERT_EQ(dataset.truth.size(), 1U);
  const Component& truth = dataset.truth[0];
  ASSERT_EQ(truth.cardinality(), 5);
  EXPECT_TRUE(std::is_sorted(truth.support.begin(), truth.support.end()));
  Matrix sigma = Matrix::Identity(kVariables, kVariables);
  sigma(truth.support, truth.support) += kStrength * truth.values * truth.values.transpose();
  EXPECT_NEAR((sigma - Matrix::Identity(kVariables, kVariables)).trace(), kStrength, 1e-14);
  const Matrix sample = whole_matrix(dataset);
  // Six standard errors of an entry, as for Spiked.
  for (Index i = 0; i < kVariables; ++i) {
    for (Index j = 0; j < kVariables; ++j) {
      const double variance = sigma(i, i) * sigma(j, j) + sigma(i, j) * sigma(i, j);
      EXPECT_NEAR(sample(i, j), sigma(i, j), 6 * std::sqrt(variance / kSamples)) << i << " " << j;
    }
  }
}

TEST(SpikedWishart, DrawsEveryPlaceAndBothSignsEquallyOften) {
  constexpr int kDraws = 2000;
  constexpr Index kVariables = 8;
  Vector counts = Vector::Zero(kVariables);
  double positive = 0;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const Dataset dataset = load(
        "spiked-wishart", {{"samples", 1}, {"variables", kVariables}, {"cardinality", 2}}, seed);
    for (Index i = 0; i < 2; ++i) {
      counts[dataset.truth[0].support[static_cast<std::size_t>(i)]] += 1;
      positive += dataset.truth[0].values[i] > 0 ? 1 : 0;
    }
  }
  // Six standard deviations of a binomial count.
  for (const double count : counts) {
    EXPECT_NEAR(count, kDraws / 4.0, 6 * std::sqrt(kDraws * 0.25 * 0.75));
  }
  EXPECT_NEAR(positive, kDraws, 6 * std::sqrt(2 * kDraws * 0.25));
}

TEST(SpikedWishart, MoreNonzerosThanVariablesAreAnError) {
  try {
    load("spiked-wishart", {{"variables", 9}});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("/options/cardinality: 10"), std::string::npos);
  }
}

TEST(Gaussian, HasColumnsOfLengthNearOne) {
  const Dataset dataset = load("gaussian", {{"samples", 4000}, {"variables", 200}});
  EXPECT_EQ(dataset.covariance->samples(), 4000);
  // n S_jj is chi-squared with n degrees of freedom; their mean over p = 200 is within six errors.
  EXPECT_NEAR(dataset.covariance->total_variance() / 200, 1, 6 * std::sqrt(2.0 / 4000 / 200));
}

TEST(SparseGaussian, HasColumnsOfLengthNearOneThatVaryAsTheDensitySays) {
  constexpr Index kSamples = 1000;
  constexpr Index kVariables = 2000;
  constexpr double kDensity = 0.05;
  const Dataset dataset =
      load("sparse-gaussian",
           {{"samples", kSamples}, {"variables", kVariables}, {"density", kDensity}}, 5);
  const Eigen::ArrayXd lengths = dataset.covariance->diagonal().array();
  // An entry squared has the mean 1/n and the variance (3 / density - 1) / n^2. The sample variance
  // of p = 2000 squared lengths, nearly normal, is within six relative errors, sqrt(2 / p) each.
  const double variance = (3 / kDensity - 1) / kSamples;
  EXPECT_NEAR(lengths.mean(), 1, 6 * std::sqrt(variance / kVariables));
  EXPECT_NEAR((lengths - 1).square().mean() / variance, 1, 6 * std::sqrt(2.0 / kVariables));
}

TEST(PowerLaw, HasTheSpectrumThatIsAskedFor) {
  for (const Index eigenvalues : {0, 7, 1}) {
    const Dataset dataset =
        load("power-law", {{"variables", 12}, {"exponent", 1.5}, {"eigenvalues", eigenvalues}}, 3);
    const Index positive = eigenvalues == 0 ? 12 : eigenvalues;
    EXPECT_EQ(dataset.covariance->samples(), positive);
    const Vector values = leading_eigenpairs(*dataset.covariance, 12).values;
    for (Index i = 0; i < 12; ++i) {
      EXPECT_NEAR(values[i], i < positive ? std::pow(static_cast<double>(i + 1), -1.5) : 0, 1e-14);
    }
  }
}

/// With one eigenvalue, the k-th entry of the diagonal is the squared k-th entry of a vector that
/// is uniform on the sphere: of mean 1/p and variance 2 (p - 1) / (p^2 (p + 2)).
TEST(PowerLaw, HasEigenvectorsWithoutAPreferredDirection) {
  constexpr Index kVariables = 4;
  constexpr int kDraws = 2000;
  Vector sum = Vector::Zero(kVariables);
  for (int seed = 1; seed <= kDraws; ++seed) {
    sum += load("power-law", {{"variables", kVariables}, {"eigenvalues", 1}},
                static_cast<std::uint64_t>(seed))
               .covariance->diagonal();
  }
  constexpr double kVariance =
      2.0 * (kVariables - 1) / (kVariables * kVariables * (kVariables + 2));
  for (const double entry : sum) {
    EXPECT_NEAR(entry / kDraws, 1.0 / kVariables, 6 * std::sqrt(kVariance / kDraws));
  }
}

TEST(PowerLaw, MoreEigenvaluesThanVariablesAreAnError) {
  EXPECT_THROW(load("power-law", {{"variables", 5}, {"eigenvalues", 6}}), InputError);
}

TEST(ThreeByTwo, HasRankTwo) {
  const Dataset dataset = load("three-by-two");
  const Vector values = leading_eigenpairs(*dataset.covariance, 3).values;
  EXPECT_NEAR(dataset.covariance->total_variance(), 3.11, 1e-15);
  EXPECT_NEAR(values[2], 0, 1e-15);
  EXPECT_GT(values[1], 0.5);
}

TEST(LowerBound, HasOneDirectionForEachBlock) {
  constexpr double kAlpha = 0.5;
  const Dataset dataset = load("lower-bound", {{"variables", 6}, {"blocks", 2}, {"alpha", kAlpha}});
  EXPECT_EQ(dataset.covariance->samples(), 8);
  Matrix expected = kAlpha * kAlpha * Matrix::Identity(6, 6);
  expected.topLeftCorner(3, 3).array() += 1;
  expected.bottomRightCorner(3, 3).array() += 1;
  EXPECT_LT((whole_matrix(dataset) - expected).norm(), 1e-14);  // rounding
  EXPECT_THROW(load("lower-bound", {{"variables", 7}, {"blocks", 2}}), InputError);
  EXPECT_THROW(load("lower-bound", {{"variables", 3}, {"blocks", 3}}), InputError);
}

TEST(LowerBound, ColumnsOfABlockLoseWhatTheHeaderSays) {
  // By brute force: the residual of all columns after the first rho are projected out.
  constexpr Index kWidth = 12;
  constexpr double kAlpha = 0.3;
  const Matrix s =
      whole_matrix(load("lower-bound", {{"variables", kWidth}, {"blocks", 1}, {"alpha", kAlpha}}));
  const double square = kAlpha * kAlpha;
  for (Index rho = 1; rho < kWidth; ++rho) {
    const Matrix chosen = s.topLeftCorner(rho, rho);
    const Matrix others = s.topRightCorner(rho, kWidth - rho);
    const double loss = s.bottomRightCorner(kWidth - rho, kWidth - rho).trace() -
                        (others.transpose() * pseudo_inverse(chosen) * others).trace();
    const double stated =
        static_cast<double>(kWidth - rho) * (square + square / (static_cast<double>(rho) + square));
    EXPECT_NEAR(loss, stated, 1e-10);  // rounding, at a condition of about 100
  }
}

/// Tests, for 2 groups of 2 topics of 5 words, the shares of documents that have both of two words.
TEST(TiedTopics, HaveTheCovarianceOfTheirHeader) {
  constexpr Index kDocuments = 40'000;
  const Dataset dataset = load("tied-topics", {{"documents", kDocuments},
                                               {"words", 2000},
                                               {"document_words", 1},
                                               {"groups", 2},
                                               {"topic_words", 5},
                                               {"share", 0.4},
                                               {"overlap", 0.2},
                                               {"fade", 0.4}});
  ASSERT_EQ(dataset.truth.size(), 4U);
  // Names number the words of a topic by falling frequency: .95, .85, .75, .65, .55.
  const auto word = [&](const std::string& name) {
    const auto at = std::find(dataset.variable_names.begin(), dataset.variable_names.end(), name);
    return static_cast<Index>(at - dataset.variable_names.begin());
  };
  const auto together = [&](const std::string& one, const std::string& other) {
    return dataset.covariance->submatrix(
        {std::min(word(one), word(other)), std::max(word(one), word(other))})(0, 1);
  };
  // A background word falls on a topic's with probability below 1e-3.
  constexpr double kBackground = 1e-3;
  const auto expect_share = [&](double found, double share) {
    EXPECT_NEAR(found, share, 6 * std::sqrt(share / kDocuments) + kBackground);
  };
  // A topic is in (1 - .2)/2 + .2 = .6 of its group's documents, both are in .2.
  expect_share(together("group1-topic1-word1", "group1-topic1-word5"), 0.4 * 0.6 * 0.95 * 0.55);
  expect_share(together("group1-topic2-word2", "group1-topic2-word3"), 0.4 * 0.6 * 0.85 * 0.75);
  expect_share(together("group1-topic1-word1", "group1-topic2-word1"), 0.4 * 0.2 * 0.95 * 0.95);
  expect_share(together("group2-topic1-word1", "group2-topic1-word2"), 0.24 * 0.6 * 0.95 * 0.85);
  expect_share(together("group1-topic1-word1", "group2-topic1-word1"), 0);
  // The leading eigenvector mixes the two topics of the first group, and only these.
  const Vector u = leading_eigenpairs(*dataset.covariance, 1).vectors.col(0);
  const double first = u(dataset.truth[0].support).squaredNorm();
  const double second = u(dataset.truth[1].support).squaredNorm();
  EXPECT_GT(first, 0.3);
  EXPECT_GT(second, 0.3);
  EXPECT_GT(first + second, 0.99);
  EXPECT_THROW(load("tied-topics", {{"words", 59}}), InputError);
}

}  // namespace
}  // namespace spca::generated_data_test
