/// The regression gate on runs made by hand, and the files that it reads and writes.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "harness/verdicts/baseline_file.h"
#include "harness/verdicts/compare.h"
#include "harness/verdicts/gate_report.h"
#include "harness/verdicts/performance_profile.h"
#include "spca/io/json_file.h"
#include "tests/temporary_files.h"

namespace spca::gate_test {
namespace {

Component component(Support support, std::vector<double> values) {
  Vector loadings = Eigen::Map<Vector>(values.data(), static_cast<Index>(values.size()));
  return {.support = std::move(support), .values = loadings / loadings.norm()};
}

ComparedRepeat repeat(Index number, double value) {
  return {.repeat = number,
          .seed = 17 + static_cast<std::uint64_t>(number),
          .status = Status::kConverged,
          .message = "",
          .contended = false,
          .metrics = {{"explained_variance", value}, {"iterations", 10}, {"solve_seconds", 1}},
          .components = {component({0, 3}, {0.6, 0.8}), component({1, 2}, {1, 2})}};
}

ComparedCell cell(const std::string& solver, const std::vector<double>& values) {
  ComparedCell made{.grid = "g",
                    .dataset = "pitprops",
                    .solver = solver,
                    .deflation = "projection",
                    .cardinality = {2, 2},
                    .dataset_name = "pitprops",
                    .solver_name = "tpower",
                    .dataset_options = Json::object(),
                    .solver_options = Json::object(),
                    .unconstrained = false,
                    .repeats = {}};
  for (const double value : values) {
    made.repeats.push_back(repeat(static_cast<Index>(made.repeats.size()), value));
  }
  return made;
}

ComparedRun run_of(std::vector<ComparedCell> cells) {
  return {.experiment = "test/gate",
          .overrides = overrides_to_json({.profile = "smoke"}),
          .machine = {{"processor", "made by hand"},
                      {"cores", 2},
                      {"architecture", "x86_64"},
                      {"compiler", "GNU"},
                      {"flags", "-O3"},
                      {"build_type", "Release"},
                      {"threads", 1}},
          .revision = {{"version", "0.1.0"}, {"sources", "00"}},
          .cells = std::move(cells)};
}

const ComparedRun kReference = run_of({cell("a", {2}), cell("b", {3, 3, 3})});

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

/// The verdict on a run in which `change` changed the first repeat of the first cell.
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

TEST(Gate, NamesWhatIsWorse) {
  const GateReport report = after([](ComparedRepeat& r) { r.metrics["explained_variance"] = 1.9; });
  EXPECT_EQ(exit_code(report.verdict), 4);
  EXPECT_EQ(report.cells[0].verdict, Verdict::kWorse);
  EXPECT_EQ(report.cells[1].verdict, Verdict::kMatch);
  const std::string text = gate_text(report, "b.json");
  EXPECT_TRUE(text.starts_with("worse: ")) << text;
  EXPECT_NE(text.find("pitprops / a, projection / k = 2"), std::string::npos) << text;
  EXPECT_NE(text.find("1.9"), std::string::npos) << text;
}

TEST(Gate, CallsBetterWhatIsBetterAndSaysHowToKeepIt) {
  const GateReport report = after([](ComparedRepeat& r) { r.metrics["explained_variance"] = 2.1; });
  EXPECT_EQ(report.verdict, Verdict::kBetter);
  EXPECT_EQ(exit_code(report.verdict), 0);
  EXPECT_NE(gate_text(report, "b.json").find("hint: `spca baseline"), std::string::npos);
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
  EXPECT_NE(gate_text(contended, "").find("beside other cells"), std::string::npos);
  for (const std::string& field : machine_fields()) {
    ours = kReference;
    slow(ours.cells[0].repeats[0]);
    ours.machine[field] = "another";
    const GateReport elsewhere = check(ours);
    EXPECT_EQ(exit_code(elsewhere.verdict), 0) << field;
    EXPECT_NE(gate_text(elsewhere, "").find("another machine: " + field), std::string::npos);
  }
}

TEST(Gate, NeverPassesWhatItCannotCompare) {
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
  EXPECT_EQ(exit_code(check(ours).verdict), 0) << "an option that is new is no other question";
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
  EXPECT_NE(gate_text(report, "").find("1 of 3 repeats: failed: crashed"), std::string::npos);
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
  EXPECT_NE(gate_text(report, "").find(report.new_cells[0]), std::string::npos);
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

using BaselineFile = TemporaryFiles;

const Baseline& gated_run() {
  static const Baseline baseline{.run = kReference, .overrides = {}};
  return baseline;
}

TEST_F(BaselineFile, ReadsBackAsItWasWritten) {
  const std::string text = baseline_text(gated_run());
  const Baseline back = read_baseline(write("b.json", text));
  EXPECT_EQ(baseline_text(back), text);
  EXPECT_EQ(exit_code(check_run(back, kReference).verdict), 0);
}

TEST_F(BaselineFile, LeavesOutWhatWasNeverMeasured) {
  ComparedRun run = kReference;
  run.cells[0].repeats[0].metrics["products"] = kNotMeasured;
  const BaselineContent content = baseline_content(run, false);
  EXPECT_EQ(content.not_measured, std::vector<std::string>{"products: 1 cell"});
  EXPECT_FALSE(content.run.cells[0].repeats[0].metrics.contains("products"));
  EXPECT_FALSE(content.run.cells[0].repeats[0].metrics.contains("solve_seconds"));
}

TEST_F(BaselineFile, RefusesWhatItDoesNotKnow) {
  const std::string text = baseline_text(gated_run());
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string copy = text;
    const std::size_t position = copy.find(from);
    EXPECT_NE(position, std::string::npos) << from;
    copy.replace(position, from.size(), to);
    return copy;
  };
  const std::vector<std::tuple<std::string, std::string, std::vector<std::string>>> cases = {
      {"\"grid\": \"g\"", "\"grids\": \"g\"", {"/cells/0/grids", "did you mean \"grid\""}},
      {"\"grid\": \"g\"", "\"grid\": \"g\", \"grid\": \"g\"", {"/cells/0/grid", "second time"}},
      {"\"version\": 1", "\"version\": 2", {"/version", "found 2", "accepted: 1"}},
      {"\"version\": 1", "\"version\": \"1\"", {"/version"}},
      {"\"spca-baseline\"", "\"spca-baselin\"", {"/format", "did you mean \"spca-baseline\""}},
      {"\"cardinality\": [2,2]", "\"cardinality\": [2,0]", {"/cells/0/cardinality/1", ">= 1"}},
      {"\"explained_variance\": [2.0]",
       "\"explained_variance\": [2.0,1]",
       {"/cells/0/metrics/explained_variance", "1 elements"}},
      {"\"explained_variance\": [2.0]",
       "\"explained_variance\": [\"2\"]",
       {"/cells/0/metrics/explained_variance/0", "a number"}},
      {"\"converged\"", "\"convergd\"", {"/cells/0/status/0", "did you mean \"converged\""}},
      {"\"indices\":[0,3]", "\"indices\":[3,0]", {"/cells/0/loadings/0/0/indices/1"}},
      {"\"indices\":[0,3]", "\"indices\":[0]", {"/cells/0/loadings/0/0", "as many values"}},
      {"\"values\":[0.6,0.8]", "\"values\":[0,0]", {"/cells/0/loadings/0/0", "unit length"}},
      {"\"values\":[0.6,0.8]", "\"values\":[1e300,0.8]", {"/cells/0/loadings/0/0", "unit length"}},
      {"\"converged\"", "\"failed\"", {"/cells/0/loadings/0", "no component with the status"}},
      {"\"seeds\": [17]", "\"seeds\": [-17]", {"/cells/0/seeds/0"}},
      {"\"solver\": \"b\"", "\"solver\": \"a\"", {"/cells/1", "each cell once"}},
      {"\"profile\":\"smoke\"", "\"profile\":3", {"/run"}},
      {"\"cores\":2", "\"cors\":2", {"/machine/cors"}},
      {"\"overrides\": []",
       "\"overrides\": [{\"metric\":\"producs\",\"why\":\"w\"}]",
       {"/overrides/0", "some cell of this baseline has"}},
      {"\"overrides\": []", "\"overrides\": [{\"metric\":\"*\"}]", {"/overrides/0", "\"why\""}},
      {"\"overrides\": []",
       "\"overrides\": [{\"metric\":\"*\",\"why\":\"w\",\"relative\":-1}]",
       {"/overrides/0/relative", ">= 0"}},
      {"\"overrides\": []",
       "\"overrides\": [{\"metric\":\"*\",\"why\":\"w\",\"gate\":\"soft\"}]",
       {"/overrides/0/gate", "same-machine-only"}}};
  for (const auto& [from, to, words] : cases) {
    const fs::path path = write("b.json", changed(from, to));
    const std::string message = error_of([&] { read_baseline(path); });
    EXPECT_TRUE(message.starts_with(path.string() + ":")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& word : words) {
      EXPECT_NE(message.find(word), std::string::npos) << message << "\nlacks: " << word;
    }
  }
}

TEST_F(BaselineFile, SurvivesAnyCutOrChangedByte) {
  const std::string text = baseline_text(gated_run());
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string broken = text;
    if (i % 2 == 0) {
      broken.resize(random() % text.size());
    } else {
      broken[random() % text.size()] = static_cast<char>(random() % 256);
    }
    const fs::path path = write("b.json", broken);
    // Either it is read or the user is told; nothing else may be thrown.
    EXPECT_NO_THROW(error_of([&] { read_baseline(path); }));
  }
}

TEST(Compare, FindsNoDifferenceBetweenARunAndItself) {
  const RunComparison comparison = compare_runs(kReference, kReference);
  ASSERT_EQ(comparison.cells.size(), 2U);
  for (const CellDifference& cell : comparison.cells) {
    for (const MetricDifference& difference : cell.metrics) {
      EXPECT_EQ(difference.pairs.difference, 0) << difference.metric;
      EXPECT_FALSE(difference.significant);
    }
  }
}

TEST(Compare, CallsADifferenceSignificantByTheTwoSidedSignTest) {
  for (const std::size_t repeats : {5U, 6U}) {
    const ComparedRun first = run_of({cell("a", std::vector<double>(repeats, 2))});
    const ComparedRun second = run_of({cell("a", std::vector<double>(repeats, 3))});
    const RunComparison comparison = compare_runs(first, second);
    const MetricDifference& difference = comparison.cells[0].metrics[0];
    EXPECT_EQ(difference.metric, "explained_variance");
    EXPECT_EQ(difference.pairs.difference, 1);
    EXPECT_EQ(difference.significant, repeats == 6) << "2 / 2^5 > 0.05 > 2 / 2^6";
  }
}

TEST(Compare, ListsWhatOnlyOneRunHas) {
  const RunComparison comparison =
      compare_runs(kReference, run_of({cell("b", {3, 3, 3}), cell("c", {1})}));
  EXPECT_EQ(comparison.cells.size(), 1U);
  EXPECT_EQ(comparison.only_first.size(), 1U);
  EXPECT_EQ(comparison.only_second.size(), 1U);
}

TEST(PerformanceProfile, IsTheShareOfProblemsWithinAFactorOfTheBest) {
  // On three problems A has 2, 2, 2 and B has 1, 2 and 4.
  const PerformanceProfile profile =
      value_profiles(run_of({cell("a", {2, 2, 2})}), run_of({cell("a", {1, 2, 4})})).at(0);
  EXPECT_EQ(profile.problems, 3U);
  ASSERT_EQ(profile.rows.size(), 2U);
  EXPECT_EQ(profile.rows[0].solver, "A: a, projection");
  EXPECT_EQ(profile.tau.front(), 1);
  EXPECT_EQ(profile.tau.back(), 2);
  EXPECT_DOUBLE_EQ(profile.rows[0].share.front(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(profile.rows[1].share.front(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(profile.rows[0].share.back(), 1);
  EXPECT_DOUBLE_EQ(profile.rows[1].share.back(), 1);
}

TEST(PerformanceProfile, CountsAFailureAsNeverSolved) {
  ComparedRun second = run_of({cell("a", {2})});
  second.cells[0].repeats[0].status = Status::kFailed;
  second.cells[0].repeats[0].components.clear();
  const PerformanceProfile profile = value_profiles(run_of({cell("a", {1})}), second).at(0);
  EXPECT_EQ(profile.rows[0].share.front(), 1);
  EXPECT_EQ(profile.rows[1].share.back(), 0);
}

TEST(PerformanceProfile, OfTimesLeavesOutWhatRanBesideOtherCells) {
  ComparedRun first = run_of({cell("a", {2, 2})});
  ComparedRun second = first;
  second.cells[0].repeats[0].contended = true;
  second.cells[0].repeats[1].metrics["solve_seconds"] = 3;
  const PerformanceProfile profile = time_profiles(first, second).at(0);
  EXPECT_EQ(profile.problems, 1U);
  EXPECT_EQ(profile.rows[0].share.front(), 1);
  EXPECT_EQ(profile.rows[1].share.front(), 0);
  EXPECT_EQ(profile.rows[1].share.back(), 1);
}

}  // namespace
}  // namespace spca::gate_test
