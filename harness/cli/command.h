#pragma once

/// The interface of a subcommand. A subcommand is one file in harness/cli/ (mpi/ for spca-mpi) with
/// a function and SPCA_COMMAND. The function declares the options and returns the function that
/// runs the subcommand. main.cpp finds the subcommands in CommandRegistry.

#include <functional>
#include <string>
#include <vector>

#include "harness/cli/declarations.h"
#include "harness/comparisons/verdict.h"
#include "spca/base/interrupt.h"
#include "spca/base/registry.h"
#include "spca/data/data_folder.h"

namespace spca::cli {

/// Exit codes of every subcommand; `spca --help` lists them. Codes 3 to 6 are those of exit_code().
inline constexpr int kExitOk = 0;
inline constexpr int kExitInternal = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitFailed = exit_code(Verdict::kFailed);
inline constexpr int kExitNotComparable = exit_code(Verdict::kNotComparable);
inline constexpr int kExitInterrupted = kInterruptedExitCode;

/// Groups of subcommands, in the order of `spca --help`.
enum class CommandGroup { kYourData, kExperiments, kResults, kProgram };

/// The arguments and options that every subcommand receives.
struct GlobalOptions {
  std::string data_dir;                // as text; empty: data_directory("") decides
  std::vector<std::string> arguments;  // the command line without the program's name
};

struct CommandEntry {
  std::string name;
  CommandGroup group = CommandGroup::kProgram;
  std::string file;
  std::string summary;
  std::string examples;  // one per line, then any notes
  /// Declares the arguments of the subcommand. The returned function runs after they are parsed and
  /// returns the exit code. The variables of the arguments live as long as that function.
  std::function<int()> (*declare)(Declarations& declare, const GlobalOptions& global);
  static constexpr const char* kKind = "subcommand";
};

using CommandRegistry = Registry<CommandEntry>;

}  // namespace spca::cli

/// Registers a subcommand: SPCA_COMMAND("list", CommandGroup::kProgram, summary, examples, declare)
/// at namespace scope of its file.
#define SPCA_COMMAND(name, group, summary, examples, declare)               \
  [[maybe_unused]] static const bool spca_command_registered_by_##declare = \
      ::spca::cli::CommandRegistry::instance().add(                         \
          {name, group, __FILE__, summary, examples, declare})
