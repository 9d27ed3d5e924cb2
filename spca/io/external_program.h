#pragma once

/// Runs a program. The program, its descendants and its folder are removed when the run ends, even
/// if this process is killed.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace spca {

struct ProgramCall {
  /// The program (an absolute path) and its arguments. No shell reads them.
  std::vector<std::string> command;
  /// Number of threads for numerical libraries, which read it from the environment.
  int threads = 1;
  /// At most this number of bytes in a file that the program writes.
  std::uint64_t largest_file = std::numeric_limits<std::uint64_t>::max();
  /// At most this number of bytes of address space, if that is less than the limit of this process.
  std::uint64_t memory_limit = std::numeric_limits<std::uint64_t>::max();
  /// If true, the program has no network, if the system lets a process give it up.
  bool without_network = false;
};

struct ProgramEnd {
  /// The state of waitpid(2).
  int state = 0;
  /// The last line of standard error that is not blank, as kept_message() (text.h) returns it,
  /// without the path of the folder. Standard output is dropped.
  std::string last_line;
};

/// One run of a program in a temporary folder of its own. A second process, the reaper, starts it.
/// When the program ends, or this object, or this process, the reaper kills the program with its
/// descendants and removes the folder.
///
/// The program runs in its folder. It has the environment of this process, except for the locale
/// (C), the number of threads, the folder for temporary files (its own) and two settings of Python.
/// It has the memory limit of this process (RLIMIT_AS), or that of its call if it is less, and
/// cannot raise it.
class ExternalProgram {
 public:
  /// Makes the folder, then calls `make_call` with it, then starts the reaper. Throws InputError if
  /// there can be no folder or no process.
  explicit ExternalProgram(
      const std::function<ProgramCall(const std::filesystem::path& folder)>& make_call);
  /// Returns when the program has ended and its folder is removed.
  ~ExternalProgram();
  ExternalProgram(const ExternalProgram&) = delete;
  ExternalProgram& operator=(const ExternalProgram&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  /// Starts the program. To be called once, after the program's input files are in the folder.
  void start();
  /// Waits at most a few milliseconds for the end of the program. Returns nothing if it still
  /// runs.
  std::optional<ProgramEnd> wait_a_little();

 private:
  std::filesystem::path folder_;
  int reaper_ = -1;  // process
  int socket_ = -1;  // to the reaper
};

/// The name of a reaper in the list of processes (prctl(2), PR_SET_NAME).
inline constexpr const char* kReaperName = "spca-reaper";

/// The totals of the external programs that this process has run to their end: their part of the
/// cost of a solve.
struct ProgramTotals {
  std::uint64_t ended = 0;
  /// The highest resident memory of one of them since reset_program_peak.
  double peak_bytes = 0;
};
ProgramTotals program_totals();
void reset_program_peak();

/// Returns the absolute path of a program. A name with a slash is a path; any other name is looked
/// up in the absolute folders of PATH. Returns nothing if there is no such file that may be
/// executed.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// Returns "exit code 3" or "killed by SIGSEGV", for a state of waitpid(2).
std::string describe_program_end(int state);

}  // namespace spca
