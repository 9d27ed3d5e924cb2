#include "harness/runs/runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "harness/experiments/experiment_identity.h"
#include "harness/runs/run_writer.h"
#include "harness/runs/runner_worker.h"
#include "spca/base/random.h"
#include "tests/runner_testing.h"

namespace spca::runner_test {
namespace {

TEST_F(Runner, WritesOneRecordForEachCellInTheOrderOfTheExperiment) {
  const Experiment experiment = make_experiment(
      {.solvers = {"test-plain", "test-random"}, .cardinalities = {2, 3}, .repeats = 30});
  const RunSummary summary = run_experiment(request(experiment, "run", 2));
  EXPECT_EQ(summary.run, 120U);
  EXPECT_EQ(summary.by_status.at(Status::kConverged), 120U);
  EXPECT_EQ(exit_code(summary), 0);
  const std::vector<Record> found = records();
  const std::vector<Cell> cells = experiment.cells();
  ASSERT_EQ(found.size(), cells.size());
  std::set<std::string> keys;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Variant& variant = experiment.variants[cells[i].variant];
    EXPECT_EQ(found[i].solver, variant.solver_label);
    EXPECT_EQ(found[i].cardinality, variant.cardinality);
    EXPECT_EQ(found[i].repeat, cells[i].repeat);
    EXPECT_EQ(found[i].seed, solver_seed(experiment, cells[i]));
    EXPECT_EQ(found[i].n, kSamples);
    EXPECT_EQ(found[i].p, kVariables);
    keys.insert(found[i].key);
  }
  EXPECT_EQ(keys.size(), cells.size());
}

TEST_F(Runner, GivesTheSameAnswersForAnyJobsAndThreads) {
  const Experiment experiment =
      make_experiment({.datasets = {"test-generated", "test-fixed"},
                       .solvers = {"test-plain", "test-random", "test-path"},
                       .cardinalities = {1, 4, 2},
                       .repeats = 9});
  run_experiment(request(experiment, "one", 1));
  run_experiment(request(experiment, "two", 2));
  RunRequest threads = request(experiment, "threads", 3);
  threads.threads = 2;
  run_experiment(threads);
  EXPECT_EQ(answers("one").size(), experiment.cells().size());
  EXPECT_EQ(answers("one"), answers("two"));
  EXPECT_EQ(answers("one"), answers("threads"));
}

TEST_F(Runner, LetsOneBadCellCostItselfAlone) {
  const std::vector<std::string> solvers = {
      "misbehave-crash", "misbehave-exit", "misbehave-infeasible", "misbehave-throw", "test-plain"};
  const Experiment experiment =
      make_experiment({.datasets = {"test-generated"}, .solvers = solvers, .repeats = 10});
  const RunSummary summary = run_experiment(request(experiment, "run", 2));
  EXPECT_EQ(summary.by_status.at(Status::kFailed), 30U);
  EXPECT_EQ(summary.by_status.at(Status::kInvalid), 10U);
  EXPECT_EQ(summary.by_status.at(Status::kConverged), 10U);
  EXPECT_EQ(exit_code(summary), 3);
  const std::map<std::string, std::string> messages = {
      {"misbehave-crash", "the process was killed by SIGSEGV (Segmentation fault)"},
      {"misbehave-exit", "the process ended by itself with exit code 0"},
      {"misbehave-infeasible", "component 1: 4 nonzeros, 3 allowed"},
      {"misbehave-throw", "thrown on purpose"},
      {"test-plain", ""}};
  for (const Record& record : records()) {
    EXPECT_EQ(record.message, messages.at(record.solver));
    EXPECT_EQ(record.metrics.contains("explained_variance"), record.solver == "test-plain");
  }
}

TEST_F(Runner, KillsASolverThatHangs) {
  Experiment experiment =
      make_experiment({.datasets = {"test-fixed"},
                       .solvers = {"misbehave-hang", "test-plain", "test-polite"},
                       .cardinalities = {2}});
  experiment.time_limit = 0.1;
  const RunSummary summary = run_experiment(request(experiment));
  const std::vector<Record> found = records();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].status, Status::kTimeLimit);
  EXPECT_EQ(found[0].message, "time limit of 0.1 s; killed, because the solver did not stop");
  EXPECT_TRUE(found[0].loadings.empty());
  EXPECT_EQ(found[1].status, Status::kConverged);
  EXPECT_EQ(found[2].status, Status::kTimeLimit);
  EXPECT_EQ(found[2].message, "time limit of 0.1 s");
  EXPECT_EQ(found[2].loadings.size(), 1U);
  EXPECT_EQ(summary.failures, 1U);  // the polite one has an answer
  EXPECT_EQ(run_experiment(request(experiment)).kept, 3U);
}

TEST_F(Runner, KillsASolverAtTheLimitOfItsGrid) {
  Experiment experiment = make_experiment(
      {.datasets = {"test-fixed"}, .solvers = {"misbehave-hang"}, .cardinalities = {2}});
  experiment.time_limit = 1e9;
  experiment.variants[0].time_limit = 0.1;
  run_experiment(request(experiment));
  ASSERT_EQ(records().size(), 1U);
  EXPECT_EQ(records()[0].message, "time limit of 0.1 s; killed, because the solver did not stop");
}

TEST_F(Runner, LetsTheCheckOfAProofTakeAsLongAsTheSolver) {
  Experiment experiment = make_experiment(
      {.datasets = {"test-fixed"}, .solvers = {"slow-proof"}, .cardinalities = {2}});
  experiment.time_limit = 2;  // killed after 3.2 s; solver and check take 2 s each
  for (Variant& variant : experiment.variants) {
    variant.metrics = {"upper_bound"};
  }
  run_experiment(request(experiment));
  const std::vector<Record> found = records();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].status, Status::kConverged) << found[0].message;
  EXPECT_TRUE(found[0].metrics.contains("upper_bound"));
}

TEST_F(Runner, StopsASolverThatTakesTooMuchMemory) {
  if (!kCanLimitMemory) {
    GTEST_SKIP() << "address space cannot be limited under a sanitizer";
  }
  Experiment experiment =
      make_experiment({.solvers = {"misbehave-memory", "test-plain"}, .repeats = 5});
  experiment.memory_limit = 200;
  const RunSummary summary = run_experiment(request(experiment));
  EXPECT_EQ(summary.by_status.at(Status::kFailed), 5U);
  EXPECT_EQ(summary.by_status.at(Status::kConverged), 5U);
  EXPECT_EQ(records().front().message, "memory limit of 200 MB exceeded");
}

TEST_F(Runner, RunsAPathOnceForAllItsCardinalities) {
  const Experiment experiment = make_experiment(
      {.datasets = {"test-fixed"}, .solvers = {"test-path"}, .cardinalities = {1, 5, 3}});
  run_experiment(request(experiment));
  EXPECT_EQ(calls(), 1U);
  for (const Record& record : records()) {
    const Index k = record.cardinality.front();
    EXPECT_EQ(record.loadings.at(0).cardinality(), k);
    EXPECT_EQ(record.timing.at("solve_seconds").at(0),
              kSecondsOfAPathPoint * static_cast<double>(k));
  }
}

TEST_F(Runner, GivesTheSameAnswersForAPathAsForSeparateRuns) {
  Plan plan{.datasets = {"test-fixed"}, .solvers = {"test-path"}, .cardinalities = {1, 5, 3}};
  run_experiment(request(make_experiment(plan), "together"));
  std::vector<std::string> separate;
  for (const Index k : std::vector<Index>{1, 5, 3}) {
    plan.cardinalities = {k};
    const std::string name = fmt::format("k{}", k);
    run_experiment(request(make_experiment(plan), name));
    separate.push_back(answers(name).at(0));
  }
  EXPECT_EQ(answers("together"), separate);
}

TEST_F(Runner, FailsACardinalityBeyondTheVariablesAndNoOther) {
  const Experiment experiment = make_experiment({.datasets = {"test-fixed"},
                                                 .solvers = {"test-path", "test-plain"},
                                                 .cardinalities = {2, kVariables + 1}});
  EXPECT_EQ(exit_code(run_experiment(request(experiment))), 3);
  for (const Record& record : records()) {
    const bool is_possible = record.cardinality.front() == 2;
    EXPECT_EQ(record.status, is_possible ? Status::kConverged : Status::kFailed);
    EXPECT_EQ(record.message,
              is_possible ? "" : "cardinality: 13 is out of range; accepted: 1 to p = 12");
  }
}

TEST_F(Runner, SkipsCellsWithoutDataUntilTheDataAreThere) {
  const Experiment experiment =
      make_experiment({.datasets = {"test-missing", "test-fixed"}, .solvers = {"test-plain"}});
  const RunSummary without = run_experiment(request(experiment));
  EXPECT_EQ(exit_code(without), 0);
  EXPECT_EQ(without.by_status.at(Status::kSkipped), 1U);
  EXPECT_NE(records().front().message.find(kMissingFile), std::string::npos)
      << records().front().message;
  fs::create_directories((root_ / "data" / kMissingFile).parent_path());
  std::ofstream(root_ / "data" / kMissingFile) << "1\n";
  const RunSummary with = run_experiment(request(experiment));
  EXPECT_EQ(with.kept, 1U);
  EXPECT_EQ(with.by_status.at(Status::kConverged), 2U);
  EXPECT_EQ(records().size(), 2U);
}

TEST_F(Runner, KeepsFinishedCellsAndRetriesFailedOnes) {
  const Experiment experiment =
      make_experiment({.solvers = {"test-plain", "misbehave-throw"}, .repeats = 6});
  run_experiment(request(experiment));
  const std::vector<std::string> first = lines();
  const RunSummary again = run_experiment(request(experiment));
  EXPECT_EQ(again.kept, 6U);
  EXPECT_EQ(again.run, 6U);
  EXPECT_EQ(calls(), 6U);
  EXPECT_EQ(answers().size(), first.size());
  RunRequest forced = request(experiment);
  forced.force = true;
  EXPECT_EQ(run_experiment(forced).kept, 0U);
  EXPECT_EQ(calls(), 12U);
}

TEST_F(Runner, DropsRecordsThatAreNoLongerPartOfTheExperiment) {
  Plan plan{.solvers = {"test-plain"}, .cardinalities = {2, 3}};
  run_experiment(request(make_experiment(plan)));
  plan.cardinalities = {3};
  const RunSummary summary = run_experiment(request(make_experiment(plan)));
  EXPECT_EQ(summary.kept, 1U);
  ASSERT_EQ(records().size(), 1U);
  EXPECT_EQ(records()[0].cardinality.front(), 3);
}

TEST_F(Runner, CutsOffATornLastLine) {
  const Experiment experiment = make_experiment({.repeats = 4});
  run_experiment(request(experiment));
  const std::vector<std::string> whole = answers();
  const auto size = fs::file_size(cells_file());
  fs::resize_file(cells_file(), size - 10);
  const RunSummary summary = run_experiment(request(experiment));
  EXPECT_EQ(summary.kept, 3U);
  EXPECT_EQ(answers(), whole);
}

/// Returns true if the child is a zombie, whose state end_of() can still read.
bool has_ended(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child;
}

TEST_F(Runner, ContinuesAfterKillAsIfNothingHadHappened) {
  const Experiment experiment = make_experiment(
      {.solvers = {"test-slow", "test-random"}, .cardinalities = {2, 3}, .repeats = 60});
  run_experiment(request(experiment, "unbroken", 2));
  const std::size_t cells = experiment.cells().size();
  Random random(1);
  std::size_t kills = 0;
  std::size_t lines_before = 0;
  for (; kills < 6; ++kills) {
    const pid_t process = run_in_process(request(experiment, "broken", 2), [] {});
    // Waits for a random number of further lines, however long they take; or for the end of the
    // run.
    const std::size_t last = lines_before + 1 + random.below(30);
    while (lines("broken").size() < last && !has_ended(process)) {
      usleep(1000);
    }
    kill(process, SIGKILL);
    const int state = end_of(process);
    const std::size_t now = lines("broken").size();
    EXPECT_GE(now, lines_before);
    lines_before = now;
    if (!WIFSIGNALED(state)) {
      break;  // the run had ended before the kill
    }
  }
  EXPECT_GT(lines_before, 0U);
  const RunSummary last = run_experiment(request(experiment, "broken", 2));
  EXPECT_EQ(last.kept, lines_before);
  EXPECT_EQ(last.kept + last.run, cells);
  EXPECT_EQ(answers("broken"), answers("unbroken"));
  // A kill loses the cell that ran and the answers still in the pipes of the two children. On a
  // busy machine that may be a whole block of each: an eighth of the repeats, at two cardinalities.
  // 120 calls of test-slow are those of the unbroken run.
  constexpr std::size_t kMostLostByAKill = 2UL * (60 / 8 * 2);
  EXPECT_GE(calls(), 240U);
  EXPECT_LE(calls(), 240U + kMostLostByAKill * kills);
}

/// Returns true if the process is gone, or is a zombie that its new parent has not yet reaped.
bool is_dead(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  return text.empty() || text.substr(text.rfind(')') + 2, 1) == "Z";
}

TEST_F(Runner, TakesItsChildrenWithItWhenItIsKilled) {
  const Experiment experiment = make_experiment({.solvers = {"misbehave-hang"}, .repeats = 2});
  const pid_t process = run_in_process(request(experiment, "run", 2), [] {});
  std::vector<pid_t> children;
  for (int attempt = 0; attempt < kPatience && children.size() < 2; ++attempt) {
    usleep(10'000);
    children.clear();
    std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", process));
    for (pid_t child = 0; file >> child;) {
      children.push_back(child);
    }
  }
  ASSERT_EQ(children.size(), 2U);
  kill(process, SIGKILL);
  end_of(process);
  for (const pid_t child : children) {
    for (int attempt = 0; attempt < kPatience && !is_dead(child); ++attempt) {
      usleep(10'000);
    }
    EXPECT_TRUE(is_dead(child));
  }
  // No process holds the lock any more.
  EXPECT_NO_THROW(RunStore store(root_ / "run"));
}

TEST_F(Runner, StopsInOrderWhenInterrupted) {
  const Experiment experiment =
      make_experiment({.solvers = {"test-slow"}, .cardinalities = {2, 3}, .repeats = 200});
  for (const int signal : {SIGINT, SIGTERM}) {
    fs::remove_all(root_ / "run");
    const pid_t process = run_in_process(request(experiment, "run", 2), [] {});
    while (!fs::exists(cells_file()) || lines().size() < 5) {
      usleep(1000);
    }
    kill(process, signal);
    const int state = end_of(process);
    ASSERT_TRUE(WIFEXITED(state));
    EXPECT_EQ(WEXITSTATUS(state), 130);
    const std::size_t done = lines().size();
    EXPECT_GE(done, 5U);
    EXPECT_LT(done, 400U);
    EXPECT_EQ(plan_run(request(experiment)).count(CellSource::kRun), done);
  }
}

TEST_F(Runner, MarksCellsThatRanBesideOthers) {
  const Experiment experiment = make_experiment({.solvers = {"test-slow"}, .repeats = 20});
  run_experiment(request(experiment, "alone", 1));
  run_experiment(request(experiment, "beside", 2));
  const auto is_contended = [](const Record& record) { return record.contended; };
  const std::vector<Record> alone = records("alone");
  const std::vector<Record> beside = records("beside");
  EXPECT_TRUE(std::none_of(alone.begin(), alone.end(), is_contended));
  EXPECT_TRUE(std::any_of(beside.begin(), beside.end(), is_contended));
}

/// The 20 cells of test-slow run beside others, those of test-plain do not.
TEST_F(Runner, RunsCellsAloneIfTheirGridSaysSo) {
  Experiment experiment = make_experiment({.solvers = {"test-slow", "test-plain"}, .repeats = 20});
  for (Variant& variant : experiment.variants) {
    variant.alone = variant.solver->name == "test-plain";
  }
  run_experiment(request(experiment, "run", 2));
  std::size_t beside = 0;
  for (const Record& record : records("run")) {
    EXPECT_FALSE(record.contended && record.solver == "test-plain");
    beside += record.contended ? 1 : 0;
  }
  EXPECT_GT(beside, 0U);
}

TEST_F(Runner, WritesNothingInADryRun) {
  const Experiment experiment = make_experiment({.repeats = 3});
  EXPECT_EQ(plan_run(request(experiment)).count(CellSource::kSolve), 3U);
  EXPECT_FALSE(fs::exists(root_ / "run"));
  EXPECT_EQ(calls(), 0U);
}

TEST_F(Runner, NamesADirectoryThatCannotBeMade) {
  const Experiment experiment = make_experiment({});
  std::ofstream(root_ / "file") << "x";
  EXPECT_EQ(error_of(request(experiment, "file")),
            (root_ / "file").string() + ": cannot be made: Not a directory");
  EXPECT_EQ(error_of(request(experiment, "file/below")),
            (root_ / "file/below").string() + ": cannot be made: Not a directory");
}

TEST_F(Runner, NamesTheLineOfACellsFileThatCannotBeReadAndGoesOn) {
  const Experiment experiment = make_experiment({});
  fs::create_directories(root_ / "run");
  std::ofstream(cells_file()) << "nonsense\n";
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_experiment(request(experiment)).run, 1U);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "spca: " + cells_file().string() +
          ":1: the record has no check: it was changed, or an older version wrote it; its cell "
          "is left out, and solved again\n");
  EXPECT_EQ(records().size(), 1U);
}

TEST_F(Runner, KeepsTheRecordsThatFitOnAFullDisk) {
  const Experiment experiment = make_experiment({.repeats = 100});
  run_experiment(request(experiment, "unbroken"));
  const auto room = static_cast<rlim_t>(fs::file_size(cells_file("unbroken")) / 2);
  const pid_t process = run_in_process(request(experiment), [&] {
    std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit then fails, as on a full disk
    const rlimit limit{.rlim_cur = room, .rlim_max = room};
    setrlimit(RLIMIT_FSIZE, &limit);
    const int said = open((root_ / "stderr").c_str(), O_WRONLY | O_CREAT, 0644);
    dup2(said, STDERR_FILENO);
  });
  const int state = end_of(process);
  ASSERT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 2);
  std::stringstream said;
  said << std::ifstream(root_ / "stderr").rdbuf();
  EXPECT_EQ(said.str(), cells_file().string() + ": cannot be written: File too large\n");
  const std::size_t kept = lines().size();
  EXPECT_GT(kept, 40U);
  EXPECT_LT(kept, 60U);
  EXPECT_EQ(run_experiment(request(experiment)).kept, kept);
  EXPECT_EQ(answers(), answers("unbroken"));
}

TEST_F(Runner, WritesAManifest) {
  const Experiment experiment = make_experiment({.repeats = 2});
  RunRequest with_invocation = request(experiment);
  with_invocation.invocation = Json{"spca", "run", "test/runner"};
  run_experiment(with_invocation);
  const Json manifest = Json::parse(std::ifstream(root_ / "run" / "manifest.json"));
  EXPECT_EQ(manifest["experiment"], "test/runner");
  EXPECT_EQ(manifest["invocation"][1], "run");
  EXPECT_EQ(manifest["cells"], 2);
  EXPECT_EQ(manifest["by_status"]["converged"], 2);
  EXPECT_EQ(manifest["ended"].get<std::string>().size(),
            std::string("2000-01-01T00:00:00Z").size());
}

TEST(RunDirectory, IsTheSameForTheSameCommandAndAnotherForAnother) {
  Experiment experiment = make_experiment({});
  const fs::path plain = default_run_directory(experiment);
  EXPECT_EQ(plain, fs::path("results/runs/test/runner/full"));
  experiment.overrides.seed = 3;
  experiment.overrides.repeats = 50;
  EXPECT_EQ(default_run_directory(experiment),
            fs::path("results/runs/test/runner/full-seed3-repeats50"));
  experiment.overrides = {};
  experiment.overrides.only_solvers = {"tpower"};
  const fs::path one = default_run_directory(experiment);
  experiment.overrides.only_solvers = {};
  experiment.overrides.only_datasets = {"tpower"};
  EXPECT_NE(one, plain);
  EXPECT_NE(one, default_run_directory(experiment));
}

TEST(Blocks, HoldEveryPendingCellOnce) {
  const Experiment experiment = make_experiment({.datasets = {"test-generated", "test-fixed"},
                                                 .solvers = {"test-plain", "test-path"},
                                                 .cardinalities = {1, 2, 3},
                                                 .repeats = 101});
  const std::vector<Cell> cells = experiment.cells();
  std::vector<std::size_t> pending;
  for (std::size_t cell = 0; cell < cells.size(); cell += 1 + cell % 3) {
    pending.push_back(cell);
  }
  for (const int jobs : {1, 2, 16}) {
    std::vector<std::size_t> found;
    for (const Block& block : make_blocks(experiment, cells, pending, jobs)) {
      for (const Job& job : block) {
        found.insert(found.end(), job.cells.begin(), job.cells.end());
      }
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, pending);
  }
}

TEST(Blocks, ShareTheDataOfARepeatAmongItsSolvers) {
  const Experiment experiment =
      make_experiment({.solvers = {"test-plain", "test-random"}, .repeats = 1000});
  const std::vector<Cell> cells = experiment.cells();
  std::vector<std::size_t> pending(cells.size());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    pending[cell] = cell;
  }
  const std::vector<Block> blocks = make_blocks(experiment, cells, pending, 2);
  EXPECT_EQ(blocks.size(), static_cast<std::size_t>(1000 / kRepeatsOfABlock));
  for (const Block& block : blocks) {
    ASSERT_EQ(block.size(), static_cast<std::size_t>(2 * kRepeatsOfABlock));
    for (std::size_t i = 0; i < block.size(); i += 2) {
      EXPECT_EQ(cells[block[i].cells[0]].repeat, cells[block[i + 1].cells[0]].repeat);
    }
  }
}

}  // namespace
}  // namespace spca::runner_test
