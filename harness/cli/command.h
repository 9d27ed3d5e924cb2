#pragma once

/// The contract of a subcommand. A subcommand is one file in harness/cli/ with a function and
/// SPCA_COMMAND. The function declares its options and returns what runs it. main.cpp knows no
/// subcommand by name.

#include <functional>
#include <string>
#include <vector>

#include "harness/cli/declarations.h"
#include "spca/base/interrupt.h"
#include "spca/base/registry.h"
#include "spca/data/data_folder.h"

namespace spca::cli {

/// Exit codes of every subcommand; `spca --help` lists them.
inline constexpr int kExitOk = 0;
inline constexpr int kExitInternal = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitFailed = 3;
inline constexpr int kExitWorse = 4;
inline constexpr int kExitNotComparable = 5;
inline constexpr int kExitSlower = 6;
inline constexpr int kExitInterrupted = kInterruptedExitCode;

/// What every subcommand is given.
struct GlobalOptions {
  std::string data_dir;                // as given; empty: data_directory("") decides
  std::vector<std::string> arguments;  // the command line without the program's name
};

struct CommandEntry {
  std::string name;
  std::string file;
  std::string summary;
  std::string examples;  // one a line
  /// Declares the words that the subcommand takes. The function that it returns runs after they are
  /// parsed, and gives the exit code. The words live as long as that function.
  std::function<int()> (*declare)(Declarations& declare, const GlobalOptions& global);
  static constexpr const char* kKind = "subcommand";
};

using CommandRegistry = Registry<CommandEntry>;

}  // namespace spca::cli

/// Registers a subcommand: SPCA_COMMAND("list", summary, examples, declare) at namespace scope of
/// its file.
#define SPCA_COMMAND(name, summary, examples, declare)                      \
  [[maybe_unused]] static const bool spca_command_registered_by_##declare = \
      ::spca::cli::CommandRegistry::instance().add({name, __FILE__, summary, examples, declare})
