/// Bounds, and the path over cardinalities behind `spca path`.

#include "spca/measure/cardinality_path.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/random.h"
#include "spca/solving/solve.h"
#include "tests/solver_testing.h"

namespace spca::cardinality_path_test {
namespace {

using trial::random_data;

constexpr double kSumRounding = 1e-10;  // sums over at most a few hundred terms near one

PathSolver solver_named(const std::string& name) {
  const SolverEntry& entry = SolverRegistry::instance().get(name, "solver");
  return {.entry = &entry, .options = entry.complete_options(Json::object(), "")};
}

std::vector<Index> range(Index first, Index last) {
  std::vector<Index> numbers;
  for (Index k = first; k <= last; ++k) {
    numbers.push_back(k);
  }
  return numbers;
}

/// n samples of p variables; the first `signal` share a factor.
Matrix factor_data(Index n, Index p, Index signal) {
  Random random(7);
  Matrix data(n, p);
  for (Index i = 0; i < n; ++i) {
    const double factor = 3 * random.normal();
    for (Index j = 0; j < p; ++j) {
      data(i, j) = random.normal() + (j < signal ? factor : 0);
    }
  }
  return data;
}

std::shared_ptr<const Covariance> centered_covariance(const Matrix& data) {
  return make_covariance(Matrix(data), {.centered = true, .scale = Scale::kSamples});
}

/// Returns a data set without names of variables and without a truth.
Dataset dataset_of(std::shared_ptr<const Covariance> covariance) {
  return {.covariance = std::move(covariance), .variable_names = {}, .truth = {}};
}

TEST(CardinalityBounds, HoldForTheOptimumAndAreExactAtOne) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Matrix data = random_data(4 + static_cast<Index>(seed % 9), 9, seed);
    const auto s = make_covariance(Matrix(data), {.centered = false, .scale = Scale::kNone});
    const std::vector<Index> ks = range(1, 9);
    const auto bounds = cardinality_bounds(*s, ks, kNotMeasured);
    const PathReport exact = solve_path({.dataset = dataset_of(s),
                                         .solvers = {solver_named("exhaustive")},
                                         .cardinalities = ks,
                                         .resamples = 0,
                                         .folds = 0});
    for (std::size_t i = 0; i < ks.size(); ++i) {
      EXPECT_GE(bounds[i].value * (1 + kSumRounding), exact.solvers[0].points[i].answer.value);
      EXPECT_NEAR(exact.bounds[i].value, exact.solvers[0].points[i].answer.value,
                  kSumRounding * bounds[i].value);
    }
    EXPECT_DOUBLE_EQ(bounds[0].value, s->diagonal().maxCoeff());
  }
}

TEST(CardinalityBounds, AreTightForUncorrelatedVariables) {
  const Matrix s = Vector::LinSpaced(6, 1, 6).asDiagonal();
  for (const CardinalityBound& bound :
       cardinality_bounds(*make_explicit_covariance(s), range(1, 6), kNotMeasured)) {
    EXPECT_DOUBLE_EQ(bound.value, 6);
  }
}

/// Columns whose variance falls fast: the search ends early, and the part left out is bounded.
TEST(CardinalityBounds, AreThoseOfAllRowsWhereTheSearchEndsEarly) {
  constexpr Index kVariables = 120;
  Matrix data = random_data(20, kVariables, 3);
  for (Index j = 0; j < kVariables; ++j) {
    data.col(j) *= std::pow(0.7, static_cast<double>(j));
  }
  const auto covariance = make_covariance(Matrix(data), {.centered = false, .scale = Scale::kNone});
  const Matrix s = data.transpose() * data;
  const std::vector<Index> ks = {1, 2, 5, 20};
  const auto bounds = cardinality_bounds(*covariance, ks, kNotMeasured);
  for (std::size_t i = 0; i < ks.size(); ++i) {
    double by_rows = 0;
    for (Index row = 0; row < kVariables; ++row) {
      Vector magnitudes = s.col(row).cwiseAbs();
      const double own = magnitudes[row];
      magnitudes[row] = 0;
      std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
      by_rows = std::max(by_rows, own + magnitudes.head(ks[i] - 1).sum());
    }
    Vector variances = s.diagonal();
    std::sort(variances.begin(), variances.end(), std::greater<>());
    EXPECT_NEAR(bounds[i].value, std::min(by_rows, variances.head(ks[i]).sum()),
                kSumRounding * by_rows);
  }
}

TEST(SupportStability, IsOneForOneSupportAndZeroForUniformlyDrawnOnes) {
  EXPECT_DOUBLE_EQ(support_stability({{1, 4}, {1, 4}, {1, 4}}, 10), 1);
  // Each pair of four variables once: each variable is in half of the six, so s^2 = 6/5 * 1/4.
  EXPECT_NEAR(support_stability({{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, 4), -0.2, 1e-12);
  EXPECT_TRUE(std::isnan(support_stability({{0, 1}, {0, 1}}, 2)));
  EXPECT_TRUE(std::isnan(support_stability({{0}}, 2)));
}

TEST(Knee, IsWhereALineBends) {
  EXPECT_EQ(knee({1, 2, 3, 4, 5, 6}, {1, 2, 3, 3.1, 3.2, 3.3}), 3);
  EXPECT_EQ(knee({2, 4, 8, 16}, {0, kNotMeasured, 9, 10}), 8);
  EXPECT_FALSE(knee({1, 2, 3}, {1, 2, 3}).has_value());
  EXPECT_FALSE(knee({1, 2}, {1, 2}).has_value());
  EXPECT_FALSE(knee({1, 2, 3}, {2, 2, 2}).has_value());
}

TEST(LeftOutErrors, AreThoseOfTheDataAsTheyWere) {
  const Matrix data = random_data(11, 6, 5).array() + 2;
  const std::vector<Index> kept = {0, 2, 3, 5, 7, 8, 10}, left_out = {1, 4, 6, 9};
  const Component v{.support = {1, 4}, .values = Vector{{0.6, 0.8}}};
  for (const bool is_centered : {true, false}) {
    const auto s = make_covariance(Matrix(data), {.centered = is_centered, .scale = Scale::kNone});
    Matrix rows = data(left_out, Eigen::all);
    if (is_centered) {
      rows.rowwise() -= data(kept, Eigen::all).colwise().mean();
    }
    const Vector dense = to_dense(v, 6);
    const Matrix residual = rows - rows * dense * dense.transpose();
    const auto errors = left_out_errors(*s, kept, left_out, {v, Component{}});
    EXPECT_NEAR(errors[0], residual.squaredNorm() / rows.squaredNorm(), kSumRounding);
    EXPECT_TRUE(std::isnan(errors[1]));
  }
}

TEST(OfSamples, IsTheCovarianceOfTheseSamplesDenseOrSparse) {
  const Matrix data = random_data(9, 5, 2);
  const std::vector<Index> samples = {8, 0, 3, 3, 5};
  const Matrix rows = data(samples, Eigen::all);
  for (const bool is_centered : {true, false}) {
    const DataForm form{.centered = is_centered, .scale = Scale::kSamplesMinusOne};
    const auto expected = make_covariance(Matrix(rows), form);
    const auto dense = make_covariance(Matrix(data), form)->of_samples(samples);
    const auto sparse = make_covariance(SparseRows(data.sparseView()), form)->of_samples(samples);
    const Support all = {0, 1, 2, 3, 4};
    const Matrix s = expected->submatrix(all);
    EXPECT_LE((dense->submatrix(all) - s).norm(), kSumRounding);
    EXPECT_LE((sparse->submatrix(all) - s).norm(), kSumRounding);
  }
  EXPECT_EQ(make_explicit_covariance(Matrix::Identity(3, 3))->of_samples({0}), nullptr);
}

TEST(Path, NeverFallsWithAWarmStartAndIsNoWorseThanEachCardinalityAlone) {
  const auto s = centered_covariance(factor_data(40, 60, 8));
  for (const char* name : {"tpower", "em"}) {
    const PathSolver solver = solver_named(name);
    const std::vector<Index> ks = range(1, 30);
    const PathReport report = solve_path({.dataset = dataset_of(s),
                                          .solvers = {solver},
                                          .cardinalities = ks,
                                          .resamples = 0,
                                          .folds = 0});
    double previous = 0;
    for (std::size_t i = 0; i < ks.size(); ++i) {
      const CardinalityAnswer& answer = report.solvers[0].points[i].answer;
      EXPECT_GE(answer.value, previous * (1 - kSumRounding)) << name << " k = " << ks[i];
      EXPECT_LE(answer.value, report.bounds[i].value * (1 + kSumRounding));
      previous = answer.value;
    }
    const SolveOutcome alone = solve(
        {.covariance = s, .solver = solver.entry, .options = solver.options, .cardinality = {12}});
    EXPECT_GE(report.solvers[0].points[11].answer.value,
              s->quadratic_form(alone.solution.components[0]) * (1 - kSumRounding));
  }
}

TEST(Path, FindsTheSizeOfAPlantedSupport) {
  constexpr Index kSignal = 8;
  const PathReport report =
      solve_path({.dataset = dataset_of(centered_covariance(factor_data(60, 40, kSignal))),
                  .solvers = {solver_named("tpower"), solver_named("fullpath")},
                  .cardinalities = range(1, 20),
                  .seed = 1});
  for (const SolverPath& path : report.solvers) {
    EXPECT_EQ(path.suggestion.knee, kSignal);
    ASSERT_TRUE(path.suggestion.cross_validation.has_value());
    EXPECT_LE(*path.suggestion.one_standard_error, *path.suggestion.cross_validation);
    // One noise variable more or less changes the error little: the minimum is only near 8.
    EXPECT_NEAR(static_cast<double>(*path.suggestion.cross_validation), kSignal, 3);
    EXPECT_NEAR(path.points[kSignal - 1].stability, 1, kSumRounding);
    EXPECT_LT(path.points[2 * kSignal - 1].stability, 0.9);
  }
}

TEST(Path, IsTheSameForTheSameSeed) {
  const PathRequest request{.dataset = dataset_of(centered_covariance(factor_data(30, 20, 4))),
                            .solvers = {solver_named("em")},
                            .cardinalities = range(2, 6),
                            .seed = 3};
  const PathReport first = solve_path(request), second = solve_path(request);
  for (std::size_t i = 0; i < 5; ++i) {
    const PathPointSummary& a = first.solvers[0].points[i];
    const PathPointSummary& b = second.solvers[0].points[i];
    EXPECT_EQ(a.answer.value, b.answer.value);
    EXPECT_EQ(a.stability, b.stability);
    EXPECT_EQ(a.reconstruction_error, b.reconstruction_error);
  }
}

TEST(Path, EndsAtASignalAndLeavesUnfinishedAnswersOpen) {
  PathRequest request{.dataset = dataset_of(centered_covariance(factor_data(30, 20, 4))),
                      .solvers = {solver_named("tpower"), solver_named("em")},
                      .cardinalities = range(2, 6)};
  const StopSignals signals(StopSignals::Repeat::kAlways);
  std::size_t steps = 0;
  // Raises the signal after the answers of the first solver and three of its resamples.
  request.progress = [&steps](std::size_t, std::size_t) {
    if (++steps == 4) {
      std::raise(SIGTERM);
    }
  };
  const PathReport report = solve_path(request);
  EXPECT_EQ(steps, 4U) << "no path is done after the signal";
  ASSERT_EQ(report.solvers.size(), 1U);
  EXPECT_FALSE(report.solvers[0].is_complete);
  EXPECT_FALSE(report.solvers[0].suggestion.knee.has_value());
  for (const PathPointSummary& point : report.solvers[0].points) {
    EXPECT_EQ(point.answer.status, Status::kConverged);
    EXPECT_TRUE(std::isnan(point.stability));
    EXPECT_TRUE(std::isnan(point.reconstruction_error));
  }
}

/// Raises a signal at k = 3, and then answers as if nothing had happened.
Solution solve_and_raise(const Problem& problem, const Json&, Budget& budget) {
  if (problem.cardinality.front() == 3) {
    std::raise(SIGINT);
  }
  return make_solution({{.support = {0}, .values = Vector::Ones(1)}}, budget);
}

TEST(Path, AnAnswerDuringWhichASignalCameIsMarked) {
  SolverEntry raising = *solver_named("diagonal").entry;
  raising.solve = solve_and_raise;
  const StopSignals signals(StopSignals::Repeat::kAlways);
  const PathReport report =
      solve_path({.dataset = dataset_of(centered_covariance(factor_data(30, 20, 4))),
                  .solvers = {{.entry = &raising, .options = Json::object()}},
                  .cardinalities = range(2, 5)});
  const std::vector<PathPointSummary>& points = report.solvers[0].points;
  EXPECT_EQ(points[0].answer.status, Status::kConverged);
  EXPECT_EQ(points[1].answer.status, Status::kTimeLimit);
  EXPECT_EQ(points[1].answer.message, kInterrupted);
  for (const std::size_t i : {2, 3}) {
    EXPECT_EQ(points[i].answer.status, Status::kSkipped);
    EXPECT_EQ(points[i].answer.message, "not reached");
    EXPECT_FALSE(points[i].answer.has_answer());
  }
}

/// Stops a solver with a path at a signal, after two cardinalities.
Solution raise_on_the_path(const Problem&, const Json&, Budget& budget) {
  std::raise(SIGINT);
  const Component one{.support = {0}, .values = Vector::Ones(1)};
  Solution solution = make_solution({one}, budget);
  solution.status = Status::kTimeLimit;
  solution.path.resize(2);
  solution.path[0].component = solution.path[1].component = one;
  return solution;
}

TEST(Path, WhatASignalCutsFromAPathSaysSo) {
  SolverEntry raising = *solver_named("fullpath").entry;
  raising.solve = raise_on_the_path;
  const StopSignals signals(StopSignals::Repeat::kAlways);
  const PathReport report =
      solve_path({.dataset = dataset_of(centered_covariance(factor_data(30, 20, 4))),
                  .solvers = {{.entry = &raising, .options = Json::object()}},
                  .cardinalities = range(1, 4)});
  const std::vector<PathPointSummary>& points = report.solvers[0].points;
  for (const std::size_t i : {2, 3}) {
    EXPECT_EQ(points[i].answer.status, Status::kTimeLimit);
    EXPECT_EQ(points[i].answer.message, kInterrupted);
  }
}

/// Fails on all 30 samples at k = 4, and answers well on fewer.
Solution fail_on_all_samples(const Problem& problem, const Json& options, Budget& budget) {
  if (problem.covariance.samples() == 30 && problem.cardinality.front() == 4) {
    Solution failed;
    failed.status = Status::kNumericalFailure;
    return failed;
  }
  return solver_named("tpower").entry->solve(
      problem, solver_named("tpower").entry->complete_options(options, ""), budget);
}

TEST(Path, SuggestsNoCardinalityThatOnlyTheFoldsAnswer) {
  SolverEntry failing = *solver_named("diagonal").entry;
  failing.solve = fail_on_all_samples;
  const PathReport report =
      solve_path({.dataset = dataset_of(centered_covariance(factor_data(30, 20, 4))),
                  .solvers = {{.entry = &failing, .options = Json::object()}},
                  .cardinalities = range(2, 6),
                  .folds = 5});
  const SolverPath& path = report.solvers[0];
  ASSERT_FALSE(path.points[2].answer.has_answer());
  // Four variables share the factor, so that the folds alone would choose k = 4.
  ASSERT_FALSE(std::isnan(path.points[2].reconstruction_error));
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    EXPECT_GE(path.points[i].reconstruction_error, path.points[2].reconstruction_error) << i;
  }
  EXPECT_NE(path.suggestion.cross_validation, std::optional<Index>(4));
  EXPECT_NE(path.suggestion.one_standard_error, std::optional<Index>(4));
}

TEST(Path, AnAnswerThatBreaksALawOfItsSolverCountsNowhere) {
  // The loadings of a thresholded eigenvector are not the best ones on their support.
  SolverEntry unlawful = *solver_named("threshold").entry;
  unlawful.traits.laws = {"theorem5_slack"};
  const PathReport report =
      solve_path({.dataset = dataset_of(centered_covariance(factor_data(30, 20, 4))),
                  .solvers = {{.entry = &unlawful, .options = Json::object()}},
                  .cardinalities = {2, 5},
                  .resamples = 4,
                  .folds = 3});
  for (const PathPointSummary& point : report.solvers[0].points) {
    EXPECT_EQ(point.answer.status, Status::kInvalid);
    EXPECT_TRUE(point.answer.message.starts_with("breaks its law theorem5_slack >= 0: found -"))
        << point.answer.message;
    EXPECT_FALSE(point.answer.has_answer());
    EXPECT_TRUE(std::isnan(point.answer.value));
    EXPECT_TRUE(std::isnan(point.stability)) << "the answers on halves break it too";
    EXPECT_TRUE(std::isnan(point.reconstruction_error));
  }
  EXPECT_FALSE(report.solvers[0].suggestion.knee.has_value());
}

TEST(Path, HasNoResamplesOfACovarianceAndSaysSo) {
  const PathReport report =
      solve_path({.dataset = dataset_of(make_explicit_covariance(Matrix::Identity(4, 4))),
                  .solvers = {solver_named("tpower")},
                  .cardinalities = {1, 2}});
  EXPECT_EQ(report.without_resamples, "S is given, not the data");
  EXPECT_EQ(report.without_folds, "S is given, not the data");
  EXPECT_TRUE(std::isnan(report.solvers[0].points[0].stability));
}

TEST(Path, TakesOnlyAscendingCardinalitiesAndSparseSolvers) {
  const auto s = make_explicit_covariance(Matrix::Identity(4, 4));
  for (const std::vector<Index>& ks :
       std::vector<std::vector<Index>>{{}, {0, 1}, {2, 2}, {3, 2}, {4, 5}}) {
    EXPECT_THROW(
        solve_path(
            {.dataset = dataset_of(s), .solvers = {solver_named("tpower")}, .cardinalities = ks}),
        InputError);
  }
  EXPECT_THROW(
      solve_path(
          {.dataset = dataset_of(s), .solvers = {solver_named("pca")}, .cardinalities = {1}}),
      InputError);
}

/// Returns n samples of p variables. The first `signal` share a factor, with loadings that fall
/// evenly, so that the first few variables are found in every fold.
Matrix falling_data(Index n, Index p, Index signal, std::uint64_t seed) {
  Random random(seed);
  Matrix data(n, p);
  for (Index i = 0; i < n; ++i) {
    const double factor = 1.5 * random.normal();
    for (Index j = 0; j < p; ++j) {
      const double share = 1 - 0.7 * static_cast<double>(j) / static_cast<double>(signal - 1);
      data(i, j) = random.normal() + (j < signal ? share * factor : 0);
    }
  }
  return data;
}

TEST(ScoreSuggestion, IsFromTwoToHalfOfTheVariables) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PathReport report =
        solve_path({.dataset = dataset_of(centered_covariance(falling_data(120, 40, 8, seed))),
                    .solvers = {solver_named("tpower")},
                    .cardinalities = range(1, 16),
                    .seed = seed,
                    .resamples = 0});
    const SolverPath& path = report.solvers[0];
    ASSERT_TRUE(path.suggestion.scores.has_value());
    EXPECT_GE(*path.suggestion.scores, 2) << seed;
    EXPECT_LE(*path.suggestion.scores, 20) << seed;
    for (const PathPointSummary& point : path.points) {
      EXPECT_LE(point.score_correlation, 1);
      EXPECT_GE(point.score_correlation, 0);
      EXPECT_LE(point.repeat_correlation, 1);
    }
    // At k = 1 the folds agree on the variable, but its scores are not those of the component.
    EXPECT_GT(path.points[0].repeat_correlation, path.points[0].score_correlation);
  }
}

TEST(ScoreSuggestion, IsSparseWhereEveryVariableBelongsToTheFactor) {
  const auto s =
      make_covariance(falling_data(200, 20, 20, 1), {.centered = true, .standardized = true});
  const PathReport report = solve_path({.dataset = dataset_of(s),
                                        .solvers = {solver_named("tpower")},
                                        .cardinalities = range(1, 20),
                                        .resamples = 0});
  const PathSuggestion& suggestion = report.solvers[0].suggestion;
  EXPECT_GT(*suggestion.one_standard_error, 10) << "the error has no sparse optimum";
  EXPECT_GE(*suggestion.scores, 2);
  EXPECT_LE(*suggestion.scores, 10);
}

TEST(ComponentPaths, FindTheBlocksOneAfterTheOther) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Matrix data = random_data(150, 40, seed);
    Random random(100 + seed);
    for (Index i = 0; i < data.rows(); ++i) {
      data.row(i).segment(0, 10).array() += 1.5 * random.normal();
      data.row(i).segment(10, 5).array() += 1.5 * random.normal();
    }
    const ComponentsRequest request = {
        .path = {.dataset = dataset_of(make_covariance(Matrix(data), {.standardized = true})),
                 .solvers = {solver_named("tpower")},
                 .cardinalities = range(1, 15),
                 .seed = seed,
                 .resamples = 0},
        .components = 2,
        .deflation = &DeflationRegistry::instance().get("remove-support", "deflation")};
    const std::vector<ComponentPath> paths = solve_component_paths(request);
    ASSERT_EQ(paths.size(), 2U);
    EXPECT_NEAR(static_cast<double>(*paths[0].chosen), 10, 1) << seed;
    EXPECT_NEAR(static_cast<double>(*paths[1].chosen), 5, 1) << seed;
    EXPECT_EQ(paths[1].varying, 40 - *paths[0].chosen);
    EXPECT_STREQ(paths[0].rule, "one_standard_error");
  }
}

TEST(ComponentPaths, AreSparseWhereEveryVariableBelongsToTheComponent) {
  const auto s =
      make_covariance(falling_data(200, 20, 20, 1), {.centered = true, .standardized = true});
  const std::vector<ComponentPath> paths = solve_component_paths(
      {.path = {.dataset = dataset_of(s),
                .solvers = {solver_named("tpower")},
                .cardinalities = range(1, 20),
                .resamples = 0},
       .deflation = &DeflationRegistry::instance().get("remove-support", "deflation")});
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_STREQ(paths[0].rule, "scores");
  EXPECT_GE(*paths[0].chosen, 2);
  EXPECT_LE(*paths[0].chosen, 10);
}

TEST(ComponentPaths, TakeEveryDeflationThatKeepsSamples) {
  for (const auto& [name, entry] : DeflationRegistry::instance().entries()) {
    if (!entry.keeps_data) {
      continue;
    }
    const std::vector<ComponentPath> paths = solve_component_paths(
        {.path = {.dataset = dataset_of(centered_covariance(factor_data(60, 10, 4))),
                  .solvers = {solver_named("tpower")},
                  .cardinalities = {1, 2, 4, 6},
                  .resamples = 0},
         .components = 2,
         .deflation = &entry});
    ASSERT_EQ(paths.size(), 2U) << name;
    EXPECT_EQ(paths[0].chosen, 4) << name;
    EXPECT_TRUE(paths[1].chosen.has_value()) << name;
  }
}

}  // namespace
}  // namespace spca::cardinality_path_test
