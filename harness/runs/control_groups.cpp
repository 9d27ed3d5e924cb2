#include "harness/runs/control_groups.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>

#include "harness/runs/runner_worker.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProcesses = "cgroup.procs";
constexpr const char* kSubtree = "cgroup.subtree_control";

std::vector<std::string> words_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> words;
  for (std::string word; file >> word;) {
    words.push_back(word);
  }
  return words;
}

bool has_word(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Writes a value to a file of a group in one write, as the kernel requires. Returns whether that
/// succeeded.
bool try_set(const fs::path& path, std::string_view value) noexcept {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) {
    return false;
  }
  const bool is_set = try_write_all(file, value) == 0;
  ::close(file);
  return is_set;
}

}  // namespace

fs::path own_control_group() {
  // A line is "36 25 0:31 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw": the fifth word is the mount
  // point, and the word after the dash is the type of the file system.
  fs::path place;
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    if (line.find(" - cgroup2 ") != std::string::npos) {
      std::istringstream words(line);
      std::string word;
      for (int i = 0; i < 5; ++i) {
        words >> word;
      }
      place = word;
    }
  }
  if (place.empty()) {
    return {};
  }
  constexpr std::string_view kVersion2 = "0::/";
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (line.starts_with(kVersion2)) {
      return place / line.substr(kVersion2.size());
    }
  }
  return {};
}

ControlGroups::ControlGroups(fs::path own) : own_(std::move(own)) {
  if (own_.empty()) {
    why_not_ = "no cgroup v2";
    return;
  }
  const std::vector<std::string> controllers = words_of(own_ / "cgroup.controllers");
  if (!has_word(controllers, "memory") || !has_word(controllers, "pids")) {
    why_not_ = "this process has no cgroup v2 with the controllers memory and pids";
    return;
  }
  if (words_of(own_ / kProcesses) != std::vector<std::string>{std::to_string(::getpid())}) {
    why_not_ = "other processes are in this process's cgroup";
    return;
  }
  enter();
}

void ControlGroups::enter() {
  const fs::path leaf = own_ / fmt::format("spca-{}", ::getpid());
  std::error_code error;
  if (!fs::create_directory(leaf, error)) {
    why_not_ = "no permission to make a cgroup";
    return;
  }
  leaf_ = leaf;
  if (!try_set(leaf / kProcesses, std::to_string(::getpid())) ||
      !try_set(own_ / kSubtree, "+memory +pids")) {
    why_not_ = "no permission to limit a cgroup";
    leave();
  }
}

void ControlGroups::leave() {
  if (leaf_.empty()) {
    return;
  }
  try_set(own_ / kSubtree, "-memory -pids");
  try_set(own_ / kProcesses, std::to_string(::getpid()));
  ::rmdir(leaf_.c_str());
  leaf_.clear();
}

ControlGroups::~ControlGroups() {
  constexpr int kMostTries = 1000;
  constexpr useconds_t kBetweenTries = 1000;
  for (const fs::path& group : old_) {
    try_set(group / "cgroup.kill", "1");
    for (int i = 0; i < kMostTries && ::rmdir(group.c_str()) != 0 && errno == EBUSY; ++i) {
      ::usleep(kBetweenTries);
    }
  }
  leave();
}

fs::path ControlGroups::make(double bytes) {
  if (!are_in_force()) {
    return {};
  }
  fs::path group = own_ / fmt::format("spca-{}-{}", ::getpid(), ++made_);
  std::error_code error;
  if (!fs::create_directory(group, error)) {
    return {};
  }
  const bool is_limited =
      try_set(group / "pids.max", std::to_string(kMostProcesses)) &&
      (!(bytes > 0) || try_set(group / "memory.max", fmt::format("{:.0f}", bytes)));
  if (!is_limited) {
    ::rmdir(group.c_str());
    return {};
  }
  if (bytes > 0) {
    // These settings do not exist everywhere. Without the first a group may swap; without the
    // second the kernel kills one process instead of all.
    try_set(group / "memory.swap.max", "0");
    try_set(group / "memory.oom.group", "1");
  }
  return group;
}

void ControlGroups::join(const fs::path& group) noexcept {
  if (!group.empty()) {
    try_set(group / kProcesses, "0");  // stands for the process that writes it
  }
}

bool ControlGroups::ran_out_of_memory(const fs::path& group) {
  const std::vector<std::string> events = words_of(group / "memory.events");
  const auto position = std::find(events.begin(), events.end(), "oom_kill");
  return !group.empty() && position != events.end() && std::next(position) != events.end() &&
         *std::next(position) != "0";
}

void ControlGroups::remove(const fs::path& group) {
  if (!group.empty() && ::rmdir(group.c_str()) != 0 && errno == EBUSY) {
    old_.push_back(group);  // a reaper still works there (external_program.h)
  }
}

std::string cell_limits_in_force() {
  const ControlGroups groups(own_control_group());
  const std::string address_space =
      kCanLimitMemory ? "RLIMIT_AS of each process" : "no limit of memory in this build";
  return groups.are_in_force()
             ? fmt::format("{}; memory.max and pids.max ({}) of a cgroup for each cell",
                           address_space, ControlGroups::kMostProcesses)
             : fmt::format("{}; no cgroup: {}", address_space, groups.why_not());
}

}  // namespace spca
