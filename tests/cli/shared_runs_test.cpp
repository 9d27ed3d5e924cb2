/// Tests of one run that several processes share, that is divided into shards, or that is killed at
/// any moment; and of the reasons given for the cells that remain.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "harness/experiments/experiment_identity.h"
#include "harness/runs/cache_maintenance.h"
#include "harness/runs/run_history.h"
#include "harness/runs/run_writer.h"
#include "tests/run_cache_testing.h"

namespace spca::shared_runs_test {
namespace {

TEST_F(RunCache, SaysWhyACellIsToBeSolved) {
  Plan plan{.datasets = {"test-fixed"}, .solvers = {"test-plain"}, .cardinalities = {2, 3}};
  const Experiment before = make_experiment(plan);
  run_experiment(request(before, "run"));
  Experiment changed = before;
  changed.time_limit = 100;
  const RunPlan limit = plan_run(request(changed, "run"));
  EXPECT_EQ(limit.planned[0].reason, "time limit changed");
  EXPECT_GT(limit.planned[0].predicted_seconds, 0);
  changed = before;
  changed.variants[0].metrics = {"explained_variance"};
  EXPECT_EQ(plan_run(request(changed, "run")).planned[0].source, CellSource::kRun)
      << "the others are left out, nothing is measured";
  changed.variants[0].metrics = {"explained_variance", "gap"};
  EXPECT_EQ(plan_run(request(changed, "run")).planned[0].reason,
            "a metric needs what was not kept");
  EXPECT_EQ(plan_run(request(changed, "run")).planned[1].source, CellSource::kRun);
  plan.cardinalities = {2, 5};
  const RunPlan more = plan_run(request(make_experiment(plan), "run"));
  EXPECT_EQ(more.planned[0].source, CellSource::kRun);
  EXPECT_EQ(more.planned[1].reason, "never run");
  plan.datasets = {"test-generated"};
  const RunPlan other = plan_run(request(make_experiment(plan), "run"));
  EXPECT_EQ(other.planned[0].reason, "never run");
  EXPECT_TRUE(std::isnan(other.planned[0].predicted_seconds));
  EXPECT_EQ(other.unpredicted, 2U);
}

TEST_F(RunCache, NamesEveryPartOfAnIdentityThatChanged) {
  const Experiment experiment = make_experiment({.datasets = {"test-fixed"}});
  const RunRequest plain = request(experiment, "run");
  RunContext context = make_context(experiment, experiment.cells(), plain.data_dir, 1);
  run_experiment(plain);
  const Json identity = context.identities[0];
  for (const auto& [pointer, word] : std::map<std::string, std::string>{
           {"/format", "form of records changed"},
           {"/solver_source", "solver source changed"},
           {"/solver_parts/spca~1spectrum", "library of the solver changed (spca/spectrum)"},
           {"/dataset_parts/spca~1base", "library of the data set changed (spca/base)"},
           {"/dataset_source", "data set source changed"},
           {"/data_checksum", "data changed"},
           {"/dataset/options", "data set options changed"},
           {"/solve/options", "solver options changed"},
           {"/memory_limit", "memory limit changed"}}) {
    context.identities[0] = identity;
    context.identities[0][Json::json_pointer(pointer)] = "other";
    context.digests[0] = identity_digest(context.identities[0]);
    RunHistory history(context);
    history.add_run(plain.directory);
    EXPECT_EQ(history.why_missing(0), word);
  }
}

TEST_F(RunCache, SaysThatACellFailedBefore) {
  const Experiment experiment = make_experiment({.datasets = {"test-missing"}});
  run_experiment(request(experiment));
  const RunPlan plan = plan_run(request(experiment));
  EXPECT_TRUE(plan.planned[0].reason.starts_with("skipped before: ")) << plan.planned[0].reason;
  const Experiment beyond = make_experiment({.cardinalities = {kVariables + 1}});
  run_experiment(request(beyond, "beyond"));
  EXPECT_EQ(plan_run(request(beyond, "beyond")).planned[0].reason,
            "failed before: cardinality: 13 is out of range; accepted: 1 to p = 12");
}

TEST_F(RunCache, TwoProcessesInOneFolderShareTheWork) {
  const Experiment experiment = make_experiment({.solvers = {"test-slow"}, .repeats = 100});
  run_experiment(request(experiment, "alone"));
  const std::size_t alone = calls();
  const pid_t first = run_in_process(request(experiment, "run", 2), [] {});
  const pid_t second = run_in_process(request(experiment, "run", 2), [] {});
  EXPECT_EQ(end_of(first), 0);
  EXPECT_EQ(end_of(second), 0);
  EXPECT_EQ(calls(), 2 * alone) << "the one that waited found all cells done";
  EXPECT_EQ(answers("run"), answers("alone"));
}

TEST_F(RunCache, WhoWaitsSaysSo) {
  const Experiment experiment = make_experiment({});
  std::optional<RunStore> holder(root_ / "run");
  const pid_t waiting = run_in_process(request(experiment), [&] {
    const int said = open((root_ / "stderr").c_str(), O_WRONLY | O_CREAT, 0644);
    dup2(said, STDERR_FILENO);
    // The child's copy of the descriptor must not keep the lock.
    holder->close_in_child();
  });
  const auto said = [&] {
    std::stringstream text;
    text << std::ifstream(root_ / "stderr").rdbuf();
    return text.str();
  };
  for (int attempt = 0; attempt < kPatience && said().empty(); ++attempt) {
    usleep(10'000);
  }
  EXPECT_EQ(said(), fmt::format("{}: process {} runs in this folder; waiting for it to end, to run "
                                "the remaining cells (Ctrl-C: do not wait)\n",
                                (root_ / "run").string(), getpid()));
  EXPECT_TRUE(running_process(root_ / "run").has_value());
  holder.reset();
  EXPECT_EQ(end_of(waiting), 0);
  EXPECT_FALSE(running_process(root_ / "run").has_value());
}

TEST_F(RunCache, ManyProcessesWithOneCacheCorruptNothing) {
  const Experiment experiment =
      make_experiment({.solvers = {"test-slow", "test-random"}, .repeats = 60});
  run_experiment(request(experiment, "alone"));
  std::vector<pid_t> processes;
  processes.reserve(4);
  for (int i = 0; i < 4; ++i) {
    processes.push_back(run_in_process(cached(experiment, fmt::format("run{}", i), 2), [] {}));
  }
  for (int i = 0; i < 5; ++i) {  // while they run
    usleep(20'000);
    collect_cache(root_ / "cache", {});
  }
  for (const pid_t process : processes) {
    EXPECT_EQ(end_of(process), 0);
  }
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(answers(fmt::format("run{}", i)), answers("alone"));
  }
  const CacheListing listing = list_cache(root_ / "cache");
  EXPECT_EQ(listing.damaged, 0U);
  EXPECT_EQ(listing.total.entries, 120U);
  EXPECT_EQ(run_experiment(cached(experiment, "last")).reused, 120U);
}

TEST_F(RunCache, ShardsDivideTheCellsEvenlyInAnyOrder) {
  const Plan plan{.datasets = {"test-generated", "test-fixed"},
                  .solvers = {"test-plain", "test-random", "test-path"},
                  .cardinalities = {1, 2, 3},
                  .repeats = 7};
  Plan turned = plan;
  std::reverse(turned.solvers.begin(), turned.solvers.end());
  std::reverse(turned.datasets.begin(), turned.datasets.end());
  const Experiment experiment = make_experiment(plan);
  const Experiment other = make_experiment(turned);
  const auto names = [](const Experiment& of, const Shard& shard) {
    std::set<std::string> all;
    for (const Cell& cell : cells_of_shard(of, shard)) {
      const Variant& variant = of.variants[cell.variant];
      all.insert(fmt::format("{} {} {} {}", variant.dataset_label, variant.solver_label,
                             variant.cardinality.front(), cell.repeat));
    }
    return all;
  };
  for (const std::size_t of : {1U, 2U, 5U, 200U}) {
    std::size_t total = 0;
    std::size_t least = 1000;
    std::size_t most = 0;
    std::set<std::string> all;
    for (std::size_t index = 1; index <= of; ++index) {
      const std::set<std::string> part = names(experiment, {.index = index, .of = of});
      EXPECT_EQ(part, names(other, {.index = index, .of = of}));
      total += part.size();
      least = std::min(least, part.size());
      most = std::max(most, part.size());
      all.insert(part.begin(), part.end());
    }
    EXPECT_EQ(total, 126U);
    EXPECT_EQ(all.size(), 126U);
    constexpr std::size_t kCardinalitiesOfAPath = 3;
    EXPECT_LE(most - least, kCardinalitiesOfAPath);
  }
}

TEST(ShardWords, AreIOfN) {
  EXPECT_EQ(shard_text(parse_shard("2/3")), "2/3");
  for (const char* wrong : {"", "0/3", "4/3", "1", "1/", "/3", "1/0", "-1/3", "1/3x", "a/b"}) {
    EXPECT_THROW(parse_shard(wrong), InputError) << wrong;
  }
}

/// Returns the number of cells of the test of kills. 10000 cells take half a minute.
Index cells_of_the_kill_test() {
  const char* given = std::getenv("SPCA_TEST_KILL_CELLS");
  return given == nullptr ? 1000 : std::atoi(given);
}

TEST_F(RunCache, ARunKilledTwentyTimesEndsAsAnUnbrokenOneAndTheCacheHasEveryCell) {
  const Index half = cells_of_the_kill_test() / 2;
  const Experiment experiment =
      make_experiment({.solvers = {"test-slow", "test-random"}, .repeats = half});
  run_experiment(request(experiment, "unbroken", 2));
  constexpr int kKills = 20;
  Random random(1);
  for (int kills = 0; kills < kKills; ++kills) {
    const bool group = random.below(2) == 0;
    // test-slow kills the run after a random number of its cells. The cells of all kills together
    // are fewer than those of the run.
    const std::size_t last = calls() + 1 + random.below(static_cast<std::uint64_t>(half) / 25);
    const pid_t process = run_in_process(cached(experiment, "broken", 2), [&] {
      setpgid(0, 0);
      setenv("SPCA_RUNNER_TEST_KILL_AT", std::to_string(last).c_str(), 1);
      if (group) {
        setenv("SPCA_RUNNER_TEST_KILL_GROUP", "", 1);
      }
    });
    EXPECT_TRUE(WIFSIGNALED(end_of(process)));
  }
  const RunSummary last = run_experiment(cached(experiment, "broken", 2));
  EXPECT_GT(last.kept, 0U);
  EXPECT_EQ(last.kept + last.reused + last.run, experiment.cells().size());
  EXPECT_EQ(answers("broken"), answers("unbroken"));
  EXPECT_EQ(run_experiment(cached(experiment, "other")).reused, experiment.cells().size());
  EXPECT_EQ(answers("other"), answers("unbroken"));
}

}  // namespace
}  // namespace spca::shared_runs_test
