#include "harness/verdicts/standings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/experiments/experiment_identity.h"
#include "harness/verdicts/problems.h"
#include "spca/data/dataset.h"
#include "spca/solving/solver.h"

namespace spca::standings_test {
namespace {

// Experiments and records are made by hand: every standing follows from their numbers alone.

Solution solve_nothing(const Problem&, const NoOptions&, Budget&) { return skipped("a test"); }
SPCA_SOLVER("standing-a", solve_nothing, (Traits{}));
SPCA_SOLVER("standing-b", solve_nothing, (Traits{}));
SPCA_SOLVER("standing-disjoint", solve_nothing,
            (Traits{.multiple_components = true, .disjoint = true}));
SPCA_SOLVER("standing-orthogonal", solve_nothing,
            (Traits{.multiple_components = true, .orthogonal = true}));
SPCA_SOLVER("standing-joint", solve_nothing, (Traits{.multiple_components = true}));
SPCA_SOLVER("standing-dense", solve_nothing, (Traits{.rule = SparsityRule::kDense}));
Dataset load_nothing(const NoOptions&, const DatasetRequest&) { return {}; }
SPCA_DATASET("standing-data", load_nothing,
             (DatasetTraits{.summary = "", .shape = "", .source = ""}));
SPCA_DATASET("standing-drawn", load_nothing,
             (DatasetTraits{.summary = "", .shape = "", .source = "", .generated = true}));

/// A run that grows cell by cell.
class SomeRun {
 public:
  explicit SomeRun(std::string name = "e", std::string machine = "one machine")
      : machine_(std::move(machine)) {
    experiment_.name = std::move(name);
  }

  /// Adds a cell of one component with k = 2, whose answer explains `value`.
  Record& add(const std::string& solver, double value, const std::string& dataset = "standing-data",
              Index repeat = 0) {
    return add_several(solver, value, {2}, nullptr, dataset, repeat);
  }

  Record& add_several(const std::string& solver, double value, std::vector<Index> cardinality,
                      const DeflationEntry* deflation = nullptr,
                      const std::string& dataset = "standing-data", Index repeat = 0) {
    Variant variant;
    variant.grid = "g";
    variant.dataset = &DatasetRegistry::instance().get(dataset, "test");
    variant.dataset_label = dataset;
    variant.dataset_options = Json::object();
    variant.solver = &SolverRegistry::instance().get(solver, "test");
    variant.solver_label = solver;
    variant.solver_options = Json::object();
    variant.components = std::ssize(cardinality);
    variant.cardinality = cardinality;
    variant.deflation = deflation;
    if (repeat == 0) {
      experiment_.variants.push_back(variant);
    }
    Record record;
    static_cast<VariantLabels&>(record) = labels_of(variant);
    record.repeat = repeat;
    record.components = variant.components;
    record.p = 9;
    record.status = Status::kConverged;
    record.message.clear();
    record.metrics["explained_variance"] = {value};
    for (std::size_t j = 0; j < cardinality.size(); ++j) {
      record.loadings.push_back({.support = {0}, .values = Vector::Ones(1)});
    }
    records_.push_back(record);
    return records_.back();
  }

  ProblemSource source() const {
    return {.experiment = &experiment_,
            .records = &records_,
            .data_checksums = checksums,
            .machine = machine_};
  }

  std::map<std::string, std::string> checksums;

 private:
  Experiment experiment_;
  std::vector<Record> records_;
  std::string machine_;
};

std::vector<PosedProblem> problems(const SomeRun& run) { return problems_of({run.source()}); }

Standing standing(const std::vector<PosedProblem>& of, const std::string& solver) {
  for (const SolverStanding& one : solver_standings(of)) {
    if (one.solver == solver) {
      return one.overall;
    }
  }
  return {};
}

const DeflationEntry* deflation(const char* name) {
  return &DeflationRegistry::instance().get(name, "test");
}

TEST(Problems, DifferIfTheirAnswersHaveDifferentConstraints) {
  SomeRun run;
  run.add("standing-a", 1);
  run.add_several("standing-a", 1, {2, 2}, deflation("projection"));
  run.add_several("standing-a", 1, {2, 2}, deflation("schur"));
  run.add_several("standing-a", 1, {2, 2}, deflation("remove-support"));
  run.add_several("standing-disjoint", 1, {2, 2});
  run.add_several("standing-orthogonal", 1, {2, 2});
  run.add_several("standing-joint", 1, {2, 2});
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const PosedProblem& problem : problems(run)) {
    found.emplace_back(constraint_name(problem.identity.constraint) + problem.identity.deflation,
                       problem.answers.size());
  }
  const std::vector<std::pair<std::string, std::size_t>> expected = {
      {"one component", 1},       {"disjoint supports", 2}, {"orthogonal loadings", 1},
      {"deflationprojection", 1}, {"deflationschur", 1},    {"components together", 1}};
  EXPECT_EQ(found, expected);
}

TEST(Problems, DifferByCardinalityDrawAndFiles) {
  SomeRun run;
  run.add("standing-a", 1);
  run.add_several("standing-a", 1, {3});
  run.add("standing-a", 1, "standing-drawn", 0);
  run.add("standing-a", 1, "standing-drawn", 1);
  run.add("standing-b", 1, "standing-drawn", 0);
  EXPECT_EQ(problems(run).size(), 4);
  SomeRun other;
  other.add("standing-b", 1).key =
      std::string(kIdentityDigits, '0') + std::string(kIdentityDigits, 'f');
  EXPECT_EQ(problems_of({run.source(), other.source()}).size(), 4);
  other.checksums[std::string(kIdentityDigits, 'f')] = "of other files";
  EXPECT_EQ(problems_of({run.source(), other.source()}).size(), 5);
}

TEST(Problems, ACellOfSeveralRunsCountsOnce) {
  SomeRun first("first"), second("second");
  first.add("standing-a", 1).key = "the same";
  first.add("standing-b", 2).key = "another";
  Record& again = second.add("standing-a", 1);
  again.key = "the same";
  again.timing["solve_seconds"] = {3};
  const std::vector<PosedProblem> found = problems_of({first.source(), second.source()});
  ASSERT_EQ(found.size(), 1);
  ASSERT_EQ(found[0].answers.size(), 2);
  EXPECT_EQ(found[0].answers[0].experiment, "first");
  EXPECT_EQ(found[0].answers[0].seconds, 3) << "the first run does not know it";
}

TEST(Problems, DenseAnswersAndGivenPenaltiesTakeNoPart) {
  SomeRun run;
  run.add("standing-dense", 5);
  run.add("standing-b", 5).unconstrained = true;
  EXPECT_TRUE(problems(run).empty());
}

TEST(Problems, TheValueIsWhatMostAnswersHave) {
  SomeRun run;
  run.add("standing-a", 3).metrics = {{"variance_share", {0.5}}};
  run.add("standing-b", 3).metrics = {{"variance_share", {0.25}}, {"explained_variance", {3}}};
  const std::vector<PosedProblem> found = problems(run);
  EXPECT_EQ(found.at(0).measure, ValueMeasure::kShareOfTotal);
  EXPECT_EQ(found.at(0).best, 0.5);
  EXPECT_EQ(found.at(0).total_variance, 12) << "3 / .25";
}

TEST(Problems, OverlappingLoadingsCountByTheVarianceOfTheirSpan) {
  SomeRun run;
  run.add_several("standing-joint", 9, {2, 2}).metrics["projected_variance"] = {7};
  EXPECT_EQ(problems(run).at(0).best, 7);
  SomeRun without;
  without.add_several("standing-joint", 9, {2, 2});
  EXPECT_EQ(problems(without).at(0).measure, ValueMeasure::kNone);
  EXPECT_TRUE(std::isnan(problems(without).at(0).best));
}

TEST(Problems, ABoundIsTakenOnlyWhereItHoldsForEveryAnswer) {
  SomeRun run;
  run.add("standing-a", 1).bound = 2;
  run.add_several("standing-disjoint", 1, {2, 2}).bound = 3;
  Record& orthogonal = run.add_several("standing-orthogonal", 1, {2, 2});
  orthogonal.bound = 4;
  Record& deflated = run.add_several("standing-a", 1, {2, 2}, deflation("projection"));
  deflated.bound = 5;
  std::vector<PosedProblem> found = problems(run);
  ASSERT_EQ(found.size(), 4);
  EXPECT_EQ(found[0].bound, 2);
  EXPECT_EQ(found[1].bound, 3);
  EXPECT_TRUE(std::isnan(found[2].bound));
  EXPECT_TRUE(std::isnan(found[3].bound));
  SomeRun measured;
  measured.add_several("standing-orthogonal", 1, {2, 2}).metrics["upper_bound_orthogonal"] = {4};
  EXPECT_EQ(problems(measured).at(0).bound, 4);
}

TEST(Problems, TheLeastBoundCountsAndSaysWhose) {
  SomeRun run;
  run.add("standing-a", 1).bound = 2;
  run.add("standing-b", 0.9).bound = 1 + 1e-7;
  const PosedProblem found = problems(run).at(0);
  EXPECT_EQ(found.bound_by, std::vector<std::string>{"standing-b"});
  EXPECT_TRUE(found.is_certified());
  EXPECT_EQ(found.gap(), 0);
}

TEST(Problems, ABoundThatEveryRecordHasIsNoSolversDoing) {
  SomeRun run;
  run.add("standing-a", 1).bound = 2;
  run.add("standing-b", 0.9).bound = 2;
  EXPECT_TRUE(problems(run).at(0).bound_by.empty());
  SomeRun alone;
  alone.add("standing-a", 1).bound = 2;
  EXPECT_EQ(problems(alone).at(0).bound_by, std::vector<std::string>{"standing-a"});
}

TEST(Problems, AValueAboveABoundIsACertificateOfNothing) {
  SomeRun run;
  run.add("standing-a", 1.1).bound = 1;
  const PosedProblem found = problems(run).at(0);
  EXPECT_TRUE(found.is_contradicted);
  EXPECT_FALSE(found.is_certified());
}

TEST(Problems, FewerComponentsThanAskedForAreNoAnswer) {
  SomeRun run;
  Record& cut = run.add_several("standing-a", 5, {2, 2}, deflation("projection"));
  cut.status = Status::kTimeLimit;
  cut.loadings.resize(1);
  cut.metrics["projected_variance"] = {5};
  const PosedProblem found = problems(run).at(0);
  EXPECT_FALSE(found.answers.at(0).has_answer);
  EXPECT_TRUE(std::isnan(found.best));
}

TEST(Standings, SharesAreOfProblemsWithTwoSolvers) {
  SomeRun run;
  run.add("standing-a", 4);
  run.add("standing-b", 3);
  run.add_several("standing-a", 7, {3});
  const std::vector<PosedProblem> found = problems(run);
  const Standing a = standing(found, "standing-a");
  EXPECT_EQ(a.problems, 2);
  EXPECT_EQ(a.shares, 1) << "alone on the other";
  EXPECT_EQ(a.median_share, 1);
  EXPECT_EQ(a.best, 1);
  const Standing b = standing(found, "standing-b");
  EXPECT_EQ(b.least_share, 0.75);
  EXPECT_EQ(b.best, 0);
}

TEST(Standings, TiesHoldTheBestTogether) {
  SomeRun run;
  run.add("standing-a", 4);
  run.add("standing-b", 4 * (1 - 1e-7));
  run.add("standing-b", 4, "standing-drawn");
  run.add("standing-a", 4 * (1 - 1e-5), "standing-drawn");
  const std::vector<PosedProblem> found = problems(run);
  EXPECT_EQ(standing(found, "standing-a").best, 1);
  EXPECT_EQ(standing(found, "standing-b").best, 2);
}

TEST(Standings, OptimaAreCountedOverCellsThatWereAsked) {
  SomeRun run;
  run.add("standing-a", 4).bound = 4;
  Record& failed = run.add("standing-b", 4);
  failed.status = Status::kFailed;
  failed.message = "out of memory";
  failed.loadings.clear();
  Record& skipped = run.add("standing-b", 4, "standing-drawn");
  skipped.status = Status::kSkipped;
  skipped.loadings.clear();
  run.add("standing-a", 4, "standing-drawn").bound = 4;
  const std::vector<PosedProblem> found = problems(run);
  EXPECT_EQ(standing(found, "standing-a").reached, 2);
  const Standing b = standing(found, "standing-b");
  EXPECT_EQ(b.certified, 1);
  EXPECT_EQ(b.reached, 0);
  EXPECT_EQ(b.failed, 1);
  EXPECT_EQ(b.skipped, 1);
  EXPECT_EQ(b.answered, 0);
  EXPECT_TRUE(std::isnan(b.median_share));
  const std::vector<StandingFailure> failures = solver_standings(found).at(1).failures;
  ASSERT_EQ(failures.size(), 2);
  EXPECT_EQ(failures[0].count, 1);
}

TEST(Standings, WithoutABoundNoOptimumIsCounted) {
  SomeRun run;
  run.add("standing-a", 4);
  EXPECT_EQ(standing(problems(run), "standing-a").certified, 0);
}

TEST(Standings, TimesAreOfCellsThatRanAloneOnOneMachine) {
  SomeRun run;
  run.add("standing-a", 4).timing["solve_seconds"] = {1};
  run.add("standing-b", 4).timing["solve_seconds"] = {4};
  Record& contended = run.add("standing-b", 4, "standing-drawn");
  contended.timing["solve_seconds"] = {100};
  contended.contended = true;
  run.add("standing-a", 4, "standing-drawn").timing["solve_seconds"] = {9};
  std::vector<PosedProblem> found = problems(run);
  const Standing a = standing(found, "standing-a");
  EXPECT_EQ(a.times, 1) << "on the other problem no other solver was timed alone";
  EXPECT_EQ(a.mean_ratio, 1);
  EXPECT_EQ(a.timed_alone, 2);
  EXPECT_EQ(a.median_seconds, 5);
  EXPECT_NEAR(standing(found, "standing-b").mean_ratio, 4, 1e-12);

  SomeRun elsewhere("e", "another machine");
  elsewhere.add("standing-b", 4).timing["solve_seconds"] = {0.1};
  SomeRun here;
  here.add("standing-a", 4).timing["solve_seconds"] = {1};
  found = problems_of({here.source(), elsewhere.source()});
  EXPECT_EQ(standing(found, "standing-a").times, 0);
  EXPECT_EQ(standing(found, "standing-b").times, 0);
}

TEST(Standings, RatiosAreAveragedGeometrically) {
  SomeRun run;
  for (Index k = 1; k <= 2; ++k) {
    run.add_several("standing-a", 4, {k}).timing["solve_seconds"] = {1};
    run.add_several("standing-b", 4, {k}).timing["solve_seconds"] = {k == 1 ? 1.0 : 100.0};
  }
  EXPECT_NEAR(standing(problems(run), "standing-b").mean_ratio, 10, 1e-9);
}

TEST(EntryTables, HaveARowACardinalityAndMeanOverTheDraws) {
  SomeRun run;
  for (Index repeat = 0; repeat < 2; ++repeat) {
    run.add("standing-a", repeat == 0 ? 2 : 4, "standing-drawn", repeat).bound = 4;
    run.add("standing-b", 2, "standing-drawn", repeat);
  }
  run.add_several("standing-a", 1, {10}, nullptr, "standing-drawn");
  const std::vector<EntryTable> tables = entry_tables(problems(run));
  ASSERT_EQ(tables.size(), 1);
  ASSERT_EQ(tables[0].rows.size(), 2);
  const EntryRow& row = tables[0].rows[0];
  EXPECT_EQ(row.cardinality, std::vector<Index>{2}) << "10 comes after 2";
  EXPECT_EQ(row.problems, 2);
  EXPECT_EQ(row.best, 3);
  EXPECT_EQ(row.bound, 4);
  EXPECT_EQ(row.certified, 1);
  EXPECT_EQ(row.gap, 0.25) << "of one half and of none";
  ASSERT_EQ(row.entries.size(), 2);
  EXPECT_EQ(row.entries[0].solver, "standing-a");
  EXPECT_EQ(row.entries[0].best, 2);
  EXPECT_EQ(row.entries[1].share, 0.75);
  EXPECT_EQ(row.entries[1].least_share, 0.5);
  EXPECT_TRUE(std::isnan(tables[0].rows[1].bound));
}

}  // namespace
}  // namespace spca::standings_test
