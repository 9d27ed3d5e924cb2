/// The regression gate on runs made by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "harness/comparisons/gate_report.h"
#include "tests/verdict_testing.h"

namespace spca::gate_test {
namespace {

using namespace trial;

GateReport check(const ComparedRun& ours, std::vector<GateOverride> overrides = {}) {
  static Baseline baseline;  // the report refers to it
  baseline = {.run = kReference, .overrides = std::move(overrides)};
  return check_run(baseline, ours);
}

const MetricCheck& metric(const GateReport& report, std::size_t cell, const std::string& name) {
  for (const MetricCheck& check : report.cells[cell].metrics) {
    if (check.metric == name) {
      return check;
    }
  }
  throw std::out_of_range(name);
}

/// Returns the report on a run in which `change` changed the first repeat of the first cell.
template <class Change>
GateReport after(Change change, std::vector<GateOverride> overrides = {}) {
  ComparedRun ours = kReference;
  change(ours.cells[0].repeats[0]);
  return check(ours, std::move(overrides));
}

TEST(Gate, PassesTheRunThatMadeTheBaseline) {
  const GateReport report = check(kReference);
  EXPECT_EQ(report.verdict, Verdict::kMatch);
  EXPECT_EQ(exit_code(report.verdict), 0);
}

TEST(Gate, NamesWorseCells) {
  const GateReport report = after([](ComparedRepeat& r) { r.metrics["explained_variance"] = 1.9; });
  EXPECT_EQ(exit_code(report.verdict), 4);
  EXPECT_EQ(report.cells[0].verdict, Verdict::kWorse);
  EXPECT_EQ(report.cells[1].verdict, Verdict::kMatch);
  const std::string text = gate_text(report, {.name = "b.json"});
  EXPECT_TRUE(text.starts_with("worse: ")) << text;
  EXPECT_NE(text.find("pitprops / a, projection / k = 2"), std::string::npos) << text;
  EXPECT_NE(text.find("1.9"), std::string::npos) << text;
}

TEST(Gate, ReportsBetterCellsAndHowToKeepThem) {
  const GateReport report = after([](ComparedRepeat& r) { r.metrics["explained_variance"] = 2.1; });
  EXPECT_EQ(report.verdict, Verdict::kBetter);
  EXPECT_EQ(exit_code(report.verdict), 0);
  EXPECT_NE(gate_text(report, {.name = "b.json"}).find("hint: `spca baseline"), std::string::npos);
}

TEST(Gate, HoldsMachineFreeCostsHard) {
  EXPECT_EQ(exit_code(after([](ComparedRepeat& r) { r.metrics["iterations"] = 30; }).verdict), 4);
}

TEST(Gate, ComparesTimesOnlyWhereTheyCanBeCompared) {
  const auto slow = [](ComparedRepeat& r) { r.metrics["solve_seconds"] = 4; };
  EXPECT_EQ(exit_code(after(slow).verdict), 6);
  ComparedRun ours = kReference;
  slow(ours.cells[0].repeats[0]);
  ours.cells[0].repeats[0].contended = true;
  const GateReport contended = check(ours);
  EXPECT_EQ(exit_code(contended.verdict), 0);
  EXPECT_EQ(metric(contended, 0, "solve_seconds").verdict, Verdict::kNotGated);
  EXPECT_NE(gate_text(contended, {.name = ""}).find("beside other cells"), std::string::npos);
  for (const std::string& field : machine_fields()) {
    ours = kReference;
    slow(ours.cells[0].repeats[0]);
    ours.machine[field] = "another";
    const GateReport elsewhere = check(ours);
    EXPECT_EQ(exit_code(elsewhere.verdict), 0) << field;
    EXPECT_NE(gate_text(elsewhere, {.name = ""}).find("another machine: " + field),
              std::string::npos);
  }
}

TEST(Gate, NeverPassesIncomparableCells) {
  ComparedRun ours = kReference;
  ours.cells.pop_back();
  EXPECT_EQ(exit_code(check(ours).verdict), 5) << "missing cell";
  ours = kReference;
  ours.cells[1].repeats.pop_back();
  EXPECT_EQ(exit_code(check(ours).verdict), 5) << "missing repeat";
  EXPECT_EQ(exit_code(after([](ComparedRepeat& r) { r.metrics.erase("iterations"); }).verdict), 5);
  EXPECT_EQ(exit_code(after([](ComparedRepeat& r) {
                        r.metrics["explained_variance"] = kNotMeasured;
                      }).verdict),
            5);
  EXPECT_EQ(exit_code(after([](ComparedRepeat& r) { r.seed = 1; }).verdict), 5) << "other draws";
  EXPECT_EQ(exit_code(after([](ComparedRepeat& r) {
                        r.status = Status::kSkipped;
                        r.components.clear();
                      }).verdict),
            5);
  ours = kReference;
  ours.cells[0].solver_options = {{"extra", 1}};
  EXPECT_EQ(exit_code(check(ours).verdict), 0) << "an option that is new is not another question";
  ours.cells[0].solver_name = "tpower";
  ComparedRun then = ours;
  then.cells[0].solver_options = Json::object();
  ours.cells[0].solver_options = {{"refit", true}};
  const auto check_options = [&] {
    return check_run(Baseline{.run = then, .overrides = {}}, ours).verdict;
  };
  EXPECT_EQ(exit_code(check_options()), 0) << "its default";
  ours.cells[0].solver_options = {{"refit", false}};
  EXPECT_EQ(exit_code(check_options()), 5) << "set, unlike then";
  EXPECT_EQ(exit_code(check(run_of({})).verdict), 5);
}

TEST(Gate, NeverPassesWhereTheBaselineHasNothingToCompareWith) {
  for (const double reference : {0.0, kNotMeasured}) {
    Baseline baseline{.run = kReference, .overrides = {}};
    baseline.run.cells[0].repeats[0].metrics["explained_variance"] = reference;
    EXPECT_EQ(exit_code(check_run(baseline, kReference).verdict), 5) << reference;
  }
}

TEST(Gate, HoldsAFailureAboveAllElse) {
  ComparedRun ours = kReference;
  ours.cells[0].repeats[0].metrics["explained_variance"] = 1;
  ours.cells[1].repeats[0].status = Status::kFailed;
  ours.cells[1].repeats[0].components.clear();
  ours.cells[1].repeats[0].message = "crashed";
  const GateReport report = check(ours);
  EXPECT_EQ(exit_code(report.verdict), 3);
  EXPECT_NE(gate_text(report, {.name = ""}).find("1 of 3 repeats: failed: crashed"),
            std::string::npos);
}

TEST(Gate, OrdersItsVerdicts) {
  ComparedRun ours = kReference;
  ours.cells[1].repeats[0].metrics["solve_seconds"] = 9;
  ours.cells[1].repeats[1].metrics["solve_seconds"] = 9;
  ours.cells[1].repeats[2].metrics["solve_seconds"] = 9;
  EXPECT_EQ(exit_code(check(ours).verdict), 6);
  ours.cells[0].repeats[0].metrics.erase("iterations");
  EXPECT_EQ(exit_code(check(ours).verdict), 5);
  ours.cells[1].repeats[0].metrics["iterations"] = 99;
  EXPECT_EQ(exit_code(check(ours).verdict), 4);
}

TEST(Gate, ReportsNewCellsAndPasses) {
  ComparedRun ours = kReference;
  ours.cells.push_back(cell("new", {1}));
  const GateReport report = check(ours);
  EXPECT_EQ(exit_code(report.verdict), 0);
  ASSERT_EQ(report.new_cells.size(), 1U);
  EXPECT_NE(gate_text(report, {.name = ""}).find(report.new_cells[0]), std::string::npos);
}

TEST(Gate, TakesSignAndOrderOfComponentsForNoDifference) {
  const GateReport report = after([](ComparedRepeat& r) {
    std::swap(r.components[0], r.components[1]);
    r.components[0].values *= -1;
  });
  EXPECT_EQ(report.verdict, Verdict::kMatch);
  EXPECT_EQ(metric(report, 0, kSupportF1ToReference).pairs.ours, 1);
  // The sine of the angle comes from a difference of unit vectors.
  EXPECT_NEAR(metric(report, 0, kAngleToReference).pairs.ours, 0, 1e-12);
}

TEST(Gate, TakesAnotherAnswerOfTheSameValueForWorse) {
  const auto other = [](ComparedRepeat& r) { r.components[0] = component({0, 4}, {0.6, 0.8}); };
  const GateReport report = after(other);
  EXPECT_EQ(exit_code(report.verdict), 4);
  EXPECT_EQ(metric(report, 0, kSupportF1ToReference).pairs.ours, 0.75);
  EXPECT_NEAR(metric(report, 0, kAngleToReference).pairs.ours, std::acos(0.36), 1e-12);
  const GateReport better = after([&](ComparedRepeat& r) {
    other(r);
    r.metrics["explained_variance"] = 2.5;
  });
  EXPECT_EQ(better.verdict, Verdict::kBetter);
}

GateOverride override_of(const std::string& metric_glob, Gate gate) {
  GateOverride change;
  change.metric = metric_glob;
  change.gate = gate;
  return change;
}

TEST(Gate, ObeysTheOverridesOfItsBaseline) {
  const auto worse = [](ComparedRepeat& r) { r.metrics["explained_variance"] = 1.9; };
  GateOverride loose = override_of("explained_*", Gate::kHard);
  loose.relative = 0.1;
  EXPECT_EQ(exit_code(after(worse, {loose}).verdict), 0);
  EXPECT_EQ(exit_code(after(worse, {override_of("*", Gate::kNone)}).verdict), 5)
      << "nothing was compared";
  GateOverride elsewhere = override_of("explained_variance", Gate::kNone);
  elsewhere.match.solvers = {"b"};
  EXPECT_EQ(exit_code(after(worse, {elsewhere}).verdict), 4);
  GateOverride turned = override_of("explained_variance", Gate::kHard);
  turned.direction = Direction::kLowerIsBetter;
  EXPECT_EQ(after(worse, {turned}).verdict, Verdict::kBetter);
}

}  // namespace
}  // namespace spca::gate_test
