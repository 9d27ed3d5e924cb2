/// Tests of the cache file: the records that it returns after kills, flipped bits, full disks and
/// other failures.

#include "harness/runs/cache_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "harness/runs/cache_maintenance.h"
#include "spca/base/error.h"
#include "spca/base/random.h"

namespace spca::cache_file_test {
namespace {

namespace fs = std::filesystem;

std::string bytes_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns an answer that is a function of its number.
CachedAnswer answer_of(int number) {
  Random random(static_cast<std::uint64_t>(number));
  std::string text = fmt::format("{{\"answer\":{}", number);
  for (int i = 0; i < 30; ++i) {
    text += fmt::format(",{}", random.normal());
  }
  return {.key = fmt::format("{:064x}", 7919 * number),
          .solver = fmt::format("solver-{}", number % 3),
          .dataset = fmt::format("data-{}", number % 2),
          .status = number % 5 == 0 ? Status::kTimeLimit : Status::kConverged,
          .solve_seconds = number % 4 == 0 ? kNotMeasured : 0.25 * number,
          .text = text + "}"};
}

const Json kIdentity = {{"core", "gone"}, {"solve", {{"solver", "some"}}}};
const Json kOrigin = {{"machine", "here"}, {"experiment", "test"}, {"seconds_since_1970", 1e9}};

void add(CacheFile& cache, int number) {
  cache.add(answer_of(number), "identity", kIdentity, "origin", kOrigin);
}

/// Returns true if the cache has the answer, and checks that the answer is complete.
bool has(CacheFile& cache, int number) {
  const CachedAnswer wanted = answer_of(number);
  const std::optional<CacheRow> row = cache.find(wanted.key);
  if (row) {
    EXPECT_EQ(row->answer.text, wanted.text);
    EXPECT_EQ(row->answer.status, wanted.status);
    EXPECT_EQ(row->answer.solver, wanted.solver);
    EXPECT_EQ(row->answer.dataset, wanted.dataset);
    EXPECT_EQ(row->identity, "identity");
    EXPECT_EQ(row->origin, "origin");
    EXPECT_TRUE(std::isnan(wanted.solve_seconds)
                    ? std::isnan(row->answer.solve_seconds)
                    : row->answer.solve_seconds == wanted.solve_seconds);
    const Json& origin = cache.origin(row->origin);
    EXPECT_TRUE(origin.is_null() || origin == kOrigin);
  }
  return row.has_value();
}

/// The signals between two processes that run alternately.
class Turns {
 public:
  Turns() {
    EXPECT_EQ(pipe(to_child_), 0);
    EXPECT_EQ(pipe(to_parent_), 0);
  }
  ~Turns() {
    for (const int end : {to_child_[0], to_child_[1], to_parent_[0], to_parent_[1]}) {
      close(end);
    }
  }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  void signal_child() const { signal(to_child_); }
  void signal_parent() const { signal(to_parent_); }
  void wait_for_child() const { wait(to_parent_); }
  void wait_for_parent() const { wait(to_child_); }

 private:
  static void signal(const int* ends) { EXPECT_EQ(write(ends[1], "", 1), 1); }
  static void wait(const int* ends) {
    char said = 0;
    EXPECT_EQ(read(ends[0], &said, 1), 1);
  }
  int to_child_[2] = {-1, -1};
  int to_parent_[2] = {-1, -1};
};

class CacheFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = (fs::path(testing::TempDir()) / "spca_cache_file_XXXXXX").string();
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    root_ = path;
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path file() const { return root_ / "cells.sqlite"; }
  /// Adds the answers from `first` up to, not including, `last` in one transaction.
  void fill(int first, int last) const {
    CacheFile cache(root_, SqlAccess::kMade);
    cache.begin();
    for (int number = first; number < last; ++number) {
      add(cache, number);
    }
    cache.commit();
  }
  int count(int last) const {
    CacheFile cache(root_, SqlAccess::kExisting);
    int found = 0;
    for (int number = 0; number < last; ++number) {
      found += has(cache, number) ? 1 : 0;
    }
    return found;
  }
  std::string error_of(SqlAccess access) const {
    try {
      const CacheFile cache(root_, access);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  /// Runs `act` in a child process that ends without closing anything. Its exit code is 3 for
  /// InputError, otherwise 1 if an expectation was not met there, otherwise 0.
  static pid_t in_process(const std::function<void()>& act) {
    const pid_t process = fork();
    if (process == 0) {
      try {
        act();
      } catch (const InputError& error) {
        fmt::print(stderr, "{}\n", error.what());
        _exit(3);
      }
      _exit(HasFailure() ? 1 : 0);
    }
    return process;
  }
  static int end_of(pid_t process) {
    int state = 0;
    waitpid(process, &state, 0);
    return state;
  }

  fs::path root_;
};

TEST_F(CacheFileTest, GivesTheLastAnswerOfAKeyUntilItIsForgotten) {
  fill(0, 10);
  EXPECT_EQ(count(12), 10);
  CacheFile cache(root_, SqlAccess::kMade);
  CachedAnswer other = answer_of(3);
  other.text = "other";
  cache.begin();
  cache.add(other, "identity", kIdentity, "origin", kOrigin);
  cache.forget(answer_of(4).key);
  cache.forget(answer_of(11).key);
  cache.commit();
  EXPECT_EQ(cache.find(other.key)->answer.text, "other");
  EXPECT_FALSE(has(cache, 4));
  std::vector<std::string> keys;
  cache.for_each([&](const CacheRow& row) { keys.push_back(row.answer.key); });
  ASSERT_EQ(keys.size(), 11U);
  EXPECT_EQ(keys[8], answer_of(3).key) << "written last, before the two that were forgotten";
  EXPECT_EQ(keys[10], answer_of(11).key);
  cache.begin();
  add(cache, 4);
  cache.commit();
  EXPECT_TRUE(has(cache, 4));
  EXPECT_EQ(cache.identities().at("identity"), kIdentity);
}

TEST_F(CacheFileTest, IsEmptyAndNotMadeIfItIsOnlyRead) {
  const fs::path nowhere = root_ / "nowhere";
  CacheFile cache(nowhere, SqlAccess::kExisting);
  EXPECT_FALSE(has(cache, 1));
  EXPECT_EQ(list_cache(nowhere).total.entries, 0U);
  EXPECT_EQ(collect_cache(nowhere, {.stale = true}).kept.entries, 0U);
  EXPECT_FALSE(fs::exists(nowhere));
}

TEST_F(CacheFileTest, AnAlteredColumnMakesARowDamagedAndCollectingRemovesIt) {
  for (const char* change :
       {"text = replace(text, 'answer', 'Answer')", "status = 'converged'",
        "status = 'none of these'", "solve_seconds = 2", "solve_seconds = NULL",
        "identity = 'other'", "origin = 'other'", "solver = dataset", "dataset = ''",
        "key = replace(key, '0', '1')", "key_hash = key_hash + 1", "text = NULL"}) {
    fs::remove(file());
    fill(0, 11);  // number 6 is answer_of(5): time limit after 1.25 s
    SqlDatabase(file(), SqlAccess::kExisting)
        .execute(fmt::format("UPDATE answers SET {} WHERE number = 6", change).c_str());
    EXPECT_EQ(count(11), 10) << change;
    EXPECT_EQ(list_cache(root_).damaged, 1U) << change;
    EXPECT_EQ(list_cache(root_).total.entries, 10U) << change;
    const CollectedCache collected = collect_cache(root_, {});
    EXPECT_EQ(collected.removed.at("damaged").entries, 1U) << change;
    EXPECT_EQ(collected.kept.entries, 10U) << change;
    EXPECT_EQ(list_cache(root_).damaged, 0U) << change;
    EXPECT_EQ(count(11), 10) << change;
  }
}

TEST_F(CacheFileTest, ADamagedOriginOrIdentityIsUnknown) {
  fill(0, 3);
  SqlDatabase(file(), SqlAccess::kExisting)
      .execute("UPDATE origins SET json = '{}'; UPDATE identities SET json = '{}'");
  CacheFile cache(root_, SqlAccess::kExisting);
  EXPECT_TRUE(cache.origin("origin").is_null());
  EXPECT_TRUE(cache.identities().empty());
}

/// Opens the cache in `root` and reads everything in every way. Returns the number of answers that
/// find() returned.
int answers_of_existing_file(const fs::path& root, int last) {
  int found = 0;
  try {
    CacheFile cache(root, SqlAccess::kExisting);
    for (int number = 0; number < last; ++number) {
      found += has(cache, number) ? 1 : 0;
    }
    for (const auto& [digest, identity] : cache.identities()) {
      EXPECT_EQ(identity, kIdentity);
    }
    cache.for_each([&](const CacheRow& row) {
      if (row.kind == CacheRowKind::kAnswer) {
        const int number = std::stoi(row.answer.key.substr(48), nullptr, 16) / 7919;
        EXPECT_EQ(row.answer.key, answer_of(number).key);
        EXPECT_EQ(row.answer.text, answer_of(number).text);
      }
    });
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("cells.sqlite: "), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  return found;
}

TEST_F(CacheFileTest, AFlippedBitNeverAltersAnAnswer) {
  constexpr int kAnswers = 20;
  const fs::path original = root_ / "original";
  fs::create_directory(original);
  // The process is killed, so that some of the answers are only in the log of changes.
  end_of(in_process([&] {
    CacheFile cache(original, SqlAccess::kMade);
    cache.begin();
    for (int number = 0; number < kAnswers; ++number) {
      add(cache, number);
    }
    cache.commit();
    SqlDatabase(original / "cells.sqlite", SqlAccess::kExisting)
        .execute("PRAGMA wal_checkpoint(TRUNCATE)");
    for (int number = 0; number < kAnswers; number += 2) {
      cache.begin();
      add(cache, number);
      cache.commit();
    }
    kill(getpid(), SIGKILL);
  }));
  Random random(1);
  // If there is a log, SQLite writes it back each time, which takes 20 ms on a disk.
  for (const auto& [part, flips] : {std::pair("cells.sqlite", 1000), {"cells.sqlite-wal", 60}}) {
    const std::string whole = bytes_of_file(original / part);
    ASSERT_GT(whole.size(), 10'000U) << part;
    int found = 0;
    for (int flip = 0; flip < flips; ++flip) {
      std::string flipped = whole;
      const std::size_t at = random.below(whole.size());
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << random.below(8)));
      fs::remove(root_ / "cells.sqlite-wal");
      fs::remove(root_ / "cells.sqlite-shm");
      fs::copy_file(original / "cells.sqlite", file(), fs::copy_options::overwrite_existing);
      std::ofstream(root_ / part, std::ios::binary) << flipped;
      found += answers_of_existing_file(root_, kAnswers);
    }
    EXPECT_GT(found, flips * kAnswers / 2) << "most bits are text of one answer, or empty";
  }
}

TEST_F(CacheFileTest, TheLaterOfTwoAnswersCountsForAnyClocks) {
  const CachedAnswer wanted = answer_of(2);
  CachedAnswer earlier = wanted;
  earlier.text = "{}";
  CacheFile cache(root_, SqlAccess::kMade);
  cache.begin();
  cache.add(earlier, "identity", kIdentity, "future", {{"seconds_since_1970", 4e9}});
  cache.forget(wanted.key);  // as by --force after the clock was set back
  EXPECT_FALSE(cache.find(wanted.key));
  cache.add(wanted, "identity", kIdentity, "past", {{"seconds_since_1970", 1.0}});
  cache.commit();
  EXPECT_EQ(cache.find(wanted.key)->answer.text, wanted.text);
  EXPECT_EQ(cache.find(wanted.key)->origin, "past");
}

TEST_F(CacheFileTest, AFileThatIsNoDatabaseIsRefusedInALineThatSaysHowToDeleteIt) {
  const std::string advice = fmt::format("`rm '{}'*` deletes it", file().string());
  std::ofstream(file()) << std::string(5000, 'x');
  EXPECT_EQ(error_of(SqlAccess::kMade),
            fmt::format("{}: file is not a database; {}", file().string(), advice));
  fs::remove(file());
  fill(0, 200);
  std::string bytes = bytes_of_file(file());
  std::fill(bytes.begin() + 4096, bytes.end(), 'x');
  std::ofstream(file(), std::ios::binary) << bytes;
  try {
    count(200);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              fmt::format("{}: database disk image is malformed; {}", file().string(), advice));
  }
}

TEST_F(CacheFileTest, FilesOfNewerVersionsAndOfOthersAreRefusedAndNotTouched) {
  fill(0, 3);
  SqlDatabase(file(), SqlAccess::kExisting).execute("PRAGMA user_version = 99");
  const std::string newer = bytes_of_file(file());
  for (const SqlAccess access : {SqlAccess::kMade, SqlAccess::kExisting}) {
    EXPECT_NE(error_of(access).find("cells.sqlite: has format 99, of a newer version"),
              std::string::npos);
    EXPECT_EQ(bytes_of_file(file()), newer);
  }
  EXPECT_THROW(collect_cache(root_, {.stale = true}), InputError);
  EXPECT_EQ(bytes_of_file(file()), newer);
  fs::remove(file());
  SqlDatabase(file(), SqlAccess::kMade).execute("CREATE TABLE recipes (name TEXT)");
  const std::string other = bytes_of_file(file());
  EXPECT_NE(error_of(SqlAccess::kMade).find("is not a cache of cells"), std::string::npos);
  EXPECT_EQ(bytes_of_file(file()), other);
}

TEST_F(CacheFileTest, AWriterKilledTwentyTimesLosesNothingThatItCommitted) {
  constexpr int kKills = 20;
  Random random(2);
  int next = 0;
  for (int kills = 0; kills < kKills; ++kills) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const int first = next;
    const pid_t process = in_process([&] {
      CacheFile cache(root_, SqlAccess::kMade);  // the first process creates the file
      for (int number = first;; number += 3) {
        cache.begin();
        for (int i = 0; i < 3; ++i) {
          add(cache, number + i);
        }
        cache.commit();
        [[maybe_unused]] const ssize_t said = write(ends[1], "", 1);
      }
    });
    close(ends[1]);
    const int commits = static_cast<int>(random.below(40));
    char heard[64];
    for (int i = 0; i < commits; ++i) {
      ASSERT_EQ(read(ends[0], heard, 1), 1);
    }
    kill(process, SIGKILL);
    end_of(process);
    ssize_t rest = 0;
    int known = commits;
    while ((rest = read(ends[0], heard, sizeof heard)) > 0) {
      known += static_cast<int>(rest);
    }
    close(ends[0]);
    // One more transaction may have been committed, before its byte could be written.
    next = count(first + 3 * known + 6);
    EXPECT_EQ(next % 3, 0) << "a transaction is whole or not there";
    EXPECT_GE(next, first + 3 * known);
  }
  EXPECT_EQ(list_cache(root_).damaged, 0U);
  EXPECT_EQ(list_cache(root_).total.entries, static_cast<std::size_t>(next));
}

TEST_F(CacheFileTest, CollectingThatIsKilledLosesNothing) {
  Random random(3);
  for (int kills = 0; kills < 20; ++kills) {
    fill(0, 100);
    fill(100, 200);
    SqlDatabase(file(), SqlAccess::kExisting)
        .execute("UPDATE answers SET text = 'damaged' WHERE number % 2 = 1");
    const int whole = count(200);
    const pid_t process = in_process([&] { collect_cache(root_, {}); });
    usleep(static_cast<useconds_t>(random.below(5000)));
    kill(process, SIGKILL);
    end_of(process);
    EXPECT_EQ(count(200), whole);
    const std::size_t damaged = list_cache(root_).damaged;
    EXPECT_TRUE(damaged == 0 || damaged == 100) << damaged;
  }
}

TEST_F(CacheFileTest, ProcessesThatMakeItAtOnceAndWriteAtOnceLoseNothing) {
  constexpr int kProcesses = 6;
  constexpr int kAnswersOfOne = 50;
  for (int round = 0; round < 5; ++round) {
    fs::remove_all(root_ / "new");
    std::vector<pid_t> processes;
    processes.reserve(kProcesses);
    for (int i = 0; i < kProcesses; ++i) {
      processes.push_back(in_process([&] {
        CacheFile cache(root_ / "new", SqlAccess::kMade);
        for (int number = 0; number < kAnswersOfOne; ++number) {
          cache.begin();
          add(cache, i * kAnswersOfOne / 2 + number);  // the next process adds half too
          cache.commit();
        }
      }));
    }
    for (int i = 0; i < 5; ++i) {
      collect_cache(root_ / "new", {});
    }
    for (const pid_t process : processes) {
      EXPECT_EQ(end_of(process), 0);
    }
    const CacheListing listing = list_cache(root_ / "new");
    EXPECT_EQ(listing.total.entries, (kProcesses + 1) * kAnswersOfOne / 2U);
    EXPECT_EQ(listing.damaged, 0U);
    EXPECT_EQ(listing.by.at("experiment").at("test").entries, listing.total.entries);
  }
}

TEST_F(CacheFileTest, CollectingBesideAWriterTakesNothingThatItStillNeeds) {
  Turns turns;
  const pid_t process = in_process([&] {
    CacheFile writer(root_, SqlAccess::kMade);
    writer.begin();
    add(writer, 1);
    writer.commit();
    turns.signal_parent();
    turns.wait_for_parent();
    writer.begin();
    add(writer, 2);
    writer.commit();
    EXPECT_TRUE(has(writer, 2));
  });
  turns.wait_for_child();
  EXPECT_EQ(collect_cache(root_, {.stale = true}).removed.at("stale").entries, 1U);
  EXPECT_TRUE(CacheFile(root_, SqlAccess::kExisting).identities().empty());
  turns.signal_child();
  EXPECT_EQ(end_of(process), 0);
  CacheFile reader(root_, SqlAccess::kExisting);
  EXPECT_TRUE(has(reader, 2));
  EXPECT_EQ(reader.identities().at("identity"), kIdentity);
  EXPECT_EQ(reader.origin("origin"), kOrigin);
}

TEST_F(CacheFileTest, AForkedChildDoesNotTakeTheLockAway) {
  Turns turns;
  const pid_t other = in_process([&] {  // before this process opens the file
    turns.wait_for_parent();
    SqlDatabase database(file(), SqlAccess::kExisting);
    database.execute("PRAGMA busy_timeout = 0");
    database.execute("BEGIN IMMEDIATE");
  });
  CacheFile cache(root_, SqlAccess::kMade);
  cache.begin();
  add(cache, 1);
  end_of(in_process([] {}));
  end_of(in_process([] { kill(getpid(), SIGKILL); }));
  turns.signal_child();
  EXPECT_EQ(WEXITSTATUS(end_of(other)), 3) << "the database is locked";
  cache.commit();
  EXPECT_TRUE(has(cache, 1));
}

TEST_F(CacheFileTest, AFullDiskLosesNothingThatWasCommittedBefore) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t process = in_process([&] {
    // No file may grow beyond this, as on a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 300'000, .rlim_max = 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    CacheFile cache(root_, SqlAccess::kMade);
    for (int number = 0;; ++number) {
      cache.begin();
      add(cache, number);
      cache.commit();
      [[maybe_unused]] const ssize_t said = write(ends[1], "", 1);
    }
  });
  close(ends[1]);
  int committed = 0;
  for (char heard = 0; read(ends[0], &heard, 1) == 1;) {
    ++committed;
  }
  close(ends[0]);
  EXPECT_EQ(WEXITSTATUS(end_of(process)), 3);
  EXPECT_GT(committed, 5);
  EXPECT_EQ(count(committed + 1), committed);
  fill(committed, committed + 100);  // there is space again
  EXPECT_EQ(count(committed + 100), committed + 100);
}

TEST_F(CacheFileTest, CollectingShortensTheFile) {
  fill(0, 2000);
  const CollectedCache dry = collect_cache(root_, {.max_size_megabytes = 0.1, .dry_run = true});
  EXPECT_EQ(dry.file_bytes_after, dry.file_bytes_before);
  EXPECT_EQ(count(2000), 2000);
  const CollectedCache collected = collect_cache(root_, {.max_size_megabytes = 0.1});
  EXPECT_EQ(collected.kept.entries, dry.kept.entries);
  EXPECT_LT(collected.file_bytes_after, collected.file_bytes_before / 4);
  EXPECT_EQ(fs::file_size(file()), collected.file_bytes_after);
  CacheFile cache(root_, SqlAccess::kExisting);
  EXPECT_TRUE(has(cache, 1999)) << "the oldest go first";
  EXPECT_FALSE(has(cache, 0));
}

/// Makes the permissions of files count for this process, even if it runs as root. The user stays
/// root, because on some machines no other user may search the folders above.
bool obey_permissions() {
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets = {};
  if (syscall(SYS_capget, &header, sets.data()) != 0) {
    return false;
  }
  sets[0].effective &= ~(1U << CAP_DAC_OVERRIDE);
  return syscall(SYS_capset, &header, sets.data()) == 0;
}

TEST_F(CacheFileTest, IsReadInAFolderThatCannotBeWritten) {
  const fs::path folder = root_ / "a folder, 100 % strange? #1";
  fs::create_directory(folder);
  {
    CacheFile cache(folder, SqlAccess::kMade);
    cache.begin();
    add(cache, 1);
    cache.commit();
  }
  fs::permissions(root_, fs::perms(0755));
  fs::permissions(folder, fs::perms(0555));
  const pid_t process = in_process([&] {
    if (!obey_permissions()) {
      _exit(1);
    }
    {
      CacheFile cache(folder, SqlAccess::kExisting);
      if (!has(cache, 1)) {
        _exit(1);
      }
    }
    const CacheFile fails(folder, SqlAccess::kMade);
  });
  EXPECT_EQ(WEXITSTATUS(end_of(process)), 3);
  fs::permissions(folder, fs::perms(0755));
}

TEST_F(CacheFileTest, SegmentsOfTheOldFormAreNamedInOneLine) {
  testing::internal::CaptureStderr();
  warn_of_old_cache(root_ / "nowhere");
  warn_of_old_cache(root_);
  std::ofstream(root_ / "cells.jsonl") << "{}\n";
  warn_of_old_cache(root_);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  std::ofstream(root_ / "20260131T120000.123456-4711.jsonl") << "{}\n";
  std::ofstream(root_ / "20260131T120001.123456-4711.jsonl") << "{}\n";
  std::ofstream(root_ / "20260131T120001.123456-4711.index") << "\n";
  std::ofstream(root_ / ".lock") << "";
  testing::internal::CaptureStderr();
  warn_of_old_cache(root_);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.starts_with("spca: " + root_.string() + ": holds a cache of an older version"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
  // The command in the warning deletes the old files and nothing else.
  const std::size_t begin = said.find('`') + 1;
  const std::string command = said.substr(begin, said.find('`', begin) - begin);
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(root_), fs::directory_iterator()), 1);
  EXPECT_TRUE(fs::exists(root_ / "cells.jsonl"));
}

}  // namespace
}  // namespace spca::cache_file_test
