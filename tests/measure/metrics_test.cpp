#include "spca/measure/metrics.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/spectrum/eigenpairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/measure/metric_formulas.h"
#include "tests/dense_reference.h"
#include "tests/solver_testing.h"

namespace spca::metrics_test {
namespace {

// Rounding of sums of at most 100 terms of order 1, and of one inverse of a well-conditioned 3 x 3
// matrix.
constexpr double kMetricRounding = 1e-9;

constexpr Index kMetricSamples = 12;
constexpr Index kMetricVariables = 9;

/// Returns r unit vectors of k nonzeros on supports that may overlap.
std::vector<Component> random_components(Index p, Index r, Index k, std::uint64_t seed) {
  std::vector<Component> components;
  for (Index j = 0; j < r; ++j) {
    const Vector dense =
        trial::random_matrix(p, 1, 1000 * seed + static_cast<std::uint64_t>(j)).col(0);
    components.push_back(normalized(restrict_to(dense, top_k(dense, k))));
  }
  return components;
}

Component unit(std::vector<Index> support) {
  const auto k = static_cast<Index>(support.size());
  return {std::move(support), Vector::Constant(k, 1 / std::sqrt(static_cast<double>(k)))};
}

/// One answer with everything that a metric may read, and its naive dense counterparts.
struct Answer {
  Matrix x;  // n x p, centred and scaled: S = x'x
  std::shared_ptr<const Covariance> covariance;
  std::vector<Component> components;
  std::vector<Component> truth = {};
  SolveCost cost = {};
  double upper_bound = kNotMeasured;
  double penalty = kNotMeasured;

  Matrix dense_loadings() const {
    Matrix v(x.cols(), static_cast<Index>(components.size()));
    for (std::size_t j = 0; j < components.size(); ++j) {
      v.col(static_cast<Index>(j)) = to_dense(components[j], x.cols());
    }
    return v;
  }
  double pca_variance() const {
    const Vector values = symmetric_eigenvalues(x.transpose() * x);
    return values.tail(static_cast<Index>(components.size())).sum();
  }
  std::vector<double> measure_all(const std::string& name) const {
    const Spectrum spectrum(*covariance);
    return MetricRegistry::instance()
        .get(name, "test")
        .measure({*covariance, components, truth, spectrum, cost, upper_bound, penalty});
  }
  double measure(const std::string& name) const {
    const std::vector<double> values = measure_all(name);
    EXPECT_EQ(values.size(), 1U) << name;
    return values.at(0);
  }
};

Answer random_answer(std::uint64_t seed, Index components = 3, Index cardinality = 4) {
  const Matrix data = trial::random_matrix(kMetricSamples, kMetricVariables, seed);
  Matrix x = data.rowwise() - data.colwise().mean();
  x /= std::sqrt(static_cast<double>(kMetricSamples));
  return {.x = x,
          .covariance = make_covariance(data, {.centered = true, .scale = Scale::kSamples}),
          .components = random_components(kMetricVariables, components, cardinality, seed)};
}

TEST(Metrics, AreRegisteredUnderTheirNamesWithAFormula) {
  for (const char* name : {"explained_variance",
                           "explained_variance_ratio",
                           "cumulative_variance",
                           "variance_share",
                           "adjusted_variance",
                           "adjusted_variance_share",
                           "projected_variance",
                           "projected_variance_share",
                           "symmetric_explained_variance",
                           "information_loss",
                           "penalised_objective",
                           "cardinality",
                           "support_recovery",
                           "support_recovery_ordered",
                           "component_recovery",
                           "support_f1",
                           "angle_to_truth",
                           "non_orthogonality",
                           "score_correlation",
                           "upper_bound",
                           "gap",
                           "iterations",
                           "products",
                           "solve_seconds",
                           "cpu_seconds",
                           "peak_bytes",
                           "instructions"}) {
    const MetricEntry* entry = MetricRegistry::instance().find(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_FALSE(entry->traits.formula.empty()) << name;
  }
}

TEST(Metrics, AGapWithinRoundingIsZeroAndAWrongBoundHasNone) {
  Answer answer = random_answer(4);
  answer.components.resize(1);
  const double value = answer.measure("projected_variance");
  for (const double units : {-4.0, -1.0, 0.0, 1.0, 4.0}) {
    answer.upper_bound = value * (1 + units * std::numeric_limits<double>::epsilon());
    EXPECT_EQ(answer.measure("gap"), 0.0) << units;
    EXPECT_FALSE(std::signbit(answer.measure("gap"))) << units;
  }
  answer.upper_bound = value * (1 - 0.9e-9);
  EXPECT_EQ(answer.measure("gap"), 0);
  answer.upper_bound = value * (1 - 1.1e-9);
  EXPECT_TRUE(std::isnan(answer.measure("gap")));
  answer.upper_bound = value * (1 + 1e-9);
  EXPECT_GT(answer.measure("gap"), 0);
}

// With two nonzeros the search of upper_bound_orthogonal ends at once; with four it took 20 s.
TEST(Metrics, GiveOneNumberAComponentWhereTheirTraitsSayIt) {
  const Answer answer = random_answer(1, 3, 2);
  for (const auto& [name, entry] : MetricRegistry::instance().entries()) {
    EXPECT_EQ(answer.measure_all(name).size(), entry.traits.per_component ? 3U : 1U) << name;
  }
}

TEST(Metrics, AreTheSameForDataAndForItsCovariance) {
  Answer data = random_answer(2, 3, 2);
  data.truth = random_components(kMetricVariables, 3, 4, 99);
  data.upper_bound = 20;
  data.penalty = 0.1;
  Answer covariance = data;
  covariance.covariance = make_explicit_covariance(data.x.transpose() * data.x);
  for (const auto& [name, entry] : MetricRegistry::instance().entries()) {
    const std::vector<double> a = data.measure_all(name);
    const std::vector<double> b = covariance.measure_all(name);
    // Some bounds are minimised up to a tolerance, on a path that rounding changes.
    const bool is_searched = name == "upper_bound_orthogonal" || name == "upper_bound_disjoint";
    const double searched = is_searched ? entry.traits.relative_tolerance : 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_TRUE((std::isnan(a[i]) && std::isnan(b[i])) ||
                  std::abs(a[i] - b[i]) < kMetricRounding + searched * std::abs(a[i]))
          << name << ": " << a[i] << " and " << b[i];
    }
  }
}

TEST(ExplainedVariance, IsTheTraceOfTheProjectedCovariance) {
  const Answer answer = random_answer(3);
  const Matrix v = answer.dense_loadings();
  const double expected = (answer.x * v).squaredNorm();
  EXPECT_NEAR(answer.measure("explained_variance"), expected, kMetricRounding);
  EXPECT_NEAR(answer.measure("explained_variance_ratio"), expected / answer.pca_variance(),
              kMetricRounding);
  EXPECT_NEAR(answer.measure("variance_share"), expected / answer.x.squaredNorm(), kMetricRounding);
}

TEST(ExplainedVarianceRatio, IsOverTheLargestEigenvalueForOneComponent) {
  const Answer answer = random_answer(4, 1);
  EXPECT_NEAR(answer.measure("explained_variance_ratio"),
              (answer.x * answer.dense_loadings()).squaredNorm() / answer.pca_variance(),
              kMetricRounding);
}

TEST(CumulativeVariance, EndsAtTheExplainedVariance) {
  const Answer answer = random_answer(5);
  const std::vector<double> sums = answer.measure_all("cumulative_variance");
  const Matrix scores = answer.x * answer.dense_loadings();
  EXPECT_NEAR(sums[0], scores.col(0).squaredNorm(), kMetricRounding);
  EXPECT_NEAR(sums[1], scores.leftCols(2).squaredNorm(), kMetricRounding);
  EXPECT_NEAR(sums[2], answer.measure("explained_variance"), kMetricRounding);
}

TEST(AdjustedVariance, IsTheSquaredDiagonalOfTheTriangularFactorOfTheScores) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Answer answer = random_answer(seed);
    const double expected =
        thin_qr(answer.x * answer.dense_loadings()).triangle.diagonal().squaredNorm();
    EXPECT_NEAR(answer.measure("adjusted_variance"), expected, kMetricRounding);
    EXPECT_NEAR(answer.measure("adjusted_variance_share"), expected / answer.x.squaredNorm(),
                kMetricRounding);
  }
}

TEST(ProjectedVariance, IsTheVarianceOfTheProjectedData) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Answer answer = random_answer(seed);
    const Matrix v = answer.dense_loadings();
    const double expected =
        (answer.x * v * pseudo_inverse(v.transpose() * v) * v.transpose()).squaredNorm();
    EXPECT_NEAR(answer.measure("projected_variance"), expected, kMetricRounding);
    EXPECT_NEAR(answer.measure("projected_variance_share"), expected / answer.x.squaredNorm(),
                kMetricRounding);
  }
}

TEST(AdjustedAndProjectedVariance, NeverExceedPrincipalComponentsThoughThePlainSumDoes) {
  int plain_sum_exceeds = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Answer answer = random_answer(seed, 1, 5);
    // Near-copies of the leading eigenvector: the plain sum counts the same variance three times.
    const Vector leading = leading_eigenpairs(*answer.covariance, 1).vectors.col(0);
    answer.components.clear();
    for (std::uint64_t j = 0; j < 3; ++j) {
      const Vector v =
          leading + 0.3 * trial::random_matrix(kMetricVariables, 1, 3 * seed + j).col(0);
      answer.components.push_back(normalized(restrict_to(v, top_k(v, 5))));
    }
    const double pca = answer.pca_variance();
    EXPECT_LE(answer.measure("adjusted_variance"), pca + kMetricRounding);
    EXPECT_LE(answer.measure("projected_variance"), pca + kMetricRounding);
    plain_sum_exceeds += answer.measure("explained_variance") > pca ? 1 : 0;
  }
  EXPECT_GT(plain_sum_exceeds, 0) << "otherwise the cases are too tame to show anything";
}

TEST(AdjustedAndProjectedVariance, CountARepeatedComponentOnce) {
  Answer answer = random_answer(6, 1);
  const double once = answer.measure("explained_variance");
  answer.components.push_back(answer.components[0]);
  EXPECT_NEAR(answer.measure("explained_variance"), 2 * once, kMetricRounding);
  EXPECT_NEAR(answer.measure("adjusted_variance"), once, kMetricRounding);
  EXPECT_NEAR(answer.measure("projected_variance"), once, kMetricRounding);
}

TEST(SymmetricExplainedVariance, IsTheEncodersDefinition) {
  const Answer answer = random_answer(7);
  const Matrix h = answer.dense_loadings();
  EXPECT_NEAR(answer.measure("symmetric_explained_variance"),
              (answer.x * h * pseudo_inverse(h)).squaredNorm() / answer.pca_variance(),
              kMetricRounding);
}

TEST(InformationLoss, IsTheEncodersDefinitionAndAtLeastOne) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Answer answer = random_answer(seed);
    const Matrix scores = answer.x * answer.dense_loadings();
    const double loss = (answer.x - scores * pseudo_inverse(scores) * answer.x).squaredNorm();
    const double expected = loss / (answer.x.squaredNorm() - answer.pca_variance());
    EXPECT_NEAR(answer.measure("information_loss"), expected, kMetricRounding);
    EXPECT_GE(answer.measure("information_loss"), 1 - kMetricRounding);
  }
}

TEST(InformationLoss, IsNotMeasuredWherePrincipalComponentsLoseNothing) {
  const Vector u = trial::random_matrix(kMetricVariables, 1, 8).col(0);
  Answer answer = random_answer(8, 1);
  answer.covariance = make_explicit_covariance(u * u.transpose());
  EXPECT_TRUE(std::isnan(answer.measure("information_loss")));
}

TEST(PenalisedObjective, ChargesEveryNonzeroAndNeedsAPenalty) {
  Answer answer = random_answer(9);
  EXPECT_TRUE(std::isnan(answer.measure("penalised_objective")));
  answer.penalty = 0.05;
  EXPECT_NEAR(answer.measure("penalised_objective"),
              answer.measure("explained_variance") - 0.05 * 12, kMetricRounding);
}

TEST(Cardinality, CountsTheNonzerosOfEachComponent) {
  Answer answer = random_answer(10, 1);
  answer.components = {unit({0, 4}), unit({2}), unit({1, 3, 8})};
  EXPECT_EQ(answer.measure_all("cardinality"), (std::vector<double>{2, 1, 3}));
}

TEST(SupportRecovery, ForgivesTheOrderUnlessItIsTheOrderedOne) {
  Answer answer = random_answer(11, 1);
  answer.truth = {unit({0, 1}), unit({2, 3}), unit({4})};
  answer.components = {unit({0, 1}), unit({2, 3})};
  EXPECT_EQ(answer.measure("support_recovery"), 1);
  EXPECT_EQ(answer.measure("support_recovery_ordered"), 1);
  answer.components = {unit({2, 3}), unit({0, 1})};
  EXPECT_EQ(answer.measure("support_recovery"), 1);
  EXPECT_EQ(answer.measure("support_recovery_ordered"), 0);
  answer.components = {unit({0, 1}),
                       unit({0, 1})};  // a component of the truth cannot be matched twice
  EXPECT_EQ(answer.measure("support_recovery"), 0);
  answer.components = {unit({0, 1}), unit({2, 3, 5})};
  EXPECT_EQ(answer.measure("support_recovery"), 0);
}

TEST(ComponentRecovery, IsTheShareOfComponentsFoundInAnyOrder) {
  Answer answer = random_answer(11, 1);
  answer.truth = {unit({0, 1}), unit({2, 3}), unit({4})};
  answer.components = {unit({2, 3}), unit({0, 1})};
  EXPECT_EQ(answer.measure("component_recovery"), 1);
  answer.components = {unit({5, 6}), unit({0, 1})};
  EXPECT_EQ(answer.measure("component_recovery"), 0.5);
  answer.components = {unit({0, 1}), unit({0, 1})};  // one of the truth cannot be matched twice
  EXPECT_EQ(answer.measure("component_recovery"), 0.5);
  answer.components = {unit({0, 2}), unit({2, 3, 5})};
  EXPECT_EQ(answer.measure("component_recovery"), 0);
  answer.truth = {unit({0, 1})};
  EXPECT_TRUE(std::isnan(answer.measure("component_recovery")));
}

TEST(SupportF1, AveragesOverTheBestMatching) {
  Answer answer = random_answer(12, 1);
  answer.truth = {unit({0, 1, 2, 3}), unit({4, 5})};
  answer.components = {unit({4, 6}), unit({0, 1, 2, 7})};
  EXPECT_NEAR(answer.measure("support_f1"), (0.5 + 0.75) / 2, kMetricRounding);
}

/// The truth has six variables. One is in the component matched to {4, 5} and three are in the one
/// matched to {0, 1, 2, 3}. Variable 3 is in another component, which only the union counts.
TEST(SupportMetrics, OverlapCountsTheVariablesOfTheTruth) {
  Answer answer = random_answer(12, 1);
  answer.truth = {unit({0, 1, 2, 3}), unit({4, 5})};
  answer.components = {unit({3, 4, 6}), unit({0, 1, 2, 7})};
  EXPECT_NEAR(answer.measure("truth_overlap"), 4.0 / 6, kMetricRounding);
  EXPECT_NEAR(answer.measure("union_overlap"), 5.0 / 6, kMetricRounding);
  answer.components = {unit({0, 6})};
  EXPECT_NEAR(answer.measure("truth_overlap"), 1.0 / 6, kMetricRounding);
  answer.truth.clear();
  EXPECT_TRUE(std::isnan(answer.measure("truth_overlap")));
  EXPECT_TRUE(std::isnan(answer.measure("union_overlap")));
}

TEST(SupportMetrics, AreNotMeasuredWithoutEnoughTruth) {
  Answer answer = random_answer(13, 2);
  for (const char* name :
       {"support_recovery", "support_recovery_ordered", "support_f1", "angle_to_truth"}) {
    EXPECT_TRUE(std::isnan(answer.measure(name))) << name;
  }
  answer.truth = {answer.components[0]};
  EXPECT_TRUE(std::isnan(answer.measure("support_recovery")));
}

TEST(BestMatching, AgreesWithAllPermutations) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Index rows = 1 + static_cast<Index>(seed % 4);
    const Index columns = rows + static_cast<Index>(seed % 3);
    const Matrix scores = trial::random_matrix(rows, columns, seed).cwiseAbs();
    std::vector<Index> order(static_cast<std::size_t>(columns));
    std::iota(order.begin(), order.end(), 0);
    double best = -1e300;
    do {
      double sum = 0;
      for (Index i = 0; i < rows; ++i) {
        sum += scores(i, order[static_cast<std::size_t>(i)]);
      }
      best = std::max(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_NEAR(best_matching(scores), best, kMetricRounding) << "seed " << seed;
  }
}

TEST(AngleToTruth, IsTheAngleInThePlaneDownToTinyAngles) {
  Answer answer = random_answer(14, 1);
  answer.truth = {unit({0})};
  for (const double angle : {1e-9, 1e-3, 0.3, 1.2, std::numbers::pi / 2}) {
    answer.components = {{{0, 1}, Vector{{std::cos(angle), -std::sin(angle)}}}};
    EXPECT_NEAR(answer.measure("angle_to_truth"), angle, 1e-6 * angle);
  }
}

TEST(AngleToTruth, DependsOnTheSpanAlone) {
  Answer answer = random_answer(15, 1);
  answer.truth = {unit({0, 1}), unit({2, 3})};
  answer.components = {unit({2, 3}), unit({0, 1})};
  EXPECT_NEAR(answer.measure("angle_to_truth"), 0, kMetricRounding);
  answer.components = {unit({0, 1, 2, 3}), unit({0, 1})};
  EXPECT_NEAR(answer.measure("angle_to_truth"), 0, kMetricRounding);
  answer.components = {unit({0, 1}), unit({0, 1})};
  EXPECT_NEAR(answer.measure("angle_to_truth"), std::numbers::pi / 2, kMetricRounding);
}

TEST(NonOrthogonality, IsTheLargestInnerProductOfLoadings) {
  Answer answer = random_answer(16);
  const Matrix v = answer.dense_loadings();
  Matrix gram = v.transpose() * v;
  gram.diagonal().setZero();
  EXPECT_NEAR(answer.measure("non_orthogonality"), gram.cwiseAbs().maxCoeff(), kMetricRounding);
  answer.components.resize(1);
  EXPECT_EQ(answer.measure("non_orthogonality"), 0);
  EXPECT_EQ(answer.measure("score_correlation"), 0);
}

TEST(ScoreCorrelation, IsTheLargestCorrelationOfScores) {
  const Answer answer = random_answer(17);
  const Matrix scores = (answer.x * answer.dense_loadings()).colwise().normalized();
  Matrix correlations = scores.transpose() * scores;
  correlations.diagonal().setZero();
  EXPECT_NEAR(answer.measure("score_correlation"), correlations.cwiseAbs().maxCoeff(),
              kMetricRounding);
}

TEST(Gap, IsRelativeToTheBound) {
  Answer answer = random_answer(18, 1);
  EXPECT_TRUE(std::isnan(answer.measure("gap")));
  answer.upper_bound = 2 * answer.measure("explained_variance");
  EXPECT_NEAR(answer.measure("gap"), 0.5, kMetricRounding);
  EXPECT_EQ(answer.measure("upper_bound"), answer.upper_bound);
}

TEST(VarianceMatrix, IsTheSameThroughProductsAndThroughASubmatrix) {
  constexpr Index kMany = 150;
  const Matrix x = trial::random_matrix(20, kMany, 19);
  const auto covariance = make_covariance(x, {.centered = false, .scale = Scale::kNone});
  // A union of 120 to 150 variables goes through products, one of 10 to 20 through S_UU.
  for (const Index cardinality : {Index{10}, Index{120}}) {
    const std::vector<Component> components = random_components(kMany, 2, cardinality, 20);
    Matrix scores(20, 2);
    scores << x * to_dense(components[0], kMany), x * to_dense(components[1], kMany);
    const Matrix difference =
        variance_matrix(*covariance, components) - scores.transpose() * scores;
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), kMetricRounding * scores.squaredNorm());
  }
}

TEST(Spectrum, GrowsOnDemandAndDescends) {
  const Answer answer = random_answer(21);
  const Spectrum spectrum(*answer.covariance);
  const double first = spectrum.leading(1)[0];
  const Vector& values = spectrum.leading(3);
  EXPECT_NEAR(values[0], first, kMetricRounding);
  EXPECT_GE(values[0], values[1]);
  EXPECT_GE(values[1], values[2]);
  EXPECT_NEAR(values.head(3).sum(), answer.pca_variance(), kMetricRounding);
}

TEST(TotalOf, IsTheLastOfARunningSumAndTheSumOfAnyOtherMetric) {
  EXPECT_EQ(total_of("cumulative_variance", {3, 5, 6}), 6);
  EXPECT_EQ(total_of("cardinality", {3, 2, 1}), 6);
  EXPECT_EQ(total_of("explained_variance", {4}), 4);
  EXPECT_EQ(total_of("a metric of another program", {1, 2}), 3);
  EXPECT_TRUE(std::isnan(total_of("cardinality", {})));
}

}  // namespace
}  // namespace spca::metrics_test
