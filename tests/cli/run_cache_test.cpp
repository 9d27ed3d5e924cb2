/// Tests of the cache of cells: the answers that it returns, and the removal of old ones.

#include <sys/file.h>
#include <sys/resource.h>

#include <csignal>
#include <map>
#include <set>

#include "harness/experiments/experiment_identity.h"
#include "harness/records/record_line.h"
#include "harness/runs/cache_maintenance.h"
#include "harness/runs/cell_cache.h"
#include "harness/runs/run_history.h"
#include "harness/runs/run_writer.h"
#include "spca/io/progress.h"
#include "tests/run_cache_testing.h"

namespace spca::run_cache_test {
namespace {

TEST_F(RunCache, GivesTheRecordsOfACellToAnotherFolderGridAndProfile) {
  Experiment experiment =
      make_experiment({.solvers = {"test-plain", "test-random"}, .cardinalities = {2, 3}});
  run_experiment(cached(experiment, "first"));
  const std::size_t calls_of_first = calls();
  Experiment other =
      make_experiment({.solvers = {"test-random", "test-plain"}, .cardinalities = {3, 2, 4}});
  other.name = "test/other";
  other.profile = "smoke";
  for (Variant& variant : other.variants) {
    variant.grid = "another \"grid\"";
    variant.solver_label = "renamed " + variant.solver_label;
  }
  const RunSummary summary = run_experiment(cached(other, "second"));
  EXPECT_EQ(summary.reused, 4U);
  EXPECT_EQ(summary.run, 2U);
  EXPECT_EQ(calls(), calls_of_first + 1) << "test-plain at k = 4; test-random does not count";
  run_experiment(request(other, "without-cache"));
  EXPECT_EQ(answers("second"), answers("without-cache"));
  for (const Record& record : records("second")) {
    EXPECT_EQ(record.origin.empty(), record.cardinality.front() == 4);
    EXPECT_FALSE(record.elsewhere);
  }
  const Json manifest = Json::parse(std::ifstream(root_ / "second" / "manifest.json"));
  EXPECT_EQ(manifest["reused"], 4);
  ASSERT_EQ(manifest["reused_from"].size(), 1U);
  EXPECT_EQ(manifest["reused_from"].begin().key(), records("second").front().origin);
  EXPECT_TRUE(manifest["reused_from"].front()["machine"].contains("processor"));
}

TEST_F(RunCache, KeepsTheOriginOfReusedRecordsWhenTheRunIsResumed) {
  const Experiment experiment = make_experiment({.repeats = 3});
  run_experiment(cached(experiment, "first"));
  run_experiment(cached(experiment, "second"));
  const RunSummary again = run_experiment(cached(experiment, "second"));
  EXPECT_EQ(again.kept, 3U);
  EXPECT_EQ(again.reused, 0U);
  const Json manifest = Json::parse(std::ifstream(root_ / "second" / "manifest.json"));
  EXPECT_EQ(manifest["reused_from"].size(), 1U);
}

TEST_F(RunCache, TimesOfAnotherNumberOfThreadsCountForNothing) {
  const Experiment experiment = make_experiment({});
  run_experiment(cached(experiment, "first"));
  RunRequest threads = cached(experiment, "second");
  threads.threads = 2;
  run_experiment(threads);
  const Record record = records("second").at(0);
  EXPECT_TRUE(record.elsewhere);
  EXPECT_FALSE(has_comparable_timing(record));
  EXPECT_TRUE(has_comparable_timing(records("first").at(0)));
}

TEST_F(RunCache, KeepsTheMarkOfCellsThatRanBesideOthers) {
  const Experiment experiment = make_experiment({.solvers = {"test-slow"}, .repeats = 20});
  run_experiment(cached(experiment, "first", 2));
  run_experiment(cached(experiment, "second", 1));
  const std::vector<Record> first = records("first");
  const std::vector<Record> second = records("second");
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].contended, second[i].contended);
    EXPECT_EQ(first[i].timing, second[i].timing);
  }
}

TEST_F(RunCache, DoesNotHandOutFailuresAndTimeLimits) {
  Experiment experiment =
      make_experiment({.datasets = {"test-fixed", "test-missing"}, .solvers = {"test-polite"}});
  experiment.time_limit = 0.05;
  run_experiment(cached(experiment, "first"));
  const RunPlan plan = plan_run(cached(experiment, "second"));
  EXPECT_EQ(plan.planned[0].reason, "time-limited before: time limit of 0.05 s");
  EXPECT_NE(plan.planned[1].reason.find("skipped before: "), std::string::npos);
  EXPECT_EQ(run_experiment(cached(experiment, "second")).reused, 0U);
}

TEST_F(RunCache, IgnoresRecordsOfAnotherBuild) {
  const Experiment experiment = make_experiment({.repeats = 2});
  const RunRequest first = cached(experiment, "first");
  run_experiment(first);
  const RunContext context = make_context(experiment, experiment.cells(), first.data_dir, 1);
  CellCache cache(first.cache_dir, SqlAccess::kExisting);
  Json build = timing_origin(1)["build"];
  std::size_t hits = 0;
  const VisitHit count = [&hits](std::size_t, const std::string&, const Json&) { ++hits; };
  for_each_hit(cache, context, {0, 1}, build, count);
  EXPECT_EQ(hits, 2U);
  build["flags"] = "-O0";
  for_each_hit(cache, context, {0, 1}, build, count);
  EXPECT_EQ(hits, 2U);
}

TEST_F(RunCache, ADamagedAnswerCostsThatCellAlone) {
  const Experiment experiment = make_experiment({.repeats = 10});
  run_experiment(cached(experiment, "first"));
  SqlDatabase(root_ / "cache" / "cells.sqlite", SqlAccess::kExisting)
      .execute("UPDATE answers SET text = replace(text, '\"repeat\":3', '\"repeat\":4')");
  EXPECT_EQ(list_cache(root_ / "cache").damaged, 1U);
  const RunPlan plan = plan_run(cached(experiment, "second"));
  EXPECT_EQ(plan.count(CellSource::kCache), 9U);
  EXPECT_EQ(plan.planned[3].reason, "its record in the cache is damaged");
  const RunSummary summary = run_experiment(cached(experiment, "second"));
  EXPECT_EQ(summary.reused, 9U);
  EXPECT_EQ(summary.run, 1U);
  EXPECT_EQ(answers("second"), answers("first"));
  EXPECT_EQ(list_cache(root_ / "cache").damaged, 0U) << "it was replaced";
}

TEST_F(RunCache, CacheErrorsAreReportedOnceAndStopNoRun) {
  const Experiment experiment = make_experiment({.repeats = 10});
  run_experiment(request(experiment, "without"));
  const fs::path file = root_ / "cache" / "cells.sqlite";
  fs::create_directory(root_ / "cache");
  std::ofstream(file) << std::string(10'000, 'x');
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_experiment(cached(experiment, "run")).run, 10U);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            fmt::format("spca: {0}: file is not a database; `rm '{0}'*` deletes it; the run goes "
                        "on without the cache\n",
                        file.string()));
  EXPECT_EQ(answers("run"), answers("without"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(plan_run(cached(experiment, "other")).count(CellSource::kSolve), 10U);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  // Without the file, the folder works again.
  fs::remove(file);
  EXPECT_EQ(run_experiment(cached(experiment, "again")).run, 10U);
  EXPECT_EQ(run_experiment(cached(experiment, "last")).reused, 10U);
}

TEST_F(RunCache, ACacheOfANewerVersionIsLeftAlone) {
  const Experiment experiment = make_experiment({.repeats = 10});
  run_experiment(cached(experiment, "first"));
  const fs::path file = root_ / "cache" / "cells.sqlite";
  SqlDatabase(file, SqlAccess::kExisting).execute("PRAGMA user_version = 2");
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_experiment(cached(experiment, "second")).run, 10U);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("newer version"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  SqlDatabase(file, SqlAccess::kExisting).execute("PRAGMA user_version = 1");
  EXPECT_EQ(run_experiment(cached(experiment, "third")).reused, 10U);
}

TEST_F(RunCache, ForceSolvesOnlyMatchingCellsAgain) {
  const Experiment experiment = make_experiment(
      {.datasets = {"test-fixed", "test-generated"}, .solvers = {"test-plain", "test-random"}});
  run_experiment(cached(experiment, "run"));
  for (const auto& [glob, cells] : std::map<std::string, std::size_t>{
           {"test-plain", 2}, {"test-fixed", 2}, {"*-plain/*-fixed", 1}, {"*", 4}, {"", 4}}) {
    RunRequest forced = cached(experiment, "run");
    forced.force = true;
    forced.force_glob = glob;
    EXPECT_EQ(plan_run(forced).count(CellSource::kSolve), cells) << glob;
    const RunSummary summary = run_experiment(forced);
    EXPECT_EQ(summary.run, cells) << glob;
    EXPECT_EQ(summary.kept, 4 - cells) << glob;
    EXPECT_EQ(summary.reused, 0U) << glob;
  }
  RunRequest wrong = cached(experiment, "run");
  wrong.force = true;
  wrong.force_glob = "nobody";
  EXPECT_NE(error_of(wrong).find("--force: found \"nobody\""), std::string::npos);
}

TEST_F(RunCache, AForcedRunThatWasKilledDoesNotFallBackOnOldRecords) {
  const Experiment experiment = make_experiment({.repeats = 5});
  const RunRequest plain = cached(experiment, "run");
  run_experiment(plain);
  {
    // Writes the files of a forced run that is killed before its first record.
    const RunContext context = make_context(experiment, experiment.cells(), plain.data_dir, 1);
    RunStore store(plain.directory);
    store.open(context, std::vector<bool>(5, true));
    CellCache cache(plain.cache_dir, SqlAccess::kMade, timing_origin(1));
    for (std::size_t cell = 0; cell < 5; ++cell) {
      cache.forget(context.key(cell));
    }
  }
  EXPECT_EQ(plan_run(plain).planned[0].reason, "forced before, not solved since");
  EXPECT_EQ(run_experiment(plain).run, 5U);
  EXPECT_EQ(run_experiment(cached(experiment, "other")).reused, 5U);
}

TEST_F(RunCache, ALaterRecordReplacesTheEarlierOne) {
  const Experiment experiment = make_experiment({.repeats = 10});
  run_experiment(cached(experiment, "one"));
  RunRequest forced = cached(experiment, "one");
  forced.force = true;
  run_experiment(forced);
  EXPECT_EQ(entries(), 10U);
  const CollectedCache collected = collect_cache(root_ / "cache", {});
  EXPECT_TRUE(collected.removed.empty());
  EXPECT_EQ(collected.kept.entries, 10U);
  EXPECT_EQ(run_experiment(cached(experiment, "two")).reused, 10U);
  EXPECT_EQ(answer_of_line(lines("two").at(0)), answer_of_line(lines("one").at(0)))
      << "the record of the forced run, to the digits of its times";
}

TEST_F(RunCache, CollectingRemovesForgottenAnswers) {
  const Experiment experiment = make_experiment({.repeats = 3});
  const RunRequest plain = cached(experiment, "one");
  run_experiment(plain);
  const RunContext context = make_context(experiment, experiment.cells(), plain.data_dir, 1);
  CellCache(plain.cache_dir, SqlAccess::kMade).forget(context.key(1));
  EXPECT_EQ(entries(), 2U);
  const CollectedCache collected = collect_cache(plain.cache_dir, {});
  EXPECT_EQ(collected.removed.at("forgotten").entries, 1U);
  EXPECT_EQ(collected.kept.entries, 2U);
}

TEST_F(RunCache, CollectingGoesByAgeSizeAndSource) {
  const Experiment experiment = make_experiment({.repeats = 20});
  const RunRequest plain = cached(experiment, "one");
  run_experiment(plain);
  EXPECT_EQ(collect_cache(plain.cache_dir, {.stale = true}).kept.entries, 20U);
  EXPECT_EQ(collect_cache(plain.cache_dir, {.older_than_days = 1}).kept.entries, 20U);
  const CollectedCache smaller = collect_cache(
      plain.cache_dir,
      {.max_size_megabytes = static_cast<double>(list_cache(plain.cache_dir).total.bytes) / 2e6});
  // The lengths of the lines differ by a few digits.
  EXPECT_GE(smaller.kept.entries, 9U);
  EXPECT_LE(smaller.kept.entries, 10U);
  // Adds a record that a solver of other sources made.
  Json identity = make_context(experiment, experiment.cells(), plain.data_dir, 1).identities[0];
  identity["solver_source"] = "gone";
  const CachedAnswer answer{.key = cell_key(identity_digest(identity), 1, 0),
                            .solver = "test-plain",
                            .dataset = "test-generated",
                            .status = Status::kConverged,
                            .text = "{}"};
  CellCache(plain.cache_dir, SqlAccess::kMade, timing_origin(1))
      .add(answer, identity_digest(identity), identity);
  EXPECT_EQ(entries(), smaller.kept.entries + 1);
  const CollectedCache fresh = collect_cache(plain.cache_dir, {.stale = true});
  EXPECT_EQ(fresh.removed.at("stale").entries, 1U);
  EXPECT_EQ(fresh.kept.entries, smaller.kept.entries);
}

TEST_F(RunCache, ACacheThatCannotBeWrittenStopsNoRun) {
  const Experiment experiment = make_experiment({.repeats = 200});
  RunRequest nowhere = request(experiment, "nowhere");
  nowhere.cache_dir = "/dev/full";
  EXPECT_EQ(run_experiment(nowhere).run, 200U);
  // No file may grow beyond this size, as on a full disk. It is enough for cells.jsonl, but not for
  // the cache, which holds the same lines and more.
  const rlim_t size = fs::file_size(cells_file("nowhere")) * 21 / 20;
  const pid_t process = run_in_process(cached(experiment, "full"), [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = size, .rlim_max = size};
    setrlimit(RLIMIT_FSIZE, &limit);
  });
  const int state = end_of(process);
  ASSERT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 0);
  EXPECT_EQ(answers("full"), answers("nowhere"));
  const std::size_t kept = entries();
  EXPECT_LT(kept, 200U);
  EXPECT_EQ(list_cache(root_ / "cache").damaged, 0U);
  EXPECT_EQ(run_experiment(cached(experiment, "after")).reused, kept);
  EXPECT_EQ(answers("after"), answers("nowhere"));
  EXPECT_EQ(run_experiment(cached(experiment, "last")).reused, 200U);
}

}  // namespace
}  // namespace spca::run_cache_test
