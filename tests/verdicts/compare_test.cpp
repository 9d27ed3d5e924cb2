/// Two runs side by side, and the performance profiles of their solvers.

#include <gtest/gtest.h>

#include "harness/comparisons/compare.h"
#include "harness/comparisons/performance_profile.h"
#include "tests/verdict_testing.h"

namespace spca::compare_test {
namespace {

using namespace trial;

TEST(Compare, FindsNoDifferenceBetweenARunAndItself) {
  const RunComparison comparison = compare_runs(kReference, kReference);
  ASSERT_EQ(comparison.cells.size(), 2U);
  for (const CellDifference& cell : comparison.cells) {
    for (const MetricDifference& difference : cell.metrics) {
      EXPECT_EQ(difference.pairs.difference, 0) << difference.metric;
      EXPECT_FALSE(difference.significant);
    }
  }
}

TEST(Compare, CallsADifferenceSignificantByTheTwoSidedSignTest) {
  for (const std::size_t repeats : {5U, 6U}) {
    const ComparedRun first = run_of({cell("a", std::vector<double>(repeats, 2))});
    const ComparedRun second = run_of({cell("a", std::vector<double>(repeats, 3))});
    const RunComparison comparison = compare_runs(first, second);
    const MetricDifference& difference = comparison.cells[0].metrics[0];
    EXPECT_EQ(difference.metric, "explained_variance");
    EXPECT_EQ(difference.pairs.difference, 1);
    EXPECT_EQ(difference.significant, repeats == 6) << "2 / 2^5 > 0.05 > 2 / 2^6";
  }
}

TEST(Compare, ListsCellsThatOnlyOneRunHas) {
  const RunComparison comparison =
      compare_runs(kReference, run_of({cell("b", {3, 3, 3}), cell("c", {1})}));
  EXPECT_EQ(comparison.cells.size(), 1U);
  EXPECT_EQ(comparison.only_first.size(), 1U);
  EXPECT_EQ(comparison.only_second.size(), 1U);
}

TEST(Compare, NamesAnswersThatOnlyOneRunHas) {
  const ComparedRun few = run_of({cell("a", {2, 2})});
  const ComparedRun many = run_of({cell("a", {2, 2, 2})});
  EXPECT_EQ(compare_runs(many, few).cells[0].answers,
            "1 of 3 repeats: an answer in A only; in B not run");
  EXPECT_EQ(compare_runs(few, many).cells[0].answers,
            "1 of 3 repeats: an answer in B only; in A not run");
}

TEST(PerformanceProfile, IsTheShareOfProblemsWithinAFactorOfTheBest) {
  // On three problems A has 2, 2, 2 and B has 1, 2 and 4.
  const PerformanceProfile profile =
      value_profiles(run_of({cell("a", {2, 2, 2})}), run_of({cell("a", {1, 2, 4})})).at(0);
  EXPECT_EQ(profile.problems, 3U);
  ASSERT_EQ(profile.rows.size(), 2U);
  EXPECT_EQ(profile.rows[0].solver, "A: a, projection");
  EXPECT_EQ(profile.tau.front(), 1);
  EXPECT_EQ(profile.tau.back(), 2);
  EXPECT_DOUBLE_EQ(profile.rows[0].share.front(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(profile.rows[1].share.front(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(profile.rows[0].share.back(), 1);
  EXPECT_DOUBLE_EQ(profile.rows[1].share.back(), 1);
}

TEST(PerformanceProfile, CountsAFailureAsNeverSolved) {
  ComparedRun second = run_of({cell("a", {2})});
  second.cells[0].repeats[0].status = Status::kFailed;
  second.cells[0].repeats[0].components.clear();
  const PerformanceProfile profile = value_profiles(run_of({cell("a", {1})}), second).at(0);
  EXPECT_EQ(profile.rows[0].share.front(), 1);
  EXPECT_EQ(profile.rows[1].share.back(), 0);
}

TEST(PerformanceProfile, OfTimesLeavesOutCellsThatRanBesideOthers) {
  ComparedRun first = run_of({cell("a", {2, 2})});
  ComparedRun second = first;
  second.cells[0].repeats[0].contended = true;
  second.cells[0].repeats[1].metrics["solve_seconds"] = 3;
  const PerformanceProfile profile = time_profiles(first, second).at(0);
  EXPECT_EQ(profile.problems, 1U);
  EXPECT_EQ(profile.rows[0].share.front(), 1);
  EXPECT_EQ(profile.rows[1].share.front(), 0);
  EXPECT_EQ(profile.rows[1].share.back(), 1);
}

}  // namespace
}  // namespace spca::compare_test
