#pragma once

/// Another program that nobody is left behind of: it and whatever it starts end with this process,
/// however this one ends, and so does its folder.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace spca {

struct ProgramCall {
  /// The program (an absolute path) and its arguments, which reach it as they are: no shell reads
  /// them.
  std::vector<std::string> command;
  int threads = 1;  // of numerical libraries that ask the environment
  std::uint64_t largest_file = std::numeric_limits<std::uint64_t>::max();  // that it may write
};

struct ProgramEnd {
  int state = 0;  // as waitpid gives it
  /// The last line of its standard error that is not blank, without the path of the folder; what
  /// it prints on standard output is dropped.
  std::string last_line;
};

/// A folder of its own and a guard: a process that waits for the word to start, that starts the
/// program, and that at the end of the program, of this object or of this process kills the program
/// with its descendants and removes the folder.
///
/// The program's environment is ours but for the locale (C), the number of threads and the folder
/// for temporary files (its own). It inherits the memory limit (RLIMIT_AS) of this process and
/// cannot raise it.
class GuardedProgram {
 public:
  /// `make_call` is given the folder, which is there already. Throws InputError where no folder can
  /// be made or no process started.
  explicit GuardedProgram(
      const std::function<ProgramCall(const std::filesystem::path& folder)>& make_call);
  /// Returns when nothing is left of the program and its folder.
  ~GuardedProgram();
  GuardedProgram(const GuardedProgram&) = delete;
  GuardedProgram& operator=(const GuardedProgram&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  /// Once.
  void start();
  /// Waits for its end, but only a few milliseconds.
  std::optional<ProgramEnd> wait_a_little();

 private:
  std::filesystem::path folder_;
  int guard_ = -1;   // process
  int socket_ = -1;  // to the guard
};

/// Of all guarded programs that this process has run to their end: what a solve cost that was left
/// to them.
struct ProgramTotals {
  std::uint64_t ended = 0;
  double peak_bytes = 0;  // resident memory of one of them at its highest
};
ProgramTotals program_totals();
/// The highest from now on.
void reset_program_peak();

/// The absolute path of a program: as it is where it has a slash, else from the PATH. None where
/// there is no such file that may be executed.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// "exit code 3", "killed by SIGSEGV".
std::string describe_program_end(int state);

}  // namespace spca
