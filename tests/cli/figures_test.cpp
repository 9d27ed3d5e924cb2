/// Tests of the figures that an experiment declares, of the traces that some of them draw, and of
/// `spca plot`.

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "harness/experiments/experiment.h"
#include "harness/records/record.h"
#include "spca/covariance/deflation.h"
#include "spca/solving/solve.h"
#include "spca/solving/trace.h"
#include "tests/temporary_files.h"

namespace spca::figures_test {
namespace {

class FiguresTest : public TemporaryFiles {
 protected:
  /// Writes an experiment of two cells with these figures, and returns its path.
  fs::path write_experiment(const std::string& figures) const {
    return write("small.json", R"({"name": "small", "title": "T", "grids": {"g": {
      "datasets": ["pitprops"], "solvers": ["tpower", "threshold"], "cardinality": [4],
      "trace": true, "metrics": ["explained_variance"]}}, "figures": )" +
                                   figures + "}");
  }

  std::string error_of_figures(const std::string& figures) const {
    const fs::path path = write_experiment(figures);
    return error_of([&] { load_experiment(path, {}, folder_); });
  }

  struct Finished {
    int code = -1;
    std::string out, err;
  };
  Finished spca(const std::string& environment, const std::string& arguments) const {
    const std::string line = "cd '" + folder_.string() + "' && " + environment +
                             " '" SPCA_PROGRAM "' " + arguments + " > out 2> err < /dev/null";
    const int status = std::system(line.c_str());
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = bytes_of(folder_ / "out"),
            .err = bytes_of(folder_ / "err")};
  }
};

const std::string kValue = R"({"kind": "value-against-cardinality", "title": "V"})";

void expect_all(const std::string& message, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << message << "\nlacks: " << word;
  }
}

TEST_F(FiguresTest, OptionsThatAreNotGivenAreTheKindsDefaults) {
  const fs::path path = write_experiment(
      R"([{"kind": "value-against-cardinality", "title": "V"},
          {"kind": "convergence", "name": "time", "title": "C", "against": "seconds",
           "where": {"solver": "tpower"}},
          {"kind": "loadings-heatmap", "title": "L", "variables": 3}])");
  const Experiment experiment = load_experiment(path, {}, folder_);
  ASSERT_EQ(experiment.figures.size(), 3U);
  EXPECT_EQ(experiment.figures[0].name, "value-against-cardinality");
  EXPECT_EQ(experiment.figures[0].options, (Json{{"metric", "explained_variance"}}));
  EXPECT_EQ(experiment.figures[1].name, "time");
  EXPECT_EQ(experiment.figures[1].options, (Json{{"against", "seconds"}}));
  EXPECT_TRUE(experiment.figures[1].where.matches(experiment.variants[0]));
  EXPECT_FALSE(experiment.figures[1].where.matches(experiment.variants[1]));
  EXPECT_EQ(experiment.figures[2].options, (Json{{"variables", 3}}));
}

TEST_F(FiguresTest, EveryMistakeNamesItsPlaceAndTheAcceptedValues) {
  expect_all(error_of_figures(R"([{"kind": "value-against-k", "title": "V"}])"),
             {"small.json:", "/figures/0/kind", "value-against-k", "recovery", "scaling"});
  expect_all(error_of_figures(R"([{"kind": "recovry", "title": "V"}])"),
             {"did you mean \"recovery\""});
  expect_all(error_of_figures(R"([{"kind": "convergence", "title": "V", "metric": "products"}])"),
             {"/figures/0/metric", "unknown key", "against"});
  expect_all(error_of_figures(R"([{"kind": "convergence", "title": "V", "against": "time"}])"),
             {"/figures/0/against", "seconds", "products", "iterations"});
  expect_all(error_of_figures(R"([{"kind": "value-against-cardinality", "title": "V",
                                   "metric": "explained_varience"}])"),
             {"/figures/0/metric", "did you mean \"explained_variance\""});
  expect_all(error_of_figures(R"([{"kind": "scaling", "title": "V"}])"),
             {"/figures/0", "solve_seconds", "measures explained_variance"});
  expect_all(error_of_figures(R"([{"kind": "loadings-heatmap", "title": "V", "variables": 0}])"),
             {"/figures/0/variables", "a whole number >= 1"});
  expect_all(error_of_figures(R"([{"kind": "convergence"}])"), {"/figures/0", "title"});
  expect_all(error_of_figures(R"([{"kind": "convergence", "title": "V", "name": "../V"}])"),
             {"/figures/0/name", "../V"});
  expect_all(error_of_figures("[" + kValue + "," + kValue + "]"),
             {"/figures/1", "\"value-against-cardinality\" twice", "name"});
  expect_all(error_of_figures(R"([{"kind": "convergence", "title": "V", "where": {"grid": "h"}}])"),
             {"/figures/0", "a match of at least one cell"});
}

TEST(ShippedExample, IsValidInEachProfile) {
  const fs::path example = fs::path(SPCA_SOURCE_DIR) / "docs" / "examples" / "cost.json";
  for (const std::string profile : {"smoke", "full"}) {
    const Experiment experiment = load_experiment(example, {.profile = profile}, "no-such-folder");
    EXPECT_EQ(experiment.figures.size(), 5U);
  }
}

TEST_F(FiguresTest, PlotWritesTheFiguresWithRecordsAndNamesTheOthers) {
  write_experiment(R"([{"kind": "value-against-cardinality", "title": "V"},
                       {"kind": "recovery", "title": "R", "metric": "explained_variance"}])");
  ASSERT_EQ(spca("", "run small.json -o run").code, 0);
  const Finished plotted = spca("", "plot run --format png -o drawn");
  EXPECT_EQ(plotted.code, 0) << plotted.err;
  EXPECT_EQ(plotted.out, "drawn/value-against-cardinality.png\n");
  expect_all(plotted.err, {"recovery: not drawn: "});
  EXPECT_TRUE(bytes_of(folder_ / "drawn" / "value-against-cardinality.png").starts_with("\x89PNG"));
  EXPECT_EQ(spca("", "plot run").out, "run/figures/value-against-cardinality.svg\n");
  const Json list = Json::parse(spca("", "plot run --json").out);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["path"], "run/figures/value-against-cardinality.svg");
  EXPECT_EQ(list[1]["path"], "");
}

TEST_F(FiguresTest, PlotDrawsTheNumbersThatThePaperPrints) {
  write("printed.json", R"({"name": "printed", "title": "T", "grids": {"g": {
      "datasets": ["pitprops"], "solvers": ["tpower", "threshold"], "cardinality": [4, 5],
      "metrics": ["explained_variance"]}},
      "published": [{"name": "one", "where": "Table 1", "method": "own",
        "metric": "explained_variance", "rows": [
        {"label": "a", "match": {"solver": "tpower", "cardinality": 4}, "printed": "2.94"}]},
        {"name": "two", "where": "a formula", "origin": "by hand",
        "metric": "explained_variance", "rows": [
        {"label": "b", "match": {"solver": "tpower", "cardinality": 5}, "printed": "3.41"}]}],
      "figures": [)" + kValue +
                            "]}");
  ASSERT_EQ(spca("", "run printed.json -o run").code, 0);
  const Json chart = Json::parse(spca("", "plot run --json").out).at(0);
  expect_all(chart["notes"].dump(), {"Crosses: printed in the paper, in the colour of the curve."});
}

TEST_F(FiguresTest, PlotRefusesInOneLine) {
  write_experiment("[" + kValue + "]");
  ASSERT_EQ(spca("", "run small.json -o run").code, 0);
  // A matplotlib that cannot be imported precedes the real one in the path.
  fs::create_directories(folder_ / "none");
  write("none/matplotlib.py", "raise ImportError('no matplotlib', name='matplotlib')\n");
  const auto expect_refusal = [&](const std::string& environment, const std::string& arguments,
                                  const std::vector<std::string>& words) {
    const Finished finished = spca(environment, arguments);
    EXPECT_EQ(finished.code, 2) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    expect_all(finished.err, words);
  };
  expect_refusal("PYTHONPATH=none", "plot run", {"matplotlib", "SPCA_PYTHON"});
  expect_refusal("SPCA_PYTHON=/no/python", "plot run", {"/no/python", "SPCA_PYTHON"});
  expect_refusal("", "plot run -o q.png", {"-o: found \"q.png\"", "a folder", "--format png"});
  expect_refusal("", "plot run --format gif", {"--format", "\"gif\"", "svg, png, pdf"});
  expect_refusal("", "plot nothing", {"RUN", "nothing"});
  expect_refusal("", "plot run -o run/cells.jsonl/below", {"run/cells.jsonl/below"});
  write_experiment("[]");
  ASSERT_EQ(spca("", "run small.json -o bare").code, 0);
  expect_refusal("", "plot bare", {"declares no \"figures\""});
}

TEST(Trace, StaysShortAndKeepsTheBeginningAndTheEnd) {
  Trace trace;
  constexpr Index kIterations = 1'000'000;
  for (Index i = 0; i <= kIterations; ++i) {
    trace.add({.iteration = i});
  }
  const std::vector<TracePoint>& points = trace.points();
  EXPECT_LT(points.size(), 300U);
  for (Index i = 0; i < 64; ++i) {
    EXPECT_EQ(points[static_cast<std::size_t>(i)].iteration, i);
  }
  EXPECT_EQ(points.back().iteration, kIterations);
  for (std::size_t i = 65; i < points.size(); ++i) {
    EXPECT_GT(points[i].iteration, points[i - 1].iteration);
    EXPECT_LE(points[i].iteration, points[i - 1].iteration * 107 / 100) << "a gap";
  }
}

TEST(Trace, RunsOnOverComponentsAndPenalties) {
  const auto pitprops = DatasetRegistry::instance().get("pitprops", "").load(Json::object(), {});
  for (const std::string name : {"tpower", "gpower-l1"}) {
    const SolverEntry& solver = SolverRegistry::instance().get(name, "");
    const SolveOutcome outcome =
        solve({.covariance = pitprops.covariance,
               .solver = &solver,
               .options = solver.complete_options(Json::object(), ""),
               .components = 2,
               .cardinality = {4, 4},
               .deflation = &DeflationRegistry::instance().get("schur", ""),
               .trace = true});
    ASSERT_GT(outcome.trace.size(), 2U) << name;
    for (std::size_t i = 1; i < outcome.trace.size(); ++i) {
      EXPECT_GE(outcome.trace[i].iteration, outcome.trace[i - 1].iteration) << name;
      EXPECT_GE(outcome.trace[i].products, outcome.trace[i - 1].products) << name;
      EXPECT_GE(outcome.trace[i].seconds, outcome.trace[i - 1].seconds) << name;
    }
    EXPECT_LE(static_cast<double>(outcome.trace.back().products), outcome.cost.products) << name;
    EXPECT_LE(static_cast<double>(outcome.trace.back().iteration), outcome.cost.iterations) << name;
    EXPECT_LE(outcome.trace.back().seconds, outcome.cost.solve_seconds) << name;
  }
}

TEST(Trace, SurvivesALineOfARecordAndIsLeftOutWhereThereIsNone) {
  Record record;
  EXPECT_EQ(record_to_line(record).find("trace"), std::string::npos);
  record.dataset_options = record.options = Json::object();
  record.trace = {{.iteration = 0, .seconds = 0.25, .products = 3, .objective = kNotMeasured},
                  {.iteration = 7, .seconds = 0.5, .products = 9, .objective = 1.5}};
  const Record read = record_from_line(record_to_line(record));
  ASSERT_EQ(read.trace.size(), 2U);
  EXPECT_TRUE(std::isnan(read.trace[0].objective));
  EXPECT_EQ(read.trace[1].iteration, 7);
  EXPECT_EQ(read.trace[1].seconds, 0.5);
  EXPECT_EQ(read.trace[1].products, 9U);
  EXPECT_EQ(read.trace[1].objective, 1.5);
  EXPECT_TRUE(std::isnan(read.trace[1].bound));
}

TEST(Trace, HasBoundsInARecordOnlyIfOneIsKnown) {
  Record record;
  record.dataset_options = record.options = Json::object();
  record.trace = {{.objective = 1.5}, {.iteration = 7, .objective = 2}};
  EXPECT_EQ(record_to_line(record).find("\"bound\""), std::string::npos);
  record.trace[1].bound = 2.25;
  const Record read = record_from_line(record_to_line(record));
  ASSERT_EQ(read.trace.size(), 2U);
  EXPECT_TRUE(std::isnan(read.trace[0].bound));
  EXPECT_EQ(read.trace[1].bound, 2.25);
}

}  // namespace
}  // namespace spca::figures_test
