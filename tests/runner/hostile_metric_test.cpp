/// Tests of metrics that throw, abort or exit: no other metric of the cell is lost.

#include <cmath>
#include <new>

#include "spca/measure/judge.h"
#include "tests/runner_testing.h"

namespace spca::hostile_metric_test {
namespace {

std::vector<double> measure_throw(const MetricContext&) {
  throw std::runtime_error("thrown on purpose; really");
}
std::vector<double> measure_numerical(const MetricContext&) {
  throw NumericalError("it does not converge");
}
std::vector<double> measure_out_of_memory(const MetricContext&) { throw std::bad_alloc(); }
std::vector<double> measure_abort(const MetricContext&) { std::abort(); }
std::vector<double> measure_exit(const MetricContext&) { _exit(0); }

const MetricTraits kTraits = {.unit = "", .formula = "none", .by_default = false};
// By their names some come before explained_variance, and some after it.
SPCA_METRIC("a-test-abort", measure_abort, kTraits);
SPCA_METRIC("test-throw", measure_throw, kTraits);
SPCA_METRIC("test-numerical", measure_numerical, kTraits);
SPCA_METRIC("test-out-of-memory", measure_out_of_memory, kTraits);
SPCA_METRIC("test-exit", measure_exit, kTraits);

class HostileMetric : public Runner {
 protected:
  static Experiment asking_for(const std::vector<std::string>& metrics, Plan plan) {
    Experiment experiment = make_experiment(plan);
    for (Variant& variant : experiment.variants) {
      variant.metrics = metrics;
    }
    return experiment;
  }
};

TEST_F(HostileMetric, CostsItselfAlone) {
  const std::map<std::string, std::string> reasons = {
      {"a-test-abort", "the process was killed by SIGABRT (Aborted)"},
      {"test-exit", "the process ended by itself with exit code 0"},
      {"test-throw", "thrown on purpose, really"},
      {"test-numerical", "it does not converge"},
      {"test-out-of-memory", "out of memory"}};
  for (const auto& [metric, reason] : reasons) {
    SCOPED_TRACE(metric);
    const Experiment experiment =
        asking_for({metric, "explained_variance", "variance_share"}, {.repeats = 3});
    const RunSummary summary = run_experiment(request(experiment, metric, 2));
    EXPECT_EQ(summary.by_status.at(Status::kConverged), 3U);
    EXPECT_EQ(exit_code(summary), 0);
    for (const Record& record : records(metric)) {
      EXPECT_EQ(record.message, metric + " is not measured: " + reason);
      EXPECT_EQ(record.loadings.size(), 1U);
      EXPECT_GT(record.metrics.at("explained_variance").at(0), 0);
      EXPECT_GT(record.metrics.at("variance_share").at(0), 0);
      EXPECT_TRUE(std::isnan(record.metrics.at(metric).at(0)));
    }
    // Nothing is left to be done.
    EXPECT_EQ(run_experiment(request(experiment, metric)).kept, 3U);
  }
  EXPECT_EQ(calls(), 3 * reasons.size());
}

TEST_F(HostileMetric, SeveralCostThemselves) {
  const Experiment experiment =
      asking_for({"a-test-abort", "explained_variance", "test-exit", "test-throw"}, {.repeats = 1});
  run_experiment(request(experiment));
  const Record record = records().at(0);
  EXPECT_EQ(record.message,
            "a-test-abort is not measured: the process was killed by SIGABRT (Aborted); "
            "test-exit is not measured: the process ended by itself with exit code 0; "
            "test-throw is not measured: thrown on purpose, really");
  EXPECT_GT(record.metrics.at("explained_variance").at(0), 0);
}

TEST_F(HostileMetric, CostsNoCardinalityOfAPath) {
  const Experiment experiment = asking_for(
      {"explained_variance", "test-exit"},
      {.datasets = {"test-fixed"}, .solvers = {"test-path"}, .cardinalities = {1, 2, 3}});
  run_experiment(request(experiment));
  EXPECT_EQ(calls(), 1U);
  ASSERT_EQ(records().size(), 3U);
  for (const Record& record : records()) {
    EXPECT_EQ(record.status, Status::kConverged);
    EXPECT_GT(record.metrics.at("explained_variance").at(0), 0);
    EXPECT_NE(record.message.find("test-exit is not measured"), std::string::npos);
  }
}

TEST_F(HostileMetric, KeepsTheBoundThatACertificateProved) {
  Experiment experiment =
      asking_for({"test-exit", "upper_bound"},
                 {.datasets = {"test-fixed"}, .solvers = {"slow-proof"}, .cardinalities = {2}});
  run_experiment(request(experiment));
  Experiment gentle = experiment;
  gentle.variants.front().metrics = {"upper_bound"};
  run_experiment(request(gentle, "gentle"));
  EXPECT_EQ(records().at(0).metrics.at("upper_bound"),
            records("gentle").at(0).metrics.at("upper_bound"));
  EXPECT_EQ(records().at(0).bound, records("gentle").at(0).bound);
}

TEST(UnmeasuredNotes, AreTakenOutOfAMessageAlone) {
  const std::string note = unmeasured_note("gap", "one; two");
  EXPECT_EQ(without_unmeasured_notes("time limit of 1 s; " + note + "; 2 of 3 components"),
            "time limit of 1 s; 2 of 3 components");
  EXPECT_EQ(without_unmeasured_notes(note), "");
  EXPECT_EQ(without_unmeasured_notes("a; b"), "a; b");
}

}  // namespace
}  // namespace spca::hostile_metric_test
