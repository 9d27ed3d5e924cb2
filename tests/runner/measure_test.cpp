/// Metrics of finished cells: measured from stored loadings, without a solve.

#include "harness/runs/run_measure.h"

#include "spca/measure/metrics.h"
#include "tests/runner_testing.h"

namespace spca::measure_test {
namespace {

/// Returns -1, which breaks the law of test-lawful, if SPCA_MEASURE_TEST_LAW is set; otherwise 1.
std::vector<double> measure_switch(const MetricContext&) {
  return {std::getenv("SPCA_MEASURE_TEST_LAW") == nullptr ? 1.0 : -1.0};
}
SPCA_METRIC("test-law", measure_switch,
            (MetricTraits{.unit = "", .formula = "a switch", .by_default = false}));

Solution solve_lawful(const Problem& problem, const NoOptions& options, Budget& budget) {
  return solve_plain(problem, options, budget);
}
SPCA_SOLVER("test-lawful", solve_lawful,
            (Traits{.summary = "", .problem = "", .source = "", .laws = {"test-law"}}));

std::vector<double> measure_crash(const MetricContext&) {
  throw std::runtime_error("this metric always fails");
}
SPCA_METRIC("test-crash", measure_crash,
            (MetricTraits{.unit = "", .formula = "none", .by_default = false}));

class Measure : public Runner {
 protected:
  static Experiment asking_for(const std::vector<std::string>& metrics,
                               Plan plan = default_plan()) {
    Experiment experiment = make_experiment(plan);
    for (Variant& variant : experiment.variants) {
      variant.metrics = metrics;
    }
    return experiment;
  }
  static Plan default_plan() {
    return {.datasets = {"test-generated", "test-fixed"},
            .solvers = {"test-plain", "test-path"},
            .cardinalities = {2, 3},
            .repeats = 3};
  }
  static constexpr std::size_t kCells = 24;
};

TEST_F(Measure, AMetricMoreOrLessIsMeasuredFromStoredLoadings) {
  const Experiment one = asking_for({"explained_variance"});
  const Experiment more = asking_for(
      {"adjusted_variance", "cpu_seconds", "explained_variance", "products", "solve_seconds"});
  EXPECT_EQ(run_experiment(request(one)).run, kCells);
  const std::size_t solved = calls();
  const RunPlan plan = plan_run(request(more));
  EXPECT_EQ(plan.count(CellSource::kMeasure), kCells);
  EXPECT_EQ(plan.count(CellSource::kSolve), 0U);
  const RunSummary summary = run_experiment(request(more, "run", 2));
  EXPECT_EQ(summary.kept, kCells);
  EXPECT_EQ(summary.measured, kCells);
  EXPECT_EQ(summary.run, 0U);
  EXPECT_EQ(calls(), solved);
  run_experiment(request(more, "fresh"));
  EXPECT_EQ(answers("run"), answers("fresh"));
  for (const Record& record : records("run")) {
    EXPECT_EQ(record.timing.at("solve_seconds").front(), record.cost.solve_seconds);
  }
  EXPECT_EQ(run_experiment(request(more)).measured, 0U);
  EXPECT_EQ(run_experiment(request(one)).measured, 0U)
      << "every metric asked for was measured before";
  run_experiment(request(one, "one"));
  EXPECT_EQ(answers("run"), answers("one"));
}

TEST_F(Measure, ThePenaltyOfAMetricIsNoPartOfTheKey) {
  Experiment experiment = asking_for({"penalised_objective"});
  for (Variant& variant : experiment.variants) {
    variant.penalty = 0.1;
  }
  run_experiment(request(experiment));
  const double before = records().front().metrics.at("penalised_objective").front();
  for (Variant& variant : experiment.variants) {
    variant.penalty = 0.3;
  }
  const RunSummary summary = run_experiment(request(experiment));
  EXPECT_EQ(summary.run, 0U);
  EXPECT_EQ(summary.measured, kCells);
  constexpr double kRounding = 1e-12;
  EXPECT_NEAR(records().front().metrics.at("penalised_objective").front(), before - 2 * 0.2,
              kRounding);
}

TEST_F(Measure, ABoundThatWasNotKeptNeedsASolve) {
  const Experiment plain = asking_for({"explained_variance"});
  const Experiment bounded = asking_for({"explained_variance", "gap"});
  run_experiment(request(plain));
  const RunPlan plan = plan_run(request(bounded));
  EXPECT_EQ(plan.count(CellSource::kSolve), kCells);
  EXPECT_EQ(plan.planned.front().reason, "a metric needs what was not kept");
  run_experiment(request(bounded));
  EXPECT_TRUE(std::isfinite(records().front().bound));
  const Experiment all =
      asking_for({"certified_ratio", "explained_variance", "gap", "upper_bound"});
  EXPECT_EQ(run_experiment(request(all)).measured, kCells);
  run_experiment(request(all, "fresh"));
  EXPECT_EQ(answers("run"), answers("fresh"));
}

TEST_F(Measure, TheCommandAddsAMetricToAFinishedRun) {
  // The command reads the experiment from the run's folder, so the run needs one from a file.
  Json document = {{"name", "test/runner"}, {"title", "T"}};
  document["grids"]["main"] = {{"datasets", {"test-generated", "test-fixed"}},
                               {"solvers", {"test-plain", "test-path"}},
                               {"cardinality", {2, 3}},
                               {"repeats", 3},
                               {"metrics", {"explained_variance"}}};
  std::ofstream(root_ / "runner.json") << document.dump();
  const Experiment loaded = load_experiment(root_ / "runner.json", {}, root_);
  run_experiment(request(loaded, "loaded"));
  const std::size_t solved = calls();
  const MeasureRequest wish{.directory = root_ / "loaded",
                            .data_dir = root_ / "data",
                            .metrics = {"adjusted_variance", "*_seconds"},
                            .jobs = 2,
                            .quiet = true};
  const MeasuredRun measured = measure_run(wish);
  EXPECT_EQ(measured.answers, kCells);
  EXPECT_EQ(measured.measured, kCells);
  EXPECT_EQ(exit_code(measured), 0);
  EXPECT_EQ(calls(), solved);
  EXPECT_EQ(measure_run(wish).measured, 0U);
  Experiment more = loaded;
  for (Variant& variant : more.variants) {
    variant.metrics = {"adjusted_variance", "explained_variance"};
    variant.metrics.insert(variant.metrics.end(), measured.metrics.begin(), measured.metrics.end());
    variant.identity = nullptr;
  }
  EXPECT_EQ(run_experiment(request(more, "loaded")).measured, 0U);
  run_experiment(request(more, "fresh"));
  EXPECT_EQ(answers("loaded"), answers("fresh"));
}

TEST_F(Measure, TheCommandRefusesInOneLine) {
  Json document = {{"name", "test/runner"}, {"title", "T"}};
  document["grids"]["main"] = {{"datasets", {"test-fixed"}},
                               {"solvers", {"test-plain"}},
                               {"cardinality", {2}},
                               {"metrics", {"explained_variance"}}};
  std::ofstream(root_ / "runner.json") << document.dump();
  const Experiment loaded = load_experiment(root_ / "runner.json", {}, root_);
  run_experiment(request(loaded));
  const auto error_for = [&](const std::vector<std::string>& metrics, const char* run) {
    try {
      measure_run({.directory = root_ / run,
                   .data_dir = root_ / "data",
                   .metrics = metrics,
                   .quiet = true});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(error_for({"explained_varianc"}, "run").find("did you mean"), std::string::npos);
  EXPECT_NE(error_for({"gap"}, "run").find("gap needs the bound"), std::string::npos);
  EXPECT_NE(error_for({"peak_bytes"}, "run").find("peak_bytes needs the memory"),
            std::string::npos);
  EXPECT_NE(error_for({"no*such"}, "run").find("matches no further metric"), std::string::npos);
  EXPECT_NE(error_for({}, "nowhere").find("manifest.json"), std::string::npos);
  // A run without identities counts as one whose data were loaded by other code.
  fs::remove(root_ / "run" / "identities.jsonl");
  write_manifest(root_ / "run", read_manifest(root_ / "run"), Seal::kEnded);
  EXPECT_NE(error_for({}, "run").find("test-fixed were solved on other data"), std::string::npos);
}

TEST_F(Measure, StaleAnswersOfTheCacheAreMeasuredAndKeepTheirOrigin) {
  const Experiment one = asking_for({"explained_variance"});
  const Experiment more = asking_for({"adjusted_variance", "explained_variance"});
  RunRequest first = request(one, "first");
  first.cache_dir = root_ / "cache";
  run_experiment(first);
  const std::size_t solved = calls();
  RunRequest second = request(more, "second");
  second.cache_dir = first.cache_dir;
  EXPECT_EQ(plan_run(second).count(CellSource::kMeasure), kCells);
  const RunSummary summary = run_experiment(second);
  EXPECT_EQ(summary.reused, kCells);
  EXPECT_EQ(summary.measured, kCells);
  EXPECT_EQ(calls(), solved);
  for (const Record& record : records("second")) {
    EXPECT_FALSE(record.origin.empty());
    EXPECT_TRUE(record.metrics.contains("adjusted_variance"));
  }
}

TEST_F(Measure, LawsAreJudgedAgainAndAnInvalidAnswerIsSolvedAgain) {
  const Plan plan{.solvers = {"test-lawful"}};
  run_experiment(request(asking_for({"explained_variance"}, plan)));
  setenv("SPCA_MEASURE_TEST_LAW", "broken", 1);
  const Experiment more = asking_for({"adjusted_variance", "explained_variance"}, plan);
  const RunSummary broken = run_experiment(request(more));
  unsetenv("SPCA_MEASURE_TEST_LAW");
  EXPECT_EQ(broken.measured, 1U);
  EXPECT_EQ(broken.by_status.at(Status::kInvalid), 1U);
  EXPECT_EQ(exit_code(broken), 3);
  EXPECT_EQ(run_experiment(request(more)).run, 0U) << "judged by the same sources";
  const RunSummary other = run_experiment(request(asking_for({"explained_variance"}, plan)));
  EXPECT_EQ(other.run, 1U);
  EXPECT_EQ(other.by_status.at(Status::kConverged), 1U);
}

TEST_F(Measure, AnAnswerThatCannotBeMeasuredKeepsItsRecord) {
  run_experiment(request(asking_for({"explained_variance"})));
  const std::vector<std::string> before = lines();
  const RunSummary summary =
      run_experiment(request(asking_for({"explained_variance", "test-crash"})));
  EXPECT_EQ(summary.measured, 0U);
  EXPECT_EQ(summary.unmeasured, kCells);
  EXPECT_NE(summary.why_unmeasured.find("this metric always fails"), std::string::npos);
  EXPECT_EQ(exit_code(summary), 3);
  EXPECT_EQ(lines(), before);
}

}  // namespace
}  // namespace spca::measure_test
