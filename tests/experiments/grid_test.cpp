/// Tests grids of options, exclusions, profiles that set pointers, --set and the limit on cells:
/// the cells to which an experiment's file expands, and the mistakes that are refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "harness/experiments/experiment.h"
#include "harness/experiments/experiment_identity.h"
#include "harness/records/manifest.h"
#include "harness/records/record.h"
#include "harness/runs/runner.h"
#include "spca/base/error.h"
#include "spca/io/json_file.h"
#include "spca/io/json_pointer.h"
#include "tests/temporary_files.h"

namespace spca::grid_test {
namespace {

class Grid : public TemporaryFiles {
 protected:
  Experiment load(const std::string& text, const ExperimentOverrides& overrides = {}) {
    const fs::path path = folder_ / "t.json";
    std::ofstream(path) << text;
    return load_experiment(path, overrides, folder_);
  }

  /// Returns the error message without the folder; "" if the text is accepted.
  std::string error_of(const std::string& text, const ExperimentOverrides& overrides = {}) {
    try {
      load(text, overrides);
      return "";
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::string folder = folder_.string() + "/";
      const std::size_t at = message.find(folder);
      return at == std::string::npos ? message : message.erase(at, folder.size());
    }
  }

  void expect_error(const std::string& text, const std::string& beginning,
                    const ExperimentOverrides& overrides = {}) {
    const std::string message = error_of(text, overrides);
    EXPECT_EQ(message.substr(0, beginning.size()), beginning) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
};

/// Returns a document with one grid: its data sets are on line 2, and its solvers on line 3.
std::string grid_document(const std::string& datasets, const std::string& solvers,
                          const std::string& grid = "", const std::string& rest = "") {
  return "{\"name\": \"t\", \"title\": \"T\", " + rest + "\"grids\": {\"g\": {" + grid +
         "\"cardinality\": [2, 3],\n\"datasets\": [" + datasets + "],\n\"solvers\": [" + solvers +
         "]}}}";
}

std::vector<std::string> dataset_labels(const Experiment& experiment) {
  std::vector<std::string> labels;
  for (const Variant& variant : experiment.variants) {
    if (labels.empty() || labels.back() != variant.dataset_label) {
      labels.push_back(variant.dataset_label);
    }
  }
  return labels;
}

std::vector<std::string> solver_labels(const Experiment& experiment) {
  std::vector<std::string> labels;
  for (const Variant& variant : experiment.variants) {
    if (std::find(labels.begin(), labels.end(), variant.solver_label) == labels.end()) {
      labels.push_back(variant.solver_label);
    }
  }
  return labels;
}

using Labels = std::vector<std::string>;

TEST_F(Grid, CrossesTheListsOfAProductWithTheFirstSlowest) {
  const Experiment experiment =
      load(grid_document(R"({"name": "spiked", "options": {"cardinality": 5},
      "grid": {"product": {"samples": [5, 50], "variables": [20, {"from": 30, "to": 50, "step": 20}]}}})",
                         R"("threshold")"));
  EXPECT_EQ(dataset_labels(experiment),
            (Labels{"spiked samples=5 variables=20", "spiked samples=5 variables=30",
                    "spiked samples=5 variables=50", "spiked samples=50 variables=20",
                    "spiked samples=50 variables=30", "spiked samples=50 variables=50"}));
  EXPECT_EQ(experiment.variants.back().dataset_options["cardinality"], 5);
  EXPECT_EQ(experiment.variants.back().dataset_options["variables"], 50);
}

TEST_F(Grid, TakesTheListsOfAZipTogetherAndCrossesThemWithTheProduct) {
  const Experiment experiment = load(grid_document(
      R"({"name": "spiked", "label": "{variables}/{cardinality} n={samples}", "grid": {
      "product": {"samples": [5, 9]}, "zip": {"variables": [20, 40], "cardinality": [3, 6]}}})",
      R"("threshold")"));
  EXPECT_EQ(dataset_labels(experiment), (Labels{"20/3 n=5", "20/3 n=9", "40/6 n=5", "40/6 n=9"}));
}

TEST_F(Grid, GivesEverySolverOfAPatternTheGridAndLeavesItsPenaltyUntuned) {
  const Experiment experiment = load(grid_document(
      R"("pitprops")",
      R"("gpower-l0", {"name": "gpower-l?", "label": "{name} at {penalty}", "grid": {"product": {"penalty": [
         {"from": 0.1, "to": 0.3, "step": 0.1}, {"from": 0.4, "to": 0.8, "factor": 2}]}}})"));
  EXPECT_EQ(solver_labels(experiment),
            (Labels{"gpower-l0", "gpower-l0 at 0.1", "gpower-l0 at 0.2", "gpower-l0 at 0.3",
                    "gpower-l0 at 0.4", "gpower-l0 at 0.8", "gpower-l1 at 0.1", "gpower-l1 at 0.2",
                    "gpower-l1 at 0.3", "gpower-l1 at 0.4", "gpower-l1 at 0.8"}));
  EXPECT_TRUE(experiment.variants.front().tune);
  EXPECT_FALSE(experiment.variants.back().tune);
}

TEST_F(Grid, GivesACellTheKeyThatItHasWhenWrittenOut) {
  const Experiment grid = load(grid_document(
      R"("pitprops")",
      R"({"name": "gpower-l0", "grid": {"product": {"penalty": [{"from": 0.1, "to": 0.3,
                   "step": 0.1}]}}})"));
  const Experiment written =
      load(grid_document(R"("pitprops")", R"({"name": "gpower-l0", "options": {"penalty": 0.3}})"));
  const auto identity = [](const Experiment& experiment, std::size_t variant) {
    return identity_digest(variant_identity(experiment, experiment.variants[variant], {}));
  };
  EXPECT_EQ(identity(grid, 4), identity(written, 0));
}

TEST_F(Grid, ListsAndWordsAreReadableInLabels) {
  const Experiment experiment = load(grid_document(R"("pitprops")",
                                                   R"({"name": "tpower", "grid": {"product": {
      "starts": [["largest-variance", "largest-variances"], "largest-variance"]}}})"));
  EXPECT_EQ(solver_labels(experiment), (Labels{"tpower starts=largest-variance+largest-variances",
                                               "tpower starts=largest-variance"}));
}

TEST_F(Grid, LeavesOutTheCombinationsThatAnEntryExcludes) {
  const Experiment experiment =
      load(grid_document(R"({"name": "spiked", "label": "{samples}x{variables}",
      "grid": {"product": {"samples": [5, 6, 7], "variables": [20, 30]},
               "exclude": [{"samples": [5, 7], "variables": 30}, {"samples": 6}]}})",
                         R"("threshold")"));
  EXPECT_EQ(dataset_labels(experiment), (Labels{"5x20", "7x20"}));
}

TEST_F(Grid, LeavesOutCombinationsOfDatasetSolverAndCardinality) {
  const std::string datasets =
      R"("pitprops", {"name": "spiked", "grid": {"product": {"samples": [5, 9]}}})";
  const std::string solvers = R"("threshold", {"name": "gpower-l0", "options": {"penalty": 0.5}})";
  const std::size_t all = load(grid_document(datasets, solvers)).variants.size();
  ASSERT_EQ(all, 3u * 2u * 2u);
  const Experiment some = load(grid_document(
      datasets, solvers,
      R"("exclude": [{"dataset": "spiked*", "solver": "gpower-*", "cardinality": 3},
                     {"dataset_options": {"samples": 9}, "solver": "threshold"}], )",
      R"("exclude": [{"grid": "g", "dataset": "pitprops", "solver_options": {"penalty": 0.5}}], )"));
  EXPECT_EQ(some.variants.size(), all - 2 - 2 - 2);
  for (const Variant& variant : some.variants) {
    EXPECT_FALSE(variant.dataset_label == "pitprops" && variant.solver_label == "gpower-l0");
  }
}

TEST_F(Grid, ZipsDatasetsWithCardinalities) {
  const std::string datasets = R"({"name": "spiked", "grid": {"product": {"samples": [5, 9]}}})";
  const Experiment experiment = load(grid_document(datasets, R"("threshold", "tpower")",
                                                   R"("zip": ["datasets", "cardinality"], )"));
  ASSERT_EQ(experiment.variants.size(), 4u);
  EXPECT_EQ(experiment.variants[0].cardinality, (std::vector<Index>{2}));
  EXPECT_EQ(experiment.variants[2].dataset_label, "spiked samples=9");
  EXPECT_EQ(experiment.variants[2].cardinality, (std::vector<Index>{3}));
  expect_error(grid_document(datasets + R"(, "pitprops")", R"("tpower")",
                             R"("zip": ["datasets", "cardinality"], )"),
               "t.json:1:65: /grids/g/zip/1: found 2 elements, and \"datasets\" has 3; accepted in "
               "a zip: lists of one length");
}

TEST_F(Grid, RefusesInvalidGridsWithTheirPlace) {
  const auto dataset = [](const std::string& grid) {
    return grid_document(R"({"name": "spiked", "grid": )" + grid + "}", R"("threshold")");
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{}",
       "t.json:2:41: /grids/g/datasets/0/grid: found {}; accepted: \"product\", \"zip\" or both"},
      {R"({"product": {"samples": []}})",
       "t.json:2:65: /grids/g/datasets/0/grid/product/samples: found []; accepted: a list with at "
       "least one element"},
      {R"({"produkt": {"samples": [1]}})",
       "t.json:2:53: /grids/g/datasets/0/grid/produkt: found an unknown key (did you mean "
       "\"product\"?); accepted: product, zip, exclude"},
      {R"({"product": {"sample": [1]}})",
       "t.json:2:65: /grids/g/datasets/0/grid/product/sample/0: unknown option (did you mean "
       "\"samples\"?); accepted: "},
      {R"({"product": {"samples": [1, 0]}})",
       "t.json:2:69: /grids/g/datasets/0/grid/product/samples/1: 0 is out of range; accepted: >= "
       "1"},
      {R"({"product": {"samples": [1, 1]}})",
       "t.json:2:69: /grids/g/datasets/0/grid/product/samples/1: found 1 a second time; accepted: "
       "each value once"},
      {R"({"zip": {"samples": [1, 2], "variables": [3]}})",
       "t.json:2:82: /grids/g/datasets/0/grid/zip/variables: found 1 values, and \"samples\" has "
       "2; "
       "accepted in a zip: lists of one length"},
      {R"({"zip": {"samples": [1]}, "product": {"samples": [2]}})",
       "t.json:2:90: /grids/g/datasets/0/grid/product/samples: found in \"zip\" and in "
       "\"product\""},
      {R"({"product": {"samples": [1, 2]}, "exclude": [{"samples": 3}]})",
       "t.json:2:86: /grids/g/datasets/0/grid/exclude/0: found {\"samples\":3}; accepted: a match "
       "of at least one combination"},
      {R"({"product": {"samples": [1, 2]}, "exclude": [{"samples": [1, 2]}]})",
       "t.json:2:85: /grids/g/datasets/0/grid/exclude: found [{\"samples\":[1,2]}]; accepted: "
       "exclusions that leave at least one combination"},
      {R"({"product": {"samples": [{"from": 2, "to": 1}]}})",
       "t.json:2:84: /grids/g/datasets/0/grid/product/samples/0/to: found 1; accepted: a number >= "
       "2"},
      {R"({"product": {"samples": [1, 2]}}, "label": "{sample}")",
       "t.json:2:84: /grids/g/datasets/0/label: found {sample} (did you mean \"samples\"?); "
       "accepted in braces: name, samples"},
      {R"({"product": {"samples": [1, 2]}}, "label": "p={variables}")",
       "t.json:2:14: /grids/g/datasets/0: found the label \"p=500\" twice; accepted: a label for "
       "each data set"},
      {R"({"product": {"samples": [1, 2]}}, "options": {"samples": 1})",
       "t.json:2:65: /grids/g/datasets/0/grid/product/samples: found in \"options\" and in "
       "\"grid\"; accepted: each option in one"}};
  for (const auto& [grid, message] : cases) {
    expect_error(dataset(grid), message);
  }
  expect_error(
      grid_document(R"("pitprops")", R"("tpower", {"name": "tpower", "label": "again"})"),
      "t.json:3:23: /grids/g/solvers/1: found \"again\", which is \"tpower\" with the same "
      "options again; accepted: each combination once");
  expect_error(
      grid_document(R"("pitprops")", R"("tpower")", R"("exclude": [{"solver": "em"}], )"),
      "t.json:1:57: /grids/g/exclude/0: found {\"solver\":\"em\"}; accepted: a match of at "
      "least one combination");
  expect_error(grid_document(R"("pitprops")", R"("tpower")", R"("exclude": [{"dataset": "*"}], )"),
               "t.json:1:44: /grids/g: found \"exclude\" to leave none of 2 combinations");
}

TEST_F(Grid, AnExclusionMayMatchInAnotherProfileOnly) {
  const std::string text =
      grid_document(R"("pitprops")", R"("tpower")", R"("exclude": [{"cardinality": 3}], )",
                    R"("profiles": {"smoke": {"/grids/g/cardinality": [2]}}, )");
  EXPECT_EQ(load(text, {.profile = "smoke"}).variants.size(), 1u);
  EXPECT_EQ(load(text).variants.size(), 1u);
}

TEST_F(Grid, AProfileSetsAnyPointer) {
  const std::string solvers = R"("threshold", {"name": "gpower-l0", "options": {"penalty": 0.5}})";
  const auto text = [&](const std::string& profile) {
    return grid_document(R"("pitprops")", solvers, "",
                         "\"profiles\": {\"smoke\":\n" + profile + "}, ");
  };
  const Experiment experiment = load(
      text(
          R"({"seed": 7, "/grids/g/solvers/1/options/penalty": 0.25, "/grids/g/cardinality/0": null,
               "/grids/g/solvers/-": "tpower", "/grids/g/repeats": 4})"),
      {.profile = "smoke"});
  EXPECT_EQ(solver_labels(experiment), (Labels{"threshold", "gpower-l0", "tpower"}));
  EXPECT_EQ(experiment.variants[1].solver_options["penalty"], 0.25);
  EXPECT_EQ(experiment.variants[1].repeats, 4);
  EXPECT_EQ(experiment.seed, 7u);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"/grids/h/repeats": 1})",
       "t.json:2:22: /profiles/smoke/~1grids~1h~1repeats: /grids/h/repeats: found no \"h\""},
      {R"({"/grids/g/repeat": 1})",
       "t.json:2:21: /profiles/smoke/~1grids~1g~1repeat: found an unknown key (did you mean "
       "\"repeats\"?)"},
      {R"({"/grids/g/solvers/7": "em"})",
       "t.json:2:24: /profiles/smoke/~1grids~1g~1solvers~17: /grids/g/solvers/7: found no element "
       "7; accepted in /grids/g/solvers: 0 to 1, - (a new element)"},
      {R"({"/grids/g/repeats": 0})",
       "t.json:2:22: /profiles/smoke/~1grids~1g~1repeats: found 0; accepted: a whole number >= 1"},
      {R"({"/name": "x"})",
       "t.json:2:11: /profiles/smoke/~1name: /name: found a pointer to a key "}};
  for (const auto& [profile, message] : cases) {
    expect_error(text(profile), message, {.profile = "smoke"});
  }
}

TEST_F(Grid, ASettingOfTheCommandLineIsReadAsJsonOrAsAWord) {
  const std::string text = grid_document(R"({"name": "spiked", "options": {"samples": 5}})",
                                         R"("threshold")", R"("repeats": 3, )");
  const Experiment experiment =
      load(text, {.settings = {"/grids/g/datasets/0/options/samples=9", "/title=Other",
                               "/grids/g/cardinality=[4]", "/grids/g/repeats=null"}});
  EXPECT_EQ(experiment.title, "Other");
  ASSERT_EQ(experiment.variants.size(), 1u);
  EXPECT_EQ(experiment.variants[0].dataset_options["samples"], 9);
  EXPECT_EQ(experiment.variants[0].repeats, 1);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"grids=1", "--set grids=1: found no \"/\" at the beginning of the pointer; accepted: "},
      {"/title", "--set /title: found no \"=\"; accepted: /json/pointer=value"},
      {"/titl=a", "--set /titl=a: /titl: found an unknown key (did you mean \"title\"?); "},
      {"/grid/g=1",
       "--set /grid/g=1: /grid/g: found no \"grid\" (did you mean \"grids\"?); accepted in /: "},
      {"/grids/g/repeats=many",
       "--set /grids/g/repeats=many: /grids/g/repeats: found \"many\"; accepted: a whole number >= "
       "1"},
      {"/grids/g/datasets/0/options/sample=1",
       "--set /grids/g/datasets/0/options/sample=1: /grids/g/datasets/0/options/sample: unknown "
       "option (did you mean \"samples\"?)"},
      {"/title/x=1", "--set /title/x=1: /title/x: found a word at /title; accepted there: "},
      {"/seed={\"a\": 1, \"a\": 2}", "--set /seed:1:10: /a: found this key a second time"}};
  for (const auto& [setting, message] : cases) {
    expect_error(text, message, {.settings = {setting}});
  }
}

TEST_F(Grid, ARunWithSettingsHasAFolderOfItsOwnAndIsReadBackWithThem) {
  const std::string text = grid_document(R"("pitprops")", R"("threshold")");
  const Experiment plain = load(text);
  const Experiment set = load(text, {.settings = {"/grids/g/cardinality=[5]"}, .maximum_cells = 7});
  const Experiment same = load(text, {.settings = {"/grids/g/cardinality=[ 5]"}});
  EXPECT_NE(default_run_directory(plain), default_run_directory(set));
  EXPECT_EQ(default_run_directory(same), default_run_directory(set));
  std::ofstream(folder_ / "experiment.json") << set.json.dump();
  std::ofstream(folder_ / "cells.jsonl") << "";
  write_manifest(folder_, make_manifest(set, nullptr), Seal::kEnded);
  const Experiment back = experiment_of_run(folder_, folder_);
  ASSERT_EQ(back.variants.size(), 1u);
  EXPECT_EQ(back.variants[0].cardinality, (std::vector<Index>{5}));
  EXPECT_EQ(back.overrides.maximum_cells, std::optional<Index>(7));
}

TEST_F(Grid, ASolverJoinsTheGridsThatTakeItAndChangesNoOtherCell) {
  const std::string text = R"({"name": "t", "title": "T", "grids": {
    "one": {"datasets": ["pitprops"], "solvers": ["tpower"], "cardinality": [3, 5]},
    "there": {"datasets": ["pitprops"], "solvers": ["em"], "cardinality": [3]},
    "several": {"datasets": ["pitprops"], "solvers": ["bipart"], "components": 2, "cardinality": [3]},
    "zipped": {"datasets": ["pitprops"], "solvers": ["tpower", "threshold"], "cardinality": [3, 5],
               "zip": ["solvers", "cardinality"]}}})";
  ExperimentOverrides overrides;
  const Experiment plain = load(text);
  overrides.also = {"em"};
  const Experiment joined = load(text, overrides);
  std::vector<std::string> keys;
  std::vector<std::string> added;
  for (const Variant& variant : joined.variants) {
    const std::string identity = variant_identity(joined, variant, {}).dump();
    variant.joined ? added.push_back(variant.grid) : keys.push_back(identity);
  }
  EXPECT_EQ(added, (std::vector<std::string>{"one", "one"}));
  ASSERT_EQ(keys.size(), plain.variants.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(keys[i], variant_identity(plain, plain.variants[i], {}).dump());
  }
  EXPECT_FALSE(CellMatch().is_about(joined.variants[2]));
  EXPECT_TRUE(CellMatch().matches(joined.variants[2]));
  EXPECT_NE(default_run_directory(joined), default_run_directory(plain));
  EXPECT_EQ(overrides_from_json(overrides_to_json(overrides)).also, overrides.also);
  EXPECT_FALSE(overrides_to_json({}).contains("also"));
  expect_error(text, "--also: unknown solver \"e\"", {.also = {"e"}});
  expect_error(grid_document("\"pitprops\"", "\"em\""), "--also: found em, which no grid takes",
               {.also = {"em"}});
}

TEST_F(Grid, CountsCellsWithoutExpandingThem) {
  const std::string huge = R"({"name": "spiked", "grid": {"product": {
      "samples": [{"from": 1, "to": 10000}], "variables": [{"from": 20, "to": 10019}],
      "lambda1": [{"from": 1, "to": 10000}]}}})";
  expect_error(grid_document(huge, R"("threshold")"),
               "t.json:2:41: /grids/g/datasets/0/grid: found 1000000000000 combinations (samples "
               "10000 x variables 10000 x lambda1 10000); accepted: at most 1000000, "
               "\"maximum_cells\" or --max-cells");
  const std::string thousand = R"({"name": "spiked", "grid": {"product": {
      "samples": [{"from": 1, "to": 1000}]}}})";
  const auto repeats = [&](const std::string& count, const std::string& rest = "") {
    return grid_document(thousand, R"("threshold", "tpower")", "\"repeats\": " + count + ", ",
                         rest);
  };
  expect_error(repeats("9000000000000000000"),
               "t.json:1:44: /grids/g: found more than 9e18 cells (1000 datasets x 2 solvers x 2 "
               "cardinalities x 9000000000000000000 repeats); accepted: at most 1000000 in all");
  expect_error(repeats("251"), "t.json:1:44: /grids/g: found 1004000 cells (");
  EXPECT_EQ(load(repeats("250")).cells().size(), 1'000'000u);
  EXPECT_EQ(error_of(repeats("251"), {.maximum_cells = 1'004'000}), "");
  EXPECT_EQ(error_of(repeats("251"), {.repeats = 1}), "");
  EXPECT_EQ(error_of(repeats("251", R"("maximum_cells": 1004000, )")), "");
  expect_error(repeats("1", R"("maximum_cells": 3999, )"),
               "t.json:1:67: /grids/g: found 4000 cells");
  expect_error(
      grid_document(R"("pitprops")", R"("tpower")", R"("exclude": [{"cardinality": 2}], )"),
      "t.json:1:44: /grids/g: found 2 cells or more (", {.repeats = 2, .maximum_cells = 1});
  expect_error(
      R"({"name": "t", "title": "T", "grids": {"g": {"datasets": ["pitprops"], "solvers":
      ["tpower"], "cardinality": [{"from": 1, "to": 9000000000000}]}}})",
      "t.json:2:35: /grids/g/cardinality/0: found 9000000000000 cardinalities; accepted: at "
      "most 1000000");
}

TEST(JsonText, NamesThePlaceOfEveryMistake) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{\"a\": 1,\n  \"b\": 1e999}", "t:2:8: not JSON: "},
      {"\xef\xbb\xbf{\"a\": 1, \"a\": 2}", "t:1:"},
      {"{\"\\u00e4\\n\": 1, \"\\u00e4\\n\": 2}", "t:1:17: /\xc3\xa4\\n: found this key a second"},
      {std::string(101, '[') + std::string(101, ']'), "t:1:101: "},
      {std::string(100000, '[') + std::string(100000, ']'), "t:1:101: "},
      {"", "t:1:1: not JSON: "},
      {"{\"a\": \"\xff\"}", "t:1:8: not JSON: "}};
  for (const auto& [text, beginning] : cases) {
    try {
      const JsonText json(text, "t");
      ADD_FAILURE() << "accepted: " << text.substr(0, 40);
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.substr(0, beginning.size()), beginning) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
  EXPECT_NO_THROW(JsonText(std::string(100, '[') + std::string(100, ']'), "t"));
  EXPECT_EQ(JsonText("{\"\xc3\xa4\": 1, \"b\": 2}", "t").place("/b"), "t:1:15")
      << "columns are characters";
}

TEST(JsonPointer, GoesThroughEscapedKeysAndLists) {
  EXPECT_EQ(pointer_keys("/a~1b/~01/0"), (std::vector<std::string>{"a/b", "~1", "0"}));
  Json json = {{"a/b", {1, 2}}};
  EXPECT_EQ(set_at(json, "/a~1b/-", 3), "/a~1b/2");
  EXPECT_EQ(set_at(json, "/a~1b/0", nullptr), "/a~1b");
  EXPECT_EQ(json.dump(), R"({"a/b":[2,3]})");
  EXPECT_THROW(set_at(json, "/a~1b/2", 1), InputError);
  EXPECT_THROW(set_at(json, "/c", nullptr), InputError);
  EXPECT_THROW(set_at(json, "", 1), InputError);
}

}  // namespace
}  // namespace spca::grid_test
