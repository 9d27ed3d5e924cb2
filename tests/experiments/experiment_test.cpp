/// Tests of experiments: the expansion of a document, and the messages on a bad one.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "harness/experiments/experiment_identity.h"
#include "harness/experiments/experiment_match.h"
#include "spca/base/error.h"
#include "spca/covariance/deflation.h"
#include "spca/measure/metrics.h"
#include "tests/experiment_testing.h"

namespace spca::experiment_test {
namespace {

// Solvers, data sets and metrics of these names exist only in the test program, so that the tests
// do not depend on the plugins of the project.

struct LevelOptions {
  double level = 0.5;
  void describe(OptionVisitor& visit) { visit("level", level, "a penalty", between(0, 1)); }
};

Solution solve_nothing(const Problem&, const NoOptions&, Budget&) { return skipped("a test"); }
Solution solve_level(const Problem&, const LevelOptions&, Budget&) { return skipped("a test"); }

Traits test_traits(SparsityRule rule, bool multiple_components) {
  return {.summary = "test",
          .problem = "none",
          .source = "none",
          .rule = rule,
          .multiple_components = multiple_components,
          .tuning = {.option = "level"}};
}

SPCA_SOLVER("test-one", solve_nothing, test_traits(SparsityRule::kCardinality, false));
SPCA_SOLVER("test-many", solve_nothing, test_traits(SparsityRule::kCardinality, true));
SPCA_SOLVER("test-penalty", solve_level, test_traits(SparsityRule::kPenalty, false));

struct DrawOptions {
  Index samples = 5;
  void describe(OptionVisitor& visit) { visit("samples", samples, "n", at_least(1)); }
};

Dataset load_draw(const DrawOptions&, const DatasetRequest&) { return {}; }

SPCA_DATASET("test-draw", load_draw,
             (DatasetTraits{.summary = "", .shape = "", .source = "", .generated = true}));
SPCA_DATASET("test-file", load_draw, (DatasetTraits{.summary = "", .shape = "", .source = ""}));

std::vector<double> measure_zero(const MetricContext&) { return {0}; }
SPCA_METRIC("test-value", measure_zero, (MetricTraits{.unit = "", .formula = "0"}));
SPCA_METRIC("test-cost", measure_zero,
            (MetricTraits{.unit = "", .direction = Direction::kLowerIsBetter, .formula = "0"}));

TEST_F(ExperimentTest, CrossesDatasetsSolversDeflationsAndCardinalitiesInWrittenOrder) {
  const Experiment experiment = load(R"({"name": "a/test-1", "title": "T", "grids": {"g": {
    "datasets": ["test-file", {"name": "test-draw", "label": "draw", "options": {"samples": 9}}],
    "solvers": ["test-one", "test-many"], "components": 2, "cardinality": [2, [3, 1],
    {"from": 4, "to": 9, "step": 3}], "deflations": ["schur", "projection"], "repeats": 3,
    "metrics": ["test-value"], "penalty": 0.5}}, "time_limit": 7, "memory_limit": 100, "seed": 4})");
  // 2 data sets x (2 deflations of the one-component solver + 1) x 4 cardinalities.
  ASSERT_EQ(experiment.variants.size(), 2u * 3u * 4u);
  EXPECT_EQ(experiment.cells().size(), 2u * 3u * 4u * 3u);
  const Variant& first = experiment.variants[0];
  EXPECT_EQ(first.dataset_label, "test-file");
  EXPECT_EQ(first.deflation->name, "schur");
  EXPECT_EQ(first.cardinality, (std::vector<Index>{2, 2}));
  EXPECT_EQ(first.penalty, 0.5);
  EXPECT_EQ(experiment.variants[1].cardinality, (std::vector<Index>{3, 1}));
  EXPECT_EQ(experiment.variants[3].cardinality, (std::vector<Index>{7, 7}));
  EXPECT_EQ(experiment.variants[4].deflation->name, "projection");
  const Variant& last = experiment.variants.back();
  EXPECT_EQ(last.solver->name, "test-many");
  EXPECT_EQ(last.deflation, nullptr);
  EXPECT_EQ(last.dataset_label, "draw");
  EXPECT_EQ(last.dataset_options, (Json{{"samples", 9}}));
  EXPECT_EQ(experiment.time_limit, 7);
  EXPECT_EQ(experiment.memory_limit, 100);
  EXPECT_EQ(experiment.seed, 4u);
}

TEST_F(ExperimentTest, APatternStandsForEverySolverThatIsRegistered) {
  const Experiment experiment = load(document(R"("solvers": ["*"], "cardinality": [2])"));
  std::vector<std::string> names;
  for (const Variant& variant : experiment.variants) {
    names.push_back(variant.solver->name);
  }
  EXPECT_EQ(names, SolverRegistry::instance().names());
}

TEST_F(ExperimentTest, AnExcludedSolverLeavesThePatternButNotItsOwnEntry) {
  const Experiment experiment =
      load(document(R"("solvers": ["test-*", {"name": "test-one", "label": "mine"}],
                      "exclude_solvers": ["test-one", "test-p*"], "cardinality": [2])"));
  ASSERT_EQ(experiment.variants.size(), 2u);
  EXPECT_EQ(experiment.variants[0].solver_label, "test-many");
  EXPECT_EQ(experiment.variants[1].solver_label, "mine");
}

TEST_F(ExperimentTest, APenaltyThatIsGivenIsNotTuned) {
  const Experiment experiment = load(document(R"("solvers": ["test-penalty",
    {"name": "test-penalty", "label": "fixed", "options": {"level": 0.5}}], "cardinality": [2])"));
  EXPECT_TRUE(experiment.variants[0].tune);
  EXPECT_FALSE(experiment.variants[1].tune);
  // The value is the default's, so only `tune` tells the two apart.
  EXPECT_EQ(experiment.variants[0].solver_options, experiment.variants[1].solver_options);
  EXPECT_NE(variant_identity(experiment, experiment.variants[0], {}),
            variant_identity(experiment, experiment.variants[1], {}));
}

TEST_F(ExperimentTest, AProfileIsMergedOverTheDocument) {
  const std::string text = document(R"("solvers": ["test-one"], "repeats": 5, "cardinality": [2])",
                                    R"("profiles": {"smoke": {"grids": {"g": {"repeats": 2,
                                        "cardinality": [3]}}}},)");
  EXPECT_EQ(load(text).variants[0].repeats, 5);
  const Experiment smoke = load(text, {.profile = "smoke"});
  EXPECT_EQ(smoke.variants[0].repeats, 2);
  EXPECT_EQ(smoke.variants[0].cardinality, (std::vector<Index>{3}));
  EXPECT_EQ(smoke.profile, "smoke");
}

TEST_F(ExperimentTest, AGridMayHaveATimeLimitOfItsOwn) {
  const std::string grid = R"("datasets": ["test-draw"], "solvers": ["test-one"],
                              "cardinality": [2])";
  const std::string text = R"({"name": "a", "title": "A", "time_limit": 7, "grids": {
    "g": {)" + grid + R"(}, "h": {)" +
                           grid + R"(, "time_limit": 30}}})";
  const Experiment experiment = load(text);
  ASSERT_EQ(experiment.variants.size(), 2u);
  EXPECT_EQ(experiment.time_limit_of(experiment.variants[0]), 7);
  EXPECT_EQ(experiment.time_limit_of(experiment.variants[1]), 30);
  EXPECT_EQ(variant_identity(experiment, experiment.variants[1], {}).at("time_limit"), 30);
  const Experiment overridden = load(text, {.time_limit = 3});
  EXPECT_EQ(overridden.time_limit_of(overridden.variants[0]), 3);
  EXPECT_EQ(overridden.time_limit_of(overridden.variants[1]), 3);
  EXPECT_NE(error_of(R"({"name": "a", "title": "A", "grids": {"g": {)" + grid +
                     R"(, "time_limit": -1}}})")
                .find("/grids/g/time_limit"),
            std::string::npos);
}

TEST_F(ExperimentTest, TheCommandLineOverridesTheFile) {
  const std::string text = document(R"("solvers": ["test-one", {"name": "test-many", "label": "m"}],
                                       "cardinality": [2])");
  const Experiment experiment = load(text, {.repeats = 7,
                                            .seed = 9,
                                            .time_limit = 3,
                                            .memory_limit = 50,
                                            .only_solvers = {"test-man?"},
                                            .only_datasets = {"*draw"}});
  ASSERT_EQ(experiment.variants.size(), 1u);
  EXPECT_EQ(experiment.variants[0].solver_label, "m");
  EXPECT_EQ(experiment.variants[0].repeats, 7);
  EXPECT_EQ(experiment.seed, 9u);
  EXPECT_EQ(experiment.time_limit, 3);
  EXPECT_EQ(experiment.memory_limit, 50);
  EXPECT_EQ(error_of(text, {.only_solvers = {"test-on"}}),
            "--only solver: found \"test-on\", which selects no cell (did you mean \"test-one\"?); "
            "accepted: test-one, m");
  EXPECT_NE(error_of(text, {.repeats = 0}).find("--repeats"), std::string::npos);
}

struct BadInput {
  std::string what;
  std::string text;
  std::string message;  // in full where it fits, otherwise its beginning
};

TEST_F(ExperimentTest, BadInputIsOneLineWithPlaceAndPointer) {
  const std::vector<BadInput> cases = {
      {"syntax", "{\n \"name\": ]\n}", "test.json:2:10: not JSON: "},
      {"not an object", "[]", "test.json:1:1: /: found []; accepted: an object with name, "},
      {"duplicate key", "{\"name\": \"a\",\n  \"grids\": {\"g\": 1, \"g\": 2}}",
       "test.json:2:21: /grids/g: found this key a second time; accepted: each key once"},
      {"unknown key", document(kOneSolver, R"("tile": 1, )"),
       "test.json:1:40: /tile: found an unknown key (did you mean \"title\"?); accepted: name, "},
      {"unknown grid key", document(R"("repeat": 1, )" + kOneSolver),
       "test.json:2:11: /grids/g/repeat: found an unknown key (did you mean \"repeats\"?); "},
      {"no grids", R"({"name": "test", "title": "T"})",
       "test.json:1:1: /: found no \"grids\"; accepted: an object with \"grids\""},
      {"wrong type", document(R"("repeats": "5", )" + kOneSolver),
       "test.json:2:12: /grids/g/repeats: found \"5\"; accepted: a whole number >= 1"},
      {"repeats", document(R"("repeats": 0, )" + kOneSolver),
       "test.json:2:12: /grids/g/repeats: found 0; accepted: a whole number >= 1"},
      {"k < 1", document(R"("solvers": ["test-one"], "cardinality": [0])"),
       "test.json:2:42: /grids/g/cardinality/0: found 0; accepted: a whole number >= 1"},
      {"k not whole", document(R"("solvers": ["test-one"], "cardinality": [2.5])"),
       "test.json:2:42: /grids/g/cardinality/0: found 2.5; accepted: a whole number >= 1"},
      {"k twice", document(R"("solvers": ["test-one"], "cardinality": [2, [2]])"),
       "test.json:2:45: /grids/g/cardinality/1: found [2]; accepted: each cardinality once"},
      {"length", document(R"("solvers": ["test-one"], "cardinality": [[1, 2]])"),
       "test.json:2:42: /grids/g/cardinality/0: found [1,2]; accepted: 1 whole numbers, one a "
       "component"},
      {"empty range", document(R"("solvers": ["test-one"], "cardinality": [{"from": 5, "to": 4}])"),
       "test.json:2:60: /grids/g/cardinality/0/to: found 4; accepted: a whole number >= 5"},
      {"empty list", document(R"("solvers": [], "cardinality": [2])"),
       "test.json:2:12: /grids/g/solvers: found []; accepted: a list with at least one element"},
      {"unknown solver", document(R"("solvers": ["test-won"], "cardinality": [2])"),
       "test.json:2:13: /grids/g/solvers/0: unknown solver \"test-won\" (did you mean "
       "\"test-one\"?); accepted: "},
      {"unknown metric", document(R"("metrics": ["test-valve"], )" + kOneSolver),
       "test.json:2:13: /grids/g/metrics/0: unknown metric \"test-valve\" (did you mean "
       "\"test-value\"?); accepted: "},
      {"unknown deflation", document(R"("deflations": ["shur"], )" + kOneSolver),
       "test.json:2:16: /grids/g/deflations/0: unknown deflation \"shur\" (did you mean "
       "\"schur\"?); "
       "accepted: "},
      {"no deflation", document(R"("components": 2, )" + kOneSolver),
       "test.json:1:47: /grids/g: found no \"deflations\", and test-one finds one component at a "
       "time; accepted: a list of "},
      {"excluded word", document(R"("exclude_solvers": ["test-ones"], )" + kOneSolver),
       "test.json:2:20: /grids/g/exclude_solvers: unknown solver \"test-ones\" (did you mean "},
      {"option", document(R"("solvers": [{"name": "test-penalty", "options": {"level": 2}}],
                             "cardinality": [2])"),
       "test.json:2:59: /grids/g/solvers/0/options/level: 2 is out of range; accepted: >= 0 and <= "
       "1"},
      {"option name", document(R"("solvers": [{"name": "test-penalty", "options": {"leve": 1}}],
                                  "cardinality": [2])"),
       "test.json:2:58: /grids/g/solvers/0/options/leve: unknown option (did you mean "
       "\"level\"?); "},
      {"label", document(R"("solvers": ["test-*", "test-one"], "cardinality": [2])"),
       "test.json:2:23: /grids/g/solvers/1: found the label \"test-one\" twice; accepted: "},
      {"name", R"({"name": "Te st", "title": "T", "grids": {}})",
       "test.json:1:10: /name: found \"Te st\"; accepted: lower-case letters, digits, "},
      {"table", document(kOneSolver, R"("tables": [{"title": "T", "metric": "test-value", "rows":
         "solvers"}], )"),
       "test.json:2:10: /tables/0/rows: found \"solvers\" (did you mean \"solver\"?); accepted: "},
      {"kind of table", document(kOneSolver, R"("tables": [{"kind": "bound", "title": "T"}], )"),
       "test.json:1:52: /tables/0/kind: found \"bound\" (did you mean \"bounds\"?); accepted: "},
      {"table of bounds without values",
       document(kOneSolver + R"(, "metrics": ["test-value"])",
                R"("tables": [{"kind": "bounds", "title": "T"}], )"),
       "test.json:1:43: /tables/0: found "},
  };
  for (const BadInput& bad : cases) {
    const std::string message = error_of(bad.text);
    EXPECT_EQ(message.substr(0, bad.message.size()), bad.message) << bad.what;
    EXPECT_EQ(message.find('\n'), std::string::npos) << bad.what;
  }
}

TEST_F(ExperimentTest, AnErrorInAProfilePointsIntoTheProfile) {
  const std::string text =
      document(kOneSolver, "\"profiles\": {\"smoke\":\n{\"grids\": {\"g\": {\"repeats\": 0}}}}, ");
  EXPECT_EQ(error_of(text), "");
  EXPECT_EQ(error_of(text, {.profile = "smoke"}),
            "test.json:2:29: /profiles/smoke/grids/g/repeats: found 0; accepted: a whole number >= "
            "1");
  EXPECT_EQ(error_of(text, {.profile = "smok"}),
            "--profile: found \"smok\" (did you mean \"smoke\"?); accepted in test.json: smoke, "
            "full");
}

TEST_F(ExperimentTest, ACurveStaysBelowTheDataFolder) {
  std::filesystem::create_directory(folder_ / "below");
  write("k,b\n2,0.5\n", "curve.csv");
  write("k,b\n2,0.5\n", "below/curve.csv");
  const auto error_with = [&](const std::string& file) {
    return error_of(document(R"("solvers": ["test-one"], "cardinality": [2])",
                             R"("published": [{"name": "t", "metric": "test-value", "where": "here",
        "method": "other", "rows": [{"label": "r", "curve": {"key": "k", "column": "b", "file": ")" +
                                 file + R"("}}]}], )"));
  };
  EXPECT_EQ(error_with("below/curve.csv"), "");
  for (const std::string& file : {folder_.string() + "/curve.csv", std::string("../curve.csv"),
                                  std::string("below/../curve.csv"), std::string("./curve.csv"),
                                  std::string("below//curve.csv"), std::string("below/")}) {
    EXPECT_NE(error_with(file).find("/published/0/rows/0/curve/file: found"), std::string::npos)
        << file;
  }
}

TEST_F(ExperimentTest, ANameHasNoEmptyStep) {
  const auto error_with = [&](const std::string& name) {
    return error_of(R"({"name": ")" + name + R"(", "title": "T", "grids": {"g": {"datasets":
      ["test-draw"], "solvers": ["test-one"], "cardinality": [2]}}})");
  };
  EXPECT_EQ(error_with("a/b-1/c"), "");
  for (const std::string name : {"a/", "a//b", "/a", "//"}) {
    EXPECT_NE(error_with(name).find("/name: found"), std::string::npos) << name;
  }
}

TEST_F(ExperimentTest, HasNoMoreComponentsThanAnyDataHave) {
  const auto error_with = [&](const std::string& count) {
    return error_of(
        document(R"("solvers": ["test-many"], "cardinality": [2], "components": )" + count));
  };
  EXPECT_EQ(error_with("10000"), "");
  for (const std::string count : {"10001", "9223372036854775807"}) {
    EXPECT_NE(error_with(count).find("/grids/g/components: found " + count), std::string::npos);
  }
}

TEST(Glob, MatchesAsInAShell) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("gpower-*0", "gpower-block-l0"));
  EXPECT_TRUE(glob_matches("t?ower", "tpower"));
  EXPECT_TRUE(glob_matches("a*b*c", "axxbyybzc"));
  EXPECT_FALSE(glob_matches("a*b*c", "axxbyybz"));
  EXPECT_FALSE(glob_matches("tpower", "tpower2"));
  EXPECT_FALSE(glob_matches("?", ""));
}

TEST_F(ExperimentTest, IsFoundByFileOrByName) {
  std::filesystem::create_directories(folder_ / "paper");
  write("{}", "paper/table-1.json");
  ASSERT_EQ(::setenv("SPCA_EXPERIMENTS", folder_.c_str(), 1), 0);
  EXPECT_EQ(find_experiment("paper/table-1"), folder_ / "paper/table-1.json");
  EXPECT_EQ(find_experiment((folder_ / "paper/table-1.json").string()),
            folder_ / "paper/table-1.json");
  const std::vector<std::string> names = experiment_names();
  EXPECT_EQ(std::count(names.begin(), names.end(), "paper/table-1"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "quickstart"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "schema"), 0);
  try {
    find_experiment("paper/table1");
    FAIL() << "an unknown name was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"paper/table-1\"?"), std::string::npos);
  }
  ::unsetenv("SPCA_EXPERIMENTS");
}

TEST(ShippedExperiments, EachIsValidInEachProfileAndNamedAsItsFile) {
  const std::filesystem::path folder = std::filesystem::path(SPCA_SOURCE_DIR) / "experiments";
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".json" || file.path() == folder / "schema.json") {
      continue;
    }
    for (const std::string profile : {"smoke", "full"}) {
      const Experiment experiment =
          load_experiment(file.path(), {.profile = profile}, "no-such-folder");
      std::filesystem::path name = file.path().lexically_relative(folder);
      EXPECT_EQ(experiment.name, name.replace_extension().generic_string());
      // Figures print no numbers. An experiment that only has the shape of a table says so.
      const bool is_table = profile == "full" &&
                            experiment.source.find("Table") != std::string::npos &&
                            experiment.source.find("the shape of Table") == std::string::npos;
      EXPECT_FALSE(is_table && experiment.published.empty()) << experiment.name;
      EXPECT_FALSE(experiment.tables.empty()) << experiment.name;
    }
  }
}

}  // namespace
}  // namespace spca::experiment_test
