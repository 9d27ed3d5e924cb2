/// Tests the program as users see it: exit codes, output on stdout and on stderr, messages.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/command_line.h"

namespace spca::cli_test {
namespace {

const std::string kPitprops = "solve --dataset pitprops --solver tpower ";

TEST_F(CommandLine, PrintsHelpAndVersionOnStandardOutput) {
  const Finished help = run("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  for (const char* word : {"exit codes", "130", "solve", "reproduce", "--data-dir"}) {
    EXPECT_NE(help.out.find(word), std::string::npos) << word;
  }
  const Finished version = run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("spca ", 0), 0U);
}

TEST_F(CommandLine, HasHelpWithAnExampleForEverySubcommand) {
  for (const std::string name : {"list", "describe", "solve", "validate", "run", "table",
                                 "reproduce", "baseline", "check", "compare"}) {
    const Finished help = run(name + " --help");
    EXPECT_EQ(help.code, 0) << name;
    EXPECT_NE(help.out.find("examples:\n  spca " + name), std::string::npos) << help.out;
  }
}

TEST_F(CommandLine, RefusesUnknownArguments) {
  expect_usage_error("", {"subcommand is missing", "reproduce"});
  expect_usage_error("solv", {"unknown subcommand \"solv\"", "did you mean \"solve\""});
  expect_usage_error("slove", {"unknown subcommand \"slove\"", "did you mean \"solve\""});
  expect_usage_error("help slove", {"unknown subcommand \"slove\"", "did you mean \"solve\""});
  EXPECT_EQ(run("help solve").out, run("solve --help").out);
  EXPECT_EQ(run("help").out, run("--help").out);
  expect_usage_error("x.csv", {"\"x.csv\" is not a subcommand", "`spca solve --data x.csv`"});
  expect_usage_error("pitprops", {"`spca solve --dataset pitprops`"});
  expect_usage_error("tpower", {"`spca describe solver tpower`"});
  expect_usage_error("quickstart", {"`spca run quickstart`"});
  expect_usage_error("--jsn", {"--jsn", "unknown option"});
  expect_usage_error(kPitprops + "--cardinalty 5",
                     {"--cardinalty", "did you mean \"--cardinality\""});
  expect_usage_error("list solvers extra", {"unexpected argument \"extra\""});
  expect_usage_error("list solver", {"unknown kind \"solver\"", "did you mean \"solvers\""});
  expect_usage_error("list", {"WHAT"});
  expect_usage_error("describe solvr tpower", {"solvr", "did you mean \"solver\""});
  expect_usage_error("describe solver tpwer", {"tpwer", "did you mean \"tpower\""});
}

TEST_F(CommandLine, ListsEveryKindAsTextAndAsJson) {
  for (const auto& [kind, name] : {std::pair{"solvers", "tpower"},
                                   {"datasets", "pitprops"},
                                   {"metrics", "adjusted_variance"},
                                   {"experiments", "quickstart"},
                                   {"deflations", "remove-support"}}) {
    const Finished text = run(std::string("list ") + kind);
    EXPECT_EQ(text.code, 0) << kind << text.err;
    EXPECT_NE(text.out.find(name), std::string::npos) << kind;
    const Json list = run_json(std::string("list ") + kind);
    EXPECT_EQ(list.size(), line_count(text.out)) << kind;
    bool found = false;
    for (const Json& item : list) {
      found = found || item.at("name") == name;
      EXPECT_FALSE(item.at("summary").get<std::string>().empty()) << item;
    }
    EXPECT_TRUE(found) << kind;
  }
}

TEST_F(CommandLine, SLOW_DescribesEveryEntryThatItLists) {
  for (const auto& [kinds, kind] :
       {std::pair{"solvers", "solver"}, {"datasets", "dataset"}, {"metrics", "metric"}}) {
    for (const Json& item : run_json(std::string("list ") + kinds)) {
      const std::string name = item.at("name");
      const Json description = run_json(std::string("describe ") + kind + " " + name);
      EXPECT_EQ(description.at("name"), name);
      for (const Json& option : description.value("options", Json::array())) {
        EXPECT_TRUE(option.contains("default")) << name << option;
        EXPECT_FALSE(option.at("help").get<std::string>().empty()) << name << option;
      }
      EXPECT_EQ(run(std::string("describe ") + kind + " " + name).code, 0) << name;
    }
  }
}

TEST_F(CommandLine, SolvesPitPropsToTheCertifiedOptimum) {
  const Json answer = run_json(kPitprops + "--cardinality 5");
  std::vector<std::string> keys;
  for (const auto& [key, value] : answer.items()) {
    keys.push_back(key);
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"schema",
                                            "data",
                                            "components_asked",
                                            "cardinality_asked",
                                            "deflation",
                                            "solver",
                                            "options",
                                            "status",
                                            "message",
                                            "n",
                                            "p",
                                            "components",
                                            "metrics",
                                            "upper_bound",
                                            "gap",
                                            "reading_seconds",
                                            "solve_seconds",
                                            "check_seconds",
                                            "phases",
                                            "seed",
                                            "tuned",
                                            "cardinality_missed",
                                            "truncated",
                                            "unconstrained",
                                            "facts",
                                            "notes",
                                            "instance"}));
  EXPECT_EQ(answer["instance"]["id"], "pitprops-k5");
  EXPECT_EQ(answer["p"], 13);
  const Json& component = answer["components"].at(0);
  EXPECT_EQ(component["indices"].size(), 5U);
  EXPECT_TRUE(std::is_sorted(component["indices"].begin(), component["indices"].end()));
  EXPECT_EQ(component["names"].size(), 5U);
  EXPECT_NE(component["names"][0], "");
  double length = 0;
  for (const Json& value : component["values"]) {
    length += value.get<double>() * value.get<double>();
  }
  constexpr double kRounding = 1e-12;  // 5 products of numbers below 1, printed with all digits
  EXPECT_NEAR(length, 1, kRounding);
  constexpr double kPrinted = 5e-6;  // the optimum is known to 5 decimals: 3.40615
  EXPECT_NEAR(component["explained_variance"].get<double>(), 3.40615, kPrinted);
  EXPECT_GE(answer["upper_bound"].get<double>(), component["explained_variance"].get<double>());
  EXPECT_GE(answer["gap"].get<double>(), 0);
  EXPECT_TRUE(answer["metrics"]["support_f1"].is_null()) << "pit props have no known truth";
}

TEST_F(CommandLine, CertifiesTheAnswerOfAnExactSolver) {
  const Json answer = run_json("solve --dataset pitprops --solver exhaustive --cardinality 3");
  constexpr double kRounding = 1e-12;  // the bound is the value itself
  EXPECT_NEAR(answer["gap"].get<double>(), 0, kRounding);
}

TEST_F(CommandLine, TakesOneCardinalityForAllComponentsOrOneForEach) {
  const Json each = run_json(kPitprops + "--cardinality 7,2,1,1,1,1");
  ASSERT_EQ(each["components"].size(), 6U);
  EXPECT_EQ(each["components"][0]["indices"].size(), 7U);
  EXPECT_EQ(each["components"][1]["indices"].size(), 2U);
  EXPECT_EQ(each["metrics"]["cumulative_variance"].size(), 6U);
  EXPECT_EQ(each["metrics"]["non_orthogonality"], 0.0) << "remove-support is the default";
  const Json same = run_json(kPitprops + "--cardinality 4 --components 3");
  ASSERT_EQ(same["components"].size(), 3U);
  EXPECT_EQ(same["components"][2]["indices"].size(), 4U);
}

TEST_F(CommandLine, GivesTheSameBytesForTheSameSeed) {
  const std::string command = "solve --dataset pitprops --solver em --cardinality 4 --seed 7";
  Json first = run_json(command);
  Json second = run_json(command);
  for (Json* answer : {&first, &second}) {
    answer->erase("solve_seconds");
    answer->erase("reading_seconds");
    answer->erase("check_seconds");
    answer->erase("phases");
    answer->at("metrics").erase("solve_seconds");
    answer->at("metrics").erase("cpu_seconds");
  }
  EXPECT_EQ(first.dump(), second.dump());
}

TEST_F(CommandLine, PrintsATableThatAPersonReads) {
  const Finished table = run(kPitprops + "--cardinality 5");
  EXPECT_EQ(table.code, 0);
  EXPECT_EQ(table.err, "");
  for (const char* word : {"topdiam", "component 1", "explained variance", "lambda_1"}) {
    EXPECT_NE(table.out.find(word), std::string::npos) << word << "\n" << table.out;
  }
}

TEST_F(CommandLine, SaysWhereAPenaltyCannotReachTheCardinality) {
  const std::string command = "solve --dataset pitprops --solver gpower-l0 --cardinality 5";
  const Json answer = run_json(command);
  EXPECT_EQ(answer["tuned"], true);
  const bool missed = answer["components"][0]["indices"].size() < 5;
  EXPECT_EQ(answer["cardinality_missed"], missed);
  EXPECT_EQ(run(command).out.find("cannot reach") != std::string::npos, missed);
}

/// No penalty of spca-l1 leaves four nonzeros: their number falls from five to three.
TEST_F(CommandLine, TruncatesUnlessAskedNotTo) {
  const std::string command = "solve --dataset pitprops --solver spca-l1 --cardinality 4";
  const Json answer = run_json(command);
  EXPECT_EQ(answer["options"]["truncate"], true);
  EXPECT_EQ(answer["truncated"], true);
  EXPECT_EQ(answer["cardinality_missed"], false);
  EXPECT_EQ(answer["components"][0]["indices"].size(), 4U);
  EXPECT_TRUE(answer["message"].get<std::string>().starts_with("truncated from "));
  EXPECT_NE(run(command).out.find("--set truncate=false"), std::string::npos);
  const Json plain = run_json(command + " --set truncate=false");
  EXPECT_EQ(plain["truncated"], false);
  EXPECT_EQ(plain["cardinality_missed"], true);
  EXPECT_LT(plain["components"][0]["indices"].size(), 4U);
  EXPECT_GT(answer["metrics"]["explained_variance"], plain["metrics"]["explained_variance"]);
  EXPECT_NE(run(command + " --set truncate=false").out.find("cannot reach"), std::string::npos);
  expect_usage_error("solve --dataset pitprops --solver tpower --cardinality 4 --set truncate=true",
                     {"truncate"});
}

TEST_F(CommandLine, RefusesCardinalitiesThatMakeNoSense) {
  expect_usage_error(kPitprops + "--cardinality 14", {"--cardinality", "14", "p = 13"});
  expect_usage_error(kPitprops + "--cardinality 0", {"--cardinality", "\"0\"", ">= 1"});
  expect_usage_error(kPitprops + "--cardinality -3", {"--cardinality", "\"-3\""});
  expect_usage_error(kPitprops + "--cardinality five", {"--cardinality", "\"five\""});
  expect_usage_error(kPitprops + "--cardinality 5.5", {"--cardinality", "\"5.5\""});
  expect_usage_error(kPitprops + "--cardinality 5,", {"--cardinality", "\"5,\""});
  expect_usage_error(kPitprops + "--cardinality 99999999999999999999", {"--cardinality"});
  expect_usage_error(kPitprops + "--cardinality 5,4 --components 3",
                     {"--cardinality", "2 numbers for 3 components"});
  expect_usage_error(kPitprops + "--cardinality 1 --components 14", {"--components", "p = 13"});
  expect_usage_error(kPitprops + "--cardinality 1 --components x", {"--components", "\"x\""});
}

TEST_F(CommandLine, RefusesNamesThatDoNotExistAndSuggestsOnes) {
  expect_usage_error("solve --dataset pitprops --solver tpowr --cardinality 5",
                     {"--solver", "tpowr", "did you mean \"tpower\""});
  expect_usage_error("solve --dataset pitprop --solver tpower --cardinality 5",
                     {"--dataset", "did you mean \"pitprops\""});
  expect_usage_error(kPitprops + "--cardinality 5 --deflation projecton",
                     {"--deflation", "did you mean \"projection\""});
  expect_usage_error(kPitprops + "--cardinality 5 --set start=diagonal",
                     {"start", "did you mean \"starts\""});
  expect_usage_error(kPitprops + "--cardinality 5 --set dataset.x=1", {"/x", "unknown option"});
}

TEST_F(CommandLine, RefusesValuesOutOfRangeOrOfTheWrongType) {
  const std::string threshold = "solve --dataset pitprops --solver threshold --cardinality 5 ";
  expect_usage_error(threshold + "--set refit=2", {"refit", "true, false"});
  expect_usage_error(threshold + "--set refit", {"--set refit", "option=value"});
  const std::string penalised = "solve --dataset pitprops --solver gpower-l1 ";
  expect_usage_error(penalised + "--set penalty=-1", {"penalty", "-1", "accepted"});
  expect_usage_error(penalised + "--set penalty=much", {"penalty", "much", "accepted"});
  expect_usage_error(penalised + "--set penalty=0.1 --cardinality 5",
                     {"--set penalty", "one of --cardinality"});
  expect_usage_error(kPitprops + "--cardinality 5 --seed -1", {"--seed", "\"-1\""});
  expect_usage_error(kPitprops + "--cardinality 5 --time-limit 0", {"--time-limit", "> 0"});
  expect_usage_error(kPitprops + "--cardinality 5 --time-limit nan", {"--time-limit", "nan"});
}

TEST_F(CommandLine, RefusesContradictoryOptions) {
  write("x.csv", "1,2\n3,5\n4,4\n");
  const std::string rest = " --solver tpower --cardinality 1";
  expect_usage_error("solve --data x.csv --dataset pitprops" + rest, {"--data", "--dataset"});
  expect_usage_error("solve" + rest, {"--data FILE", "--dataset NAME"});
  expect_usage_error("solve --data x.csv --center --no-center" + rest, {"--center", "--no-center"});
  expect_usage_error("solve --dataset pitprops --kind data" + rest, {"--kind", "with --data"});
  expect_usage_error("solve --dataset pitprops --scale n" + rest, {"--scale", "S itself"});
  expect_usage_error("solve --data x.csv --kind covariance --center" + rest,
                     {"--center", "--kind covariance"});
  expect_usage_error("solve --data x.csv --kind matrix" + rest, {"--kind", "matrix", "covariance"});
  expect_usage_error("solve --data x.csv --scale m" + rest, {"--scale", "n-1"});
  expect_usage_error("solve --data x.csv --set dataset.x=1" + rest,
                     {"dataset", "unknown option", "minimum_count"});
}

TEST_F(CommandLine, RefusesDataThatCannotBeUsed) {
  const std::string rest = " --solver tpower --cardinality 1";
  expect_usage_error("solve --data missing.csv" + rest, {"missing.csv"});
  expect_usage_error("solve --data ." + rest, {"."});
  write("nan.csv", "a,b\n1,2\n3,nan\n4,4\n");
  expect_usage_error("solve --data nan.csv" + rest, {"nan.csv", "3"});
  write("ragged.csv", "1,2\n3\n4,4\n");
  expect_usage_error("solve --data ragged.csv" + rest, {"ragged.csv", "2"});
  write("empty.csv", "");
  expect_usage_error("solve --data empty.csv" + rest, {"empty.csv"});
  write("asymmetric.csv", "1,0.5\n0.4,1\n");
  expect_usage_error("solve --data asymmetric.csv --kind covariance" + rest, {"symmetric"});
  write("oblong.csv", "1,0.5,0\n0.5,1,0\n");
  expect_usage_error("solve --data oblong.csv --kind covariance" + rest, {"square"});
  write("indefinite.csv", "1,2\n2,1\n");
  expect_usage_error("solve --data indefinite.csv --kind covariance" + rest, {"eigenvalue"});
  write("locked.csv", "1,2\n3,4\n");
  fs::permissions(folder_ / "locked.csv", fs::perms::none);
  if (geteuid() != 0) {  // root reads everything
    expect_usage_error("solve --data locked.csv" + rest, {"locked.csv"});
  }
}

TEST_F(CommandLine, SaysWhereAMissingDataSetIsLookedFor) {
  expect_usage_error("--data-dir . solve --dataset kos --solver tpower --cardinality 5",
                     {"kos", "--data-dir"});
  expect_usage_error("solve --data-dir . --dataset kos --solver tpower --cardinality 5", {"kos"});
}

TEST_F(CommandLine, AppliesCentringAndScaleToAFile) {
  write("x.csv", "1,0\n3,0\n5,0\n");
  const auto variance = [&](const std::string& preparation) {
    return run_json("solve --data x.csv --solver tpower --cardinality 1 " + preparation)
        .at("components")[0]
        .at("explained_variance")
        .get<double>();
  };
  EXPECT_DOUBLE_EQ(variance(""), 8.0 / 3);  // squares around the mean 3: 4, 0, 4
  EXPECT_DOUBLE_EQ(variance("--scale n-1"), 4);
  EXPECT_DOUBLE_EQ(variance("--scale none"), 8);
  EXPECT_DOUBLE_EQ(variance("--no-center --scale none"), 35);
}

TEST_F(CommandLine, ReadsACovarianceAsItIs) {
  write("s.csv", "2,1\n1,2\n");
  const Json answer =
      run_json("solve --data s.csv --kind covariance --solver exhaustive --cardinality 2");
  EXPECT_DOUBLE_EQ(answer["components"][0]["explained_variance"].get<double>(), 3);
  EXPECT_TRUE(answer["n"].is_null());
}

TEST_F(CommandLine, ReportsAFullDiskOnStandardOutput) {
  if (!fs::exists("/dev/full")) {
    GTEST_SKIP() << "no /dev/full on this system";
  }
  const Finished finished = shell(program() + " list metrics > /dev/full");
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("standard output"), std::string::npos) << finished.err;
  EXPECT_EQ(line_count(finished.err), 1U);
}

TEST_F(CommandLine, EndsQuietlyWhereThePipeIsClosed) {
  // `true` never reads the pipe, and has ended before the program writes, after `sleep`.
  const Finished finished = shell("( sleep 0.3; " + program() + " list metrics ) | true");
  EXPECT_EQ(finished.err, "");
}

TEST_F(CommandLine, ValidatesExperiments) {
  const Finished valid = run("validate quickstart");
  EXPECT_EQ(valid.code, 0) << valid.err;
  EXPECT_NE(valid.out.find("quickstart: valid"), std::string::npos) << valid.out;
  expect_usage_error("validate quickstrat", {"quickstrat", "did you mean \"quickstart\""});
  expect_usage_error("run quickstrat", {"did you mean \"quickstart\""});
  expect_usage_error("reproduce quickstrat", {"did you mean \"quickstart\""});
  expect_usage_error("table quickstrat", {"quickstrat", "cells.jsonl"});
  write("twice.json", "{\"name\": \"twice\",\n \"title\": \"a\",\n \"title\": \"b\"}\n");
  expect_usage_error("validate twice.json", {"twice.json:3", "title"});
  write("broken.json", "{\"name\": ");
  expect_usage_error("validate broken.json", {"broken.json"});
}

TEST_F(CommandLine, RefusesRunOptionsThatMakeNoSense) {
  expect_usage_error("run quickstart -j 0", {"-j", "\"0\"", ">= 1"});
  expect_usage_error("run quickstart -j many", {"-j", "many"});
  expect_usage_error("run quickstart --profile smok", {"--profile", "did you mean \"smoke\""});
  expect_usage_error("run quickstart --only solvr 'tp*'", {"--only", "did you mean \"solver\""});
  expect_usage_error("run quickstart --repeats 0", {"--repeats"});
  expect_usage_error("run quickstart --memory-limit -5", {"--memory-limit"});
  EXPECT_FALSE(fs::exists(folder_ / "results")) << "nothing is written where the words are wrong";
}

/// Returns a small experiment with one published number, `printed`, and one claim.
std::string experiment_text(const std::string& name, const std::string& printed) {
  return R"({
  "name": ")" +
         name + R"(",
  "title": "Pit props at cardinality 5",
  "grids": {"one": {
    "datasets": ["pitprops"],
    "solvers": ["tpower", "threshold"],
    "cardinality": [5],
    "metrics": ["explained_variance"]
  }},
  "published": [{
    "name": "table-1",
    "where": "Table 1",
    "method": "own",
    "metric": "explained_variance",
    "match": {"grid": "one"},
    "rows": [{"label": "TPower", "match": {"solver": "tpower"}, "printed": ")" +
         printed + R"("}]
  }],
  "claims": [{"claim": "TPower explains at least as much as thresholding", "where": "section 2",
    "left": {"solver": "tpower"}, "is": ">=", "right": {"solver": "threshold"},
    "metric": "explained_variance"}]
})";
}

TEST_F(CommandLine, RunsAnExperimentAndKeepsFinishedCells) {
  write("good.json", experiment_text("good", "3.406"));
  const Finished dry = run("run good.json --dry-run -o out");
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_FALSE(fs::exists(folder_ / "out" / "cells.jsonl"));
  const Finished first = run("run good.json -o out");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out, "out\n");
  EXPECT_NE(first.err.find("2 cells"), std::string::npos) << first.err;
  const std::string cells = content(folder_ / "out" / "cells.jsonl");
  EXPECT_EQ(line_count(cells), 2U);
  const Json again = run_json("run good.json -o out");
  EXPECT_EQ(again["kept"], 2);
  EXPECT_EQ(again["run"], 0);
  EXPECT_EQ(content(folder_ / "out" / "cells.jsonl"), cells);
  const Finished only = run("run good.json --only solver 'tp*' --only dataset pitprops -o only");
  EXPECT_EQ(only.code, 0) << only.err;
  EXPECT_EQ(line_count(content(folder_ / "only" / "cells.jsonl")), 1U);
}

TEST_F(CommandLine, KeepsARunWithSettingsApartFromThePlainOne) {
  write("good.json", experiment_text("good", "3.406"));
  ASSERT_EQ(run("run good.json").code, 0);
  const std::string set = "--set '/grids/one/cardinality=[4]' --set '/published=[]'";
  const Json other = run_json("run good.json " + set);
  EXPECT_EQ(other["kept"], 0);
  EXPECT_EQ(run_json("run good.json " + set)["kept"], 2) << "the same settings continue";
  const std::string directory = other["directory"].get<std::string>();
  EXPECT_NE(run("table " + directory).out.find("2.93748"), std::string::npos);
  EXPECT_NE(run("table good").out.find("3.40615"), std::string::npos) << "the newest plain run";
  const Json manifest = Json::parse(content(folder_ / directory / "manifest.json"));
  EXPECT_EQ(manifest["overrides"]["set"], (Json{"/grids/one/cardinality=[4]", "/published=[]"}));
  expect_usage_error("run good.json --set /grids/one/repeat=2",
                     {"--set /grids/one/repeat=2", "did you mean \"repeats\""});
  expect_usage_error("validate good.json --max-cells 1", {"more than 1 solvers", "--max-cells"});
}

TEST_F(CommandLine, PrintsTheTablesOfARunInEveryFormat) {
  write("good.json", experiment_text("good", "3.406"));
  ASSERT_EQ(run("run good.json -o out").code, 0);
  for (const std::string format : {"text", "md", "csv", "tex"}) {
    const Finished table = run("table out --format " + format);
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_NE(table.out.find("tpower"), std::string::npos) << format << table.out;
    EXPECT_NE(table.out.find("3.40"), std::string::npos) << format << table.out;
  }
  EXPECT_FALSE(run_json("table out").empty());
  expect_usage_error("table out --format html", {"html"});
}

TEST_F(CommandLine, PrintsTheTablesOfARunFromItsFolderAlone) {
  write("good.json", experiment_text("good", "3.406").insert(1, R"("profiles": {
    "full": {}, "smoke": {"grids": {"one": {"cardinality": [4]}}}},)"));
  ASSERT_EQ(run("run good.json --profile smoke -o out").code, 0);
  fs::remove(folder_ / "good.json");
  fs::rename(folder_ / "out", folder_ / "moved");
  const Finished table = run("table moved --format csv");
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("2.93748"), std::string::npos) << table.out;
}

TEST_F(CommandLine, ReproducesAPublishedNumberOrSaysThatItIsWorse) {
  write("good.json", experiment_text("good", "3.406"));
  const Finished text = run("reproduce good.json -o good");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("Table 1"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("reproduced"), std::string::npos) << text.out;
  const Json good = run_json("reproduce good.json -o good");
  EXPECT_EQ(good["verdicts"]["own"]["reproduced"], 1);
  EXPECT_EQ(good["verdicts"]["claims"]["holds"], 1);
  EXPECT_EQ(good["experiments"][0]["claims"][0]["verdict"], "holds");
  EXPECT_NE(text.out.find("good: the paper's method: 1 reproduced; claims of the paper: 1 holds\n"),
            std::string::npos)
      << text.out;
  EXPECT_EQ(good["experiments"][0]["run"]["kept"], 2);
  EXPECT_EQ(good["experiments"][0]["comparisons"][0]["verdict"], "reproduced");
  write("bad.json", experiment_text("bad", "3.506"));
  EXPECT_EQ(run("reproduce bad.json -o bad").code, 4);
}

TEST_F(CommandLine, ADifferenceIsExplainedInItsRangeAndIsAnErrorIfItExplainsNothing) {
  const auto with_range = [&](const std::string& name, const std::string& range) {
    return experiment_text(name, "3.506").insert(1, R"("known_differences": [{"match": {"solver":
      "tpower"}, "metric": "explained_variance", "direction": "worse", "why": "known.", "range":
      {"absolute": )" + range + "}}],");
  };
  write("known.json", with_range("known", "[0.05, 0.2]"));
  const Finished known = run("reproduce known.json -o known");
  EXPECT_EQ(known.code, 0) << known.out;
  EXPECT_NE(known.out.find("Unexplained, because nothing measures it: known."), std::string::npos)
      << known.out;
  EXPECT_NE(known.out.find("1 unexplained"), std::string::npos) << known.out;
  write("stale.json", with_range("stale", "[0.5, 2]"));
  const Finished stale = run("reproduce stale.json -o stale");
  EXPECT_EQ(stale.code, 4);
  EXPECT_NE(stale.out.find("/known_differences/0 no longer explains anything"), std::string::npos)
      << stale.out;
  EXPECT_NE(stale.out.find("1 known difference no longer explains anything"), std::string::npos)
      << stale.out;
  EXPECT_EQ(run("validate known.json --run known").code, 0);
  EXPECT_EQ(run("validate stale.json").code, 0) << "it runs nothing";
  expect_usage_error("validate stale.json --run stale",
                     {"stale.json:1:", "/known_differences/0", "no number of stale"});
}

TEST_F(CommandLine, AClaimThatFailsIsAFailureUnlessTheExperimentSaysWhy) {
  std::string text = experiment_text("claimed", "3.406");
  text.replace(text.find("\">=\""), 4, "\"<\"");
  write("claimed.json", text);
  const Finished fails = run("reproduce claimed.json -o claimed");
  EXPECT_EQ(fails.code, 4) << fails.out;
  EXPECT_NE(fails.out.find("claims of the paper: 1 fails"), std::string::npos) << fails.out;
  EXPECT_NE(run("table claimed").out.find("TPower explains at least as much"), std::string::npos);
  text.insert(text.find("\"claim\":"), "\"why\": \"it is known.\", ");
  write("claimed.json", text);
  EXPECT_EQ(run("reproduce claimed.json -o again").code, 0);
}

TEST_F(CommandLine, ValidateFindsThatNothingMeasuresAnExplanation) {
  const std::string text = experiment_text("good", "3.406");
  write("good.json", std::string(text).insert(1, R"("known_differences": [{"match": {"solver":
      "tpower"}, "metric": "explained_variance", "direction": "worse", "why": "w", "range":
      {"absolute": [0, 1]}, "measured_by": {"experiment": "good", "grid": "two"}}],)"));
  expect_usage_error("validate good.json",
                     {"/known_differences/0/measured_by/grid", "found \"two\"", "accepted: one"});
}

}  // namespace
}  // namespace spca::cli_test
