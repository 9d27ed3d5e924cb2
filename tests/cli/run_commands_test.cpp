/// Tests of run --dry-run, --force and --shard, and of merge, status and cache.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "harness/records/record_line.h"
#include "harness/records/run_seal.h"

namespace spca::run_commands_test {
namespace {

namespace fs = std::filesystem;

struct Finished {
  int code = -1;
  std::string out;
  std::string err;
};

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Returns the parts of the records that do not depend on machine, time or neighbouring cells.
std::string answers(const fs::path& cells) {
  std::ifstream file(cells);
  std::string all;
  for (std::string line; std::getline(file, line);) {
    Json record = Json::parse(line);
    for (const char* field : {"contended", "reused", "timing", "cost", "trace_seconds", "check"}) {
      record.erase(field);
    }
    all += record.dump() + "\n";
  }
  return all;
}

class RunCommands : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "spca_run_commands_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    write("spiked.json", experiment("spiked", 8));
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string experiment(const std::string& name, int repeats) {
    return R"({"name": ")" + name + R"(", "title": "Spikes", "grids": {"one": {
      "datasets": ["pitprops", {"name": "spiked", "options": {"samples": 50}}],
      "solvers": ["tpower", "threshold"], "cardinality": [3, 5],
      "metrics": ["explained_variance", "solve_seconds"], "repeats": )" +
           std::to_string(repeats) + "}}}";
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  Finished run(const std::string& arguments, const std::string& before = "") const {
    const std::string line = "cd '" + folder_.string() + "' && " + before + " '" SPCA_PROGRAM "' " +
                             arguments + " > stdout.txt 2> stderr.txt < /dev/null";
    const int status = std::system(line.c_str());
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = content(folder_ / "stdout.txt"),
            .err = content(folder_ / "stderr.txt")};
  }
  Json json(const std::string& arguments, int code = 0) const {
    const Finished finished = run(arguments + " --json");
    EXPECT_EQ(finished.code, code) << arguments << "\n" << finished.err;
    return Json::parse(finished.out, nullptr, false);
  }
  void expect_error(const std::string& arguments, const std::vector<std::string>& words,
                    int code = 2) const {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.code, code) << arguments << "\n" << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.err.find('\n'), finished.err.size() - 1) << finished.err;
    for (const std::string& word : words) {
      EXPECT_NE(finished.err.find(word), std::string::npos) << finished.err << "lacks " << word;
    }
  }

  fs::path folder_;
};

constexpr std::size_t kCells = 64;

TEST_F(RunCommands, ADryRunSaysOfEachCellWhereItsRecordIs) {
  const Finished before = run("run spiked.json --dry-run");
  EXPECT_EQ(before.code, 0) << before.err;
  EXPECT_EQ(before.err, "");
  EXPECT_NE(before.out.find("64 misses: time unknown"), std::string::npos) << before.out;
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  ASSERT_EQ(run("run spiked.json --only solver tpower").code, 0);
  const Json plan = json("run spiked.json --dry-run");
  EXPECT_EQ(plan["totals"]["hits_in_cache"], kCells / 2);
  EXPECT_EQ(plan["totals"]["misses"], kCells / 2);
  ASSERT_EQ(plan["cells"].size(), kCells);
  for (const Json& cell : plan["cells"]) {
    const bool is_hit = cell["solver"] == "tpower";
    EXPECT_EQ(cell["hit"], is_hit);
    EXPECT_EQ(cell["from"], is_hit ? Json("cache") : Json(nullptr));
    EXPECT_EQ(cell["reason"], is_hit ? Json(nullptr) : Json("never run"));
  }
  EXPECT_EQ(json("run spiked.json --dry-run --no-cache")["totals"]["misses"], kCells);
  const Json summary = json("run spiked.json");
  EXPECT_EQ(summary["reused"], kCells / 2);
  EXPECT_EQ(summary["run"], kCells / 2);
  EXPECT_EQ(json("run spiked.json --dry-run")["totals"]["hits_in_run"], kCells);
  const Json forced = json("run spiked.json --dry-run --force");
  EXPECT_EQ(forced["totals"]["misses"], kCells);
  EXPECT_EQ(forced["totals"]["unpredicted"], 0);
  EXPECT_GT(forced["totals"]["predicted_seconds"], 0);
  EXPECT_EQ(forced["cells"][0]["reason"], "forced");
}

TEST_F(RunCommands, ForceTakesAPatternOnlyBehindAnEqualsSign) {
  ASSERT_EQ(run("run spiked.json").code, 0);
  EXPECT_EQ(json("run --force spiked.json")["run"], kCells);
  EXPECT_EQ(json("run --force -j 2 spiked.json")["run"], kCells);
  EXPECT_EQ(json("run spiked.json --force")["run"], kCells);
  EXPECT_EQ(json("run --force=tpower spiked.json")["run"], kCells / 2);
  EXPECT_EQ(json("run spiked.json '--force=t*/pitprops'")["run"], kCells / 2);
  EXPECT_EQ(json("run spiked.json")["run"], 0);
  expect_error("run spiked.json --force=", {"--force", "GLOB"});
  expect_error("run spiked.json --force=nobody", {"--force", "\"nobody\"", "accepted"});
}

TEST_F(RunCommands, TheCacheIsPlacedAndSwitchedOff) {
  ASSERT_EQ(run("run spiked.json -o a --no-cache").code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  ASSERT_EQ(run("run spiked.json -o b", "SPCA_CACHE_DIR=").code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  ASSERT_EQ(run("run spiked.json -o c", "SPCA_CACHE_DIR=elsewhere").code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  EXPECT_TRUE(fs::exists(folder_ / "elsewhere"));
  const Finished listed = run("cache ls --json", "SPCA_CACHE_DIR=elsewhere");
  const Json listing = Json::parse(listed.out);
  EXPECT_EQ(listing["entries"], kCells);
  EXPECT_EQ(listing["by_experiment"]["spiked"]["entries"], kCells);
  EXPECT_EQ(listing["by_solver"]["tpower"]["entries"], kCells / 2);
  EXPECT_EQ(listing["by_dataset"]["pitprops"]["entries"], kCells / 2);
  EXPECT_EQ(listing["by_source"].size(), 1U);
  EXPECT_EQ(listing["by_source"]["current"]["entries"], kCells);
  EXPECT_EQ(json("cache ls")["entries"], 0);
}

TEST_F(RunCommands, ShardsMergeToTheWholeRun) {
  ASSERT_EQ(run("run spiked.json -o whole --no-cache").code, 0);
  for (const std::string part : {"1", "2", "3"}) {
    ASSERT_EQ(run("run spiked.json --no-cache --shard " + part + "/3 -o part" + part).code, 0);
  }
  const Finished merged = run("merge part3 part1 part2 -o merged");
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out, "merged\n");
  EXPECT_EQ(answers(folder_ / "merged/cells.jsonl"), answers(folder_ / "whole/cells.jsonl"));
  const Json manifest = Json::parse(content(folder_ / "merged/manifest.json"));
  EXPECT_TRUE(manifest["shard"].is_null());
  EXPECT_EQ(manifest["merged"].size(), 3U);
  EXPECT_EQ(manifest["merged"][0]["shard"], "3/3");
  EXPECT_EQ(run("table merged").code, 0);
  EXPECT_EQ(json("run spiked.json -o merged --no-cache")["kept"], kCells);
  EXPECT_EQ(json("status part1")["shard"], "1/3");
  EXPECT_EQ(json("status part1")["total"]["missing"], 0);
}

TEST_F(RunCommands, ARunThatWasChangedIsRefusedWithoutForce) {
  ASSERT_EQ(run("run spiked.json --no-cache -o one").code, 0);
  ASSERT_EQ(run("baseline one -o b.json").code, 0);
  std::string cells = content(folder_ / "one/cells.jsonl");
  const std::size_t second = cells.find('\n') + 1;
  const std::size_t at = cells.find("\"explained_variance\":", second) + 21;
  cells[at] = cells[at] == '9' ? '8' : '9';
  write("one/cells.jsonl", cells);
  const std::vector<std::string> words = {"one/cells.jsonl:2: the record does not match its check",
                                          "--force"};
  for (const std::string command :
       {"table one", "report one", "check one --baseline b.json", "compare one one",
        "merge one -o merged", "baseline one -o c.json", "measure one", "status one"}) {
    expect_error(command, words);
  }
  for (const std::string command :
       {"table one", "check one --baseline b.json", "compare one one", "merge one -o merged"}) {
    const Finished forced = run(command + " --force");
    // A merge leaves the changed record out; the other commands read it.
    const bool merges = command.starts_with("merge");
    EXPECT_TRUE(merges ? forced.code == 5 : forced.code == 0 || forced.code == 4)
        << command << forced.err;
    EXPECT_NE(forced.err.find("one/cells.jsonl:2: the record does not match"), std::string::npos)
        << command << forced.err;
  }
  EXPECT_EQ(run("table merged").code, 0) << "it has checks of its own";
  const Finished again = run("run spiked.json --no-cache -o one --json");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)["run"], 1);
  EXPECT_EQ(run("check one --baseline b.json").code, 0);
}

/// Parts of a run can be merged although further metrics of one part were measured later.
TEST_F(RunCommands, MergeComparesTheMetricsThatBothHaveAndKeepsAll) {
  ASSERT_EQ(run("run spiked.json -o plain --no-cache").code, 0);
  fs::copy(folder_ / "plain", folder_ / "more");
  fs::copy(folder_ / "plain", folder_ / "other");
  ASSERT_EQ(run("measure more --metric adjusted_variance").code, 0);
  ASSERT_EQ(run("measure other --metric variance_share --metric cpu_seconds").code, 0);
  const std::string orders[] = {"plain more other", "other more plain", "more plain other"};
  for (const std::string& order : orders) {
    const Finished merged = run("merge " + order + " -o merged");
    EXPECT_EQ(merged.code, 0) << order << ": " << merged.err;
    for (const Record& record : read_records(folder_ / "merged/cells.jsonl")) {
      for (const char* metric : {"explained_variance", "adjusted_variance", "variance_share"}) {
        EXPECT_TRUE(record.metrics.contains(metric)) << order << ": " << metric;
      }
      EXPECT_TRUE(record.timing.contains("cpu_seconds")) << "it is the same solve";
    }
    // The values measured before count: nothing is measured again.
    EXPECT_NE(run("measure merged --metric adjusted_variance --metric variance_share "
                  "--metric cpu_seconds")
                  .err.find("0 of " + std::to_string(kCells) + " answers measured again"),
              std::string::npos);
    fs::remove_all(folder_ / "merged");
  }
  // Both parts have a metric, with different values.
  const std::string cells = content(folder_ / "more/cells.jsonl");
  const std::string line = cells.substr(0, cells.find('\n'));
  Record lie = record_from_line(line);
  lie.metrics.at("explained_variance").front() += 1;
  write("more/cells.jsonl", record_to_line(lie) + cells.substr(line.size()));
  write_manifest(folder_ / "more", read_manifest(folder_ / "more"), Seal::kEnded);
  expect_error("merge plain more -o merged", {"different answers for the key"}, 5);
}

TEST_F(RunCommands, MeasuredValuesAreAddedToTheCache) {
  ASSERT_EQ(run("run spiked.json").code, 0);
  ASSERT_EQ(run("measure spiked --metric adjusted_variance").code, 0);
  Json document = Json::parse(content(folder_ / "spiked.json"));
  for (auto& [name, grid] : document["grids"].items()) {
    grid["metrics"].push_back("adjusted_variance");
  }
  write("spiked.json", document.dump());
  const Json more = json("run spiked.json -o more");
  EXPECT_EQ(more["reused"], kCells);
  EXPECT_EQ(more["measured"], 0);
  // A run with the previous metrics reuses the records, and measures nothing either.
  for (auto& [name, grid] : document["grids"].items()) {
    grid["metrics"].erase(grid["metrics"].size() - 1);
  }
  write("spiked.json", document.dump());
  const Json fewer = json("run spiked.json -o fewer");
  EXPECT_EQ(fewer["reused"], kCells);
  EXPECT_EQ(fewer["measured"], 0);
  EXPECT_EQ(json("run spiked.json")["measured"], 0);
  ASSERT_EQ(run("run spiked.json -o fresh --no-cache").code, 0);
  EXPECT_EQ(answers(folder_ / "fewer/cells.jsonl"), answers(folder_ / "fresh/cells.jsonl"));
  EXPECT_EQ(answers(folder_ / "results/runs/spiked/full/cells.jsonl"),
            answers(folder_ / "fresh/cells.jsonl"));
  // The cache gets no values of a run whose answers are from another solve.
  ASSERT_EQ(run("measure fresh --metric variance_share").code, 0);
  for (auto& [name, grid] : document["grids"].items()) {
    grid["metrics"].push_back("variance_share");
  }
  write("spiked.json", document.dump());
  EXPECT_EQ(json("run spiked.json -o third")["measured"], kCells);
}

TEST_F(RunCommands, ARunOfTheFutureIsNotTakenForTheNewest) {
  ASSERT_EQ(run("run spiked.json").code, 0);
  const auto later = fs::file_time_type::clock::now() + std::chrono::hours(48);
  fs::last_write_time(folder_ / "results/runs/spiked/full/cells.jsonl", later);
  EXPECT_EQ(run("table spiked").code, 0) << "there is no other";
  ASSERT_EQ(run("run spiked.json --repeats 2").code, 0);
  expect_error("table spiked", {"results/runs/spiked/full", "dated in the future", "2 runs"});
  EXPECT_EQ(run("table results/runs/spiked/full-repeats2").code, 0);
}

TEST_F(RunCommands, MergeRefusesRunsThatDoNotBelongTogether) {
  write("other.json", experiment("other", 8));
  ASSERT_EQ(run("run spiked.json --no-cache --shard 1/2 -o one").code, 0);
  ASSERT_EQ(run("run spiked.json --no-cache --shard 2/2 -o two").code, 0);
  ASSERT_EQ(run("run other.json --no-cache --shard 2/2 -o other").code, 0);
  ASSERT_EQ(run("run spiked.json --no-cache --shard 2/2 --seed 7 -o seed").code, 0);
  expect_error("merge one other -o out", {"one/manifest.json", "other/manifest.json", "spiked"});
  expect_error("merge one seed -o out", {"one/manifest.json", "seed/manifest.json", "overrides"});
  expect_error("merge one two -o one", {"one: holds a run already"});
  expect_error("merge one nothing -o out", {"nothing", "cells.jsonl"});
  expect_error("merge one two", {"--output"});
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  // Missing cells are named, and a run in the folder adds them.
  const Finished half = run("merge one -o half");
  EXPECT_EQ(half.code, 5);
  EXPECT_NE(half.out.find("missing: tpower on "), std::string::npos) << half.out;
  EXPECT_EQ(json("run spiked.json -o half --no-cache")["run"], kCells / 2);
  // Two runs have different answers for one key.
  fs::copy(folder_ / "one", folder_ / "lie");
  std::string cells = content(folder_ / "lie/cells.jsonl");
  const std::size_t end = cells.find('\n');
  const std::string line = cells.substr(0, end);
  std::string answer = answer_of_line(line);
  answer.replace(answer.find("\"n\":"), 4, "\"n\":1");
  write("lie/cells.jsonl", compose_line(read_envelope(line), answer) + cells.substr(end));
  write_manifest(folder_ / "lie", read_manifest(folder_ / "lie"), Seal::kEnded);
  expect_error("merge one lie two -o out",
               {"one/cells.jsonl", "lie/cells.jsonl", "different answers"}, 5);
  Json manifest = read_manifest(folder_ / "two");
  manifest["build"]["sources"]["spca/spectrum"] = "0000";
  write_manifest(folder_ / "two", manifest, Seal::kEnded);
  expect_error("merge one two -o out", {"one/manifest.json", "two/manifest.json", "sources"});
}

TEST_F(RunCommands, RefusesAnInvalidShard) {
  for (const std::string shard : {"0/2", "3/2", "2", "a/b", "1/0"}) {
    expect_error("run spiked.json --shard " + shard, {"--shard", shard, "1 <= i <= n"});
  }
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

TEST_F(RunCommands, StatusCountsBySolverAndDataSetAndQuotesFailures) {
  write("fails.json", R"({"name": "fails", "title": "Beyond p", "grids": {"one": {
    "datasets": ["pitprops"], "solvers": ["tpower"], "cardinality": [5, 99],
    "metrics": ["explained_variance"]}}})");
  const Finished failed = run("run fails.json --no-cache");
  EXPECT_EQ(failed.code, 3);
  EXPECT_NE(failed.err.find("tpower on pitprops, k=99, repeat 0: failed: cardinality: 99 is out of "
                            "range; accepted: 1 to p = 13"),
            std::string::npos)
      << failed.err;
  EXPECT_EQ(run("run fails.json --no-cache -q").err, "");
  const Json status = json("status fails");
  EXPECT_EQ(status["state"], "finished");
  EXPECT_EQ(status["total"]["done"], 1);
  EXPECT_EQ(status["total"]["failed"], 1);
  EXPECT_EQ(status["groups"][0]["solver"], "tpower");
  EXPECT_NE(status["last_failures"][0]["message"].get<std::string>().find("99"), std::string::npos);
  const Finished text = run("status fails");
  EXPECT_NE(text.out.find("last failures:\ntpower on pitprops, k=99, repeat 0: failed: "),
            std::string::npos)
      << text.out;
  expect_error("status nothing", {"nothing", "cells.jsonl"});
  expect_error("table spannogram/gene",
               {"no run of spannogram/gene", "`spca run spannogram/gene`"});
}

TEST_F(RunCommands, ARunSaysWhyItSkips) {
  write("skips.json", R"({"name": "skips", "title": "No data", "grids": {"one": {
    "datasets": ["kos"], "solvers": ["tpower"], "cardinality": [5, 6],
    "metrics": ["explained_variance"]}}})");
  const Finished skipped = run("--data-dir nowhere run skips.json --no-cache");
  EXPECT_EQ(skipped.code, 0);
  EXPECT_NE(skipped.err.find("tpower on kos, k=5, repeat 0: skipped: kos/docword.kos.txt"),
            std::string::npos)
      << skipped.err;
  EXPECT_EQ(skipped.err.find("k=6"), std::string::npos) << skipped.err;
}

TEST_F(RunCommands, ARunThatCouldNotBeginHasAStatus) {
  fs::create_directories(folder_ / "run/experiment.json");  // so that it cannot be written
  expect_error("run spiked.json --no-cache -o run", {"run/experiment.json"});
  fs::remove(folder_ / "run/experiment.json");
  ASSERT_EQ(run("run spiked.json --no-cache -o whole").code, 0);
  fs::copy(folder_ / "whole/experiment.json", folder_ / "run/experiment.json");
  EXPECT_EQ(json("status run")["total"]["done"], 0);
  EXPECT_EQ(run("run spiked.json --no-cache -o run").code, 0);
}

TEST_F(RunCommands, StatusReadsARunThatGoesOnAndOneThatWasKilled) {
  write("long.json", R"({"name": "long", "title": "Long", "grids": {"one": {
    "datasets": [{"name": "spiked", "options": {"samples": 50}}], "solvers": ["tpower"],
    "cardinality": [5], "repeats": 200000, "metrics": ["explained_variance"]}}})");
  const pid_t process = fork();
  if (process == 0) {
    if (chdir(folder_.c_str()) == 0 && freopen("/dev/null", "w", stderr) != nullptr) {
      execl(SPCA_PROGRAM, "spca", "run", "long.json", "--no-cache", "-o", "long", nullptr);
    }
    _exit(1);
  }
  const fs::path cells = folder_ / "long/cells.jsonl";
  for (int attempt = 0; attempt < 3000 && (!fs::exists(cells) || fs::file_size(cells) == 0);
       ++attempt) {
    usleep(10'000);
  }
  const Json running = json("status long");
  EXPECT_EQ(running["state"], "running");
  EXPECT_EQ(running["process"], "process " + std::to_string(process));
  EXPECT_GT(running["total"]["done"], 0);
  EXPECT_GT(running["total"]["missing"], 0);
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  const Json killed = json("status long");
  EXPECT_EQ(killed["state"], "killed");
  EXPECT_GE(killed["total"]["done"], running["total"]["done"]);
}

TEST_F(RunCommands, TheCacheIsListedAndCollected) {
  ASSERT_EQ(run("run spiked.json").code, 0);
  ASSERT_EQ(run("run spiked.json --force").code, 0);
  EXPECT_NE(run("cache ls").out.find("64 entries"), std::string::npos);
  EXPECT_EQ(json("cache ls")["damaged_entries"], 0);
  EXPECT_EQ(json("cache gc")["removed"], Json::object()) << "a forced run replaces the old answers";
  EXPECT_EQ(json("cache gc --stale --older-than 1 --max-size 100")["kept"]["entries"], kCells);
  const Json dry = json("cache gc --max-size 0.000001 --dry-run");
  EXPECT_EQ(dry["removed"]["over the size"]["entries"], kCells);
  EXPECT_EQ(json("cache ls")["entries"], kCells);
  const Json collected = json("cache gc --max-size 0.000001");
  EXPECT_EQ(collected["kept"]["entries"], 0);
  EXPECT_LT(collected["file_bytes_after"], collected["file_bytes_before"]);
  EXPECT_EQ(json("cache ls")["entries"], 0);
  expect_error("cache lss", {"ACTION", "\"lss\"", "did you mean \"ls\""});
  expect_error("cache gc --older-than -3", {"--older-than", "-3"});
  expect_error("cache ls --stale", {"--stale", "cache gc"});
}

}  // namespace
}  // namespace spca::run_commands_test
