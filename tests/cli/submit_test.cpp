/// Tests of spca submit, task, merge --tasks and status. Substitutes for Slurm's programs do
/// immediately, or never, the work that Slurm does later. tests/slurm_test.py runs Slurm itself.

#include <nlohmann/json.hpp>
#include <set>

#include "harness/records/run_seal.h"
#include "tests/command_line.h"

namespace spca::submit_test {
namespace {

/// Returns the parts of the records that two runs of the same cells have in common.
std::string answers(const fs::path& run) {
  std::ifstream file(run / "cells.jsonl");
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

/// Does what the file "mode" beside it says: "run" (runs all tasks now, one after the other),
/// "queue" (runs none), "fail", "rubbish" (prints no job number), or "fail-merge" (refuses only the
/// second job).
constexpr const char* kSbatch = R"(#!/bin/sh
here=${0%/*}
mode=$(cat "$here/mode")
printf '%s\n' "$@" >> "$here/calls"
tasks=
for word; do
  case $word in
  --array=1-*) tasks=${word#--array=1-} ;;
  --dependency=afterany:*) [ "$mode" = fail-merge ] && mode=fail ;;
  esac
done
case $mode in
fail)
  printf 'sbatch: error: first\nsbatch: error: invalid partition\n' >&2
  exit 1 ;;
rubbish)
  echo 'Submitted batch job 12'
  exit 0 ;;
esac
job=$(($(cat "$here/job") + 1))
echo "$job" > "$here/job"
if [ "$mode" = run ]; then
  i=1
  while [ "$i" -le "${tasks:-0}" ]; do
    SLURM_ARRAY_TASK_ID=$i sh "$word" > "${word%/*}/task-$i.log" 2>&1
    i=$((i + 1))
  done
  [ -n "$tasks" ] || sh "$word" > "${word%/*}/merge.log" 2>&1
fi
echo "$job"
)";

/// Prints the file "queue"; fails with the text of the file "queue-error" if it has one.
constexpr const char* kSqueue = R"(#!/bin/sh
here=${0%/*}
if [ -s "$here/queue-error" ]; then
  cat "$here/queue-error" >&2
  exit 1
fi
cat "$here/queue"
)";

constexpr const char* kExperiment = R"({"name": "grid", "title": "Spikes", "grids": {"one": {
  "datasets": ["pitprops", {"name": "spiked", "options": {"samples": 50}}],
  "solvers": ["tpower", "threshold", "fullpath"], "cardinality": [3, 5],
  "metrics": ["explained_variance", "solve_seconds"], "repeats": 4}}})";
constexpr std::size_t kCells = 2 * 3 * 2 * 4;

class Submit : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    fs::create_directory(folder_ / "bin");
    write("bin/sbatch", kSbatch);
    write("bin/squeue", kSqueue);
    write("bin/sacct", "#!/bin/sh\nexit 1\n");
    for (const char* name : {"sbatch", "squeue", "sacct"}) {
      fs::permissions(folder_ / "bin" / name, fs::perms::owner_all);
    }
    write("bin/job", "100\n");
    write("bin/queue", "");
    write("grid.json", kExperiment);
    mode("run");
  }
  void mode(const std::string& word) const { write("bin/mode", word); }

  Finished spca(const std::string& arguments) const {
    return shell("PATH=\"$PWD/bin:$PATH\" " + program() + " " + arguments);
  }
  Json spca_json(const std::string& arguments, int code = 0) const {
    const Finished finished = spca(arguments + " --json");
    EXPECT_EQ(finished.code, code) << arguments << "\n" << finished.err;
    return Json::parse(finished.out, nullptr, false);
  }
  /// Expects exit code `code`, nothing on stdout, and one line on stderr that contains all `words`.
  void expect_line(const std::string& arguments, const std::vector<std::string>& words,
                   int code = 2) const {
    const Finished finished = spca(arguments);
    EXPECT_EQ(finished.code, code) << arguments << "\n" << finished.err;
    EXPECT_EQ(finished.out, "") << arguments;
    EXPECT_EQ(line_count(finished.err), 1U) << arguments << "\n" << finished.err;
    for (const std::string& word : words) {
      EXPECT_NE(finished.err.find(word), std::string::npos) << arguments << "\n"
                                                            << finished.err << "lacks: " << word;
    }
  }
  /// Returns the keys in all chunks of a submission.
  std::multiset<std::string> keys(const fs::path& submission) const {
    std::multiset<std::string> all;
    for (const auto& entry : fs::directory_iterator(submission)) {
      if (entry.path().filename().string().starts_with("chunk-")) {
        const Json chunk = Json::parse(content(entry.path()));
        for (const Json& key : chunk["cells"]) {
          all.insert(key.get<std::string>());
        }
      }
    }
    return all;
  }
  std::string calls() const { return content(folder_ / "bin/calls"); }
};

TEST_F(Submit, EndsWithTheRecordsOfAnUnbrokenRun) {
  const Finished submitted = spca("submit grid.json --tasks 5 -o out");
  EXPECT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_EQ(submitted.out, "out\n");
  EXPECT_NE(submitted.err.find("grid: 48 of 48 cells in 5 tasks"), std::string::npos)
      << submitted.err;
  EXPECT_NE(submitted.err.find("job 101, merged by job 102"), std::string::npos) << submitted.err;
  ASSERT_EQ(spca("run grid.json --no-cache -o whole").code, 0);
  EXPECT_EQ(answers(folder_ / "out"), answers(folder_ / "whole"));
  EXPECT_EQ(keys(folder_ / "out/slurm/1").size(), kCells);
  EXPECT_EQ(spca("table out").code, 0) << "the run's seal is whole";
  const Json status = spca_json("status out");
  EXPECT_EQ(status["state"], "finished");
  EXPECT_EQ(status["total"]["done"], kCells);
  EXPECT_EQ(status["tasks"]["finished"], 5);
  EXPECT_EQ(status["tasks"]["failed"], 0);
  const Json manifest = Json::parse(content(folder_ / "out/manifest.json"));
  EXPECT_EQ(manifest["merged"].size(), 5U);
  EXPECT_EQ(manifest["interrupted"], false);
  EXPECT_FALSE(fs::exists(folder_ / "out/slurm/1/task-1/.cache"));

  const std::string before = calls();
  const Finished again = spca("submit grid.json --tasks 5 -o out");
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.err, "grid: nothing to submit of 48 cells\n");
  EXPECT_EQ(calls(), before);
}

TEST_F(Submit, GivesSlurmTheOptionsItIsGiven) {
  mode("queue");
  const Finished submitted = spca(
      "submit grid.json --tasks 3 -j 2 --threads 3 --partition 'long jobs' --time 1-12:00 --memory "
      "8G -o out -- --account=physics -C'a&b'");
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  const std::string said = "\n" + calls();
  for (const char* word :
       {"--parsable", "--array=1-3", "--cpus-per-task=6", "--partition=long jobs", "--time=1-12:00",
        "--mem=8G", "--account=physics", "-Ca&b", "--dependency=afterany:101", "--requeue",
        "--open-mode=append"}) {
    EXPECT_NE(said.find(std::string("\n") + word + "\n"), std::string::npos) << word << said;
  }
  const Json submission = Json::parse(content(folder_ / "out/slurm/1/submission.json"));
  EXPECT_EQ(submission["job"], "101");
  EXPECT_EQ(submission["merge_job"], "102");
}

TEST_F(Submit, NamesMayHaveBlanksAndQuotes) {
  fs::create_directory(folder_ / "it's \"my\" $HOME");
  write("it's \"my\" $HOME/a 'b'.json", kExperiment);
  const Finished submitted = spca(
      "submit \"it's \\\"my\\\" \\$HOME/a 'b'.json\" --tasks 2 -o \"it's \\\"my\\\" "
      "\\$HOME/out \\`x\\` 100%\"");
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  ASSERT_EQ(spca("run grid.json --no-cache -o whole").code, 0);
  EXPECT_EQ(answers(folder_ / "it's \"my\" $HOME/out `x` 100%"), answers(folder_ / "whole"));
  EXPECT_NE(calls().find("out `x` 100%%/slurm/1/task-%a.log"), std::string::npos) << calls();
}

TEST_F(Submit, ADryRunPrintsTheScriptsAndWritesNothing) {
  fs::remove(folder_ / "bin/sbatch");
  const Finished dry = spca("submit grid.json --tasks 2 --dry-run -o out");
  EXPECT_EQ(dry.code, 0) << dry.err;
  for (const char* words : {"# sbatch --parsable", "--array=1-2", "#!/bin/sh", "chunk-$task.json",
                            "merge --tasks", "2     24"}) {
    EXPECT_NE(dry.out.find(words), std::string::npos) << words << "\n" << dry.out;
  }
  EXPECT_NE(dry.err.find("of unknown time; nothing is submitted"), std::string::npos) << dry.err;
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  const Json json = spca_json("submit grid.json --tasks 2 --dry-run -o out");
  EXPECT_EQ(json["job"], nullptr);
  EXPECT_EQ(json["chunks"][0]["predicted_seconds"], nullptr);
  // The scripts of the dry run are those that a submission writes.
  write("bin/sbatch", kSbatch);
  fs::permissions(folder_ / "bin/sbatch", fs::perms::owner_all);
  mode("queue");
  ASSERT_EQ(spca("submit grid.json --tasks 2 -o out").code, 0);
  EXPECT_NE(dry.out.find(content(folder_ / "out/slurm/1/task.sh")), std::string::npos);
  EXPECT_NE(dry.out.find(content(folder_ / "out/slurm/1/merge.sh")), std::string::npos);
}

TEST_F(Submit, PredictsTheTimeFromFinishedCells) {
  ASSERT_EQ(spca("run grid.json -o earlier").code, 0);
  // With another data seed no cell is finished, but the times of the same solvers are known.
  const Json plan = spca_json("submit grid.json --seed 9 --tasks 3 --dry-run -o out");
  ASSERT_EQ(plan["chunks"].size(), 3U);
  for (const Json& chunk : plan["chunks"]) {
    EXPECT_EQ(chunk["unpredicted"], 0);
    EXPECT_GT(chunk["predicted_seconds"], 0);
  }
}

TEST_F(Submit, TakesAnswersFromTheCacheAndSubmitsTheOtherCells) {
  ASSERT_EQ(spca("run grid.json --only solver tpower -o earlier").code, 0);
  const Json submitted = spca_json("submit grid.json --tasks 2 -o out");
  EXPECT_EQ(keys(folder_ / "out/slurm/1").size(), kCells * 2 / 3);
  ASSERT_EQ(spca("run grid.json --no-cache -o whole").code, 0);
  EXPECT_EQ(answers(folder_ / "out"), answers(folder_ / "whole"));
}

TEST_F(Submit, LeavesAloneQueuedAndRunningCells) {
  mode("queue");
  ASSERT_EQ(spca("submit grid.json --tasks 3 -o out").code, 0);
  write("bin/queue",
        "101|1|RUNNING|None\n101|2|PENDING|Resources\n101|3|COMPLETING|None\n"
        "102|N/A|PENDING|Dependency\n");
  const std::string before = calls();
  const Finished again = spca("submit grid.json --tasks 3 -o out");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.err, "grid: nothing to submit of 48 cells; 48 cells are queued or running\n");
  EXPECT_EQ(calls(), before);
  const Json status = spca_json("status out");
  EXPECT_EQ(status["state"], "running");
  EXPECT_EQ(status["tasks"]["running"], 2);
  EXPECT_EQ(status["tasks"]["queued"], 1);
  EXPECT_EQ(status["tasks"]["all"][1], (Json{{"submission", "out/slurm/1"},
                                             {"task", 2},
                                             {"job", "101_2"},
                                             {"state", "queued"},
                                             {"reason", "Resources"}}));
  EXPECT_NE(spca("status out").out.find("merge of out/slurm/1: queued: Dependency"),
            std::string::npos);

  // Task 2 was cancelled: its cells are missing, and only those are submitted.
  write("bin/queue", "101|1|RUNNING|None\n101|2|CANCELLED|None\n101|3|RUNNING|None\n");
  EXPECT_NE(spca("status out").out.find("task 2: CANCELLED"), std::string::npos);
  ASSERT_EQ(spca("submit grid.json --tasks 3 -o out").code, 0);
  const Json chunk = Json::parse(content(folder_ / "out/slurm/1/chunk-2.json"));
  const auto listed = chunk["cells"].get<std::vector<std::string>>();
  EXPECT_EQ(keys(folder_ / "out/slurm/2"),
            std::multiset<std::string>(listed.begin(), listed.end()));
}

TEST_F(Submit, ATaskThatHasEndedCountsBeforeItIsMerged) {
  mode("queue");
  ASSERT_EQ(spca("submit grid.json --tasks 3 -o out").code, 0);
  const Finished task = spca("task out/slurm/1/chunk-2.json");
  EXPECT_EQ(task.code, 0) << task.err;
  write("bin/queue-error", "slurm_load_jobs error: Invalid job id specified\n");
  const std::size_t done =
      Json::parse(content(folder_ / "out/slurm/1/chunk-2.json"))["cells"].size();
  EXPECT_EQ(content(folder_ / "out/cells.jsonl"), "");
  EXPECT_EQ(spca_json("status out")["total"]["done"], done);
  const Finished merged = spca("merge --tasks out");
  EXPECT_EQ(merged.code, 5) << "cells are missing";
  EXPECT_EQ(line_count(content(folder_ / "out/cells.jsonl")), done);
  ASSERT_EQ(spca("submit grid.json --tasks 3 -o out").code, 0);
  EXPECT_EQ(keys(folder_ / "out/slurm/2").size(), kCells - done);
}

TEST_F(Submit, ReportsTheResultOfEndedTasks) {
  mode("queue");
  ASSERT_EQ(spca("submit grid.json --tasks 6 -o out").code, 0);
  write("out/slurm/1/task-1.exit", "0\n");
  write("out/slurm/1/task-2.exit", "3\n");
  write("out/slurm/1/task-3.exit", "137\n");
  write("out/slurm/1/task-4.exit", "130\n");
  write("bin/queue", "101|5|NODE_FAIL|NodeDown\n");
  const std::string text = spca("status out").out;
  for (const char* words :
       {"tasks: 0 queued, 0 running, 1 finished, 5 failed\n",
        "task 2: exit code 3: some of its cells failed: out/slurm/1/task-2.log\n",
        "task 3: exit code 137: killed by signal 9: ", "task 4: exit code 130: interrupted: ",
        "task 5: NODE_FAIL (NodeDown): ", "task 6: ended without an exit code: "}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  EXPECT_EQ(spca_json("status out")["state"], "interrupted");
  // sacct gives the states of tasks that squeue does not list.
  write("bin/sacct", "#!/bin/sh\necho '101_6|OUT_OF_MEMORY'\necho '101_5|FAILED'\n");
  const std::string more = spca("status out").out;
  EXPECT_NE(more.find("task 6: OUT_OF_MEMORY: "), std::string::npos) << more;
  EXPECT_NE(more.find("task 5: NODE_FAIL (NodeDown): "), std::string::npos) << more;
  // squeue fails.
  write("bin/queue-error", "squeue: error: Unable to contact slurm controller\n");
  const std::string none = spca("status out").out;
  EXPECT_NE(none.find("tasks: 0 queued, 0 running, 1 finished, 3 failed, 2 unknown\n"),
            std::string::npos)
      << none;
}

TEST_F(Submit, ARunWithoutTasksSaysSo) {
  ASSERT_EQ(spca("run grid.json -o out").code, 0);
  EXPECT_EQ(spca_json("status out")["tasks"], nullptr);
  EXPECT_EQ(spca("status out").out.find("tasks"), std::string::npos);
  expect_line("merge --tasks out", {"--tasks: out was not submitted"});
  expect_line("merge out", {"--output"});
  expect_line("merge --tasks out -o other", {"--tasks", "without -o"});
}

TEST_F(Submit, FailedCellsAreReportedAndSubmittedAgain) {
  write("fails.json",
        R"({"name": "fails", "title": "t", "grids": {"one": {"datasets": ["pitprops"],
            "solvers": ["tpower"], "cardinality": [3, 99], "metrics": ["explained_variance"]}}})");
  ASSERT_EQ(spca("submit fails.json --tasks 2 -o out").code, 0);
  const Json status = spca_json("status out");
  EXPECT_EQ(status["tasks"]["failed"], 1);
  EXPECT_EQ(status["total"]["failed"], 1);
  EXPECT_EQ(status["total"]["done"], 1);
  EXPECT_NE(content(folder_ / "out/slurm/1/merge.log").find("2 of 2 cells merged, 1 failed"),
            std::string::npos);
  ASSERT_EQ(spca("submit fails.json --tasks 2 -o out").code, 0);
  EXPECT_EQ(keys(folder_ / "out/slurm/2").size(), 1U);
  EXPECT_EQ(spca("merge --tasks out").code, 3);
}

TEST_F(Submit, WithoutSlurmThereIsOneLine) {
  const Finished none = shell("PATH=/nowhere " + program() + " submit grid.json --tasks 2 -o out");
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(line_count(none.err), 1U);
  EXPECT_NE(none.err.find("sbatch: not found on the PATH"), std::string::npos) << none.err;
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Submit, BadInputIsOneLineAndLeavesNothing) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"nothing.json", {"nothing.json"}},
      {"grid.json --tasks 0", {"--tasks", "\"0\""}},
      {"grid.json --tasks -3", {"--tasks", "-3"}},
      {"grid.json --tasks many", {"--tasks", "many"}},
      {"grid.json --tasks 49", {"--tasks: found 49; accepted: 1 to 48"}},
      {"grid.json --memory -5", {"--memory", "-5"}},
      {"grid.json --memory 0", {"--memory"}},
      {"grid.json --memory 8GB", {"--memory", "8GB"}},
      {"grid.json --memory ''", {"--memory"}},
      {"grid.json --time 0", {"--time"}},
      {"grid.json --time -1", {"--time"}},
      {"grid.json --time 1:2:3:4", {"--time"}},
      {"grid.json --time '2 hours'", {"--time"}},
      {"grid.json -j 0", {"-j"}},
      {"grid.json -- --array=1-2", {"--array=1-2", "submit"}},
      {"grid.json -- --depend=x", {"--depend=x"}},
      {"grid.json -- -D/", {"-D/"}},
      {"grid.json -- script.sh", {"script.sh", "--account=physics"}},
      {"grid.json -- --", {"\"--\""}},
      {"grid.json -o 'a\\b'", {"a\\b", "backslashes"}},
      {"grid.json --profile nonsense", {"nonsense"}}};
  for (const auto& [arguments, words] : cases) {
    const bool has_folder = arguments.find("-o ") != std::string::npos;
    const std::string line = has_folder ? "submit " + arguments : "submit -o out " + arguments;
    expect_line(line, words);
    EXPECT_FALSE(fs::exists(folder_ / "out")) << arguments;
  }
  write("file", "");
  expect_line("submit grid.json -o file/out", {"file/out", "Not a directory"});
  fs::create_directory(folder_ / "home");
  write("home/notes.txt", "");
  expect_line("submit grid.json -o home", {"home", "notes.txt"});
  EXPECT_EQ(calls(), "") << "nothing was submitted";
}

TEST_F(Submit, AnArrayThatSbatchRefusesLeavesNoSubmission) {
  mode("fail");
  expect_line("submit grid.json --tasks 2 -o out",
              {"sbatch: exit code 1: sbatch: error: invalid partition"});
  EXPECT_FALSE(fs::exists(folder_ / "out/slurm/1"));
  mode("rubbish");
  expect_line("submit grid.json --tasks 2 -o out",
              {"sbatch: printed \"Submitted batch job 12\"; accepted: the number of a job",
               "the job may be in the queue: its files stay in", "slurm/1"});
  EXPECT_TRUE(fs::exists(folder_ / "out/slurm/1"));
  fs::remove_all(folder_ / "out/slurm/1");
  mode("fail-merge");
  expect_line("submit grid.json --tasks 2 -o out",
              {"job 101 is submitted, but not the one that merges", "spca merge --tasks"});
  EXPECT_EQ(Json::parse(content(folder_ / "out/slurm/1/submission.json"))["merge_job"], nullptr);
  mode("run");
  EXPECT_EQ(spca("submit grid.json --tasks 2 -o out").code, 0);
  EXPECT_EQ(spca_json("status out")["total"]["done"], kCells);
}

TEST_F(Submit, WithoutAnAnswerOfTheQueueNothingIsSubmittedTwice) {
  mode("queue");
  ASSERT_EQ(spca("submit grid.json --tasks 2 -o out").code, 0);
  const std::string before = calls();
  write("bin/queue-error", "squeue: error: Unable to contact slurm controller\n");
  expect_line("submit grid.json --tasks 2 -o out",
              {"squeue: exit code 1: squeue: error: Unable to contact"});
  write("bin/queue-error", "");
  write("bin/queue", "what is this\n");
  expect_line("submit grid.json --tasks 2 -o out", {"squeue: printed \"what is this\""});
  fs::remove(folder_ / "bin/squeue");
  EXPECT_EQ(shell("PATH=\"$PWD/bin\" " + program() + " submit grid.json --tasks 2 -o out").code, 2);
  EXPECT_EQ(calls(), before);
}

TEST_F(Submit, ATaskRefusesAChunkThatIsNotOfThisProgram) {
  mode("queue");
  ASSERT_EQ(spca("submit grid.json --tasks 2 -o out").code, 0);
  expect_line("task grid.json", {"grid.json", "chunk-N.json"});
  expect_line("task out/slurm/1/chunk-7.json", {"chunk-7.json"});
  Json chunk = Json::parse(content(folder_ / "out/slurm/1/chunk-1.json"));
  chunk["cells"][0] = std::string(64, '0');
  write("out/slurm/1/chunk-1.json", chunk.dump());
  expect_line("task out/slurm/1/chunk-1.json", {"chunk-1.json: 1 of its", "spca submit"});
  write("out/slurm/1/chunk-1.json", "{}");
  expect_line("task out/slurm/1/chunk-1.json", {"chunk-1.json", "not as `spca submit` writes it"});
  write("out/slurm/1/submission.json", R"({"tasks": -1})");
  expect_line("task out/slurm/1/chunk-2.json", {"submission.json"});
  expect_line("status out", {"submission.json", "not as `spca submit` writes it"});
}

TEST_F(Submit, TheExperimentMayChangeWhileTasksWait) {
  mode("queue");
  ASSERT_EQ(spca("submit grid.json --tasks 2 -o out").code, 0);
  write("grid.json", "{}");
  EXPECT_EQ(spca("task out/slurm/1/chunk-1.json").code, 0);
  EXPECT_EQ(spca("task out/slurm/1/chunk-2.json").code, 0);
  EXPECT_EQ(spca("merge --tasks out").code, 0);
}

TEST_F(Submit, OneProcessSubmitsAtATime) {
  mode("queue");
  fs::create_directories(folder_ / "out/slurm");
  const Finished second = shell("PATH=\"$PWD/bin:$PATH\" flock out/slurm/.lock " + program() +
                                " submit grid.json --tasks 2 -o out");
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("out: another process submits this run just now"), std::string::npos)
      << second.err;
  EXPECT_EQ(calls(), "");
}

TEST_F(Submit, TimesOfNodesThatAreOtherMachinesAreMarked) {
  mode("queue");
  ASSERT_EQ(spca("submit grid.json --tasks 2 -o out").code, 0);
  std::set<std::string> of_the_second;
  const Json chunk = Json::parse(content(folder_ / "out/slurm/1/chunk-2.json"));
  for (const Json& key : chunk["cells"]) {
    of_the_second.insert(key.get<std::string>());
  }
  const std::vector<std::string> origins = {"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"};
  for (std::size_t task = 1; task <= origins.size(); ++task) {
    const std::string place = "out/slurm/1/task-" + std::to_string(task);
    ASSERT_EQ(spca("task out/slurm/1/chunk-" + std::to_string(task) + ".json").code, 0);
    Json manifest = read_manifest(folder_ / place);
    manifest["origin"] = origins[task - 1];
    write_manifest(folder_ / place, manifest, Seal::kEnded);
  }
  write("bin/queue-error", "slurm_load_jobs error: Invalid job id specified\n");
  ASSERT_EQ(spca("merge --tasks out").code, 0);
  const std::string merged = content(folder_ / "out/cells.jsonl");
  std::istringstream lines(merged);
  std::size_t marked = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json record = Json::parse(line);
    const bool is_of_the_second = of_the_second.contains(record["key"].get<std::string>());
    EXPECT_EQ(record.contains("reused"), is_of_the_second) << line;
    if (is_of_the_second) {
      EXPECT_EQ(record["reused"], (Json{{"origin", origins[1]}, {"elsewhere", true}}));
      ++marked;
    }
  }
  EXPECT_EQ(marked, of_the_second.size());
  Json manifest = read_manifest(folder_ / "out");
  EXPECT_EQ(manifest["origin"], origins[0]) << "the machine that submitted has measured nothing";
  EXPECT_TRUE(manifest["reused_from"].contains(origins[1]));
  // The result stays the same after another submission and another merge.
  ASSERT_EQ(spca("submit grid.json --tasks 2 -o out").code, 0);
  ASSERT_EQ(spca("merge --tasks out").code, 0);
  EXPECT_EQ(content(folder_ / "out/cells.jsonl"), merged);
  manifest = read_manifest(folder_ / "out");
  EXPECT_EQ(manifest["origin"], origins[0]);
  EXPECT_TRUE(manifest["reused_from"].contains(origins[1]));
}

TEST_F(Submit, ADamagedTaskIsLeftOutOfTheMerge) {
  mode("queue");
  ASSERT_EQ(spca("submit grid.json --tasks 2 -o out").code, 0);
  ASSERT_EQ(spca("task out/slurm/1/chunk-1.json").code, 0);
  ASSERT_EQ(spca("task out/slurm/1/chunk-2.json").code, 0);
  std::string cells = content(folder_ / "out/slurm/1/task-1/cells.jsonl");
  cells[cells.find("converged")] = 'k';
  write("out/slurm/1/task-1/cells.jsonl", cells);
  write("out/slurm/1/task-2/manifest.json", "{}");
  write("bin/queue-error", "slurm_load_jobs error: Invalid job id specified\n");
  const std::size_t of_the_first =
      Json::parse(content(folder_ / "out/slurm/1/chunk-1.json"))["cells"].size();
  EXPECT_EQ(spca_json("status out")["total"]["done"], of_the_first - 1);
  const Finished merged = spca("merge --tasks out");
  EXPECT_EQ(merged.code, 5);
  EXPECT_NE(merged.err.find("task-2/manifest.json"), std::string::npos) << merged.err;
  EXPECT_NE(merged.err.find("1 lines of tasks do not match their checks"), std::string::npos)
      << merged.err;
  mode("run");
  EXPECT_EQ(spca("submit grid.json --tasks 2 -o out").code, 0);
  ASSERT_EQ(spca("run grid.json --no-cache -o whole").code, 0);
  EXPECT_EQ(answers(folder_ / "out"), answers(folder_ / "whole"));
}

}  // namespace
}  // namespace spca::submit_test
