/// Tests of the published numbers, known differences and claims of experiments. The solvers, data
/// sets and metrics are those of experiment_test.cpp.

#include <gtest/gtest.h>

#include <cmath>

#include "harness/experiments/experiment_claims.h"
#include "tests/experiment_testing.h"

namespace spca::published_table_test {
namespace {

const std::string kTwo =
    R"("solvers": ["test-one", {"name": "test-many", "label": "many"}], "cardinality": [2, 3])";

std::string with_published(const std::string& table) {
  return document(kTwo, R"("published": [)" + table + "], ");
}

std::string head(const std::string& keys) { return R"({"name": "t", "where": "Table 1", )" + keys; }

const std::string kColumns =
    R"("columns": [{"label": "k=2", "match": {"cardinality": 2}}, {"label": "k=3", "match": {"cardinality": 3}}], )";

using PublishedTableTest = ExperimentTest;

TEST_F(PublishedTableTest, SaysOnceWhatItsNumbersHaveInCommon) {
  const Experiment experiment = load(with_published(
      head(R"("title": "T", "method": "baseline", "metric": "test-value", "repeats": 20,
             "tolerance": {"absolute": 0.5, "why": "w"}, "match": {"grid": "g"}, )") +
      kColumns + R"("rows": [
    {"label": "one", "match": {"solver": "test-one"}, "printed": [".98", "-"]},
    {"label": "many", "match": {"solver": "many"}, "method": "own", "metric": "test-cost",
     "where": "Table 2", "repeats": 3, "printed": ["-2e1", "+7.50"]}]})"));
  ASSERT_EQ(experiment.published_tables.size(), 1u);
  EXPECT_EQ(experiment.published_tables[0].title, "T");
  const std::vector<PublishedCell>& cells = experiment.published;
  ASSERT_EQ(cells.size(), 3u) << "the paper leaves one empty";
  EXPECT_EQ(cells[0].printed, ".98");
  EXPECT_EQ(cells[0].tolerance, 0.5);
  EXPECT_EQ(cells[0].published_repeats, 20);
  EXPECT_EQ(cells[0].method, Method::kBaseline);
  EXPECT_EQ(cells[0].where, "Table 1, k=2, one");
  EXPECT_EQ(cells[0].match.grids, std::vector<std::string>{"g"});
  EXPECT_EQ(cells[0].match.solvers, std::vector<std::string>{"test-one"});
  EXPECT_EQ(cells[0].match.cardinalities, (std::vector<std::vector<Index>>{{2}}));
  EXPECT_EQ(cells[1].value, -20);
  EXPECT_EQ(cells[1].metric, "test-cost");
  EXPECT_EQ(cells[1].method, Method::kOwn);
  EXPECT_EQ(cells[1].published_repeats, 3);
  EXPECT_EQ(cells[2].where, "Table 2, k=3, many");
  EXPECT_EQ(cells[2].value, 7.5);
}

TEST_F(PublishedTableTest, TheToleranceIsHalfAUnitOfTheLastPrintedDigit) {
  const std::vector<std::pair<std::string, double>> cases = {
      {".98", 0.005}, {"4.2186", 5e-5}, {"2.51e3", 5}, {"1646", 0.5}, {"-3.0E-2", 5e-4}};
  for (const auto& [printed, tolerance] : cases) {
    const Experiment experiment = load(with_published(
        head(R"("method": "other", "metric": "test-value", "rows": [{"label": "r", "printed": ")") +
        printed + R"("}]})"));
    EXPECT_DOUBLE_EQ(experiment.published[0].tolerance, tolerance) << printed;
    EXPECT_DOUBLE_EQ(experiment.published[0].value, std::stod(printed));
  }
}

TEST_F(PublishedTableTest, AStarMarksDataThatAreNotPublicAndNeedsNoCell) {
  const Experiment experiment =
      load(with_published(head(R"("method": "own", "metric": "test-value", )") + R"(
    "columns": [{"label": "secret", "match": {"dataset": "nobody has it"}}, {"label": "no match"}],
    "rows": [{"label": "r", "printed": ["0.600*", "1e2*"]}]})"));
  ASSERT_EQ(experiment.published.size(), 2u);
  EXPECT_FALSE(experiment.published[0].is_public);
  EXPECT_EQ(experiment.published[0].printed, "0.600");
  EXPECT_EQ(experiment.published[0].not_comparable, "its data are not public");
  EXPECT_EQ(experiment.published[1].value, 100);
}

TEST_F(PublishedTableTest, WhatOnlyAnotherProfileRunsIsKept) {
  const std::string text = document(
      kTwo,
      R"("profiles": {"smoke": {"grids": {"g": {"cardinality": [2]}}}}, "published": [)" +
          head(R"("method": "own", "metric": "test-value", )") + kColumns +
          R"("rows": [{"label": "r", "match": {"solver": "many"}, "printed": ["1", "2"]}]}], )");
  EXPECT_EQ(load(text).published.size(), 2u);
  EXPECT_EQ(load(text, {.profile = "smoke"}).published.size(), 2u);
}

TEST_F(PublishedTableTest, ACurveBecomesOneNumberACardinality) {
  const std::string text =
      document(R"("solvers": ["test-one"], "cardinality": [{"from": 1, "to": 4}])",
               R"("published": [)" + head(R"("method": "other", "select": "best", "metric":
      "test-value", "tolerance": {"relative": 0.1, "why": "w"}, "rows": [{"label": "r", "match":
      {"solver": "test-*"}, "curve": {"file": "curve.csv", "key": "k", "column": "b"}}]}], )"));
  const Experiment without = load(text);
  ASSERT_EQ(without.published.size(), 1u);
  EXPECT_TRUE(std::isnan(without.published[0].value));
  EXPECT_NE(without.published[0].unavailable.find("curve.csv"), std::string::npos);

  write("k,a,b\n2,0.5,0.75\n4,1,2\n9,1,1\n", "curve.csv");
  const Experiment experiment = load(text);
  ASSERT_EQ(experiment.published.size(), 2u) << "k = 9 is in no grid";
  EXPECT_EQ(experiment.published[0].match.cardinalities, (std::vector<std::vector<Index>>{{2}}));
  EXPECT_EQ(experiment.published[0].printed, "0.75");
  EXPECT_DOUBLE_EQ(experiment.published[1].tolerance, 0.2);
  EXPECT_EQ(experiment.published[1].select, Selection::kBest);

  write("k,a,b\n2,0.5,x\n", "curve.csv");
  EXPECT_EQ(error_of(text).substr(0, 12), "curve.csv:2:");
  write("k,a\n2,0.5\n", "curve.csv");
  EXPECT_NE(error_of(text).find("/published/0/rows/0/curve/column: found \"b\""),
            std::string::npos);
}

struct Mistake {
  std::string what, text;
  std::string message;  // a part of it, with the pointer
};

TEST_F(PublishedTableTest, EveryMistakeIsOneLineWithItsPlaceAndTheAcceptedValues) {
  const std::string own = R"("method": "own", "metric": "test-value", )";
  const auto rows = [&](const std::string& keys) {
    return with_published(head(own) + kColumns + R"("rows": [{"label": "r", )" + keys + "}]}");
  };
  const std::string one = R"("match": {"solver": "test-one"}, )";
  const std::vector<Mistake> cases = {
      {"the old form",
       with_published(R"({"match": {}, "metric": "test-value", "printed": "1", "where": "here"})"),
       "/published/0: found \"printed\" outside a row, the form before tables; accepted: a table, "
       "{\"name\""},
      {"too few", rows(one + R"("printed": ["1"])"),
       "/published/0/rows/0/printed: found 1 printed string; accepted: 2, one for each column"},
      {"too many", rows(one + R"("printed": ["1", "2", "3"])"),
       "/published/0/rows/0/printed: found 3 printed strings; accepted: 2"},
      {"a number", rows(one + R"("printed": ["1", 0.5])"),
       "/published/0/rows/0/printed/1: found 0.5; accepted: a number as it is printed, in quotes"},
      {"no number", rows(one + R"("printed": ["1", "about 1"])"),
       "/published/0/rows/0/printed/1: found \"about 1\"; accepted: a number as it is printed"},
      {"a star alone", rows(one + R"("printed": ["1", "*"])"),
       "/published/0/rows/0/printed/1: found \"*\"; accepted: a number"},
      {"no cell", rows(R"("match": {"solver": "x"}, "printed": ["1", "2"])"),
       "/published/0/rows/0/printed/0: found no cell for \"r\", column \"k=2\"; accepted: a match "
       "of at least one cell, or * behind a number whose data are not public: grid g; dataset "
       "test-draw; solver test-one, many"},
      {"two cells for one number", rows(R"("printed": ["1", "2"])"),
       "/published/0/rows/0/printed/0: found 2 cells for one number of \"method\": \"own\"; "
       "accepted: a match of one cell, \"select\": \"best\", or \"method\": \"other\""},
      {"two numbers for one cell",
       with_published(head(own) + R"("rows": [{"label": "a", "match": {"cardinality": 2, "solver":
         "many"}, "printed": "1"}, {"label": "b", "match": {"cardinality": 2, "solver": "many"},
         "printed": "1"}]})"),
       "/published/0/rows/1/printed: found a second number for many on test-draw, k=2, repeat 0 "
       "and test-value, the first is /published/0/rows/0/printed; accepted: one"},
      {"row and column", rows(R"("match": {"cardinality": 2}, "printed": ["1", "2"])"),
       "/published/0/rows/0/match/cardinality: found \"cardinality\" here and in "
       "/published/0/columns/0; accepted: in a row or in its columns"},
      {"no method",
       with_published(head(R"("metric": "test-value", "rows": [{"label": "r", "printed": "1"}]})")),
       "/published/0/rows/0: found no \"method\" in the row, its columns or the table; accepted: "
       "own"},
      {"a method of no paper",
       with_published(head(own + R"("origin": "certified", "rows": [{"label": "r", "printed":
         "1"}]})")),
       "/published/0/method: found \"method\" beside \"origin\": \"certified\"; accepted: only if"},
      {"no metric",
       with_published(head(R"("method": "own", "rows": [{"label": "r", "printed": "1"}]})")),
       "/published/0/rows/0: found no \"metric\" in the row, its columns or the table"},
      {"not measured",
       document(R"("metrics": ["test-cost"], )" + kTwo,
                R"("published": [)" +
                    head(R"("method": "other", "metric": "test-value", "rows": [{"label": "r",
                    "printed": "1"}]}], )")),
       "/published/0/rows/0/printed: found \"1\"; accepted: a match of cells that measure "
       "test-value; grid g measures test-cost"},
      {"no why", rows(one + R"("tolerance": {"absolute": 1}, "printed": ["1", "2"])"),
       "/published/0/rows/0/tolerance: found no \"why\"; accepted: an object with \"why\""},
      {"a label twice",
       with_published(head(own) + R"("rows": [{"label": "r", "printed": "1*"}, {"label": "r",
         "printed": "1*"}]})"),
       "/published/0/rows/1/label: found the label \"r\" twice; accepted: each once"},
      {"a name twice",
       with_published(head(own + R"("rows": [{"label": "r", "printed": "1*"}]}, )") +
                      head(own + R"("rows": [{"label": "r", "printed": "1*"}]})")),
       "/published/1/name: found the name \"t\" twice; accepted: a name of its own for each table"},
      {"a curve in columns", rows(R"("curve": {"file": "c.csv", "key": "k", "column": "b"})"),
       "/published/0/rows/0/curve: found a curve in a table with columns; accepted: a curve in a "
       "table without columns"},
      {"nothing printed", rows(one + R"("where": "here")"),
       "/published/0/rows/0: found none of \"printed\" and \"curve\"; accepted: one of them"},
  };
  for (const Mistake& mistake : cases) {
    const std::string message = error_of(mistake.text);
    EXPECT_NE(message.find(": " + mistake.message), std::string::npos)
        << mistake.what << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << mistake.what;
  }
}

/// Returns a document with a published number of "many" at k = 2, and a known difference with
/// these `keys`.
std::string with_difference(const std::string& keys) {
  return document(kTwo, R"("published": [)" +
                            head(R"("method": "own", "metric": "test-value", "rows":
      [{"label": "r", "match": {"solver": "many", "cardinality": 2}, "printed": "1"}]}], )") +
                            R"("known_differences": [{)" + keys + "}], ");
}

TEST_F(PublishedTableTest, AKnownDifferenceNamesMetricDirectionAndRange) {
  const std::string match = R"("match": {"solver": "many", "cardinality": 2}, )";
  const std::string rest = R"("metric": "test-value", "direction": "worse", "why": "w", )";
  const std::string range = R"("range": {"absolute": [0.1, 0.2]})";
  const Experiment experiment = load(with_difference(match + rest + R"("range": {"relative":
    [0, 0.5]}, "measured_by": {"experiment": "a/b", "grid": "x"})"));
  ASSERT_EQ(experiment.known_differences.size(), 1u);
  const KnownDifference& difference = experiment.known_differences[0];
  EXPECT_TRUE(difference.is_relative);
  EXPECT_FALSE(difference.better);
  EXPECT_EQ(difference.most, 0.5);
  EXPECT_EQ(difference.measured_by->grid, "x");
  const std::vector<Mistake> cases = {
      {"no metric", match + R"("direction": "worse", "why": "w", )" + range,
       "/known_differences/0: found no \"metric\"; accepted: an object with \"metric\""},
      {"no direction", match + R"("metric": "test-value", "why": "w", )" + range,
       "/known_differences/0: found no \"direction\""},
      {"another direction",
       match + R"("metric": "test-value", "direction": "both", "why": "w", )" + range,
       "/known_differences/0/direction: found \"both\"; accepted: better, worse"},
      {"no range", match + R"("metric": "test-value", "direction": "worse", "why": "w")",
       "/known_differences/0: found no \"range\""},
      {"a range of nothing", match + rest + R"("range": {})",
       "/known_differences/0/range: found {}; accepted: one of \"absolute\" and \"relative\""},
      {"backwards", match + rest + R"("range": {"absolute": [2, 1]})",
       "/known_differences/0/range/absolute: found [2,1]; accepted: [least, most]"},
      {"one end", match + rest + R"("range": {"absolute": [1]})",
       "/known_differences/0/range/absolute: found [1]; accepted: two numbers"},
      {"the whole grid", R"("match": {"dataset": "test-*"}, )" + rest + range,
       "/known_differences/0/match: found {\"dataset\":\"test-*\"}; accepted: a match of a part of "
       "a grid; this is all of grid g"},
      {"everything", R"("match": {}, )" + rest + range,
       "/known_differences/0/match: found {}; accepted: a match of a part of a grid"},
      {"nothing published", R"("match": {"cardinality": 3}, )" + rest + range,
       "/known_differences/0/match: found {\"cardinality\":3}; accepted: a match of a cell with a "
       "published number of test-value"},
  };
  for (const Mistake& mistake : cases) {
    const std::string message = error_of(with_difference(mistake.text));
    EXPECT_NE(message.find(": " + mistake.message), std::string::npos)
        << mistake.what << ": " << message;
  }
}

TEST_F(PublishedTableTest, TheExperimentThatMeasuresAnExplanationExists) {
  const auto error_with = [&](const std::string& measured_by) -> std::string {
    const std::filesystem::path path = write(with_difference(
        R"("match": {"cardinality": 2, "solver": "many"}, "metric": "test-value", "direction":
        "worse", "range": {"absolute": [0, 1]}, "why": "w", "measured_by": )" +
        measured_by));
    try {
      check_measurements(path, "full");
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error_with(R"({"experiment": "test", "grid": "g"})"), "");
  EXPECT_NE(error_with(R"({"experiment": "test", "grid": "h"})")
                .find("/known_differences/0/measured_by/grid: found \"h\""),
            std::string::npos);
  EXPECT_NE(error_with(R"({"experiment": "no/such", "grid": "g"})")
                .find("/known_differences/0/measured_by/experiment: no/such: found no such"),
            std::string::npos);
}

std::string with_claim(const std::string& keys) {
  return document(kTwo, R"("claims": [{"claim": "c", )" + keys + "}], ");
}

TEST_F(PublishedTableTest, AClaimPairsCellsThatDifferInWhatItsSidesName) {
  const auto pairs = [&](const std::string& keys) {
    const Experiment experiment = load(with_claim(keys));
    std::vector<std::string> texts;
    for (const ClaimPair& pair : claim_pairs(experiment.claims.at(0), experiment.variants)) {
      texts.push_back(pair.left->solver_label + cardinality_text(pair.left->cardinality) + " " +
                      (pair.right == nullptr
                           ? "number"
                           : pair.right->solver_label + cardinality_text(pair.right->cardinality)));
    }
    return texts;
  };
  const std::string metric = R"(, "is": ">=", "metric": "test-value")";
  EXPECT_EQ(pairs(R"("left": {"solver": "many"}, "right": {"solver": "test-one"})" + metric),
            (std::vector<std::string>{"many2 test-one2", "many3 test-one3"}));
  EXPECT_EQ(pairs(R"("match": {"cardinality": 3}, "left": {"solver": "many"}, "right": {"solver":
                  "test-one"})" +
                  metric),
            (std::vector<std::string>{"many3 test-one3"}));
  EXPECT_EQ(pairs(R"("match": {"solver": "many"}, "left": {"cardinality": 3}, "right":
                  {"cardinality": 2})" +
                  metric),
            (std::vector<std::string>{"many3 many2"}));
  EXPECT_EQ(pairs(R"("left": {"solver": "many"}, "right": 5)" + metric),
            (std::vector<std::string>{"many2 number", "many3 number"}));
}

TEST_F(PublishedTableTest, AMistakeInAClaimIsNamedWithItsPlace) {
  const std::string sides = R"("left": {"solver": "many"}, "right": {"solver": "test-one"}, )";
  const std::string is = R"("is": ">", "metric": "test-value")";
  const std::vector<Mistake> cases = {
      {"nothing on the left", R"("left": {"solver": "x"}, "right": 1, )" + is,
       "/claims/0/left: found {\"solver\":\"x\"}; accepted: a match of at least one cell"},
      {"nothing on the right", R"("left": {}, "right": {"solver": "x"}, )" + is,
       "/claims/0/right: found {\"solver\":\"x\"}; accepted: a match of at least one cell"},
      {"no pair", R"("left": {"solver": "many"}, "right": {"solver": "many"}, )" + is,
       "/claims/0: found no cell of left with a partner in right; accepted: two of one grid"},
      {"no relation", sides + R"("is": "=", "metric": "test-value")",
       "/claims/0/is: found \"=\" (did you mean \">=\"?); accepted: >=, <=, >, <"},
      {"a word", R"("left": {}, "right": "tpower", )" + is,
       "/claims/0/right: found \"tpower\"; accepted: a match, or a number"},
      {"metric and fact", sides + is + R"(, "fact": "variables_left")",
       "/claims/0: found both of \"metric\" and \"fact\"; accepted: one of them"},
      {"a slack below zero", sides + is + R"(, "slack": -1)", "/claims/0/slack: found -1"},
      {"an error of a fact",
       sides + R"("is": ">", "fact": "variables_left", "standard_error": "test-value")",
       "/claims/0/standard_error: found a standard error of a fact, a component or a time; "},
      {"an error that is no metric", sides + is + R"(, "standard_error": "test-valve")",
       "/claims/0/standard_error: unknown metric \"test-valve\" (did you mean \"test-value\"?)"},
      {"an error that is no word", sides + is + R"(, "standard_error": 3)",
       "/claims/0/standard_error: found 3; accepted: a word"},
      {"measured without why", sides + is + R"(, "measured_by": {"experiment": "a", "grid": "g"})",
       "/claims/0: found no \"why\""},
  };
  for (const Mistake& mistake : cases) {
    const std::string message = error_of(with_claim(mistake.text));
    EXPECT_NE(message.find(": " + mistake.message), std::string::npos)
        << mistake.what << ": " << message;
    EXPECT_EQ(message.find("/claims/0"), message.rfind("/claims/0")) << message;
  }
}

}  // namespace
}  // namespace spca::published_table_test
