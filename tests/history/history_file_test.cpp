/// Tests the file of a history: its contents, and the handling of files that are not histories.

#include "harness/history/history_file.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "tests/history/history_testing.h"

namespace spca::history_file_test {
namespace {

using namespace trial;

using HistoryFileTest = HistoryTest;

std::string refusal(const fs::path& path, SqlAccess access = SqlAccess::kExisting) {
  std::string message = error_of([&] { HistoryFile(path, access).runs(); });
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_TRUE(message.starts_with(path.string())) << message;
  return message;
}

TEST_F(HistoryFileTest, KeepsARunAndTakesItOnce) {
  HistoryEntry made = entry(3);
  made.cells = {cell(5, 2.5, 0.25), cell(6, 2.75, 0.5)};
  HistoryFile file(path(), SqlAccess::kMade);
  EXPECT_EQ(file.add(made), std::nullopt);
  made.commit = "other";
  EXPECT_EQ(file.add(made), "c3");
  const std::vector<HistoryRun> runs = file.runs("e");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].commit, "c3");
  EXPECT_EQ(runs[0].date, day(3));
  EXPECT_EQ(runs[0].machine, Json({{"name", "a"}}));
  EXPECT_EQ(runs[0].digest, made.digest);
  const std::vector<HistoryPoint> points = file.points("e");
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].mean, 2.5);
  EXPECT_EQ(points[1].by_repeat, made.cells[0].points[1].by_repeat);
  EXPECT_EQ(file.questions("e").size(), 2U);
  EXPECT_EQ(file.cells(runs[0].number).size(), 2U);
  EXPECT_TRUE(file.runs("f").empty());
}

TEST_F(HistoryFileTest, RunsAreSortedByDate) {
  add(entry(2));
  add(entry(0));
  add(entry(1));
  std::string commits;
  for (const HistoryRun& run : HistoryFile(path(), SqlAccess::kExisting).runs()) {
    commits += run.commit;
  }
  EXPECT_EQ(commits, "c0c1c2");
}

TEST_F(HistoryFileTest, RefusesOtherFilesAndLeavesThemUnchanged) {
  EXPECT_NE(refusal(path()).find("spca history add"), std::string::npos);
  EXPECT_FALSE(fs::exists(path()));
  EXPECT_NE(refusal(folder_).find("is not a history"), std::string::npos);
  for (const SqlAccess access : {SqlAccess::kExisting, SqlAccess::kMade}) {
    const fs::path text = write("text", std::string(2000, 'x'));
    EXPECT_NE(refusal(text, access).find("spca history"), std::string::npos);
    EXPECT_EQ(bytes_of(text), std::string(2000, 'x'));
    const fs::path foreign = folder_ / "foreign.sqlite";
    SqlDatabase(foreign, SqlAccess::kMade).execute("CREATE TABLE IF NOT EXISTS t (a)");
    const std::string before = bytes_of(foreign);
    EXPECT_NE(refusal(foreign, access).find("is not a history"), std::string::npos);
    EXPECT_EQ(bytes_of(foreign), before);
  }
}

TEST_F(HistoryFileTest, RefusesTheFileOfANewerProgram) {
  add(entry(0));
  SqlDatabase(path(), SqlAccess::kExisting).execute("PRAGMA user_version = 2");
  EXPECT_NE(refusal(path(), SqlAccess::kMade).find("newer version"), std::string::npos);
}

/// Bytes of every page are changed in turn. Each damaged file is refused with a message of one
/// line, or is read.
TEST_F(HistoryFileTest, DamageIsRefusedOrHarmless) {
  HistoryEntry made = entry(0);
  for (Index k = 1; k < 40; ++k) {
    made.cells.push_back(cell(k, 2.0, 1));
  }
  add(made);
  const std::string whole = bytes_of(path());
  int refused = 0;
  for (std::size_t at = 100; at < whole.size(); at += 509) {
    std::string damaged = whole;
    for (std::size_t i = at; i < std::min(at + 64, whole.size()); ++i) {
      damaged[i] = static_cast<char>(damaged[i] ^ 0x5a);
    }
    const fs::path file = write("damaged.sqlite", damaged);
    const std::string message = error_of([&] {
      const HistoryFile history(file, SqlAccess::kExisting);
      history.runs();
      history.questions("e");
      history.points("e");
    });
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.find("deletes it"), std::string::npos) << message;
    refused += message == "no error" ? 0 : 1;
    EXPECT_EQ(bytes_of(file), damaged);
  }
  EXPECT_GT(refused, 0);
}

TEST_F(HistoryFileTest, AFullDiskLosesNothing) {
  add(entry(0));
  HistoryEntry large = entry(1);
  for (Index k = 1; k < 2000; ++k) {
    large.cells.push_back(cell(k, 2.0, 1));
  }
  // The file may have at most 64 KiB, too little for the large run, as on a full disk.
  const pid_t child = fork();
  if (child == 0) {
    SqlDatabase(path(), SqlAccess::kExisting).integer("SELECT 1");
    const rlimit limit{.rlim_cur = 64 * 1024, .rlim_max = 64 * 1024};
    std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = error_of([&] { HistoryFile(path(), SqlAccess::kMade).add(large); });
    _exit(message.starts_with(path().string()) && message.find('\n') == std::string::npos ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(HistoryFile(path(), SqlAccess::kExisting).runs().size(), 1U);
  add(large);
  EXPECT_EQ(HistoryFile(path(), SqlAccess::kExisting).runs().size(), 2U);
}

TEST_F(HistoryFileTest, ProcessesThatAddAtOnceAllLand) {
  std::vector<pid_t> children;
  for (std::size_t i = 0; i < 6; ++i) {
    children.push_back(fork());
    if (children.back() == 0) {
      HistoryEntry made = entry(i);
      made.cells = {cell(5, 2.0, 1)};
      const std::string message =
          error_of([&] { HistoryFile(path(), SqlAccess::kMade).add(made); });
      _exit(message == "no error" ? 0 : 1);
    }
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(HistoryFile(path(), SqlAccess::kExisting).runs().size(), 6U);
}

/// A process that is killed at any moment of an addition leaves a whole file, with the run or
/// without it.
TEST_F(HistoryFileTest, AKilledAdditionLeavesAWholeFile) {
  add(entry(0));
  HistoryEntry large = entry(1);
  for (Index k = 1; k < 3000; ++k) {
    large.cells.push_back(cell(k, 2.0, 1));
  }
  for (int microseconds = 0; microseconds < 60'000; microseconds += 6'000) {
    const pid_t child = fork();
    if (child == 0) {
      HistoryFile(path(), SqlAccess::kMade).add(large);
      _exit(0);
    }
    usleep(static_cast<useconds_t>(microseconds));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const HistoryFile file(path(), SqlAccess::kMade);
    const std::size_t runs = file.runs().size();
    EXPECT_EQ(file.questions("e").size(), runs == 2 ? large.cells.size() : 0U);
  }
}

}  // namespace
}  // namespace spca::history_file_test
