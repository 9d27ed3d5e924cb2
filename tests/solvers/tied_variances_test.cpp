/// Tests correlation matrices: all variances are equal, and only the columns of S distinguish the
/// variables.

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <numeric>

#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/covariance/deflated_covariance.h"
#include "spca/covariance/submatrix_covariance.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/column_exchange.h"
#include "spca/methods/ascent/column_starts.h"
#include "spca/methods/ascent/sketched_columns.h"
#include "spca/spectrum/eigenpairs.h"
#include "tests/solver_testing.h"

namespace spca::tied_variances_test {
namespace {

/// Variables 0 to p - 9 are nearly independent, p - 8 and p - 7 are alike, and any two of the last
/// six have the correlation 0.8. The best 5 variables are among these six.
Matrix pair_and_group(Index p) {
  Matrix s = Matrix::Identity(p, p);
  s(p - 8, p - 7) = s(p - 7, p - 8) = 0.99;
  s.bottomRightCorner(6, 6).setConstant(0.8);
  s.diagonal().setOnes();
  s(0, 1) = s(1, 0) = 0.1;
  return s;
}

Component answer(const std::string& solver, const Covariance& covariance, Index k,
                 const Json& options = Json::object()) {
  const SolverEntry& entry = SolverRegistry::instance().get(solver, "");
  Budget budget;
  const Problem problem{.covariance = covariance, .cardinality = {k}, .seed = 3};
  return entry.solve(problem, entry.complete_options(options, "/options"), budget).components.at(0);
}

constexpr double kBestOfGroup = 1 + 4 * 0.8;

TEST(TiedVariances, SolversFindTheGroupAtAnyPosition) {
  // 20 variables: every column is tried. 90: the bounds of scores rule most of them out.
  for (const Index p : {Index{20}, Index{90}}) {
    const auto covariance = make_explicit_covariance(pair_and_group(p));
    for (const char* solver : {"fullpath", "diagonal", "tpower", "em"}) {
      EXPECT_NEAR(covariance->quadratic_form(answer(solver, *covariance, 5)), kBestOfGroup, 1e-9)
          << solver << ", p = " << p;
    }
  }
}

TEST(TiedVariances, FullpathAsItsAuthorsStartItTakesTheFirstVariable) {
  const auto covariance = make_explicit_covariance(pair_and_group(20));
  const Component component = answer("fullpath", *covariance, 2, {{"start", "largest-variance"}});
  EXPECT_EQ(component.support, (Support{0, 1}));
  // The best pair are the two variables that are alike.
  EXPECT_EQ(answer("fullpath", *covariance, 2).support, (Support{12, 13}));
}

TEST(TiedVariances, FullpathHasTheSameAnswerForEveryLongerPath) {
  const auto covariance = make_explicit_covariance(pair_and_group(20));
  const SolverEntry& entry = SolverRegistry::instance().get("fullpath", "");
  Budget budget;
  const Solution longest = entry.solve({.covariance = *covariance, .cardinality = {16}},
                                       entry.complete_options(Json::object(), ""), budget);
  for (Index k = 1; k <= 16; ++k) {
    EXPECT_EQ(answer("fullpath", *covariance, k).support,
              longest.path[static_cast<std::size_t>(k - 1)].component.support)
        << "k = " << k;
  }
}

TEST(ColumnStarts, BoundsRuleOutNoneOfTheBest) {
  const Index p = 150;
  Matrix data = trial::random_matrix(40, p, 21);
  for (Index j = 0; j < p; ++j) {
    data.col(j) += (0.1 * static_cast<double>(j % 9)) * data.col((j * 7) % 40);
    data.col(j).normalize();
  }
  const auto covariance = trial::as_explicit(data);
  Support all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), Index{0});
  for (const Index k : {3, 20}) {
    std::vector<double> scores;
    for (const Index j : all) {
      const Vector column = covariance->columns({j}).col(0);
      scores.push_back(-restrict_to(column, top_k(column, k)).values.squaredNorm() /
                       covariance->diagonal()[j]);
    }
    std::sort(scores.begin(), scores.end());
    const std::vector<ColumnStart> best = best_columns(*covariance, all, k, 1);
    ASSERT_EQ(best.size(), 1U);
    EXPECT_DOUBLE_EQ(best.front().score, -scores.front());
    // The score is a lower bound on the optimum of the support.
    EXPECT_LE(best.front().score,
              best_on_support(*covariance, best.front().component.support).value * (1 + 1e-12));
  }
}

/// 1200 samples of 300 variables. Most variables are nonzero in half of the first 600 samples, and
/// dominate the leading eigenvector. The five from kRare on are nonzero in the last three samples
/// alone.
constexpr Index kRare = 200;
SparseRows rare_group() {
  Random random(5);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < 300; ++j) {
    const bool is_rare = j >= kRare && j < kRare + 5;
    for (Index i = 0; i < 1200; ++i) {
      if (is_rare ? i >= 1197 : i < 600 && random.uniform() < 0.5) {
        entries.emplace_back(static_cast<int>(i), static_cast<int>(j), 1 + random.uniform());
      }
    }
  }
  SparseRows data(1200, 300);
  data.setFromTriplets(entries.begin(), entries.end());
  return data;
}

constexpr DataForm kCorrelation = {.centered = true, .standardized = true};

TEST(ColumnStarts, AllTiedVariablesOfSparseDataAreTried) {
  const auto sparse = make_covariance(rare_group(), kCorrelation);
  EXPECT_EQ(start_variables(*sparse).size(), 300U);
  const Component found = answer("tpower", *sparse, 5, {{"starts", {"columns"}}});
  EXPECT_EQ(found.support, (Support{kRare, kRare + 1, kRare + 2, kRare + 3, kRare + 4}));
}

TEST(ColumnStarts, ASketchFindsTheBestColumnsOfDenseData) {
  const auto dense = make_covariance(Matrix(rare_group()), kCorrelation);
  EXPECT_EQ(start_variables(*dense).size(), 16U);  // all columns would take too long
  EXPECT_TRUE(best_columns_are_sketched(*dense));
  const Component found = answer("tpower", *dense, 5, {{"starts", {"columns"}}});
  EXPECT_EQ(found.support, (Support{kRare, kRare + 1, kRare + 2, kRare + 3, kRare + 4}));
}

TEST(ColumnStarts, SketchedStartsShareAtMostHalfOfTheirSupports) {
  const auto dense = make_covariance(Matrix(rare_group()), kCorrelation);
  const std::vector<ColumnStart> starts = best_columns(*dense, 6, 8);
  ASSERT_EQ(starts.size(), 8U);
  for (std::size_t a = 0; a < starts.size(); ++a) {
    const Support& support = starts[a].component.support;
    EXPECT_NEAR(starts[a].score, best_on_support(*dense, support).value, 1e-9);
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_GE(starts[b].score, starts[a].score);
      Support shared;
      std::set_intersection(support.begin(), support.end(), starts[b].component.support.begin(),
                            starts[b].component.support.end(), std::back_inserter(shared));
      EXPECT_LE(shared.size(), 3U);
    }
  }
}

TEST(ColumnStarts, ASketchOfFewSamplesIsExact) {
  const Index n = 100;
  const Index p = 400;
  const auto dense = make_covariance(trial::random_matrix(n, p, 3), kCorrelation);
  for (const Index k : {2, 9}) {
    Vector scores(p);
    for (Index j = 0; j < p; ++j) {
      const Vector column = dense->columns({j}).col(0);
      scores[j] = restrict_to(column, top_k(column, k)).values.squaredNorm();
    }
    EXPECT_EQ(best_sketched_columns(*dense, all_variables(p), k), top_k_signed(scores, 64));
  }
}

TEST(ColumnStarts, ProductsOfSeveralVectorsWithDataAreThoseOfEach) {
  const Matrix u = trial::random_matrix(1200, 3, 4);
  const auto dense = make_covariance(Matrix(rare_group()), kCorrelation);
  const auto sparse = make_covariance(rare_group(), kCorrelation);
  DeflatedCovariance projected(dense);
  projected.project(best_on_support(*dense, {1, 2, 3}).component);
  projected.remove({7});
  for (const Covariance* covariance :
       std::initializer_list<const Covariance*>{dense.get(), sparse.get(), &projected}) {
    const Matrix products = covariance->transpose_product_block(u);
    for (Index c = 0; c < u.cols(); ++c) {
      EXPECT_LT((products.col(c) - covariance->transpose_product(u.col(c))).norm(), 1e-12);
    }
  }
}

TEST(ColumnStarts, MultiplicationsOfAllColumnsAreCounted) {
  SparseRows data(3, 4);
  data.insert(0, 1) = 1;
  data.insert(0, 3) = 2;
  data.insert(2, 0) = 3;
  data.makeCompressed();
  const auto sparse = make_covariance(data, DataForm{});
  EXPECT_EQ(sparse->column_multiplications(), 2 * 2 + 1 * 1);
  DeflatedCovariance deflated(sparse);
  deflated.remove({1});
  EXPECT_EQ(deflated.column_multiplications(), 5);
  const auto dense = make_covariance(Matrix(data), DataForm{});
  EXPECT_EQ(dense->column_multiplications(), 3 * 4 * 4);
  EXPECT_EQ(SubmatrixCovariance(*dense, {0, 3}).column_multiplications(), 0);
  EXPECT_EQ(trial::as_explicit(Matrix(data))->column_multiplications(), 0);
}

TEST(ColumnStarts, VariablesAboveTheTieStay) {
  Matrix s = pair_and_group(20);
  s.row(3) *= 2;
  s.col(3) *= 2;  // variance 4
  s(3, 9) = s(9, 3) = 0.5;
  EXPECT_EQ(largest_variances(*make_explicit_covariance(s), 2), (Support{3, 9}));
}

TEST(ColumnExchange, LeavesALocalOptimumOfPowerSteps) {
  const auto covariance = make_explicit_covariance(pair_and_group(20));
  // The pair correlates with no other variable, so power steps stay on it.
  const Component start = best_on_support(*covariance, {12, 13}).component;
  const Component found = exchanged(*covariance, start, 5, [](double) { return true; });
  EXPECT_GE(covariance->quadratic_form(found), covariance->quadratic_form(start));
  Matrix random = trial::random_matrix(30, 25, 5);
  const auto other = trial::as_explicit(random);
  double gained = 0;
  for (Index j = 0; j + 4 < 25; ++j) {
    const Component bad = best_on_support(*other, {j, j + 1, j + 2, j + 3}).component;
    const Component good = exchanged(*other, bad, 4, [](double) { return true; });
    EXPECT_LE(good.cardinality(), 4);
    EXPECT_NEAR(good.values.norm(), 1, 1e-12);
    EXPECT_GE(other->quadratic_form(good), other->quadratic_form(bad) * (1 - 1e-12));
    gained += other->quadratic_form(good) - other->quadratic_form(bad);
  }
  EXPECT_GT(gained, 0);
}

TEST(Fullpath, TakesOnlyTheVariablesOfLargestVariance) {
  // Variable 3 covaries most with variable 0, but its variance is the least.
  Matrix s = Vector{{9, 4, 3, 2}}.asDiagonal();
  s(0, 3) = s(3, 0) = 4;
  s(0, 2) = s(2, 0) = 1;
  const auto covariance = make_explicit_covariance(s);
  EXPECT_EQ(answer("fullpath", *covariance, 2).support, (Support{0, 3}));
  EXPECT_EQ(answer("fullpath", *covariance, 2, {{"variables", 4}}).support, (Support{0, 3}));
  EXPECT_EQ(answer("fullpath", *covariance, 2, {{"variables", 3}}).support, (Support{0, 2}));
  EXPECT_EQ(answer("fullpath", *covariance, 2, {{"variables", 3}, {"variant", "exact"}}).support,
            (Support{0, 2}));
  EXPECT_EQ(answer("fullpath", *covariance, 2, {{"variables", 1}}).support, (Support{0}));
}

/// Both variables tie except for rounding, and the only one that may enter is not the first of
/// them.
TEST(Fullpath, BeginsWithAVariableThatMayEnter) {
  const Matrix s = Vector{{7.000000000002116, 7.000000000002321}}.asDiagonal();
  EXPECT_EQ(answer("fullpath", *make_explicit_covariance(s), 1, {{"variables", 1}}).support,
            Support{1});
}

}  // namespace
}  // namespace spca::tied_variances_test
