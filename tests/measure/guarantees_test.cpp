/// Tests the guarantees of Theorem 1 (ICML 2013) against enumeration and by hand, and the form for
/// variance of Theorem 8 (NIPS 2016).

#include <gtest/gtest.h>

#include <cmath>

#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/solve.h"
#include "tests/metric_testing.h"
#include "tests/solver_testing.h"

namespace spca::guarantees_test {
namespace {

using trial::measure_one;

// Rounding of quotients of two eigenvalues of matrices of at most 10 rows.
constexpr double kQuotientRounding = 1e-10;
// The accuracy to which spannogram-bound is exact on S_d.
constexpr double kEpsilon = 1e-9;

Component solved(const char* name, const Covariance& covariance, Index k, const Json& options) {
  const SolverEntry& entry = SolverRegistry::instance().get(name, "solver");
  Budget budget;
  const Problem problem{.covariance = covariance, .cardinality = {k}};
  return entry.solve(problem, entry.complete_options(options, "/options"), budget).components.at(0);
}

/// Returns a random problem whose spectrum is i^-exponent, up to the draw.
std::shared_ptr<const Covariance> decaying_problem(std::uint64_t seed, Index p, double exponent) {
  Matrix data = trial::random_data(p + 2, p, seed);
  for (Index i = 0; i < data.rows(); ++i) {
    data.row(i) *= std::pow(static_cast<double>(i + 1), -exponent / 2);
  }
  return trial::as_covariance(data);
}

constexpr const char* kErrorBounds[] = {"error_bound_by_eigenvalue", "error_bound_by_variance",
                                        "error_bound_by_value"};

TEST(Guarantees, HoldAgainstEnumeration) {
  constexpr std::uint64_t kProblems = 300;
  double smallest = 1;
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    const Index p = 2 + static_cast<Index>(seed % 7);
    const Index k = 1 + static_cast<Index>(seed / 7) % p;
    const auto s = decaying_problem(seed, p, 0.5 * static_cast<double>(seed % 6));
    const double optimum = s->quadratic_form(solved("exhaustive", *s, k, Json::object()));
    const auto expect_guarantee = [&](const char* name, const Json& options, Index rank) {
      const Component answer = solved(name, *s, k, options);
      const double value = s->quadratic_form(answer);
      for (const char* metric : kErrorBounds) {
        const double error = measure_one(metric, *s, {answer}, {.rank = rank});
        smallest = std::min(smallest, error > 0 ? error : 1);
        EXPECT_GE(error, 0);
        EXPECT_GE(value, (1 - error) * optimum * (1 - kEpsilon) - kQuotientRounding * optimum)
            << name << ", " << metric << ", seed " << seed << ", p = " << p << ", k = " << k;
      }
      // The certified ratio is at most 1, also for an answer with fewer nonzeros than allowed.
      EXPECT_LE(
          measure_one("certified_ratio", *s, {answer}, {.upper_bound = optimum, .rank = rank}),
          1 + kQuotientRounding);
    };
    expect_guarantee("threshold", Json::object(), 1);
    expect_guarantee("threshold", {{"refit", false}}, 1);
    expect_guarantee("spannogram-sweep", {{"polish", false}}, 2);
    for (Index d = 1; d <= 3; ++d) {
      expect_guarantee("spannogram", {{"rank", d}}, d);
      expect_guarantee("spannogram", {{"rank", d}, {"score", "low-rank"}}, d);
      expect_guarantee("spannogram-bound", {{"rank", d}, {"epsilon", kEpsilon}, {"polish", false}},
                       d);
    }
  }
  EXPECT_LT(smallest, 0.1);  // otherwise the test would be vacuous
}

TEST(Guarantees, AreTheQuotientsOfTheDiagonalOfADiagonalMatrix) {
  const auto s = make_explicit_covariance(Vector{{8, 1, 4, 2, 0}}.asDiagonal().toDenseMatrix());
  const Component answer{.support = {2, 3}, .values = Vector{{0.6, 0.8}}};
  const double value = 0.36 * 4 + 0.64 * 2;
  const double discarded[] = {4, 2, 1, 0, 0};  // lambda_{d+1}
  for (Index d = 1; d <= 7; ++d) {
    const double eigenvalue = discarded[std::min<Index>(d, 5) - 1];
    const auto expect = [&](const char* name, double expected) {
      EXPECT_NEAR(measure_one(name, *s, {answer}, {.rank = d}), expected, kQuotientRounding)
          << name << d;
    };
    expect("error_bound_by_eigenvalue", 5.0 / 2 * eigenvalue / 8);
    expect("error_bound_by_variance", eigenvalue / 8);
    expect("error_bound_by_value", eigenvalue / 8);  // the largest variance is above the value
  }
  EXPECT_NEAR(measure_one("certified_ratio", *s, {answer}, {.upper_bound = 8}), value / 8,
              kQuotientRounding);
  // The slope of the logarithms of 8, 4, 2, 1 over those of 1, 2, 3, 4.
  const Vector x = Vector{{1, 2, 3, 4}}.array().log();
  const Vector y = Vector{{8, 4, 2, 1}}.array().log();
  const double slope =
      (x.dot(y) / 4 - x.mean() * y.mean()) / (x.squaredNorm() / 4 - x.mean() * x.mean());
  EXPECT_NEAR(measure_one("decay_exponent", *s, {answer}), -slope, kQuotientRounding);
}

TEST(Guarantees, TakeTheValueWhereItIsAboveTheLargestVariance) {
  Matrix s = Matrix::Constant(4, 4, 0.5);
  s.diagonal().setOnes();  // eigenvalues 2.5, 0.5, 0.5, 0.5
  const auto covariance = make_explicit_covariance(s);
  const Component answer{.support = {0, 1}, .values = Vector::Constant(2, std::sqrt(0.5))};
  EXPECT_NEAR(measure_one("error_bound_by_eigenvalue", *covariance, {answer}, {.rank = 2}), 0.4,
              kQuotientRounding);
  EXPECT_NEAR(measure_one("error_bound_by_variance", *covariance, {answer}, {.rank = 2}), 0.5,
              kQuotientRounding);
  EXPECT_NEAR(measure_one("error_bound_by_value", *covariance, {answer}, {.rank = 2}), 0.5 / 1.5,
              kQuotientRounding);
}

TEST(Guarantees, AreNotMeasuredWhereThereAreNone) {
  const auto s = make_explicit_covariance(Matrix::Identity(4, 4));
  const auto zero = make_explicit_covariance(Matrix::Zero(4, 4));
  const Component one{.support = {0}, .values = Vector::Ones(1)};
  const Component two{.support = {1}, .values = Vector::Ones(1)};
  for (const char* name : kErrorBounds) {
    EXPECT_TRUE(std::isnan(measure_one(name, *s, {one}))) << name;
    EXPECT_TRUE(std::isnan(measure_one(name, *s, {one, two}, {.rank = 1}))) << name;
    EXPECT_TRUE(std::isnan(measure_one(name, *zero, {one}, {.rank = 1}))) << name;
  }
  EXPECT_TRUE(std::isnan(measure_one("certified_ratio", *s, {one})));
  EXPECT_TRUE(
      std::isnan(measure_one("certified_ratio", *s, {one, two}, {.upper_bound = 2, .rank = 1})));
  EXPECT_TRUE(std::isnan(measure_one("decay_exponent", *zero, {one})));
}

TEST(PowerLaw, IsTheExponentOfTheLargestEigenvalues) {
  constexpr Index kVariables = 30;
  for (const double exponent : {0.25, 1.0, 3.0}) {
    Vector values(kVariables);
    for (Index i = 0; i < kVariables; ++i) {
      values[i] = 7 * std::pow(static_cast<double>(i + 1), -exponent);
    }
    const auto s = make_explicit_covariance(values.asDiagonal().toDenseMatrix());
    const Component any{.support = {0}, .values = Vector::Ones(1)};
    EXPECT_NEAR(measure_one("decay_exponent", *s, {any}), exponent, 1e-8);
  }
}

/// S = diag: a support's value is its largest entry, on S and on S_d.
TEST(VariablesLeft, AreThoseThatMayStillBeBest) {
  const auto left = [](std::vector<double> diagonal, std::vector<Component> components,
                       Index rank) {
    const Vector values = Eigen::Map<Vector>(diagonal.data(), std::ssize(diagonal));
    const auto s = make_explicit_covariance(values.asDiagonal());
    return measure_one("variables_left", *s, components, {.rank = rank});
  };
  const auto unit = [](Index i) { return Component{.support = {i}, .values = Vector::Ones(1)}; };
  // If S_d is diagonal, only d rows are not zero, and lambda_{d+1} may lift each of these rows to
  // the top.
  EXPECT_EQ(left({10, 9, 8.5, 1, 1}, {unit(0)}, 1), 1);
  EXPECT_EQ(left({10, 9, 8.5, 1, 1}, {unit(0)}, 2), 2);
  EXPECT_EQ(left({10, 9, 8.5, 1, 1}, {unit(0)}, 3), 3);
  // The second component is found without the variable of 10, and also leaves two variables. The
  // largest number is measured.
  EXPECT_EQ(left({10, 9, 8.5, 1, 1}, {unit(0), unit(1)}, 2), 2);
  EXPECT_TRUE(std::isnan(left({10, 9, 2, 1, 1}, {unit(0), unit(0)}, 2)));
  EXPECT_TRUE(std::isnan(left({10, 9, 2, 1, 1}, {unit(0)}, 0)));
}

/// On 11' + alpha^2 I the variance of k nonzeros is at most k + alpha^2. For alpha = 1 and k < p,
/// Theorem 8 allows this variance, with equality at k = 1 and k = p - 1. For a larger alpha the
/// theorem fails at k = 1.
TEST(Guarantees, VarianceFormOfTheorem8IsReachedAtAlphaOne) {
  constexpr Index kVariables = 8;
  const auto slack = [](double alpha, Index k) {
    const auto s =
        make_explicit_covariance(Matrix::Ones(kVariables, kVariables) +
                                 alpha * alpha * Matrix::Identity(kVariables, kVariables));
    return measure_one("theorem8_variance_slack", *s,
                       {solved("exhaustive", *s, k, Json::object())});
  };
  EXPECT_NEAR(slack(1, 1), 0, kQuotientRounding);
  EXPECT_NEAR(slack(1, kVariables - 1), 0, kQuotientRounding);
  for (Index k = 2; k < kVariables - 1; ++k) {
    const auto p = static_cast<double>(kVariables);
    const auto nonzeros = static_cast<double>(k);
    const double allowed = p + 1 - (p - 1) / nonzeros;
    EXPECT_NEAR(slack(1, k), (allowed - (nonzeros + 1)) / (2 * p), kQuotientRounding);
    EXPECT_GT(slack(1, k), 0);
  }
  EXPECT_GT(slack(0.1, 1), 0);
  EXPECT_LT(slack(1.1, 1), 0);
}

}  // namespace
}  // namespace spca::guarantees_test
