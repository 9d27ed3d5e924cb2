/// Chunks of about the same predicted time.

#include "harness/submissions/task_chunks.h"

#include <map>
#include <numeric>
#include <set>

#include "tests/runner_testing.h"

namespace spca::task_chunks_test {
namespace {

double longest(const std::vector<WorkUnit>& units, const std::vector<std::size_t>& chunks) {
  std::map<std::size_t, double> seconds;
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    seconds[chunks[unit]] += units[unit].seconds;
  }
  double most = 0;
  for (const auto& [chunk, total] : seconds) {
    most = std::max(most, total);
  }
  return most;
}

/// Returns the number of chunks with units of a data set, summed over the data sets.
std::size_t parts_of_data(const std::vector<WorkUnit>& units,
                          const std::vector<std::size_t>& chunks) {
  std::set<std::pair<std::size_t, std::size_t>> parts;
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    parts.emplace(units[unit].data, chunks[unit]);
  }
  return parts.size();
}

/// Returns the least time of the longest chunk, over all assignments.
double best(const std::vector<WorkUnit>& units, std::size_t count) {
  std::vector<std::size_t> chunks(units.size(), 0);
  double least = longest(units, chunks);
  for (;;) {
    std::size_t unit = 0;
    while (unit < units.size() && ++chunks[unit] == count) {
      chunks[unit++] = 0;
    }
    if (unit == units.size()) {
      return least;
    }
    least = std::min(least, longest(units, chunks));
  }
}

TEST(TaskChunks, AreWithinFourThirdsOfTheBest) {
  Random random(1);
  for (int round = 0; round < 30; ++round) {
    std::vector<WorkUnit> units(8);
    for (WorkUnit& unit : units) {
      unit = {.data = random.below(3), .seconds = 1 + 9 * random.uniform()};
    }
    for (const std::size_t count : {1U, 2U, 3U}) {
      const std::vector<std::size_t> chunks = assign_to_chunks(units, count);
      const auto m = static_cast<double>(count);
      // The bound of Graham (1969) for the rule "longest unit first".
      EXPECT_LE(longest(units, chunks), (4.0 / 3 - 1 / (3 * m)) * best(units, count) * (1 + 1e-12));
      EXPECT_EQ(std::set<std::size_t>(chunks.begin(), chunks.end()).size(), count);
    }
  }
}

TEST(TaskChunks, KeepDataSetsTogetherWhereBalanceAllowsIt) {
  std::vector<WorkUnit> units;
  for (std::size_t i = 0; i < 40; ++i) {
    units.push_back({.data = i % 4, .seconds = 2});
  }
  const std::vector<std::size_t> chunks = assign_to_chunks(units, 4);
  EXPECT_EQ(parts_of_data(units, chunks), 4U);
  EXPECT_EQ(longest(units, chunks), 20);
  // With three chunks for the 40 units, data sets are cut at most twice.
  const std::vector<std::size_t> three = assign_to_chunks(units, 3);
  EXPECT_EQ(longest(units, three), 28);
  EXPECT_LE(parts_of_data(units, three), 6U);
}

TEST(TaskChunks, NeverPayForThatWithTime) {
  // Together, data set 0 would take 12 of the 18 seconds.
  const std::vector<WorkUnit> units = {{0, 6}, {0, 6}, {1, 3}, {1, 3}};
  const std::vector<std::size_t> chunks = assign_to_chunks(units, 2);
  EXPECT_EQ(longest(units, chunks), 9);
}

TEST(TaskChunks, SpreadUnitsOfNoTimeToo) {
  const std::vector<WorkUnit> units(6);
  const std::vector<std::size_t> chunks = assign_to_chunks(units, 3);
  std::map<std::size_t, std::size_t> counts;
  for (const std::size_t chunk : chunks) {
    ++counts[chunk];
  }
  EXPECT_EQ(counts, (std::map<std::size_t, std::size_t>{{0, 2}, {1, 2}, {2, 2}}));
}

/// The plan of a run that was never run, with these seconds for the cells of each solver.
RunPlan plan_of(const Experiment& experiment, const std::map<std::string, double>& seconds) {
  RunPlan plan{.cells = experiment.cells(), .planned = {}};
  for (const Cell& cell : plan.cells) {
    const auto known = seconds.find(experiment.variants[cell.variant].solver->name);
    plan.planned.push_back(
        {.key = "",
         .source = CellSource::kSolve,
         .reason = "",
         .predicted_seconds = known == seconds.end() ? kNotMeasured : known->second});
  }
  return plan;
}

std::vector<std::size_t> all_cells(const RunPlan& plan) {
  std::vector<std::size_t> cells(plan.cells.size());
  std::iota(cells.begin(), cells.end(), std::size_t{0});
  return cells;
}

TEST(TaskChunks, AreOfEqualTimeNotOfEqualCounts) {
  const Experiment experiment = make_experiment(
      {.datasets = {"test-fixed"}, .solvers = {"test-plain", "test-random"}, .repeats = 10});
  const RunPlan plan = plan_of(experiment, {{"test-plain", 9}, {"test-random", 1}});
  const std::vector<CellChunk> chunks = divide_by_time(experiment, plan, all_cells(plan), 5);
  ASSERT_EQ(chunks.size(), 5U);
  std::set<std::size_t> seen;
  for (const CellChunk& chunk : chunks) {
    EXPECT_EQ(chunk.predicted_seconds, 20);
    EXPECT_EQ(chunk.unpredicted, 0U);
    EXPECT_TRUE(std::is_sorted(chunk.cells.begin(), chunk.cells.end()));
    seen.insert(chunk.cells.begin(), chunk.cells.end());
  }
  EXPECT_EQ(seen.size(), 20U);
}

TEST(TaskChunks, TakeOnlyTheCellsThatAreWanted) {
  const Experiment experiment = make_experiment({.repeats = 10});
  const RunPlan plan = plan_of(experiment, {{"test-plain", 1}});
  const std::vector<CellChunk> chunks = divide_by_time(experiment, plan, {2, 7}, 8);
  ASSERT_EQ(chunks.size(), 2U) << "none is empty";
  EXPECT_EQ(chunks[0].cells, (std::vector<std::size_t>{2}));
  EXPECT_EQ(chunks[1].cells, (std::vector<std::size_t>{7}));
}

TEST(TaskChunks, CountACellOfUnknownTimeAsItsLike) {
  Experiment experiment = make_experiment({.datasets = {"test-fixed", "test-generated"},
                                           .solvers = {"test-plain", "test-random"},
                                           .cardinalities = {3}});
  RunPlan plan = plan_of(experiment, {{"test-plain", 8}, {"test-random", 2}});
  plan.planned[0].predicted_seconds = kNotMeasured;  // test-plain on test-fixed
  const std::vector<CellChunk> chunks = divide_by_time(experiment, plan, {0, 1, 2, 3}, 1);
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].predicted_seconds, 8 + 2 + 8 + 2);
  EXPECT_EQ(chunks[0].unpredicted, 1U);
  const RunPlan unknown = plan_of(experiment, {});
  EXPECT_EQ(divide_by_time(experiment, unknown, {0, 1, 2, 3}, 1)[0].predicted_seconds, 4)
      << "a second each";
}

TEST(TaskChunks, KeepThePathOfOneSolveWhole) {
  const Experiment experiment = make_experiment({.datasets = {"test-fixed"},
                                                 .solvers = {"test-path", "test-plain"},
                                                 .cardinalities = {1, 2, 3, 4}});
  const RunPlan plan = plan_of(experiment, {{"test-path", 4}, {"test-plain", 1}});
  const std::vector<CellChunk> chunks = divide_by_time(experiment, plan, all_cells(plan), 2);
  ASSERT_EQ(chunks.size(), 2U);
  for (const CellChunk& chunk : chunks) {
    EXPECT_EQ(chunk.cells.size(), 4U);
    EXPECT_EQ(chunk.predicted_seconds, 4) << "a path takes as long as its longest cell";
  }
}

}  // namespace
}  // namespace spca::task_chunks_test
