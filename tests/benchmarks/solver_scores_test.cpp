/// Scores of solvers on instances, and the tables of these.

#include "harness/benchmarks/solver_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "harness/benchmarks/benchmark_table.h"
#include "harness/benchmarks/leaderboard.h"

namespace spca::solver_scores_test {
namespace {

/// Instances of one component on made-up data, and records that answer them.
class Scores : public testing::Test {
 protected:
  /// Adds an instance with the best value 4, whose optimum is proved if `bound` is 4.
  KnownInstance instance(double bound) {
    Instance& made = instances_.emplace_back();
    made.id = "woods-k" + std::to_string(instances_.size());
    made.best.value = 4;
    made.bound.value = bound;
    return {.of = &InstanceClasses::instance().get("one-component", "test"),
            .data = &data_,
            .instance = &made};
  }

  BenchmarkCell& cell(const KnownInstance& known, const std::string& solver, double value) {
    Record& record = records_.emplace_back();
    record.solver = solver;
    record.cost.solve_seconds = 0.02;
    record.cost.products = 90;
    record.cost.peak_bytes = 50e6;
    BenchmarkCell& made = cells_.emplace_back();
    made.known = known;
    made.record = &record;
    made.time_limit = 2;
    made.outcome = CellOutcome::kAnswered;
    made.standing = standing_of(known, value);
    return made;
  }

  std::vector<BenchmarkCell> cells() const { return {cells_.begin(), cells_.end()}; }
  std::vector<SolverScore> scores() const { return solver_scores(cells()); }

  const BenchmarkCaption caption_ = {.edition = {.year = "2026", .digest = "abc"},
                                     .version = "1.2",
                                     .size = "all",
                                     .time_limits = {2}};
  InstanceData data_ = {
      .label = "woods", .dataset = "pitprops", .options = {}, .checksum = "", .p = 13};
  std::deque<Instance> instances_;
  std::deque<Record> records_;
  std::deque<BenchmarkCell> cells_;
};

TEST_F(Scores, CountsOptimaOfProvedInstancesAlone) {
  const KnownInstance proved = instance(4);
  const KnownInstance open = instance(5);
  cell(proved, "good", 4);
  cell(open, "good", 4);
  cell(proved, "bad", 3);
  cell(open, "bad", 3.8);
  const std::vector<SolverScore> sorted = scores();
  ASSERT_EQ(sorted.size(), 2U);
  EXPECT_EQ(sorted[0].solver, "good");
  EXPECT_EQ(sorted[0].optima, 1U);
  EXPECT_EQ(sorted[0].proved, 1U);
  EXPECT_EQ(sorted[0].best, 2U);
  EXPECT_EQ(sorted[0].worst_shortfall, 0);
  EXPECT_DOUBLE_EQ(sorted[1].worst_shortfall, 0.25);
  EXPECT_DOUBLE_EQ(sorted[1].median_shortfall, (0.25 + 0.05) / 2);
  EXPECT_NEAR(sorted[0].seconds, 0.02, 1e-15);
  EXPECT_NEAR(sorted[0].products, 90, 1e-12);
}

TEST_F(Scores, MemoryIsTheMostOfTheAnswers) {
  const KnownInstance proved = instance(4);
  cell(proved, "one", 4);
  cell(proved, "one", 4);
  records_.back().cost.peak_bytes = 70e6;
  cell(proved, "one", 0).outcome = CellOutcome::kFailed;
  records_.back().cost.peak_bytes = 90e6;
  cell(proved, "old", 4);
  records_.back().cost.peak_bytes = kNotMeasured;
  const std::vector<SolverScore> sorted = scores();
  EXPECT_EQ(benchmark_table(sorted, caption_).rows.at(0).back(), "70") << sorted[0].solver;
  EXPECT_EQ(benchmark_table(sorted, caption_).rows.at(1).back(), "-") << sorted[1].solver;
}

TEST_F(Scores, FailuresAndInstancesOfOtherQuestionsAreCountedApart) {
  const KnownInstance proved = instance(4);
  cell(proved, "dies", 0).outcome = CellOutcome::kFailed;
  cell(proved, "dense", 4).outcome = CellOutcome::kNotApplicable;
  cell(proved, "good", 4);
  const std::vector<SolverScore> sorted = scores();
  const auto of = [&](const std::string& solver) {
    return *std::find_if(sorted.begin(), sorted.end(),
                         [&](const SolverScore& score) { return score.solver == solver; });
  };
  EXPECT_EQ(of("dies").failures, 1U);
  EXPECT_EQ(of("dies").proved, 1U);
  EXPECT_NEAR(of("dies").seconds, 2, 1e-12) << "a failure counts as the time limit of its cell";
  EXPECT_TRUE(std::isnan(of("dies").median_shortfall));
  EXPECT_EQ(of("dense").failures, 0U);
  EXPECT_FALSE(of("dense").is_applicable());
  const Table table = benchmark_table(sorted, caption_);
  EXPECT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.notes.back(), "No answer to any instance of one-component: dense.");
}

TEST_F(Scores, TheTableSaysWhyAllCellsOfASolverWereSkipped) {
  const auto skip = [&](const std::string& solver, const std::string& reason) {
    BenchmarkCell& skipped = cell(instance(4), solver, 0);
    records_.back().status = Status::kSkipped;
    skipped.outcome = CellOutcome::kNotApplicable;
    skipped.message = reason;
  };
  for (const char* const reason : {"needs abess", "needs abess"}) {
    skip("peer", reason);
  }
  for (const char* const reason : {"no data", "needs abess"}) {
    skip("other", reason);
  }
  skip("some", "needs abess");
  skip("friend", "needs abess");
  cell(instance(4), "some", 4);
  const std::vector<std::string> notes = benchmark_table(scores(), caption_).notes;
  const std::string why = "friend, peer: skipped: needs abess.";
  EXPECT_EQ(notes.back(), why);
  EXPECT_EQ(notes[notes.size() - 2],
            "No answer to any instance of one-component: friend, other, peer.");
  // A note that holds for all tables of the page stands once above them.
  const std::string page = leaderboard(cells(), caption_);
  EXPECT_LT(page.find(why), page.find("## ")) << page;
  EXPECT_EQ(page.find(why), page.rfind(why)) << page;
}

/// A solver that takes only the easier instances is not the one to trust.
TEST_F(Scores, ASolverThatAnswersMoreComesFirst) {
  const KnownInstance easy = instance(5);
  const KnownInstance hard = instance(5);
  cell(easy, "dodges", 4);
  cell(hard, "dodges", 4).outcome = CellOutcome::kNotApplicable;
  cell(easy, "tries", 4);
  cell(hard, "tries", 3.9);
  const std::vector<SolverScore> sorted = scores();
  EXPECT_EQ(sorted[0].solver, "tries");
  const std::vector<BenchmarkCell> of_dodges(cells_.begin(), cells_.begin() + 2);
  EXPECT_NE(leaderboard(of_dodges, caption_).find("but takes only 1 of 2 instances"),
            std::string::npos);
}

TEST_F(Scores, TimesBesideOtherCellsAreNotShown) {
  const KnownInstance proved = instance(4);
  cell(proved, "good", 4);
  records_.back().contended = true;
  EXPECT_TRUE(std::isnan(scores().at(0).seconds));
  const Table table = benchmark_table(scores(), caption_);
  EXPECT_EQ(table.header.at(table.header.size() - 2), "time (s)");
  EXPECT_EQ(table.rows.at(0).at(table.header.size() - 2), "-");
}

TEST_F(Scores, TheTableHasTheBestInBoldAndNamesVersionAndDigest) {
  const KnownInstance proved = instance(4);
  cell(proved, "good", 4);
  cell(proved, "bad", 3);
  const std::string markdown = render(benchmark_table(scores(), caption_), TableFormat::kMarkdown);
  EXPECT_NE(markdown.find("| good | **1 of 1** | **0** | **0** | 0 | 0 | 90 | 0.02 | 50 |"),
            std::string::npos)
      << markdown;
  const std::string tex = render(benchmark_table(scores(), caption_), TableFormat::kTex);
  for (const char* words : {"edition 2026 (sha256 abc)", "spca 1.2", "\\textbf{1 of 1}"}) {
    EXPECT_NE(tex.find(words), std::string::npos) << tex;
  }
}

TEST_F(Scores, ARowWithFailuresIsNotTheBestInWhatItAnswered) {
  const KnownInstance first = instance(4);
  const KnownInstance second = instance(4);
  cell(first, "dies", 4);
  cell(second, "dies", 0).outcome = CellOutcome::kFailed;
  records_.back().cost.solve_seconds = 0.001;
  for (const char* solver : {"far", "near"}) {
    cell(first, solver, 3);
    cell(second, solver, solver == std::string("far") ? 3 : 3.5);
    records_.back().cost.products = 0;
  }
  const std::string markdown = render(benchmark_table(scores(), caption_), TableFormat::kMarkdown);
  for (const char* words :
       {"| dies | **1 of 2** | 0 | 0 | 1 | 0 | 90 |",
        "| near | 0 of 2 | **18.8 %** | 25 % | **0** |",
        "over its complete answers; failures are left out", "products -: they are not counted"}) {
    EXPECT_NE(markdown.find(words), std::string::npos) << words << "\n" << markdown;
  }
  EXPECT_EQ(markdown.find("time and memory of a peer"), std::string::npos) << markdown;
}

TEST_F(Scores, RoundingNoiseOrdersNothing) {
  const KnownInstance proved = instance(4);
  cell(proved, "slow", 3);
  cell(proved, "quick", 3 - 1e-7);
  records_.back().cost.solve_seconds = 0.001;
  cell(proved, "b", 2);
  cell(proved, "a", 2 - 1e-7);
  records_.back().cost.solve_seconds = 0.02 + 1e-9;
  std::vector<std::string> names;
  for (const SolverScore& score : scores()) {
    names.push_back(score.solver);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"quick", "slow", "a", "b"}));
}

TEST_F(Scores, TheTableSaysWhatIsLeftOutAndWhatTimesOfPeersHave) {
  cell(instance(4), "mine", 4);
  records_.back().solver_name = "peers/mine";
  BenchmarkCaption caption = caption_;
  caption.instances = 72;
  caption.left_out = 24;
  const Table table = benchmark_table(scores(), caption);
  for (const TableFormat format : {TableFormat::kText, TableFormat::kMarkdown, TableFormat::kTex}) {
    const std::string text = render(table, format);
    for (const char* words :
         {"24 of 72 instances are left out: no data.", "time and memory of a peer: "}) {
      EXPECT_NE(text.find(words), std::string::npos) << text;
    }
  }
  const Json json = benchmark_json(scores(), cells(), caption);
  EXPECT_EQ(json["instances"], 72);
  EXPECT_EQ(json["left_out"], 24);
  const std::string page = leaderboard(cells(), caption);
  EXPECT_EQ(page.find("24 of 72"), page.rfind("24 of 72")) << page;
  EXPECT_NE(page.find("24 of 72"), std::string::npos) << page;
}

TEST_F(Scores, TheLeaderboardNamesWhomToTrustAndWhoProves) {
  const KnownInstance proved = instance(4);
  cell(proved, "exact", 4).is_proof = true;
  cell(proved, "quick", 4);
  records_.back().cost.solve_seconds = 0.001;
  const std::string page = leaderboard(cells(), caption_);
  for (const char* words :
       {"# Which solver should I trust?", "`quick` reached 1 of 1 proved optima",
        "With a proof: `exact` proved 1 of its 1 answers",
        "one-component: 1 instances, 1 proved"}) {
    EXPECT_NE(page.find(words), std::string::npos) << page;
  }
}

TEST(ShiftedGeometricMean, IsTheMeanOfOneNumberAndCountsSmallOnesLittle) {
  EXPECT_NEAR(shifted_geometric_mean({3}, 10), 3, 1e-12);
  EXPECT_NEAR(shifted_geometric_mean({0, 30}, 10), 10, 1e-12);
  EXPECT_TRUE(std::isnan(shifted_geometric_mean({}, 10)));
}

TEST_F(Scores, TheLeaderboardAnswersForTheLargestInstancesApart) {
  const KnownInstance one = instance(4);
  cell(one, "slow", 4);
  cell(one, "fast", 3);
  EXPECT_EQ(leaderboard(cells(), caption_).find("50000 variables"), std::string::npos);
  InstanceData huge = data_;
  huge.p = kLargeInstance + 1;
  KnownInstance other = instance(4);
  other.data = &huge;
  cell(other, "slow", 2);
  cell(other, "fast", 4).time_limit = 20;
  const std::string page = leaderboard(cells(), caption_);
  EXPECT_NE(page.find("variables\n\nTime limit of a solve: 2 s.\n"), std::string::npos) << page;
  EXPECT_NE(page.find("variables\n\nTime limit of a solve: 2 or 20 s.\n"), std::string::npos);
  EXPECT_NE(page.find("- **one-component, more than 50000 variables** (one component): `fast` "
                      "reached 1 of 1 proved optima"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("## More than 50000 variables"), std::string::npos) << page;
  cells_.clear();
  cell(instance(5), "first", 4);
  EXPECT_NE(leaderboard(cells(), caption_)
                .find("`first` came nearest, where no optimum is proved, and always reached the "
                      "best known value"),
            std::string::npos);
}

TEST(InstanceExtents, AreNamedOneOrSeveral) {
  using enum InstanceExtent;
  EXPECT_EQ(extents_from_names("small", "--size"), (std::set{kBuiltIn, kSmall}));
  EXPECT_EQ(extents_from_names("huge,built-in", "--size"), (std::set{kBuiltIn, kHuge}));
  EXPECT_EQ(extents_from_names("all", "--size").size(), instance_extents().size());
  for (const InstanceExtent extent : {kSmall, kLarge, kHuge}) {
    const InstanceData data = {.label = "own",
                               .dataset = "unknown",
                               .options = {},
                               .checksum = "",
                               .p = extent == kSmall   ? kSmallInstance
                                    : extent == kLarge ? kLargeInstance
                                                       : kLargeInstance + 1};
    EXPECT_EQ(extent_of(data), extent);
  }
}

}  // namespace
}  // namespace spca::solver_scores_test
