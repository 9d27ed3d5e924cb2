/// Tests of the changes that a history reports.

#include "harness/history/trends.h"

#include "spca/base/random.h"
#include "tests/history/history_testing.h"

namespace spca::trends_test {
namespace {

using namespace trial;

class TrendsTest : public HistoryTest {
 protected:
  Trends find(const std::vector<std::string>& metrics = {}) const {
    return find_trends(HistoryFile(path(), SqlAccess::kExisting),
                       {.experiment = "e", .metrics = metrics});
  }
  std::vector<WorseRow> worse(const std::string& since = "") const {
    return worse_since(find(), since);
  }
};

const Trend& of(const Trends& trends, const std::string& metric) {
  for (const Trend& trend : trends.trends) {
    if (trend.metric == metric) {
      return trend;
    }
  }
  throw std::out_of_range(metric);
}

TEST_F(TrendsTest, AnExactNumberThatDiffersInItsLastDigitIsAChangeOfThatCommit) {
  for (std::size_t i = 0; i < 4; ++i) {
    HistoryEntry made = entry(i);
    made.cells = {cell(5, i < 2 ? 2.0 : std::nextafter(2.0, 3.0), 1)};
    add(made);
  }
  const Trends trends = find();
  const Trend& trend = of(trends, "explained_variance");
  ASSERT_EQ(trend.changes.size(), 1U);
  EXPECT_EQ(trends.runs[trend.points[trend.changes[0].point].run].commit, "c2");
  EXPECT_EQ(trend.changes[0].verdict, Verdict::kMatch);  // within the tolerance of the metric
  EXPECT_EQ(trend.label(), "g / pitprops / tpower / k = 5");
  EXPECT_TRUE(worse().empty());
}

TEST_F(TrendsTest, MachinesMayDifferByRounding) {
  for (std::size_t i = 0; i < 6; ++i) {
    const bool other = i % 2 == 1;
    HistoryEntry made = entry(i, other ? "b" : "a");
    made.cells = {cell(5, other ? 2.0 + 1e-12 : 2.0, 1)};
    add(made);
  }
  EXPECT_TRUE(of(find(), "explained_variance").changes.empty());
  HistoryEntry made = entry(6, "b");
  made.cells = {cell(5, 1.5, 1)};
  add(made);
  made = entry(7, "a");
  made.cells = {cell(5, 1.5, 1)};
  add(made);
  const std::vector<WorseRow> rows = worse();
  ASSERT_EQ(rows.size(), 1U);  // and not once more for machine a
  EXPECT_EQ(rows[0].commit, "c6");
  EXPECT_EQ(rows[0].last_good, "c5");
  EXPECT_TRUE(rows[0].stands);
}

TEST_F(TrendsTest, WhatWasMendedStandsNoMore) {
  for (std::size_t i = 0; i < 4; ++i) {
    HistoryEntry made = entry(i);
    made.cells = {cell(5, i == 2 ? 1.0 : 2.0, 1)};
    add(made);
  }
  const std::vector<WorseRow> rows = worse();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].verdict, Verdict::kWorse);
  EXPECT_FALSE(rows[0].stands);
  EXPECT_EQ(rows[0].now, 2);
  EXPECT_TRUE(worse(day(3)).empty());
  EXPECT_EQ(worse(day(2)).size(), 1U);
}

/// There are 24 runs with 5 % of noise. From commit c16 on, the 17th run, two of the three
/// cardinalities take twice as long.
TEST_F(TrendsTest, ASlowerGroupIsFoundThoughACellIsMissingInSomeRuns) {
  Random random(5);
  for (std::size_t i = 0; i < 24; ++i) {
    HistoryEntry made = entry(i);
    for (const Index k : {2, 3, 4}) {
      const double slower = i >= 16 && k > 2 ? 2 : 1;
      if (k != 4 || i % 5 != 0) {
        made.cells.push_back(
            cell(k, 2.0, static_cast<double>(k * k) * slower * std::exp(0.05 * random.normal())));
      }
    }
    add(made);
  }
  const Trends trends = find();
  const Trend& trend = of(trends, "solve_seconds");
  EXPECT_TRUE(trend.is_machine);
  EXPECT_TRUE(trend.labels.cardinality.empty());
  ASSERT_EQ(trend.points.size(), 24U);
  const std::vector<WorseRow> rows = worse();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].commit, "c16");
  EXPECT_EQ(rows[0].verdict, Verdict::kSlower);
  EXPECT_NEAR(rows[0].after / rows[0].before, std::exp2(2.0 / 3), 0.2);
  EXPECT_LE(rows[0].p_value, trends.level);
}

TEST_F(TrendsTest, TimesOfTwoMachinesAreTwoSeriesAndThoseBesideOthersNone) {
  for (std::size_t i = 0; i < 20; ++i) {
    HistoryEntry made = entry(i, i < 10 ? "a" : "b");
    made.cells = {cell(5, 2.0, i < 10 ? 1.0 : 3.0)};
    made.cells[0].points[1].contended = i == 19;
    add(made);
  }
  const Trends trends = find({"solve_seconds"});
  ASSERT_EQ(trends.trends.size(), 2U);
  EXPECT_EQ(trends.trends[0].points.size(), 10U);
  EXPECT_EQ(trends.trends[1].points.size(), 9U);
  EXPECT_EQ(trends.contended, 1U);
  EXPECT_TRUE(trends.trends[0].changes.empty());
  EXPECT_TRUE(trends.trends[1].changes.empty());
}

TEST_F(TrendsTest, AKernelThatBecameSlowerIsFoundByTheNameOfItsMetric) {
  for (std::size_t i = 0; i < 24; ++i) {
    HistoryEntry made = entry(i);
    made.kind = "benchmark";
    made.cells = {{.question = {{"experiment", "e"}, {"benchmark", "product/64"}},
                   .answer = "",
                   .points = {{.metric = "real_seconds",
                               .mean = (i < 12 ? 1 : 1.5) + 0.01 * static_cast<double>(i * 7 % 5),
                               .count = 1,
                               .by_repeat = "[1]"}}}};
    add(made);
  }
  const std::vector<WorseRow> rows = worse();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].label, "product/64");
  EXPECT_EQ(rows[0].commit, "c12");
}

TEST_F(TrendsTest, ProfilesAreSeriesOfTheirOwn) {
  for (std::size_t i = 0; i < 4; ++i) {
    HistoryEntry made = entry(i);
    made.profile = i % 2 == 0 ? "smoke" : "full";
    made.cells = {cell(5, i % 2 == 0 ? 2.0 : 3.0, 1)};
    made.cells[0].question["profile"] = made.profile;
    add(made);
  }
  const Trends trends = find({"explained_variance"});
  ASSERT_EQ(trends.trends.size(), 2U);
  EXPECT_EQ(trends.trends[0].label(), "g / pitprops / tpower (smoke) / k = 5");
  EXPECT_EQ(trends.trends[1].label(), "g / pitprops / tpower (full) / k = 5");
  EXPECT_TRUE(trends.trends[0].changes.empty());
  EXPECT_TRUE(trends.trends[1].changes.empty());
}

TEST_F(TrendsTest, TheErrorNamesWhatIsMissing) {
  add(entry(0));
  const HistoryFile file(path(), SqlAccess::kExisting);
  EXPECT_NE(error_of([&] { find_trends(file, {.experiment = "f"}); }).find("accepted: e"),
            std::string::npos);
  HistoryEntry made = entry(1);
  made.cells = {cell(5, 2.0, 1)};
  add(made);
  const std::string message =
      error_of([&] { find_trends(file, {.experiment = "e", .metrics = {"gap"}}); });
  EXPECT_NE(message.find("accepted: explained_variance, solve_seconds"), std::string::npos)
      << message;
}

}  // namespace
}  // namespace spca::trends_test
