#include "harness/runs/stray_processes.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

#include "spca/io/external_program.h"

namespace spca {
namespace {

std::set<pid_t> children_of_this_process() {
  std::set<pid_t> children;
  std::ifstream file(fmt::format("/proc/self/task/{}/children", getpid()));
  for (pid_t child = 0; file >> child;) {
    children.insert(child);
  }
  return children;
}

bool is_reaper(pid_t process) {
  std::string name;
  std::ifstream file(fmt::format("/proc/{}/comm", process));
  std::getline(file, name);
  return name == kReaperName;
}

}  // namespace

StrayProcesses::StrayProcesses() : others_(children_of_this_process()) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

StrayProcesses::~StrayProcesses() { prctl(PR_SET_CHILD_SUBREAPER, 0); }

void StrayProcesses::kill_those_of(pid_t worker, const std::set<pid_t>& running) const {
  kill(-worker, SIGKILL);  // the process group of the worker
  // The children of a killed stray become children of this process in turn.
  constexpr int kMostGenerations = 1000;
  constexpr useconds_t kBetweenGenerations = 1000;
  for (int generation = 0; generation < kMostGenerations; ++generation) {
    bool is_clean = true;
    for (const pid_t child : children_of_this_process()) {
      if (others_.contains(child) || running.contains(child)) {
        continue;
      }
      const bool may_stay = running.contains(getsid(child)) || is_reaper(child);
      if (!may_stay) {
        kill(child, SIGKILL);
      }
      const bool is_gone = waitpid(child, nullptr, WNOHANG) == child;
      is_clean = is_clean && (may_stay || is_gone);
    }
    if (is_clean) {
      return;
    }
    usleep(kBetweenGenerations);
  }
}

}  // namespace spca
