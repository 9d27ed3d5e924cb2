#include "harness/verdicts/published.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/verdicts/tally.h"
#include "spca/covariance/deflation.h"
#include "spca/data/dataset.h"
#include "spca/measure/metrics.h"
#include "spca/solving/solver.h"

namespace spca::published_test {
namespace {

// An experiment and its records are made by hand: the verdicts follow from their numbers alone.

std::vector<double> measure_as_published(const MetricContext&) { return {0}; }
SPCA_METRIC("test-gain", measure_as_published, (MetricTraits{.unit = "", .formula = "0"}));
SPCA_METRIC("published-share", measure_as_published,
            (MetricTraits{.unit = "", .formula = "0", .is_share = true}));
SPCA_METRIC("published-cost", measure_as_published,
            (MetricTraits{.unit = "", .direction = Direction::kLowerIsBetter, .formula = "0"}));
SPCA_METRIC("published-fact", measure_as_published,
            (MetricTraits{.unit = "", .direction = Direction::kNone, .formula = "0"}));
SPCA_METRIC("published-running-sum", measure_as_published,
            (MetricTraits{
                .unit = "", .formula = "0", .per_component = true, .last_is_total = true}));
SPCA_METRIC("published-parts", measure_as_published,
            (MetricTraits{.unit = "", .formula = "0", .per_component = true}));

Solution solve_as_published(const Problem&, const NoOptions&, Budget&) { return skipped("a test"); }
SPCA_SOLVER("published-solver", solve_as_published,
            (Traits{.summary = "", .problem = "", .source = ""}));
Dataset load_nothing(const NoOptions&, const DatasetRequest&) { return {}; }
SPCA_DATASET("published-data", load_nothing,
             (DatasetTraits{.summary = "", .shape = "", .source = ""}));

Variant variant(const std::string& solver, std::vector<Index> cardinality, Index repeats = 1) {
  Variant made;
  made.grid = "g";
  made.dataset = DatasetRegistry::instance().find("published-data");
  made.dataset_label = "d";
  made.solver = SolverRegistry::instance().find("published-solver");
  made.solver_label = solver;
  made.cardinality = std::move(cardinality);
  made.repeats = repeats;
  made.metrics = {"test-gain", "published-cost", "published-share"};
  return made;
}

Record record(const Variant& of, double value, Index repeat = 0) {
  Record made;
  made.grid = of.grid;
  made.dataset = of.dataset_label;
  made.solver = of.solver_label;
  made.cardinality = of.cardinality;
  made.repeat = repeat;
  made.status = Status::kConverged;
  made.message.clear();
  made.metrics["test-gain"] = {value};
  made.metrics["published-share"] = {value};
  made.metrics["published-cost"] = {value};
  made.metrics["published-fact"] = {value};
  return made;
}

PublishedCell published(const std::string& metric, double value, double tolerance) {
  PublishedCell cell;
  cell.metric = metric;
  cell.value = value;
  cell.printed = "x";
  cell.tolerance = tolerance;
  return cell;
}

/// The verdict on one record against one published number.
PublishedComparison compare_one(const PublishedCell& cell, const Record* only_record = nullptr) {
  static Experiment experiment;
  experiment.variants = {variant("s", {2})};
  experiment.published = {cell};
  const std::vector<Record> records =
      only_record == nullptr ? std::vector<Record>() : std::vector<Record>{*only_record};
  return compare_with_published(experiment, records).at(0);
}

/// Returns the comparison of a printed share with ours, for which `ones` of `count` repeats gave 1
/// and the others 0.
PublishedComparison compare_share(Index ones, Index count, double printed,
                                  double published_repeats) {
  static Experiment experiment;
  experiment.variants = {variant("s", {2}, count)};
  experiment.published = {published("published-share", printed, 0.005)};
  experiment.published[0].published_repeats = published_repeats;
  std::vector<Record> records;
  for (Index i = 0; i < count; ++i) {
    records.push_back(record(experiment.variants[0], i < ones ? 1 : 0, i));
  }
  return compare_with_published(experiment, records).at(0);
}

TEST(Verdict, FollowsTolerance) {
  const auto verdict = [](const std::string& metric, double ours) {
    const Record one = record(variant("s", {2}), ours);
    return compare_one(published(metric, 0.98, 0.005), &one).verdict;
  };
  EXPECT_EQ(verdict("test-gain", 0.98), NumberVerdict::kReproduced);
  EXPECT_EQ(verdict("test-gain", 0.975), NumberVerdict::kReproduced)
      << "the end of the range is within it";
  EXPECT_EQ(verdict("test-gain", 0.9749), NumberVerdict::kLower);
  EXPECT_EQ(verdict("test-gain", 0.9851), NumberVerdict::kHigher);
  EXPECT_EQ(verdict("published-cost", 0.9749), NumberVerdict::kLower);
  EXPECT_EQ(verdict("published-cost", 0.9851), NumberVerdict::kHigher);
}

TEST(Verdict, TheWrongSideFollowsTheDirection) {
  const auto wrong = [](const std::string& metric, double ours) {
    const Record one = record(variant("s", {2}), ours);
    return compare_one(published(metric, 0.98, 0.005), &one).on_wrong_side;
  };
  EXPECT_TRUE(wrong("test-gain", 0.9));
  EXPECT_FALSE(wrong("test-gain", 1.1));
  EXPECT_FALSE(wrong("published-cost", 0.9)) << "less is better, so that lower is no worse";
  EXPECT_TRUE(wrong("published-cost", 1.1));
  EXPECT_FALSE(wrong("published-cost", 0.98));
  const Record one = record(variant("s", {2}), 0.9);
  const PublishedComparison undirected =
      compare_one(published("published-fact", 0.98, 0.005), &one);
  EXPECT_EQ(undirected.verdict, NumberVerdict::kDiffers);
  EXPECT_TRUE(undirected.on_wrong_side);
}

TEST(Verdict, IsTooNoisyToTellIfZeroWouldBeReproducedToo) {
  const auto verdict = [](double printed, double tolerance, double ours) {
    const Record one = record(variant("s", {2}), ours);
    return compare_one(published("test-gain", printed, tolerance), &one).verdict;
  };
  EXPECT_EQ(verdict(-4.18, 6.4, 1.75), NumberVerdict::kTooNoisy);
  EXPECT_EQ(verdict(-4.18, 4.18, -4.18), NumberVerdict::kTooNoisy)
      << "0 is at the end of the range";
  EXPECT_EQ(verdict(-4.18, 4.17, -4.18), NumberVerdict::kReproduced);
  EXPECT_EQ(verdict(-4.18, 6.4, 2.3), NumberVerdict::kHigher) << "a difference that can be told";
  EXPECT_EQ(verdict(0, 0.5, 0.4), NumberVerdict::kReproduced) << "0 is what the paper prints";
}

TEST(Verdict, APrintedZeroIsTooNoisyToTellWithinStandardErrorsAlone) {
  EXPECT_EQ(compare_share(0, 50, 0, 50).verdict, NumberVerdict::kReproduced);
  EXPECT_EQ(compare_share(1, 50, 0, 50).verdict, NumberVerdict::kTooNoisy);
}

TEST(Verdict, IsNoPassIfAnythingIsMissing) {
  const PublishedCell cell = published("test-gain", 1, 1e9);
  EXPECT_EQ(compare_one(cell).verdict, NumberVerdict::kNotRun);
  EXPECT_EQ(compare_one(cell).reason, "no record");

  Record bad = record(variant("s", {2}), kNotMeasured);
  EXPECT_EQ(compare_one(cell, &bad).verdict, NumberVerdict::kNotComparable);
  EXPECT_EQ(compare_one(cell, &bad).reason, "test-gain was not measured");

  bad = record(variant("s", {2}), 1);
  bad.status = Status::kSkipped;
  bad.message = "p is too large";
  EXPECT_EQ(compare_one(cell, &bad).verdict, NumberVerdict::kNotRun);
  EXPECT_EQ(compare_one(cell, &bad).reason, "skipped: p is too large");

  PublishedCell missing = published("test-gain", kNotMeasured, 0);
  missing.unavailable = "no curve";
  const Record good = record(variant("s", {2}), 1);
  EXPECT_EQ(compare_one(missing, &good).verdict, NumberVerdict::kNotComparable);
  EXPECT_EQ(compare_one(missing, &good).reason, "no curve");
}

TEST(Verdict, NeedsEveryRepeat) {
  Experiment experiment;
  experiment.variants = {variant("s", {2}, 3)};
  experiment.published = {published("test-gain", 1, 0.5)};
  std::vector<Record> records = {record(experiment.variants[0], 1, 0),
                                 record(experiment.variants[0], 1, 1)};
  EXPECT_EQ(compare_with_published(experiment, records)[0].reason, "1 of 3 repeats have no record");
  records.push_back(record(experiment.variants[0], 1, 2));
  EXPECT_EQ(compare_with_published(experiment, records)[0].verdict, NumberVerdict::kReproduced);
  records.back().status = Status::kFailed;
  records.back().message = "signal 11";
  EXPECT_EQ(compare_with_published(experiment, records)[0].reason,
            "1 of 3 repeats give no number: failed: signal 11");
  for (Record& one : records) {
    one.status = Status::kSkipped;
    one.message = "no data";
  }
  EXPECT_EQ(compare_with_published(experiment, records)[0].reason, "skipped: no data");
}

TEST(Verdict, AnUnconstrainedAnswerCountsOnlyIfTheSolverIsNamed) {
  PublishedCell cell = published("test-gain", 1, 0.5);
  Record dense = record(variant("s", {2}), 1);
  dense.unconstrained = true;
  EXPECT_EQ(compare_one(cell, &dense).verdict, NumberVerdict::kNotComparable);
  cell.match.solvers = {"*"};
  EXPECT_EQ(compare_one(cell, &dense).verdict, NumberVerdict::kNotComparable);
  cell.match.solvers = {"s"};
  EXPECT_EQ(compare_one(cell, &dense).verdict, NumberVerdict::kReproduced);
}

TEST(Verdict, RepeatsWidenTheToleranceByTheTestOfTwoProportions) {
  const PublishedComparison few = compare_share(48, 50, 0.85, 5000);
  const double q = (48 + 0.85 * 5000) / 5050;
  EXPECT_NEAR(few.tolerance, 2.58 * std::sqrt(q * (1 - q) * (1.0 / 50 + 1.0 / 5000)), 1e-14);
  EXPECT_EQ(few.verdict, NumberVerdict::kReproduced) << "0.96 of 50 may be 0.85";
  EXPECT_EQ(compare_share(4800, 5000, 0.85, 5000).verdict, NumberVerdict::kHigher);
  EXPECT_EQ(compare_share(48, 50, 0.85, 0).verdict, NumberVerdict::kHigher)
      << "a number without repeats has no error";
  EXPECT_EQ(compare_share(50, 50, 0.98, 5000).verdict, NumberVerdict::kReproduced)
      << "a sample without a miss is not free of error";
}

TEST(Aggregate, HasMeanAndStandardErrorOfTheMean) {
  const Variant of = variant("s", {2});
  // Far from zero, where a sum of squares would have no digits left.
  const std::vector<Record> records = {record(of, 1e9 + 1), record(of, 1e9 + 2),
                                       record(of, 1e9 + 4), record(of, kNotMeasured)};
  std::vector<const Record*> pointers;
  pointers.reserve(records.size());
  for (const Record& one : records) {
    pointers.push_back(&one);
  }
  const Aggregate total = aggregate(pointers, "test-gain");
  EXPECT_DOUBLE_EQ(total.mean, 1e9 + 7.0 / 3);
  constexpr double kRoundingOfMeans = 1e-6;  // 1e9 has seven digits behind the point
  EXPECT_NEAR(total.standard_error, std::sqrt(14.0 / 3 / 2 / 3), kRoundingOfMeans);
  EXPECT_EQ(total.count, 3u);
  EXPECT_EQ(total.not_usable, 1u);
  EXPECT_TRUE(std::isnan(aggregate({pointers[0]}, "test-gain").standard_error));
  EXPECT_TRUE(std::isnan(aggregate({}, "test-gain").mean));
}

TEST(Aggregate, AShareHasWilsonsInterval) {
  const PublishedComparison share = compare_share(48, 50, 0.85, 5000);
  ASSERT_TRUE(share.interval.has_value());
  // The numbers of wilson(48, 50) in plotting/records.py.
  EXPECT_NEAR(share.interval->low, 0.8653991, 1e-7);
  EXPECT_NEAR(share.interval->high, 0.9889611, 1e-7);
  const Variant of = variant("s", {2});
  const Record half = record(of, 0.5);
  const Record one = record(of, 1, 1);
  EXPECT_NEAR(aggregate({&half, &half}, "published-share").interval()->low, 0.0945312, 1e-7)
      << "that of one success of two";
  EXPECT_FALSE(aggregate({&one, &one}, "test-gain").interval()) << "no share";
  EXPECT_FALSE(aggregate({&one}, "published-share").interval()) << "one draw";
}

TEST(Aggregate, UsesTheLastOfARunningSumAndTheSumOfOtherNumbersOfComponents) {
  Record one = record(variant("s", {2}), 1);
  one.metrics["published-running-sum"] = {3, 5, 6};
  one.metrics["published-parts"] = {3, 2, 1};
  EXPECT_EQ(aggregate({&one}, "published-running-sum").mean, 6);
  EXPECT_EQ(aggregate({&one}, "published-parts").mean, 6);
  EXPECT_EQ(compare_one(published("published-running-sum", 6, 0.5), &one).verdict,
            NumberVerdict::kReproduced);
}

TEST(Aggregate, LeavesOutTimesTakenBesideOtherCells) {
  Record timed = record(variant("s", {2}), 1);
  timed.timing["solve_seconds"] = {3};
  EXPECT_EQ(aggregate({&timed}, "solve_seconds").mean, 3);
  timed.contended = true;
  EXPECT_EQ(aggregate({&timed}, "solve_seconds").count, 0u);
  EXPECT_EQ(aggregate({&timed}, "solve_seconds").reason, "timed beside other cells");
}

TEST(Selection, BestIsTheBestVariantThatHasANumber) {
  Experiment experiment;
  experiment.variants = {variant("a", {2}), variant("b", {2}), variant("c", {2})};
  experiment.published = {published("test-gain", 1, 0.1)};
  const std::vector<Record> records = {record(experiment.variants[0], 0.5),
                                       record(experiment.variants[1], 0.95)};
  const std::vector<PublishedComparison> each = compare_with_published(experiment, records);
  ASSERT_EQ(each.size(), 3u);
  EXPECT_EQ(each[0].verdict, NumberVerdict::kLower);
  EXPECT_EQ(each[2].verdict, NumberVerdict::kNotRun);
  experiment.published[0].select = Selection::kBest;
  const std::vector<PublishedComparison> best = compare_with_published(experiment, records);
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].solver, "b");
  EXPECT_EQ(best[0].verdict, NumberVerdict::kReproduced);
  EXPECT_EQ(compare_with_published(experiment, {})[0].reason, "no record");
}

TEST(Verdict, IsNeverComparableIfTheDataDiffer) {
  PublishedCell cell = published("test-gain", 1, 0.1);
  cell.not_comparable = "other data";
  for (const double ours : {0.5, 1.0, 2.0}) {
    const Record one = record(variant("s", {2}), ours);
    const PublishedComparison comparison = compare_one(cell, &one);
    EXPECT_EQ(comparison.verdict, NumberVerdict::kNotComparable) << ours;
    EXPECT_EQ(comparison.reason, "other data");
    EXPECT_EQ(comparison.ours, ours) << "our number is shown nevertheless";
  }
  cell.is_public = false;
  const Record one = record(variant("s", {2}), 2);
  EXPECT_EQ(compare_one(cell, &one).verdict, NumberVerdict::kNoPublicData);
  EXPECT_EQ(compare_one(cell, &one).variant, nullptr) << "no cell is sought";
}

TEST(Verdict, IsNotRunIfTheCellsAreInAnotherProfile) {
  PublishedCell cell = published("test-gain", 1, 0.1);
  cell.match.solvers = {"in another profile"};
  EXPECT_EQ(compare_one(cell).verdict, NumberVerdict::kNotRun);
  EXPECT_EQ(compare_one(cell).variant, nullptr);
}

KnownDifference worse_by(double least, double most) {
  KnownDifference difference;
  difference.metric = "test-gain";
  difference.least = least;
  difference.most = most;
  difference.why = "because.";
  return difference;
}

/// Returns the explanations of `ours` beside one published number, 10 within 0.1.
std::vector<std::string> explanations(const KnownDifference& difference, double ours) {
  static Experiment experiment;
  experiment.variants = {variant("a", {2})};
  experiment.published = {published("test-gain", 10, 0.1)};
  experiment.known_differences = {difference};
  return explanation_texts(
      compare_with_published(experiment, {record(experiment.variants[0], ours)}).at(0));
}

TEST(KnownDifference, ExplainsADifferenceOfItsDirectionAndRangeAlone) {
  KnownDifference difference = worse_by(0.5, 2);
  EXPECT_EQ(explanations(difference, 9).size(), 1u);
  EXPECT_EQ(explanations(difference, 9.5).size(), 1u) << "the ends of the range are within it";
  EXPECT_TRUE(explanations(difference, 9.7).empty());
  EXPECT_TRUE(explanations(difference, 7).empty());
  EXPECT_TRUE(explanations(difference, 11).empty()) << "better";
  difference.better = true;
  EXPECT_EQ(explanations(difference, 11).size(), 1u);
  EXPECT_TRUE(explanations(difference, 9).empty());
  difference = worse_by(0.05, 0.2);
  EXPECT_TRUE(explanations(difference, 9).empty());
  difference.is_relative = true;
  EXPECT_EQ(explanations(difference, 9).size(), 1u);
  difference.metric = "published-cost";
  EXPECT_TRUE(explanations(difference, 9).empty()) << "another metric";
}

TEST(KnownDifference, SaysThatNothingIsExplainedIfNothingMeasuresIt) {
  KnownDifference difference = worse_by(0.5, 2);
  EXPECT_EQ(explanations(difference, 9).at(0),
            "Unexplained, because nothing measures it: because.");
  difference.measured_by = Measurement{.experiment = "a/b", .grid = "g"};
  EXPECT_EQ(explanations(difference, 9).at(0), "because. Measured by a/b, grid g.");
}

TEST(KnownDifference, IsStaleIfAWholeRunHasNoDifferenceInItsRange) {
  Experiment experiment;
  experiment.profile = "full";
  experiment.variants = {variant("a", {2}), variant("b", {2, 3})};
  experiment.published = {published("test-gain", 10, 0.1)};
  experiment.known_differences = {worse_by(0.5, 2)};
  const auto stale = [&](double a, double b) {
    const std::vector<Record> records = {record(experiment.variants[0], a),
                                         record(experiment.variants[1], b)};
    return stale_differences(experiment, compare_with_published(experiment, records)).size();
  };
  EXPECT_EQ(stale(9, 10), 0u) << "one is enough";
  EXPECT_EQ(stale(10, 10), 1u);
  EXPECT_EQ(stale(10, 5), 1u) << "out of its range";
  EXPECT_EQ(stale(10, kNotMeasured), 1u);
  const std::vector<Record> half = {record(experiment.variants[0], 10)};
  EXPECT_TRUE(stale_differences(experiment, compare_with_published(experiment, half)).empty())
      << "the other may still have it";
  experiment.profile = "smoke";
  EXPECT_EQ(stale(10, 10), 0u) << "a part of the experiment cannot show it";
}

TEST(Tally, CountsEachOriginAndMethodByItself) {
  Experiment experiment;
  experiment.variants = {variant("a", {2})};
  PublishedCell own = published("test-gain", 1, 0.1);
  PublishedCell baseline = own;
  baseline.method = Method::kBaseline;
  PublishedCell other = own;
  other.method = Method::kOther;
  PublishedCell check = own;
  check.method = Method::kCheck;
  PublishedCell by_hand = own;
  by_hand.origin = Origin::kByHand;
  PublishedCell certified = published("test-gain", 2, 0.1);
  certified.origin = Origin::kCertified;
  PublishedCell program = own;
  program.origin = Origin::kProgram;
  experiment.published = {own, baseline, other, other, check, by_hand, certified, program};
  Tally tally;
  tally.add(experiment, compare_with_published(experiment, {record(experiment.variants[0], 1)}),
            {});
  EXPECT_EQ(tally.text(),
            "the paper's method: 1 reproduced; the paper's competitors: 1 reproduced; our other "
            "solvers at its numbers: 2 reproduced; check of the set-up: 1 reproduced; follows from "
            "a formula: 1 reproduced; another program: 1 reproduced; proved optimum: 1 lower; 1 "
            "unexplained");
  EXPECT_EQ(tally.verdict(), Verdict::kWorse);
  const Json json = tally.json();
  EXPECT_EQ(json["other"]["reproduced"], 2);
  EXPECT_EQ(json["certified"]["lower"], 1);
  EXPECT_EQ(json["worse_unexplained"], 1);
  experiment.known_differences = {worse_by(0.5, 2)};
  Tally known;
  known.add(experiment, compare_with_published(experiment, {record(experiment.variants[0], 1)}),
            {});
  EXPECT_EQ(known.worse_unexplained, 1u) << "nothing measures it";
  EXPECT_EQ(known.verdict(), Verdict::kMatch) << "but it is known";
}

TEST(CellMatch, ACardinalityOfOneNumberStandsForEveryComponent) {
  CellMatch match;
  match.cardinalities = {{2}};
  EXPECT_TRUE(match.matches(variant("s", {2, 2, 2})));
  EXPECT_FALSE(match.matches(variant("s", {2, 3})));
  match.deflations = {"projection"};
  EXPECT_FALSE(match.matches(variant("s", {2}))) << "it has no deflation";
}

}  // namespace
}  // namespace spca::published_test
