/// Tests of `spca history` and `spca check --history` with a solver that changes between the runs
/// of a history.

#include "tests/command_line.h"

namespace spca::history_cli_test {
namespace {

/// Four cells: two solvers, two cardinalities. Times are not measured: on a busy machine, times of
/// microseconds show nothing.
const char* const kExperiment = R"({
  "name": "drift", "title": "Two thresholds", "grids": {"g": {
    "datasets": ["pitprops"], "solvers": ["threshold*"], "cardinality": [3, 7],
    "metrics": ["explained_variance", "iterations"]}},
  "profiles": {"smoke": {}}})";

const char* const kBenchmark = R"({"context": {"date": "2026-11-23T09:15:00+01:00",
  "host_name": "h", "num_cpus": 2, "executable": "./products_bench"}, "benchmarks": [
  {"name": "a/64", "run_name": "a/64", "run_type": "iteration", "real_time": 5, "cpu_time": 4,
   "time_unit": "us"}]})";

class HistoryCommand : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    write("drift.json", kExperiment);
  }
  /// Runs the misbehaving program after the change `drift` to one of its solvers.
  Finished run_drifted(const std::string& drift, const std::string& arguments) const {
    return shell("SPCA_CACHE_DIR= SPCA_TEST_DRIFT=" + drift + " '" SPCA_MISBEHAVING_PROGRAM "' " +
                 arguments);
  }
  /// Runs the experiment and adds the run as that of `commit` on the day `date`.
  void add(const std::string& drift, const std::string& commit, const std::string& date) const {
    const Finished ran = run_drifted(drift, "run drift.json --profile smoke -o " + commit);
    ASSERT_TRUE(ran.code == 0 || drift == "failing") << ran.err;
    const Finished added =
        run("history add " + commit + " --file h.sqlite --commit " + commit + " --date " + date);
    ASSERT_EQ(added.code, 0) << added.err;
  }
};

TEST_F(HistoryCommand, NamesTheCommitThatMadeANumberWorseUntilItIsMended) {
  add("none", "first", "2026-01-01");
  add("none", "second", "2026-01-02");
  EXPECT_EQ(run("history worse --file h.sqlite").code, 0);
  add("worse", "third", "2026-01-03");
  const Finished worse = run("history worse --file h.sqlite");
  EXPECT_EQ(worse.code, 4) << worse.err;
  EXPECT_NE(worse.out.find("third"), std::string::npos) << worse.out;
  EXPECT_NE(worse.out.find("pitprops / threshold-drift / k = 3"), std::string::npos) << worse.out;
  const Json json = run_json("history worse drift --file h.sqlite --since 2026-01-03", 4);
  ASSERT_EQ(json["worse"].size(), 2U);
  EXPECT_EQ(json["worse"][0]["commit"], "third");
  EXPECT_EQ(json["worse"][0]["last_good"], "second");
  EXPECT_EQ(json["worse"][0]["metric"], "explained_variance");
  EXPECT_EQ(run("history worse --file h.sqlite --since 2026-01-04").code, 0);
  ASSERT_EQ(run("site third -o site --history h.sqlite").code, 0);
  EXPECT_NE(content(folder_ / "site/changes.html").find(">third<"), std::string::npos);
  ASSERT_EQ(run("site third -o site --history h.sqlite --since 2026-01-04").code, 0);
  EXPECT_NE(content(folder_ / "site/changes.html").find("Nothing got worse."), std::string::npos);
  add("restored", "fourth", "2026-01-04");
  const Finished mended = run("history worse --file h.sqlite");
  EXPECT_EQ(mended.code, 0);
  EXPECT_NE(mended.out.find("worse, mended"), std::string::npos) << mended.out;
  const Finished shown = run("history show drift --file h.sqlite --metric explained_variance");
  EXPECT_EQ(shown.code, 0);
  EXPECT_NE(shown.out.find("third, fourth"), std::string::npos) << shown.out;
  EXPECT_EQ(run_json("history show drift --file h.sqlite")["runs"].size(), 4U);
}

TEST_F(HistoryCommand, ACellThatFailsIsWorse) {
  add("none", "first", "2026-01-01");
  add("failing", "second", "2026-01-02");
  const Json json = run_json("history worse --file h.sqlite", 4);
  ASSERT_FALSE(json["worse"].empty());
  EXPECT_EQ(json["worse"][0]["metric"], "answers");
  EXPECT_EQ(json["worse"][0]["commit"], "second");
}

TEST_F(HistoryCommand, TakesARunOnce) {
  add("none", "first", "2026-01-01");
  const std::string before = content(folder_ / "h.sqlite");
  const Json again = run_json("history add first --file h.sqlite --commit other");
  EXPECT_EQ(again["added"], false);
  EXPECT_EQ(again["known_as"], "first");
  EXPECT_EQ(content(folder_ / "h.sqlite"), before);
}

TEST_F(HistoryCommand, ARunCanBeTakenOut) {
  add("none", "first", "2026-01-01");
  add("worse", "second", "2026-01-02");
  EXPECT_EQ(run("history worse --file h.sqlite").code, 4);
  const Finished unknown = run("history remove drift --file h.sqlite --commit third");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("accepted: first, second"), std::string::npos) << unknown.err;
  EXPECT_EQ(run_json("history remove drift --file h.sqlite --commit second")["removed"], 1);
  EXPECT_EQ(run("history worse --file h.sqlite").code, 0);
  EXPECT_EQ(run_json("history show drift --file h.sqlite")["runs"].size(), 1U);
  EXPECT_EQ(run("history add second --file h.sqlite --commit again --date 2026-01-03").code, 0);
  EXPECT_EQ(run("history worse --file h.sqlite").code, 4);
  EXPECT_EQ(run("history remove drift --file none.sqlite --commit first").code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "none.sqlite"));
}

TEST_F(HistoryCommand, WithoutACommitTheSourcesNameTheRun) {
  ASSERT_EQ(run("run drift.json --profile smoke --only solver threshold -o r").code, 0);
  const Json added = run_json("history add r");
  const Json manifest = Json::parse(content(folder_ / "r/manifest.json"));
  const std::string revision = manifest["build"]["revision"].get<std::string>();
  EXPECT_EQ(added["commit"], revision.substr(0, 12));
  EXPECT_EQ(added["date"], manifest["ended"]);
  EXPECT_EQ(added["file"], "results/history.sqlite");
  EXPECT_NE(run("history show").out.find("drift"), std::string::npos);
}

TEST_F(HistoryCommand, APartialRunIsKeptApart) {
  add("none", "whole", "2026-01-01");
  const std::string part = "run drift.json --profile smoke --only solver threshold -o part";
  ASSERT_EQ(run_drifted("none", part).code, 0);
  const Finished added =
      run_drifted("none", "history add part --file h.sqlite --commit part --date 2026-01-02");
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_NE(added.err.find("a partial run, 2 of 4 cells: it is kept apart from whole runs, as "
                           "\"smoke --only solver threshold\""),
            std::string::npos)
      << added.err;
  ASSERT_EQ(run_drifted("none", "run drift.json --profile smoke --repeats 1 -o once").code, 0);
  const Finished altered =
      run_drifted("none", "history add once --file h.sqlite --commit once --date 2026-01-03");
  EXPECT_NE(altered.err.find("a run with other settings than the experiment's: it is kept apart, "
                             "as \"smoke --repeats 1\""),
            std::string::npos)
      << altered.err;
  const Json listed = run_json("history show --file h.sqlite");
  EXPECT_EQ(listed["experiments"]["drift"]["runs"], 3);
  EXPECT_EQ(listed["experiments"]["drift"]["kept_apart"], 2);
  run("history remove drift --file h.sqlite --commit once");
  const Json shown = run_json("history show drift --file h.sqlite --metric explained_variance");
  EXPECT_EQ(shown["trends"].size(), 6U);
  for (const Json& trend : shown["trends"]) {
    EXPECT_EQ(trend["points"].size(), 1U) << trend.dump();
  }
  const Finished checked = run_drifted("none", "check drift.json -o again --history h.sqlite");
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  EXPECT_NE(checked.out.find("the median of 1 run to commit whole: 4 cells"), std::string::npos)
      << checked.out;
}

TEST_F(HistoryCommand, TimesOfTheCacheAreNoneOfThisRun) {
  const std::string words =
      " drift.json --profile smoke --only solver threshold --set "
      "'/grids/g/metrics=[\"explained_variance\",\"solve_seconds\"]' -o ";
  ASSERT_EQ(run("run" + words + "a").code, 0);
  ASSERT_EQ(run("run" + words + "b").code, 0);
  EXPECT_EQ(run_json("history add a --commit a --file h.sqlite")["reused"], 0);
  EXPECT_EQ(run_json("history add b --commit b --file h.sqlite")["reused"], 2);
  const Json shown = run_json("history show drift --file h.sqlite --metric solve_seconds");
  ASSERT_EQ(shown["trends"].size(), 1U);
  EXPECT_EQ(shown["trends"][0]["points"].size(), 1U);
}

TEST_F(HistoryCommand, TheGateTakesTheMedianOfTheLastRuns) {
  for (int i = 1; i <= 3; ++i) {
    add(i == 2 ? "worse" : "none", "c" + std::to_string(i), "2026-01-0" + std::to_string(i));
  }
  const std::string by = " --history h.sqlite --last 3";
  ASSERT_EQ(run_drifted("none", "check drift.json -o good" + by).code, 0);
  const Finished passes = run("check good" + by);
  EXPECT_EQ(passes.code, 0) << passes.out << passes.err;
  EXPECT_NE(passes.out.find("the median of 3 runs to commit c3"), std::string::npos) << passes.out;
  ASSERT_EQ(run_drifted("worse", "run drift.json --profile smoke -o bad").code, 0);
  EXPECT_EQ(run("check bad" + by).code, 4);
  EXPECT_EQ(run("check good --history h.sqlite --baseline b.json").code, 2);
  expect_usage_error("check good", {"--baseline, --history", "neither"});
  expect_usage_error("check good --baseline b.json -j 2", {"-j", "is for an experiment"});
  expect_usage_error("check quickstart --baseline b.json --force",
                     {"--force", "the folder of a run"});
  expect_usage_error("check good --history none.sqlite", {"none.sqlite", "spca history add"});
}

TEST_F(HistoryCommand, TheGateSaysHowARunGetsIntoTheHistory) {
  add("none", "only", "2026-01-01");
  const Finished alone = run("check only --history h.sqlite");
  EXPECT_EQ(alone.code, 5) << alone.out << alone.err;
  EXPECT_NE(
      alone.out.find("h.sqlite, which has no other run of drift smoke: 0 cells (exit code 5)"),
      std::string::npos)
      << alone.out;
  EXPECT_NE(alone.out.find("new, not in the history: "), std::string::npos) << alone.out;
  EXPECT_NE(alone.out.find("hint: `spca history add RUN`"), std::string::npos) << alone.out;
  EXPECT_EQ(alone.out.find("baseline"), std::string::npos) << alone.out;
}

TEST_F(HistoryCommand, KernelsShareTheFile) {
  write("b.json", kBenchmark);
  const Json added = run_json("history import b.json --commit v1 --file h.sqlite");
  EXPECT_EQ(added["experiment"], "products_bench");
  EXPECT_EQ(run_json("history import b.json --commit v1 --file h.sqlite")["added"], false);
  const Json shown = run_json("history show products_bench --file h.sqlite");
  EXPECT_EQ(shown["trends"].size(), 2U);
  EXPECT_EQ(shown["trends"][0]["cell"], "a/64");
}

/// Many machines hide their counters, so either outcome is accepted.
TEST_F(HistoryCommand, InstructionsAreCountedOrARunSaysWhyNot) {
  write("counted.json", R"({"name": "counted", "title": "t", "grids": {"g": {
    "datasets": ["pitprops"], "solvers": ["threshold"], "cardinality": [3],
    "metrics": ["explained_variance", "instructions"]}}})");
  const Finished ran = run("run counted.json -o r");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string line = content(folder_ / "r/cells.jsonl");
  const Json counted = Json::parse(line.substr(0, line.find('\n')))["timing"]["instructions"];
  const bool says_why = ran.err.find("instructions are not counted: ") != std::string::npos;
  EXPECT_EQ(counted.is_null(), says_why) << ran.err;
  EXPECT_TRUE(counted.is_null() || counted.get<double>() > 1000);
  const std::string known = run_json("env")["cells"]["instructions"].get<std::string>();
  EXPECT_EQ(known == "counted", !says_why);
}

TEST_F(HistoryCommand, RefusesInOneLine) {
  write("b.json", std::string(kBenchmark).substr(0, 200));
  write("notes.txt", "no database, but many words to make it longer than a header of SQLite has");
  fs::create_directory(folder_ / "folder");
  expect_usage_error("history ad", {"ACTION", "did you mean", "add, import, show, worse"});
  expect_usage_error("history add", {"found no RUN"});
  expect_usage_error("history show --last 3",
                     {"--last: is not for history show without EXPERIMENT"});
  expect_usage_error("history add nowhere", {"nowhere"});
  expect_usage_error("history import b.json --commit c", {"b.json:"});
  expect_usage_error("history import b.json", {"--commit"});
  expect_usage_error("history import none.json --commit c", {"none.json"});
  expect_usage_error("history show drift --commit c", {"--commit: is not for history show"});
  expect_usage_error("history show drift", {"results/history.sqlite", "spca history add"});
  expect_usage_error("history show drift --file notes.txt", {"notes.txt"});
  expect_usage_error("history worse --file folder", {"folder: is not a history"});
  expect_usage_error("history worse --since yesterday", {"--since", "2026-11-23"});
  expect_usage_error("history show drift -o x.gif", {"--output", ".svg"});
  EXPECT_EQ(content(folder_ / "notes.txt").rfind("no database", 0), 0U);
  add("none", "first", "2026-01-01");
  expect_usage_error("history show drit --file h.sqlite", {"did you mean", "accepted: drift"});
  expect_usage_error("history show drift --file h.sqlite --metric nothing", {"accepted: answers"});
  expect_usage_error("history add first --file h.sqlite --commit 'a b'", {"--commit"});
  expect_usage_error("history add first --file notes.txt", {"notes.txt"});
  // A run that is not whole.
  const std::string cells = content(folder_ / "first/cells.jsonl");
  write("first/cells.jsonl", cells.substr(0, cells.size() / 2));
  expect_usage_error("history add first --file h.sqlite", {"first/"});
}

}  // namespace
}  // namespace spca::history_cli_test
