/// Tests of `spca baseline`, `spca check` and `spca compare` with a solver that changes after its
/// baseline was made, and checks of the committed baselines.

#include <set>
#include <sstream>
#include <string>

#include "tests/command_line.h"

namespace spca::gate_cli_test {
namespace {

/// Four cells: two solvers, two cardinalities.
const char* const kExperiment = R"({
  "name": "drift", "title": "Two thresholds <&> \"quoted\"", "grids": {"g": {
    "datasets": ["pitprops"], "solvers": ["threshold*"], "cardinality": [3, 7],
    "metrics": ["explained_variance", "iterations", "solve_seconds"]}},
  "profiles": {"smoke": {}}})";

class RegressionGate : public CommandLine {
 protected:
  /// Runs the misbehaving program after the change `drift` to one of its solvers.
  Finished run_drifted(const std::string& drift, const std::string& arguments) const {
    // Without a cache: keys do not depend on the environment, which holds the change.
    return shell("SPCA_CACHE_DIR= SPCA_TEST_DRIFT=" + drift + " '" SPCA_MISBEHAVING_PROGRAM "' " +
                 arguments);
  }
  Finished check(const std::string& drift, const std::string& more = "") const {
    return run_drifted(
        drift, "check drift.json --profile smoke --baseline b.json -o " + drift + "-run " + more);
  }
  void make_baseline() {
    write("drift.json", kExperiment);
    ASSERT_EQ(run_drifted("none", "run drift.json --profile smoke -o reference").code, 0);
    ASSERT_EQ(run_drifted("none", "baseline reference -o b.json").code, 0);
    tolerate_half_a_second();
  }
  /// Tolerates half a second, so that a busy machine does not make a test fail. The slow solver
  /// sleeps for a second.
  void tolerate_half_a_second() {
    std::string text = content(folder_ / "b.json");
    const std::string none = "\"overrides\": []";
    text.replace(text.find(none), none.size(),
                 R"("overrides": [{"metric": "solve_seconds", "absolute": 0.5,
                   "why": "the machine of a test is busy"}])");
    write("b.json", text);
  }
};

TEST_F(RegressionGate, TellsWorseFromSlowFromRemovedFromFailingAndPassesWhenRestored) {
  make_baseline();
  const std::string name = "pitprops / threshold-drift / k = ";
  const Finished worse = check("worse", "--junit worse.xml --markdown worse.md");
  EXPECT_EQ(worse.code, 4) << worse.out << worse.err;
  EXPECT_TRUE(worse.out.starts_with("worse: drift against b.json: 4 cells")) << worse.out;
  EXPECT_EQ(worse.out.find("hint: `spca baseline"), std::string::npos) << worse.out;
  EXPECT_NE(worse.out.find(name + "3  "), std::string::npos) << worse.out;
  const Finished slow = check("slow");
  EXPECT_EQ(slow.code, 6) << slow.out << slow.err;
  EXPECT_NE(slow.out.find(name), std::string::npos) << slow.out;
  const Finished removed = check("removed");
  EXPECT_EQ(removed.code, 5) << removed.out << removed.err;
  EXPECT_NE(removed.out.find("no solver \"threshold-drift\""), std::string::npos) << removed.out;
  const Finished failing = check("failing", "--junit failing.xml");
  EXPECT_EQ(failing.code, 3) << failing.out << failing.err;
  const Finished restored = check("restored");
  EXPECT_EQ(restored.code, 0) << restored.out << restored.err;
  // The XML is valid although a message has markup, a control character and a byte that is not
  // UTF-8.
  for (const std::string file : {"worse.xml", "failing.xml"}) {
    const Finished parsed = shell(
        "/usr/bin/python3 -c 'import sys, xml.etree.ElementTree as tree\n"
        "suite = tree.parse(sys.argv[1]).getroot().find(\"testsuite\")\n"
        "cases = suite.findall(\"testcase\")\n"
        "bad = [c for c in cases if c.find(\"failure\") is not None or c.find(\"error\") is not "
        "None]\n"
        "assert len(cases) == int(suite.get(\"tests\")) == 4\n"
        "assert len(bad) == int(suite.get(\"failures\")) + int(suite.get(\"errors\")) == 2\n"
        "print(bad[0].get(\"name\"))' " +
        file);
    EXPECT_EQ(parsed.code, 0) << parsed.err << content(folder_ / file);
    EXPECT_NE(parsed.out.find("threshold-drift"), std::string::npos) << parsed.out;
  }
  EXPECT_TRUE(content(folder_ / "worse.md").starts_with("**worse: drift against b.json"));
  EXPECT_NE(content(folder_ / "worse.md").find("| g / pitprops / threshold-drift"),
            std::string::npos);
}

TEST_F(RegressionGate, ComparesTheAnswersWhereOnlyTheOptionsOfASolverChanged) {
  make_baseline();
  const std::string changed = "note: its options changed, and its seed with them: ";
  const Finished option = check("option", "--markdown option.md");
  EXPECT_EQ(option.code, 0) << option.out << option.err;
  EXPECT_NE(
      option.out.find(changed + "the option unused is 1.0 here, not in the baseline (2 cells)"),
      std::string::npos)
      << option.out;
  const Finished worse = check("option-and-worse");
  EXPECT_EQ(worse.code, 4) << worse.out << worse.err;
  // Another default, and an option that is gone.
  ASSERT_EQ(run_drifted("option", "baseline option-run --no-times -o b.json").code, 0);
  const Finished other_default = check("default");
  EXPECT_EQ(other_default.code, 0) << other_default.out << other_default.err;
  EXPECT_NE(other_default.out.find(changed + "the default of the option unused is 2.0 here, 1.0"),
            std::string::npos)
      << other_default.out;
  const Finished gone = check("restored");
  EXPECT_EQ(gone.code, 0) << gone.out << gone.err;
  EXPECT_NE(gone.out.find(changed + "the option unused (1.0 in the baseline) is gone"),
            std::string::npos)
      << gone.out;
  // Another seed of the experiment, or an option that the experiment sets, is another question.
  ASSERT_EQ(run_drifted("default", "run drift.json --profile smoke --seed 2 -o seed").code, 0);
  const Finished seed = run_drifted("default", "check seed --baseline b.json");
  EXPECT_EQ(seed.code, 5) << seed.out << seed.err;
  EXPECT_NE(seed.out.find("its seed is not the baseline's: other draws"), std::string::npos);
  std::string text = kExperiment;
  const std::string pattern = "\"threshold*\"";
  text.replace(text.find(pattern), pattern.size(),
               R"("threshold", {"name": "threshold-drift", "options": {"unused": 3}})");
  write("drift.json", text);
  EXPECT_EQ(run_drifted("option", "check drift.json --profile smoke --baseline b.json -o set").code,
            5);
}

TEST_F(RegressionGate, NamesDataThatChangedSinceTheBaseline) {
  write("x.csv", "1.5,2,3\n2,1,5.5\n4,4,1\n0,2.5,2\n");
  write("own.json", R"({"name": "own", "title": "t", "grids": {"g": {"datasets": ["pitprops",
    {"name": "file", "options": {"path": "x.csv"}}], "solvers": ["threshold"], "cardinality": [2],
    "metrics": ["explained_variance"]}}, "profiles": {"smoke": {}}})");
  ASSERT_EQ(run("run own.json --profile smoke -o first").code, 0);
  ASSERT_EQ(run("baseline first -o b.json").code, 0);
  EXPECT_EQ(run("check first --baseline b.json").code, 0);
  write("x.csv", "3.5,4,6\n4,2,10\n8,8,2\n0,4,4.5\n");
  ASSERT_EQ(run("run own.json --profile smoke -o second").code, 0);
  const Finished changed = run("check second --baseline b.json");
  EXPECT_EQ(changed.code, 5) << changed.out << changed.err;
  EXPECT_NE(changed.out.find("its data changed: file, x.csv"), std::string::npos) << changed.out;
  EXPECT_NE(changed.out.find("1 not comparable, 1 match"), std::string::npos) << changed.out;
  const Finished compared = run("compare first second");
  EXPECT_NE(compared.out.find("its data changed: file, x.csv"), std::string::npos) << compared.out;
  // A file without the checksum, as older programs wrote it, compares the answers.
  std::string text = content(folder_ / "b.json");
  const std::size_t member = text.find(",\n      \"data_checksum\"");
  ASSERT_NE(member, std::string::npos) << text;
  text.erase(member, text.find('\n', member + 2) - member);
  write("b.json", text);
  EXPECT_EQ(run("check second --baseline b.json").code, 0);
}

TEST_F(RegressionGate, ARunWithoutItsDataFileKeepsItsAnswers) {
  write("x.csv", "1.5,2,3\n2,1,5.5\n4,4,1\n0,2.5,2\n");
  write("own.json", R"({"name": "own", "title": "t", "grids": {"g": {"datasets": [
    {"name": "file", "options": {"path": "x.csv"}}], "solvers": ["threshold"], "cardinality": [2],
    "metrics": ["explained_variance"]}}, "profiles": {"smoke": {}}})");
  const std::string command = "run own.json --profile smoke -o first --no-cache";
  ASSERT_EQ(run(command).code, 0);
  const std::string before = content(folder_ / "first/cells.jsonl");
  std::filesystem::rename(folder_ / "x.csv", folder_ / "away.csv");
  const Finished without = run(command);
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_NE(without.err.find("the data of file cannot be read now"), std::string::npos)
      << without.err;
  EXPECT_EQ(content(folder_ / "first/cells.jsonl"), before);
  write("x.csv", "2.5,2,3\n2,1,5.5\n4,4,1\n0,2.5,2\n");  // other data, which can be read
  ASSERT_EQ(run(command).code, 0);
  EXPECT_NE(content(folder_ / "first/cells.jsonl"), before);
}

TEST_F(RegressionGate, MergingByForceLeavesAChangedRecordOutAndTakesLinesWithoutChecks) {
  write("drift.json", kExperiment);
  ASSERT_EQ(run_drifted("none", "run drift.json --profile smoke -o whole").code, 0);
  const std::string bytes = content(folder_ / "whole/cells.jsonl");
  std::string changed = bytes;
  changed[changed.find("\"explained_variance\":") + 21] ^= 1;
  write("whole/cells.jsonl", changed);
  const Finished merged = run_drifted("none", "merge whole -o merged --force");
  EXPECT_EQ(merged.code, 5) << merged.err;
  EXPECT_NE(merged.err.find("it was changed; 1 such line is left out"), std::string::npos)
      << merged.err;
  EXPECT_NE(merged.out.find("missing: threshold on pitprops"), std::string::npos) << merged.out;
  // Lines as versions without checks wrote them.
  std::istringstream lines(bytes);
  std::string old;
  for (std::string line; std::getline(lines, line);) {
    old += line.substr(0, line.rfind(",\"check\":")) + "}\n";
  }
  write("whole/cells.jsonl", old);
  EXPECT_EQ(run_drifted("none", "merge whole -o taken --force").code, 0);
}

TEST_F(RegressionGate, FindsNothingToCompareWhereTheExperimentNamesARemovedSolver) {
  make_baseline();
  std::string text = kExperiment;
  const std::string pattern = "\"threshold*\"";
  text.replace(text.find(pattern), pattern.size(), "\"threshold\", \"threshold-drift\"");
  write("drift.json", text);
  EXPECT_EQ(check("restored").code, 0);
  const Finished removed = check("removed");
  EXPECT_EQ(removed.code, 5) << removed.out << removed.err;
  EXPECT_NE(removed.err.find("unknown solver \"threshold-drift\""), std::string::npos)
      << removed.err;
}

TEST_F(RegressionGate, RefusesABaselineOfAnotherExperimentBeforeItRuns) {
  make_baseline();
  std::string other = kExperiment;
  other.replace(other.find("\"drift\""), 7, "\"other\"");
  write("other.json", other);
  const Finished found =
      run_drifted("none", "check other.json --profile smoke --baseline b.json -o other-run");
  EXPECT_EQ(found.code, 2) << found.out;
  EXPECT_NE(found.err.find("b.json: is of the experiment \"drift\"; accepted: a baseline of "
                           "\"other\""),
            std::string::npos)
      << found.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other-run"));
}

TEST_F(RegressionGate, SaysTheSameAsJson) {
  make_baseline();
  const Finished worse = check("worse", "--json");
  EXPECT_EQ(worse.code, 4);
  const Json json = Json::parse(worse.out);
  EXPECT_EQ(json.begin().key(), "verdict");
  EXPECT_EQ(json.at("verdict"), "worse");
  EXPECT_EQ(json.at("exit_code"), 4);
  EXPECT_EQ(json.at("counts").at("worse"), 2);
  EXPECT_EQ(json.at("cells").at(0).at("solver"), "threshold-drift");
}

TEST_F(RegressionGate, RefreshesABaselineAndKeepsItsOverrides) {
  make_baseline();
  const std::string before = content(folder_ / "b.json");
  ASSERT_EQ(run_drifted("none", "baseline reference -o b.json").code, 0);
  const std::string after = content(folder_ / "b.json");
  EXPECT_EQ(Json::parse(before), Json::parse(after));
  ASSERT_EQ(run_drifted("none", "baseline reference -o b.json").code, 0);
  EXPECT_EQ(content(folder_ / "b.json"), after) << "the same run is the same bytes";
}

/// The record of an invalid answer has loadings, which a baseline must not have for it.
TEST_F(RegressionGate, ReadsTheBaselineOfARunWithAnInvalidAnswer) {
  write("invalid.json", R"({"name": "invalid", "title": "T", "grids": {"g": {
    "datasets": ["pitprops"], "solvers": ["threshold", "misbehave-infeasible"],
    "cardinality": [3], "metrics": ["explained_variance"]}}})");
  ASSERT_EQ(run_drifted("none", "run invalid.json -o invalid").code, 3);
  ASSERT_EQ(run("baseline invalid --no-times -o invalid-baseline.json").code, 0);
  const Finished checked = run("check invalid --baseline invalid-baseline.json");
  EXPECT_EQ(checked.code, 3) << checked.out << checked.err;
  EXPECT_NE(checked.out.find("no answer in the baseline either"), std::string::npos) << checked.out;
}

TEST_F(RegressionGate, RefusesWhatIsNoRunOrNoBaseline) {
  write("b.json", "{\"format\": 1}");
  expect_usage_error("check quickstart --baseline b.json", {"b.json:1:", "/format"});
  expect_usage_error("check quickstart --baseline no.json", {"no.json: does not exist"});
  expect_usage_error("check quickstart --baseline .", {"cannot be read"});
  expect_usage_error("check quickstart", {"--baseline"});
  expect_usage_error("baseline nothing -o b.json", {"RUN", "nothing"});
  std::filesystem::remove(folder_ / "b.json");
  std::string plain = kExperiment;  // without the solver that `spca` lacks
  plain.replace(plain.find("threshold*"), std::string("threshold*").size(), "threshold");
  write("drift.json", plain);
  ASSERT_EQ(run("run drift.json --profile smoke -o reference").code, 0);
  ASSERT_EQ(run("baseline reference -o b.json").code, 0);
  expect_usage_error("check nothing --baseline b.json", {"accepted: the folder of a run, a file"});
  std::string text = content(folder_ / "b.json");
  const std::string profile = R"("profile":"smoke")";
  ASSERT_NE(text.find(profile), std::string::npos) << text.substr(0, 400);
  text.replace(text.find(profile), profile.size(), R"("profile":"nosuch")");
  write("b.json", text);
  expect_usage_error("check drift.json --baseline b.json", {"b.json: /run/profile: found"});
  expect_usage_error("compare nothing nowhere", {"RUN", "nothing"});
}

TEST_F(RegressionGate, ComparesTwoRuns) {
  write("drift.json", kExperiment);
  ASSERT_EQ(run_drifted("none", "run drift.json -o a").code, 0);
  ASSERT_EQ(run_drifted("worse", "run drift.json -o b").code, 0);
  ASSERT_EQ(run_drifted("none", "run drift.json --only solver threshold -o c").code, 0);
  const Json same = run_json("compare a a");
  for (const Json& cell : same.at("cells")) {
    for (const Json& metric : cell.at("metrics")) {
      EXPECT_EQ(metric.at("difference"), 0.0) << metric;
      EXPECT_EQ(metric.at("significant"), false) << metric;
    }
  }
  const Finished text = run("compare a b");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("B worse"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("Performance profile by value, g, 2 problems"), std::string::npos);
  const Json fewer = run_json("compare a c");
  EXPECT_EQ(fewer.at("cells").size(), 2U);
  EXPECT_EQ(fewer.at("only_a").size(), 2U);
  ASSERT_EQ(run("run drift.json --only solver threshold --only dataset none -o d").code, 2);
}

/// Checks the program against the baseline of the smoke profile of one experiment. Every experiment
/// outside experiments/instances has such a baseline.
class ReferenceBaseline : public CommandLine, public testing::WithParamInterface<std::string> {};

std::vector<std::string> names_below(const std::string& folder) {
  const fs::path root = fs::path(SPCA_SOURCE_DIR) / folder;
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".json" && entry.path().filename() != "schema.json") {
      names.push_back(fs::relative(entry.path(), root).replace_extension().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The experiments whose check takes more than two seconds.
const std::set<std::string> kSlow = {"bipart/anytime",
                                     "bipart/bow-greedy",
                                     "bipart/cbcl",
                                     "bipart/corpus-figures",
                                     "bipart/em-runs",
                                     "bipart/leukemia",
                                     "bipart/nips-figure",
                                     "bipart/table1",
                                     "bipart/table2",
                                     "bipart/topics",
                                     "bounds/certified",
                                     "bounds/gene",
                                     "bounds/generated-corpus",
                                     "bounds/many-variables",
                                     "bounds/orthogonal-components",
                                     "encoders/classification",
                                     "mspca/mtcars",
                                     "mspca/pitprops",
                                     "mspca/snp500",
                                     "spannogram/gene",
                                     "spannogram/guarantees",
                                     "spannogram/scale",
                                     "spannogram/spiked",
                                     "spannogram/topics"};

TEST(ReferenceBaselines, AreThereForEveryExperiment) {
  const std::vector<std::string> names = names_below("results/reference");
  std::vector<std::string> experiments = names_below("experiments");
  // The numbers of the experiments in instances/ are in results/instances.
  std::erase_if(experiments,
                [](const std::string& name) { return name.starts_with("instances/"); });
  EXPECT_EQ(names, experiments);
  EXPECT_TRUE(std::includes(names.begin(), names.end(), kSlow.begin(), kSlow.end()));
}

TEST(ReferenceBaselines, HaveNoTimesOfTheMachineThatMadeThem) {
  for (const std::string& name : names_below("results/reference")) {
    const std::string text = content(SPCA_SOURCE_DIR "/results/reference/" + name + ".json");
    EXPECT_EQ(text.find("solve_seconds"), std::string::npos) << name << ": use --no-times";
  }
}

TEST_P(ReferenceBaseline, IsMet) {
  const std::string source = "'" SPCA_SOURCE_DIR;
  const std::string arguments = "check " + source + "/experiments/" + GetParam() +
                                ".json' --baseline " + source + "/results/reference/" + GetParam() +
                                ".json' -j 2 -o run";
  const Finished finished = shell("SPCA_CACHE_DIR= " + program() + " " + arguments);
  const std::size_t skipped = finished.out.find("skipped: ");
  if (finished.code == 5 && skipped != std::string::npos) {
    GTEST_SKIP() << finished.out.substr(skipped, finished.out.find('\n', skipped) - skipped);
  }
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err
                              << "\nIf the change is meant: spca run " << GetParam()
                              << " --profile smoke, then spca baseline RUN --no-times -o "
                                 "results/reference/"
                              << GetParam() << ".json";
}

INSTANTIATE_TEST_SUITE_P(Committed, ReferenceBaseline,
                         testing::ValuesIn(names_below("results/reference")), [](const auto& name) {
                           std::string word =
                               (kSlow.contains(name.param) ? "SLOW_" : "") + name.param;
                           std::replace_if(
                               word.begin(), word.end(), [](char c) { return !std::isalnum(c); },
                               '_');
                           return word;
                         });

}  // namespace
}  // namespace spca::gate_cli_test
