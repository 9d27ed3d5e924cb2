#include "harness/verdicts/claims.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/verdicts/comparison_tables.h"
#include "harness/verdicts/tally.h"
#include "spca/data/dataset.h"
#include "spca/measure/metrics.h"
#include "spca/solving/solver.h"

namespace spca::claims_test {
namespace {

// Experiment and records are made by hand: the verdicts follow from their numbers alone.

std::vector<double> measure_claimed(const MetricContext&) { return {0}; }
SPCA_METRIC("claimed", measure_claimed, (MetricTraits{.unit = "", .formula = "0"}));
SPCA_METRIC(
    "claimed-seconds", measure_claimed,
    (MetricTraits{
        .unit = "s", .direction = Direction::kLowerIsBetter, .formula = "0", .timing = true}));
Solution solve_claimed(const Problem&, const NoOptions&, Budget&) { return skipped("a test"); }
SPCA_SOLVER("claimed-solver", solve_claimed, (Traits{.summary = "", .problem = "", .source = ""}));
Dataset load_claimed(const NoOptions&, const DatasetRequest&) { return {}; }
SPCA_DATASET("claimed-data", load_claimed,
             (DatasetTraits{.summary = "", .shape = "", .source = ""}));

Variant variant(const std::string& solver, Index repeats) {
  Variant made;
  made.grid = "g";
  made.dataset = DatasetRegistry::instance().find("claimed-data");
  made.dataset_label = "d";
  made.solver = SolverRegistry::instance().find("claimed-solver");
  made.solver_label = solver;
  made.cardinality = {2};
  made.repeats = repeats;
  made.metrics = {"claimed"};
  return made;
}

Record record(const std::string& solver, double value, Index repeat) {
  Record made;
  made.grid = "g";
  made.dataset = "d";
  made.solver = solver;
  made.cardinality = {2};
  made.repeat = repeat;
  made.status = Status::kConverged;
  made.message.clear();
  made.metrics["claimed"] = {value};
  made.timing["claimed-seconds"] = {value};
  made.loadings = {{.support = {0, 1}, .values = Vector::Constant(2, std::sqrt(0.5))}};
  return made;
}

Claim claim(Relation is, double slack = 0) {
  Claim made;
  made.text = "left is above right";
  made.left.solvers = {"left"};
  made.right.emplace().solvers = {"right"};
  made.is = is;
  made.metric = "claimed";
  made.slack = slack;
  return made;
}

std::vector<Record> records_of(const std::vector<double>& left, const std::vector<double>& right) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < left.size(); ++i) {
    records.push_back(record("left", left[i], static_cast<Index>(i)));
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    records.push_back(record("right", right[i], static_cast<Index>(i)));
  }
  return records;
}

Experiment experiment_of(const Claim& of, std::size_t repeats) {
  Experiment experiment;
  experiment.variants = {variant("left", static_cast<Index>(repeats)),
                         variant("right", static_cast<Index>(repeats))};
  experiment.claims = {of};
  return experiment;
}

JudgedClaim judged(const Claim& of, const std::vector<double>& left,
                   const std::vector<double>& right) {
  static Experiment experiment;
  experiment = experiment_of(of, left.size());
  return judge_claims(experiment, records_of(left, right)).at(0);
}

std::string verdict(const Claim& of, const std::vector<double>& left,
                    const std::vector<double>& right) {
  return claim_verdict_name(judged(of, left, right).verdict);
}

TEST(Claims, OneRepeatIsDecidedByTheNumbersAndTheSlack) {
  EXPECT_EQ(verdict(claim(Relation::kAtLeast), {2}, {2}), "holds");
  EXPECT_EQ(verdict(claim(Relation::kAbove), {2}, {2}), "fails");
  EXPECT_EQ(verdict(claim(Relation::kAtMost), {2}, {2}), "holds");
  EXPECT_EQ(verdict(claim(Relation::kBelow), {2}, {2}), "fails");
  EXPECT_EQ(verdict(claim(Relation::kAtLeast), {1.9}, {2}), "fails");
  EXPECT_EQ(verdict(claim(Relation::kAtLeast, 0.2), {1.9}, {2}), "holds");
  EXPECT_EQ(verdict(claim(Relation::kAbove, 0.2), {2.1}, {2}), "fails")
      << "a difference within the slack is none";
  EXPECT_EQ(verdict(claim(Relation::kAbove), {2.1}, {2}), "holds");
  EXPECT_EQ(verdict(claim(Relation::kBelow), {2.1}, {2}), "fails");
  Claim relative = claim(Relation::kAtLeast, 0.1);
  relative.slack_is_relative = true;
  EXPECT_EQ(verdict(relative, {95}, {100}), "holds");
  EXPECT_EQ(verdict(relative, {85}, {100}), "fails");
  Claim twice = claim(Relation::kAtLeast);
  twice.factor = 2;
  EXPECT_EQ(verdict(twice, {3}, {2}), "fails");
  EXPECT_EQ(verdict(twice, {4}, {2}), "holds");
}

TEST(Claims, OneRepeatMayHaveAStandardErrorOfItsOwn) {
  Experiment experiment = experiment_of(claim(Relation::kAtMost), 1);
  experiment.claims[0].error_metric = "claimed_se";
  std::vector<Record> records = records_of({2.1}, {2});
  EXPECT_EQ(judge_claims(experiment, records)[0].verdict, ClaimVerdict::kNotRun);
  const auto verdict_with = [&](double left, double right) {
    records[0].metrics["claimed_se"] = {left};
    records[1].metrics["claimed_se"] = {right};
    return judge_claims(experiment, records)[0];
  };
  EXPECT_NEAR(verdict_with(0.03, 0.04).cases.at(0).standard_error, 0.05, 1e-12);
  EXPECT_EQ(verdict_with(0.03, 0.04).verdict, ClaimVerdict::kUndecided) << "2.58 x 0.05 > 0.1";
  EXPECT_EQ(verdict_with(0.03, 0.02).verdict, ClaimVerdict::kFails) << "2.58 x 0.036 < 0.1";
  experiment.claims[0].factor = 2;
  EXPECT_EQ(verdict_with(0.03, 0.02).verdict, ClaimVerdict::kHolds);
  EXPECT_NEAR(verdict_with(0.03, 0.02).cases.at(0).standard_error, 0.05, 1e-12);
}

TEST(Claims, RepeatsArePairedSoThatTheSpreadOfTheDrawsCancels) {
  // The draws spread by 100, the pairs differ by 1 each time.
  const JudgedClaim paired =
      judged(claim(Relation::kAbove), {101, 201, 301, 401}, {100, 200, 300, 400});
  EXPECT_EQ(paired.verdict, ClaimVerdict::kHolds);
  EXPECT_DOUBLE_EQ(paired.cases.at(0).difference, 1);
  EXPECT_NEAR(paired.cases.at(0).standard_error, 0, 1e-12);
  // Differences 4, -2, 3, -1: mean 1, standard error 1.47.
  const std::vector<double> left = {104, 198, 303, 399};
  const std::vector<double> right = {100, 200, 300, 400};
  const JudgedClaim noisy = judged(claim(Relation::kAbove), left, right);
  EXPECT_EQ(noisy.verdict, ClaimVerdict::kUndecided);
  EXPECT_NEAR(noisy.cases.at(0).standard_error, std::sqrt((9 + 9 + 4 + 4) / 3.0 / 4), 1e-12);
  EXPECT_EQ(verdict(claim(Relation::kAtLeast), left, right), "undecided");
  EXPECT_EQ(verdict(claim(Relation::kBelow), left, right), "undecided");
  // Student's t of three degrees of freedom is 5.84: the interval begins at 1 - 5.84 x 1.47 = -7.6.
  EXPECT_EQ(verdict(claim(Relation::kAtLeast, 7), left, right), "undecided");
  EXPECT_EQ(verdict(claim(Relation::kAtLeast, 8), left, right), "holds");
  EXPECT_EQ(verdict(claim(Relation::kAtMost), {9, 9.1, 9.2}, {1, 1, 1}), "fails");
}

TEST(Claims, SharesWithoutADifferenceAreNotFreeOfError) {
  const std::vector<double> yes(50, 1);
  EXPECT_EQ(verdict(claim(Relation::kAbove), yes, yes), "undecided");
  EXPECT_EQ(verdict(claim(Relation::kAtLeast, 0.005), yes, yes), "undecided");
  EXPECT_EQ(verdict(claim(Relation::kAtLeast, 0.1), yes, yes), "holds");
  const std::vector<double> no(50, 0);
  EXPECT_EQ(verdict(claim(Relation::kAbove), yes, no), "holds");
  EXPECT_EQ(verdict(claim(Relation::kAtLeast), no, yes), "fails");
  // 2 pairs differ one way: the squared error is (2.5 + 0.5 - 2^2 / 52) / 52^2.
  std::vector<double> two = yes;
  two[3] = two[7] = 0;
  EXPECT_NEAR(judged(claim(Relation::kAbove), yes, two).cases.at(0).standard_error,
              std::sqrt(3 - 4 / 52.0) / 52, 1e-12);
}

TEST(Claims, ANumberMayStandOnTheRight) {
  Claim below = claim(Relation::kBelow);
  below.right.reset();
  below.number = 100;
  EXPECT_EQ(verdict(below, {80}, {}), "holds");
  EXPECT_EQ(verdict(below, {100}, {}), "fails");
  EXPECT_EQ(verdict(below, {98, 101, 99}, {}), "undecided");
}

TEST(Claims, AFactIsClaimedOfEveryComponent) {
  Claim below = claim(Relation::kBelow);
  below.right.reset();
  below.number = 100;
  below.is_fact = true;
  below.metric = "variables_left";
  const Experiment experiment = experiment_of(below, 1);
  std::vector<Record> records = records_of({1}, {});
  EXPECT_EQ(judge_claims(experiment, records)[0].verdict, ClaimVerdict::kNotRun)
      << "no record has the fact";
  records[0].facts["variables_left"] = {40, 80};
  const JudgedClaim holds = judge_claims(experiment, records)[0];
  EXPECT_EQ(holds.verdict, ClaimVerdict::kHolds);
  EXPECT_EQ(holds.cases.size(), 2u);
  records[0].facts["variables_left"] = {40, 180};
  const JudgedClaim fails = judge_claims(experiment, records)[0];
  EXPECT_EQ(fails.verdict, ClaimVerdict::kFails);
  ASSERT_NE(fails.hardest(), nullptr);
  EXPECT_EQ(fails.hardest()->component, 1);
}

TEST(Claims, OneComponentOfAMetricMayBeClaimed) {
  Claim first = claim(Relation::kAtLeast);
  first.metric = "cumulative_variance";
  std::vector<Record> records = records_of({1}, {1});
  records[0].metrics["cumulative_variance"] = {5, 6};
  records[1].metrics["cumulative_variance"] = {4, 9};
  const auto verdict_on = [&](Index component) {
    first.component = component;
    const Experiment experiment = experiment_of(first, 1);
    return judge_claims(experiment, records)[0].verdict;
  };
  EXPECT_EQ(verdict_on(1), ClaimVerdict::kHolds);
  EXPECT_EQ(verdict_on(2), ClaimVerdict::kFails);
  EXPECT_EQ(verdict_on(0), ClaimVerdict::kFails) << "the total";
  EXPECT_EQ(verdict_on(3), ClaimVerdict::kNotRun) << "there is no third component";
  EXPECT_EQ(claim_text(first).substr(0, 35), "cumulative_variance of component 3:");
}

TEST(Claims, TimesAreComparedAsRatiosOfCellsThatRanAlone) {
  Claim faster = claim(Relation::kBelow);
  faster.metric = "claimed-seconds";
  faster.factor = 0.5;
  // 1 to 4 and 10 to 40: a quarter each time, whatever the spread.
  EXPECT_EQ(verdict(faster, {1, 10}, {4, 40}), "holds");
  EXPECT_EQ(verdict(faster, {3, 30}, {4, 40}), "fails");
  const JudgedClaim ratio = judged(faster, {1, 10}, {4, 40});
  EXPECT_NEAR(ratio.cases.at(0).difference, std::log(0.5), 1e-12);
  EXPECT_NEAR(ratio.cases.at(0).left, std::sqrt(10.0), 1e-12);
  Claim slack = claim(Relation::kBelow, 2);
  slack.metric = "claimed-seconds";
  slack.slack_is_relative = true;
  EXPECT_EQ(verdict(slack, {1}, {2}), "fails") << "twice as fast is within a slack of three times";
  EXPECT_EQ(verdict(slack, {1}, {4}), "holds");
  const Experiment experiment = experiment_of(faster, 1);
  std::vector<Record> records = records_of({1}, {4});
  records[1].contended = true;
  const JudgedClaim beside = judge_claims(experiment, records)[0];
  EXPECT_EQ(beside.verdict, ClaimVerdict::kNotRun);
  EXPECT_EQ(beside.cases.at(0).reason, "timed beside other cells, or on another machine");
}

TEST(Claims, OneAnswerStandsAgainstEachDrawOfARandomSearch) {
  Experiment experiment = experiment_of(claim(Relation::kAtLeast), 4);
  experiment.variants[1].repeats = 1;
  const auto judged_on = [&](const std::vector<double>& left, const std::vector<double>& right) {
    return judge_claims(experiment, records_of(left, right)).at(0);
  };
  EXPECT_EQ(judged_on({2.1, 1.8, 2.2, 1.9}, {2}).verdict, ClaimVerdict::kUndecided)
      << "the first draw alone would hold";
  EXPECT_EQ(judged_on({2.2, 2.25, 2.2, 2.25}, {2}).verdict, ClaimVerdict::kHolds);
  EXPECT_EQ(judged_on({2.2, 2.25, 2.2, 2.25}, {2}).cases.at(0).repeats, 4U);
  EXPECT_EQ(judged_on({2.2, 2.25, 2.2}, {2}).verdict, ClaimVerdict::kNotRun);
  EXPECT_EQ(judged_on({2.2, 2.25, 2.2, 2.25}, {}).verdict, ClaimVerdict::kNotRun);
  std::swap(experiment.variants[0].repeats, experiment.variants[1].repeats);
  EXPECT_EQ(judged_on({2}, {2.1, 1.8, 2.2, 1.9}).verdict, ClaimVerdict::kUndecided);
}

TEST(Claims, CellsThatWereNotRunGiveNoVerdict) {
  const Experiment experiment = experiment_of(claim(Relation::kAtLeast), 2);
  EXPECT_EQ(judge_claims(experiment, {})[0].verdict, ClaimVerdict::kNotRun);
  std::vector<Record> records = records_of({1, 1}, {0});
  EXPECT_EQ(judge_claims(experiment, records)[0].verdict, ClaimVerdict::kNotRun);
  records = records_of({1, 1}, {0, 0});
  EXPECT_EQ(judge_claims(experiment, records)[0].verdict, ClaimVerdict::kHolds);
  records[2].status = Status::kFailed;
  records[2].message = "signal 11";
  const JudgedClaim failed = judge_claims(experiment, records)[0];
  EXPECT_EQ(failed.verdict, ClaimVerdict::kNotRun);
  EXPECT_EQ(failed.cases.at(0).reason, "failed: signal 11");
}

TEST(Claims, OnePairThatFailsDecides) {
  Claim all = claim(Relation::kAtLeast);
  all.left.solvers = {"left", "third"};
  Experiment experiment = experiment_of(all, 1);
  experiment.variants.push_back(variant("third", 1));
  std::vector<Record> records = records_of({2}, {1});
  records.push_back(record("third", 0.5, 0));
  const JudgedClaim judged = judge_claims(experiment, records)[0];
  EXPECT_EQ(judged.verdict, ClaimVerdict::kFails);
  EXPECT_EQ(judged.count(ClaimVerdict::kHolds), 1u);
  EXPECT_EQ(judged.hardest()->cells.left->solver_label, "third");
}

TEST(Claims, AreCountedOnTheirOwnAndPrinted) {
  Claim of_paper = claim(Relation::kAtLeast);
  of_paper.where = "section 4";
  Claim of_ours = claim(Relation::kBelow);
  of_ours.why = "it is known.";
  Experiment experiment = experiment_of(of_paper, 1);
  experiment.claims.push_back(of_ours);
  const std::vector<JudgedClaim> judged = judge_claims(experiment, records_of({2}, {1}));
  Tally tally;
  tally.add(experiment, {}, judged);
  EXPECT_EQ(tally.text(), "claims of the paper: 1 holds; claims of ours: 1 fails");
  EXPECT_EQ(tally.verdict(), Verdict::kMatch) << "why it fails is said";
  EXPECT_EQ(tally.json()["claims"]["holds"], 1);
  EXPECT_EQ(tally.json()["our_claims"]["fails"], 1);
  const std::vector<Table> tables = claim_tables(judged);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].rows[0][2], "section 4");
  EXPECT_EQ(tables[0].rows[0][0], "holds");
  EXPECT_EQ(tables[0].rows[1][0], "fails [2]");
  EXPECT_EQ(tables[0].notes[0], "[1] claimed: solver left >= solver right");
  EXPECT_EQ(tables[0].notes[1], "[2] Unexplained, because nothing measures it: it is known.");
  experiment.claims[1].why.clear();
  Tally unknown;
  unknown.add(experiment, {}, judge_claims(experiment, records_of({2}, {1})));
  EXPECT_EQ(unknown.verdict(), Verdict::kWorse);
}

}  // namespace
}  // namespace spca::claims_test
