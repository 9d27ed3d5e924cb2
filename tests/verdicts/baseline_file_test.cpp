/// The file of a baseline: written, read back, refused and broken.

#include <gtest/gtest.h>

#include <random>

#include "harness/comparisons/baseline_file.h"
#include "harness/comparisons/gate.h"
#include "tests/temporary_files.h"
#include "tests/verdict_testing.h"

namespace spca::baseline_file_test {
namespace {

using namespace trial;

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

TEST_F(BaselineFile, ACellWithTheLoadingsOfAnEarlierOneNamesIt) {
  ComparedRun run = run_of({cell("a", {2, 2}), cell("b", {3, 3}), cell("c", {1, 1, 1})});
  run.cells[1].repeats[1].components = {component({0, 3}, {0.6, 0.8}), component({1, 4}, {1, 2})};
  const std::string text = baseline_text({.run = run, .overrides = {}});
  EXPECT_NE(text.find("\"loadings\": [\n        0,\n        [{\"indices\""), std::string::npos)
      << text;
  const Baseline back = read_baseline(write("b.json", text));
  EXPECT_EQ(baseline_text(back), text);
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    EXPECT_EQ(baseline_cell_text(back.run.cells[i]), baseline_cell_text(run.cells[i]));
  }
  EXPECT_EQ(exit_code(check_run(back, run).verdict), 0);
}

TEST_F(BaselineFile, ACellWhoseLoadingsAreAllThoseOfEarlierOnesHasThemOnOneLine) {
  const std::string text =
      baseline_text({.run = run_of({cell("a", {2, 2}), cell("b", {3, 3})}), .overrides = {}});
  EXPECT_NE(text.find("\"loadings\": [0,0]\n"), std::string::npos) << text;
}

TEST_F(BaselineFile, IsOfTheFirstVersionIfNoCellsHaveTheSameLoadings) {
  const std::string text = baseline_text({.run = run_of({cell("a", {2, 2})}), .overrides = {}});
  EXPECT_NE(text.find("\"version\": 1,\n"), std::string::npos) << text;
  EXPECT_EQ(baseline_text(read_baseline(write("b.json", text))), text);
}

TEST_F(BaselineFile, ReadsTheFirstVersionInWhichEveryRepeatHasItsLoadings) {
  const std::string text = baseline_text(gated_run());
  std::string cells = "\"cells\": [";
  for (const ComparedCell& cell : kReference.cells) {
    cells += baseline_cell_text(cell) + (&cell == &kReference.cells.back() ? "]\n}\n" : ",\n");
  }
  std::string first = text.substr(0, text.find("\"cells\": [")) + cells;
  const std::string version = "\"version\": 2";
  first.replace(first.find(version), version.size(), "\"version\": 1");
  EXPECT_EQ(baseline_text(read_baseline(write("b.json", first))), text);
}

TEST_F(BaselineFile, LeavesOutUnmeasuredMetrics) {
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
      {"\"version\": 2", "\"version\": 3", {"/version", "found 3", "accepted: 1 to 2"}},
      {"\"version\": 2", "\"version\": 0", {"/version", "found 0"}},
      {"\"version\": 2", "\"version\": \"1\"", {"/version"}},
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
      {"[\n        0,\n",
       "[\n        1,\n",
       {"/cells/1/loadings/0", "an earlier cell", "repeat 0"}},
      {"[\n        0,\n", "[\n        -1,\n", {"/cells/1/loadings/0"}},
      {"[\n        0,\n", "[\n        0.5,\n", {"/cells/1/loadings/0"}},
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

}  // namespace
}  // namespace spca::baseline_file_test
