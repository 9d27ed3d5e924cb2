/// Tests of the median of a history's last runs as the baseline of the gate.

#include "harness/history/history_reference.h"

#include "harness/comparisons/baseline_file.h"
#include "harness/comparisons/gate.h"
#include "tests/history/history_testing.h"
#include "tests/verdict_testing.h"

namespace spca::history_reference_test {
namespace {

using namespace trial;

/// Returns the entry of the i-th commit: one cell whose two repeats have the variance `variance`.
/// The first takes `seconds`; the time of the second is not known.
HistoryEntry commit(std::size_t i, double variance, double seconds,
                    const std::string& machine = "a", bool contended = false) {
  ComparedCell answered = trial::cell("a", {variance, variance});
  for (ComparedRepeat& repeat : answered.repeats) {
    repeat.metrics.erase("solve_seconds");
  }
  HistoryEntry made = entry(i, machine);
  made.machine = run_of({}).machine;
  made.machine["processor"] = machine;
  made.overrides = run_of({}).overrides;
  made.cells = {{.question = {{"experiment", "e"},
                              {"grid", "g"},
                              {"dataset", "pitprops"},
                              {"solver", "a"},
                              {"deflation", "projection"},
                              {"cardinality", {2, 2}}},
                 .answer = baseline_cell_text(answered),
                 .points = {{.metric = "solve_seconds",
                             .mean = seconds,
                             .count = 2,
                             .contended = contended,
                             .by_repeat = "[" + std::to_string(seconds) + ",null]"}}}};
  return made;
}

using HistoryReferenceTest = HistoryTest;

TEST_F(HistoryReferenceTest, IsTheMedianOfEachNumberOverTheLastRuns) {
  add(commit(0, 100, 100));  // too old
  add(commit(1, 2, 1));
  add(commit(2, 9, 50, "a", true));  // beside other cells
  add(commit(3, 3, 3));
  add(commit(4, 2.5, 70, "b"));
  const HistoryFile file(path(), SqlAccess::kExisting);
  const HistoryReference found = history_reference(file, commit(5, 1, 1), 4);
  ASSERT_EQ(found.baseline.run.cells.size(), 1U);
  const ComparedCell& cell = found.baseline.run.cells[0];
  ASSERT_EQ(cell.repeats.size(), 2U);
  EXPECT_EQ(cell.repeats[0].value("explained_variance"), 2.75);
  EXPECT_EQ(cell.repeats[1].value("explained_variance"), 2.75);
  EXPECT_EQ(cell.repeats[0].value("solve_seconds"), 2);
  EXPECT_FALSE(std::isfinite(cell.repeats[1].value("solve_seconds")));
  EXPECT_TRUE(cell.repeats[0].has_answer());
  EXPECT_EQ(found.baseline.run.machine.at("processor"), "a");
  EXPECT_NE(found.name.find("the median of 4 runs to commit c4"), std::string::npos) << found.name;
}

TEST_F(HistoryReferenceTest, OmitsAMetricThatNoRepeatMeasured) {
  HistoryEntry unmeasured = commit(0, 2, 1);
  ComparedCell answered = read_baseline_cell(unmeasured.cells[0].answer, "test");
  for (ComparedRepeat& repeat : answered.repeats) {
    repeat.metrics["iterations"] = kNotMeasured;
  }
  unmeasured.cells[0].answer = baseline_cell_text(answered);
  add(unmeasured);
  const HistoryFile file(path(), SqlAccess::kExisting);
  const HistoryReference found = history_reference(file, commit(1, 2, 1), 1);
  const ComparedCell& cell = found.baseline.run.cells.at(0);
  EXPECT_FALSE(cell.repeats[0].metrics.contains("iterations"));
  EXPECT_EQ(cell.repeats[0].value("explained_variance"), 2);
}

TEST_F(HistoryReferenceTest, LeavesOutTheRunItself) {
  add(commit(0, 2, 1));
  add(commit(1, 3, 1));
  const HistoryFile file(path(), SqlAccess::kExisting);
  const HistoryReference found = history_reference(file, commit(1, 3, 1), 1);
  EXPECT_EQ(found.baseline.run.cells.at(0).repeats[0].value("explained_variance"), 2);
}

TEST_F(HistoryReferenceTest, WithoutARunThereIsNothingToCompareWith) {
  HistoryEntry other = commit(0, 2, 1);
  other.profile = "full";
  add(other);
  const HistoryFile file(path(), SqlAccess::kExisting);
  const HistoryReference found = history_reference(file, commit(1, 2, 1), 5);
  EXPECT_EQ(check_run(found.baseline, kReference).verdict, Verdict::kNotComparable);
  EXPECT_NE(error_of([&] { newest_overrides(file, "e", "smoke"); }).find("profile smoke"),
            std::string::npos);
}

}  // namespace
}  // namespace spca::history_reference_test
