/// Tests control groups in a folder that imitates cgroup v2, because the kernel's own folder needs
/// a delegated group.

#include "harness/runs/control_groups.h"

#include <unistd.h>

#include "tests/temporary_files.h"

namespace spca::control_groups_test {
namespace {

class Groups : public TemporaryFiles {
 protected:
  /// Writes the files by which the kernel shows a group that holds this process.
  void delegate(const std::string& controllers, const std::string& processes) const {
    write("cgroup.controllers", controllers);
    write("cgroup.procs", processes);
    write("cgroup.subtree_control", "");
  }
  std::string name() const { return "spca-" + std::to_string(getpid()); }
  const std::string self_ = std::to_string(getpid());
};

TEST_F(Groups, AreInForceIfThisProcessIsAloneInItsGroup) {
  delegate("cpu memory pids\n", self_ + "\n");
  {
    ControlGroups groups(folder_);
    ASSERT_TRUE(groups.are_in_force()) << groups.why_not();
    EXPECT_EQ(bytes_of(folder_ / "cgroup.subtree_control"), "+memory +pids");
    EXPECT_EQ(bytes_of(folder_ / name() / "cgroup.procs"), self_);
    const fs::path group = groups.make(5e6);
    EXPECT_EQ(group, folder_ / (name() + "-1"));
    EXPECT_EQ(bytes_of(group / "memory.max"), "5000000");
    EXPECT_EQ(bytes_of(group / "pids.max"), "1000");
    ControlGroups::join(group);
    EXPECT_EQ(bytes_of(group / "cgroup.procs"), "0");
    const fs::path unlimited = groups.make(0);
    EXPECT_NE(unlimited, group);
    EXPECT_FALSE(fs::exists(unlimited / "memory.max"));
    EXPECT_EQ(bytes_of(unlimited / "pids.max"), "1000");
  }
  EXPECT_EQ(bytes_of(folder_ / "cgroup.subtree_control"), "-memory -pids") << "as it was";
  EXPECT_EQ(bytes_of(folder_ / "cgroup.procs"), self_);
}

TEST_F(Groups, ChangeNothingIfTheyCannotBe) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"cpu io\n", self_ + "\n"}, {"memory\n", self_}, {"memory pids\n", "1\n" + self_ + "\n"}};
  for (const auto& [controllers, processes] : cases) {
    delegate(controllers, processes);
    ControlGroups groups(folder_);
    EXPECT_FALSE(groups.are_in_force());
    EXPECT_EQ(groups.make(5e6), fs::path());
    EXPECT_EQ(bytes_of(folder_ / "cgroup.procs"), processes);
    EXPECT_EQ(bytes_of(folder_ / "cgroup.subtree_control"), "");
    EXPECT_FALSE(fs::exists(folder_ / name()));
  }
  EXPECT_EQ(ControlGroups(fs::path()).why_not(), "no cgroup v2");
  EXPECT_EQ(ControlGroups(folder_ / "none").are_in_force(), false);
}

TEST_F(Groups, SayThatTheMemoryRanOut) {
  EXPECT_FALSE(ControlGroups::ran_out_of_memory(fs::path()));
  EXPECT_FALSE(ControlGroups::ran_out_of_memory(folder_));
  write("memory.events", "low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\noom_group_kill 0\n");
  EXPECT_FALSE(ControlGroups::ran_out_of_memory(folder_));
  write("memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 2\noom_group_kill 1\n");
  EXPECT_TRUE(ControlGroups::ran_out_of_memory(folder_));
}

}  // namespace
}  // namespace spca::control_groups_test
