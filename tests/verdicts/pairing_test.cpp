/// Tests of the pairs that cells and repeats of two runs form, and of their verdicts.

#include "harness/comparisons/pairing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/comparisons/paired_comparison.h"
#include "harness/comparisons/verdict.h"

namespace spca::pairing_test {
namespace {

ComparedRepeat answered(Index repeat, std::uint64_t seed) {
  return {.repeat = repeat,
          .seed = seed,
          .status = Status::kConverged,
          .message = "",
          .metrics = {{"explained_variance", 2.0 + static_cast<double>(repeat)}},
          .components = {{.support = {0}, .values = Vector::Ones(1)}}};
}

ComparedCell cell_of(const std::string& solver, std::vector<ComparedRepeat> repeats) {
  ComparedCell cell;
  cell.grid = "g";
  cell.dataset = "d";
  cell.solver = solver;
  cell.cardinality = {1};
  cell.repeats = std::move(repeats);
  return cell;
}

ComparedRun run_with(std::vector<ComparedCell> cells) {
  ComparedRun run;
  run.cells = std::move(cells);
  return run;
}

TEST(PairCells, KeepsTheReferencesOrderAndListsCellsOfOneRun) {
  const ComparedRun reference = run_with({cell_of("b", {}), cell_of("a", {})});
  const ComparedRun ours = run_with({cell_of("c", {}), cell_of("b", {})});
  const PairedCells paired = pair_cells(ours, reference);
  ASSERT_EQ(paired.pairs.size(), 2U);
  EXPECT_EQ(paired.pairs[0].reference, &reference.cells[0]);
  EXPECT_EQ(paired.pairs[0].ours, &ours.cells[1]);
  EXPECT_EQ(paired.pairs[1].ours, nullptr);
  EXPECT_EQ(paired.only_ours, std::vector<const ComparedCell*>{&ours.cells[0]});
}

TEST(PairRepeats, IsByNumberAndTellsDrawsAndTimesApart) {
  const ComparedCell reference =
      cell_of("a", {answered(0, 7), answered(1, 8), answered(2, 9), answered(3, 10)});
  ComparedCell ours = cell_of("a", {answered(1, 8), answered(2, 1), answered(3, 10)});
  ours.repeats[0].contended = true;
  ours.repeats[2].status = Status::kFailed;
  const std::vector<RepeatPair> pairs = pair_repeats(ours, reference);
  ASSERT_EQ(pairs.size(), 4U);
  EXPECT_EQ(pairs[0].ours, nullptr);
  EXPECT_FALSE(pairs[0].both_answer() || pairs[0].same_draw() || pairs[0].both_timed_alone());
  EXPECT_TRUE(pairs[1].both_answer() && pairs[1].same_draw());
  EXPECT_FALSE(pairs[1].both_timed_alone());
  EXPECT_TRUE(pairs[2].both_answer() && pairs[2].both_timed_alone());
  EXPECT_FALSE(pairs[2].same_draw());
  EXPECT_FALSE(pairs[3].both_answer());
}

TEST(PairedValues, AreThoseOfBothRunsAndAgreementIsMeasuredAgainstThePerfectOne) {
  const ComparedCell cell = cell_of("a", {answered(0, 7), answered(1, 8)});
  const std::vector<RepeatPair> pairs = pair_repeats(cell, cell);
  EXPECT_EQ(paired_values(pairs, "explained_variance").ours, (std::vector<double>{2, 3}));
  EXPECT_EQ(paired_values(pairs, kSupportF1ToReference).ours, (std::vector<double>{1, 1}));
  EXPECT_EQ(paired_values(pairs, kAngleToReference).reference, (std::vector<double>{0, 0}));
  EXPECT_TRUE(std::isnan(paired_values(pairs, "unknown").ours[0]));
}

TEST(VerdictOrder, PutsTheGravestLastAndGivesItsExitCode) {
  const std::vector<std::pair<Verdict, int>> ascending = {
      {Verdict::kNotGated, 0}, {Verdict::kMatch, 0},         {Verdict::kBetter, 0},
      {Verdict::kSlower, 6},   {Verdict::kNotComparable, 5}, {Verdict::kWorse, 4},
      {Verdict::kFailed, 3}};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    EXPECT_EQ(exit_code(ascending[i].first), ascending[i].second);
    EXPECT_TRUE(i == 0 || ascending[i - 1].first < ascending[i].first);
  }
}

}  // namespace
}  // namespace spca::pairing_test
